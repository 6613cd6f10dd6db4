// Retrograde analysis of one class by the plies to the end (retrograde_by_plies.hpp) with less memory than its states
// take: they are on the disk, those of one part of the class in memory, and updates of positions in other parts in
// queues (levels_in_parts.hpp). A level is an entry.
//
// The positions that their moves out of the class decide come in their turn: for each 256 positions the builder knows
// the lowest entry that one of them awaits. The entries are those of the game, whatever the order of the work, so the
// table is the same, byte for byte.
//
// A build that was killed goes on from a checkpoint (NAME.checkpoint): a text that names the table, what was prepared
// and solved, and the CRC-32 of everything before it.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/build/build_checkpoint.hpp"
#include "tables/build/moves_of_class.hpp"
#include "tables/build/plies_state.hpp"
#include "tables/build/retrograde.hpp"
#include "tables/build/sorted_exits.hpp"
#include "tables/files/block_cache.hpp"
#include "tables/files/checkpoint_file.hpp"
#include "tables/files/packed_table.hpp"
#include "tables/files/plies_code.hpp"
#include "tables/files/table_set.hpp"
#include "tables/files/tables_with_cache.hpp"
#include "tables/outside_memory/give_memory_back.hpp"
#include "tables/outside_memory/levels_in_parts.hpp"
#include "tables/plan/plan.hpp"
#include "tables/work/checkpoint_clock.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <HasPlies G>
class RetrogradeByPliesInParts {
  public:
    /// `tables`: those of the directory; no table is read through it. `plan`: for this class and these threads.
    RetrogradeByPliesInParts(const TableSet<G>& tables, std::uint32_t table_class, const PartsPlan& plan,
                             const BuildOptions& options, TableTask& task)
        : tables_(tables),
          game_(tables.game()),
          class_(table_class),
          size_(game_.class_size(table_class)),
          plan_(plan),
          options_(options),
          task_(task),
          header_(tables.header(table_class)),
          checkpoint_(BuildCheckpoint(tables.path(table_class), header_).path()),
          moves_(class_moves_of(game_, table_class)) {
        if (size_ >> 48 != 0) throw std::length_error("a class of more than 2^48 positions");
    }

    /// Solves the class and writes its table. Continues from a checkpoint if there is one whose parts are not longer.
    /// Throws TableWorkCancelled, DamagedTable (that of a smaller class), std::filesystem::filesystem_error.
    void run() {
        task_.table_class = tables_.number(class_);
        task_.size = size_;
        clock_.start();
        if (!load()) {
            levels_.reset();
            begin_anew();
        }
        prepare();
        give_memory_back();
        task_.begin(TableTask::Phase::solving);
        task_.done = solved_;
        Work work{*this};
        levels_->find_levels(work, [this] {
            solved_ = task_.done;
            rest();
        });
        task_.begin(TableTask::Phase::writing);
        write();
        std::filesystem::remove(checkpoint_);
    }

  private:
    using Moves = decltype(class_moves_of(std::declval<const G&>(), 0));
    using Placement = typename Moves::Placement;
    using States = PliesStates<PliesEntry<G>>;
    using State = typename States::State;

    static constexpr std::uint16_t awaits_nothing = std::numeric_limits<std::uint16_t>::max();

    /// What is done with the positions (LevelsInParts::find_levels).
    struct Work {
        RetrogradeByPliesInParts& builder;

        void begin_level(unsigned entry) const { builder.task_.threshold = static_cast<int>(entry - finished_entry); }

        bool awaits(unsigned entry, std::uint64_t from, std::uint64_t to) const {
            unsigned any = 0;  // without a way out: the compiler compares many at once
            for (std::uint64_t c = from; c < to; ++c) any |= static_cast<unsigned>(builder.awaited_[c] <= entry);
            return any != 0;
        }
        bool awaits_later(unsigned) const { return awaits(awaits_nothing - 1u, 0, builder.awaited_.size()); }

        [[gnu::always_inline]] Updated update(State& state, std::uint64_t i, int value, unsigned next) const {
            const std::atomic_ref<State> at(state);
            State old = at.load(std::memory_order_relaxed);
            while (true) {
                const State now = States::after_move(old, value > 0, next);
                if (now == old) return Updated::nothing;
                if (!at.compare_exchange_weak(old, now, std::memory_order_relaxed)) continue;
                if (States::is_known(now)) return Updated::level;
                if (States::awaits_its_turn(now)) builder.await(i, States::entry_of(now));
                return Updated::state;
            }
        }

        template <class Update, class Between>
        [[gnu::always_inline]] bool propagate(std::uint64_t from, std::uint64_t to, State* states, unsigned entry,
                                              Update&& update, Between&& between) const {
            return builder.propagate(from, to, states, entry, update, between);
        }
    };

    void begin_anew() {
        prepared_ = solved_ = 0;
        largest_ = no_position_entry;
        make_levels(plan_);
    }

    void make_levels(const PartsPlan& plan) {
        awaited_.assign((size_ + entries_of_a_mark - 1) / entries_of_a_mark, awaits_nothing);
        levels_ = std::make_unique<LevelsInParts<State>>(tables_.directory(), size_, plan, finished_entry,
                                                         options_.threads, task_);
    }

    std::string identity() const {
        return "proofbase: a table of plies that is built in parts, 1\n" + header_.written();
    }

    /// Writes a checkpoint if one is due. Throws TableWorkCancelled (nothing is changed then),
    /// std::filesystem::filesystem_error.
    void rest() {
        if (!clock_.is_due()) return;
        const auto began = CheckpointClock::Clock::now();
        CheckpointWriter writer(checkpoint_, task_);
        writer.text(identity());
        writer.value(plan_.length);
        writer.value(prepared_);
        writer.value(solved_);
        writer.value(largest_.load());
        writer.array(awaited_);
        levels_->put(writer, prepared_);
        writer.finish();
        clock_.saved(began);
    }

    /// Whether there is a checkpoint of this class, which was taken.
    bool load() {
        if (!std::filesystem::exists(checkpoint_)) return false;
        CheckpointReader reader(checkpoint_);
        std::string found;
        std::uint64_t length = 0;
        unsigned largest = 0;
        reader.text(found);
        reader.value(length);
        reader.value(prepared_);
        reader.value(solved_);
        reader.value(largest);
        largest_ = largest;
        const std::optional<PartsPlan> plan = plan_.with_length(length, size_);
        if (!reader.whole() || found != identity() || !plan || prepared_ > size_) return false;
        make_levels(*plan);
        reader.array(awaited_);
        levels_->take(reader, prepared_);
        if (!reader.finish()) return false;
        plan_.length = length;
        return true;
    }

    /// The states of all positions by the moves that leave the class. What is finished is not done again.
    void prepare() {
        task_.begin(TableTask::Phase::preparing);
        task_.done = prepared_;
        if (prepared_ == size_) return;
        const TableSet<G> smaller = tables_with_cache(tables_, game_.class_needs(class_), plan_.cache);
        needed_tables(smaller, class_, options_.threads, task_);
        const std::uint64_t batch = (plan_.moves / states_of_a_block + 1) * states_of_a_block;
        while (prepared_ < size_) {
            const std::uint64_t first = prepared_;
            const std::uint64_t count =
                std::min(std::max<std::uint64_t>(1 << 22, options_.threads * batch), size_ - first);
            in_pieces(options_.threads, count, batch, task_,
                      [&](std::uint64_t from, std::uint64_t to) { prepare(first + from, first + to, smaller); });
            prepared_ += count;
            rest();
        }
    }

    void prepare(std::uint64_t from, std::uint64_t to, const TableSet<G>& smaller) {
        std::vector<State> states;
        states.reserve(to - from);
        SortedExits exits(plan_.moves);
        Placement men;
        for (std::uint64_t i = from; i < to; ++i) {
            states.push_back(prepared(i, men, static_cast<std::uint32_t>(i - from), exits));
            if (exits.size() >= plan_.moves) take_exits(states, exits, smaller);
        }
        take_exits(states, exits, smaller);
        for (std::uint64_t i = from; i < to; ++i) {
            const State state = states[i - from];
            if (state == States::known(finished_entry)) levels_->mark(i);
            if (States::awaits_its_turn(state)) await(i, States::entry_of(state));
        }
        levels_->states().write(from, states.data(), states.size());
        task_.done.fetch_add(to - from, std::memory_order_relaxed);
    }

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

    /// Says that a position gets this entry in its turn. Any thread may call it, after it has changed the state.
    void await(std::uint64_t i, unsigned entry) {
        const std::atomic_ref<std::uint16_t> awaited(awaited_[i / entries_of_a_mark]);
        std::uint16_t known = awaited.load(std::memory_order_relaxed);
        // Who takes the number away sees the state.
        while (!awaited.compare_exchange_weak(known, std::min(known, static_cast<std::uint16_t>(entry)),
                                              std::memory_order_acq_rel)) {
        }
    }

    /// What Work::propagate does.
    template <class Update, class Between>
    bool propagate(std::uint64_t from, std::uint64_t to, State* states, unsigned entry, Update&& update,
                   Between&& between) {
        const bool wins = value_of_entry(entry, game_.end_value()) > 0;
        std::atomic_ref<std::uint16_t>(awaited_[from / entries_of_a_mark])
            .exchange(awaits_nothing, std::memory_order_acq_rel);
        Placement men;
        std::uint64_t found = 0;
        bool changed = false;
        for (std::uint64_t i = from; i < to; ++i) {
            const std::atomic_ref<State> at(states[i - from]);
            State now = at.load(std::memory_order_relaxed);
            if (States::awaits_its_turn(now)) {
                if (States::entry_of(now) > entry) await(i, States::entry_of(now));
                if (States::entry_of(now) != entry) continue;
                if (!at.compare_exchange_strong(now, States::known(entry), std::memory_order_relaxed)) continue;
                changed = true;
            } else if (now != States::known(entry)) {
                continue;
            }
            ++found;
            if (!moves_.men(i, men)) continue;
            States::plus_one(entry);  // a longer game does not fit
            moves_.for_each_predecessor(men, [&](std::uint64_t number) { update(number, wins ? -1 : 1); });
            between();
        }
        if (found > 0) {
            for (unsigned known = largest_; known < entry && !largest_.compare_exchange_weak(known, entry);) {
            }
            task_.done.fetch_add(found, std::memory_order_relaxed);
        }
        return changed;
    }

    void write() {
        header_.bits = static_cast<std::uint32_t>(std::bit_width(largest_.load()));
        const std::uint64_t block = header_.block_entries;
        const std::uint64_t together = std::clamp<std::uint64_t>(plan_.length / block, 1, 16);
        std::vector<State> states(std::min(together * block, size_));
        std::uint64_t first = 0;
        write_table(
            tables_.path(class_), header_, options_.threads, task_, together,
            [&](std::uint64_t i) {
                const State state = states[i - first];
                return States::is_known(state) ? States::entry_of(state) : drawn_entry;
            },
            [&](std::uint64_t from, std::uint64_t to) {
                first = from;
                levels_->states().read(from, states.data(), to - from);
            });
    }

    const TableSet<G>& tables_;
    const G& game_;
    std::uint32_t class_;
    std::uint64_t size_;
    PartsPlan plan_;
    BuildOptions options_;
    TableTask& task_;
    TableHeader header_;
    std::filesystem::path checkpoint_;
    Moves moves_;
    std::uint64_t prepared_ = 0;                        // the first positions, whose states are there
    std::uint64_t solved_ = 0;                          // positions whose predecessors have been updated
    std::atomic<unsigned> largest_{no_position_entry};  // entry so far
    std::vector<std::uint16_t> awaited_;  // by mark: the lowest entry that a position gets by moves out of the class
    std::unique_ptr<LevelsInParts<State>> levels_;
    CheckpointClock clock_{options_.checkpoint_every};
};

}  // namespace proofbase
