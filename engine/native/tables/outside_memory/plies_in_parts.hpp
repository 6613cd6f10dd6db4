// Retrograde analysis by the plies to the end (retrograde_by_plies.hpp) of a class that is built in parts
// (build_in_parts.hpp). A level is an entry (plies_code.hpp), and its positions update those of the next one.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/checkpoint_file.hpp"
#include "tables/files/plies_code.hpp"
#include "tables/files/table_format.hpp"
#include "tables/files/table_set.hpp"
#include "tables/outside_memory/awaited_levels.hpp"
#include "tables/outside_memory/levels_in_parts.hpp"
#include "tables/outside_memory/states_on_disk.hpp"
#include "tables/retrograde/entry_state.hpp"
#include "tables/retrograde/moves_of_class.hpp"
#include "tables/retrograde/sorted_exits.hpp"
#include "tables/work/atomic_extremes.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <HasPlies G, class Entry>
class PliesInParts {
    using States = PliesStates<G, Entry>;

  public:
    using Game = G;
    using State = typename States::State;

    static constexpr const char* entries = "plies";
    static constexpr bool any_order = false;
    static constexpr unsigned first_level = finished_entry;

    PliesInParts(const G& game, std::uint32_t table_class, TableTask& task)
        : game_(game), task_(task), moves_(class_moves_of(game, table_class)) {
        if (game.class_size(table_class) >> 48 != 0) throw std::length_error("a class of more than 2^48 positions");
    }

    static int shown(unsigned level) { return static_cast<int>(level - finished_entry); }

    void prepare(std::uint64_t from, std::uint64_t to, const TableSet<G>& smaller, std::uint64_t most_exits,
                 std::vector<State>& states) const {
        SortedExits exits(most_exits);
        Placement men{};
        for (std::uint64_t i = from; i < to; ++i) {
            states.push_back(prepared(i, men, static_cast<std::uint32_t>(i - from), exits));
            if (exits.size() >= most_exits) take_exits(states, exits, smaller);
        }
        take_exits(states, exits, smaller);
        task_.done.fetch_add(to - from, std::memory_order_relaxed);
    }

    static void start(std::uint64_t from, const std::vector<State>& states, LevelsInParts<State>& levels,
                      AwaitedLevels& awaited) {
        for (std::uint64_t k = 0; k < states.size(); ++k) {
            if (states[k] == States::known(finished_entry)) levels.mark(from + k);
            if (States::awaits_its_turn(states[k])) awaited.await(from + k, States::entry_of(states[k]));
        }
    }

    [[gnu::always_inline]] static Updated update(State& state, std::uint64_t i, int value, unsigned next,
                                                 AwaitedLevels& awaited) {
        const std::atomic_ref<State> at(state);
        State old = at.load(std::memory_order_relaxed);
        while (true) {
            const State now = States::after_move(old, value > 0, next);
            if (now == old) return Updated::nothing;
            if (!at.compare_exchange_weak(old, now, std::memory_order_relaxed)) continue;
            if (States::is_known(now)) {
                States::plus_one(next - 1);  // a longer game does not fit
                return Updated::level;
            }
            if (States::awaits_its_turn(now)) awaited.await(i, States::entry_of(now));
            return Updated::state;
        }
    }

    template <class Update, class Between>
    bool propagate(std::uint64_t from, std::uint64_t to, State* states, unsigned entry, AwaitedLevels& awaited,
                   Update&& update, Between&& between) {
        const bool wins = value_of_entry(entry, game_.end_value()) > 0;
        awaited.take(from);
        Placement men{};
        std::uint64_t found = 0;
        bool changed = false;
        for (std::uint64_t i = from; i < to; ++i) {
            const std::atomic_ref<State> at(states[i - from]);
            State now = at.load(std::memory_order_relaxed);
            if (States::awaits_its_turn(now)) {
                if (States::entry_of(now) > entry) awaited.await(i, States::entry_of(now));
                if (States::entry_of(now) != entry) continue;
                if (!at.compare_exchange_strong(now, States::known(entry), std::memory_order_relaxed)) continue;
                changed = true;
            } else if (now != States::known(entry)) {
                continue;
            }
            ++found;
            if (!moves_.men(i, men)) continue;
            moves_.for_each_predecessor(men, [&](std::uint64_t number) { update(number, wins ? -1 : 1); });
            between();
        }
        if (found > 0) {
            const std::atomic_ref<unsigned> largest(largest_);
            raise_to(largest, entry);
            task_.done.fetch_add(found, std::memory_order_relaxed);
        }
        return changed;
    }

    void put(CheckpointWriter& writer) const { writer.value(largest_); }
    void take(CheckpointReader& reader) { reader.value(largest_); }

    void describe(const StatesOnDisk<State>&, const TableTask&, TableHeader& header) const {
        header.bits = static_cast<std::uint32_t>(std::bit_width(largest_));
    }

    static unsigned entry(State state, const TableHeader&) {
        return States::is_known(state) ? States::entry_of(state) : drawn_entry;
    }

  private:
    using Moves = decltype(class_moves_of(std::declval<const G&>(), 0));
    using Placement = typename Moves::Placement;

    /// The state of a position by its moves in the class, those that leave it excepted: they are added to `exits`.
    State prepared(std::uint64_t i, Placement& men, std::uint32_t index, SortedExits& exits) const {
        if (!moves_.men(i, men)) return States::known(no_position_entry);
        const ClassExits out =
            moves_.exits(men, [&](std::uint32_t c, std::uint64_t rank) { exits.add(c, rank, index); });
        if (out.finished) return States::known(*out.finished == 0 ? drawn_entry : finished_entry);
        if (out.inside > States::most_open) throw std::length_error("a position with more than 126 moves");
        return States::pack(0, out.inside);
    }

    /// Puts what the moves out of the class bring into the states of a batch, and clears the list.
    void take_exits(std::vector<State>& states, SortedExits& exits, const TableSet<G>& smaller) const {
        exits.for_each([&](std::uint32_t c, std::uint64_t rank, std::uint32_t index, int) {
            const unsigned child =
                c == no_table_class ? finished_entry : static_cast<unsigned>(smaller.table(c)->value(rank));
            if (child == no_position_entry) throw std::logic_error("a move leads to a number without a position");
            states[index] = States::after_exit(states[index], child, game_.end_value());
        });
    }

    const G& game_;
    TableTask& task_;
    Moves moves_;
    unsigned largest_ = no_position_entry;  // entry so far
};

}  // namespace proofbase
