// The positions of a class with the numbers of a range, and their states in memory: what retrograde analysis by values
// does with them (retrograde.hpp), for a class as a whole and for one that is built in parts.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_file.hpp"
#include "tables/files/table_set.hpp"
#include "tables/retrograde/entry_state.hpp"
#include "tables/retrograde/propagation.hpp"
#include "tables/retrograde/sorted_exits.hpp"
#include "tables/work/atomic_extremes.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// `whole`: the range is the class, and the smaller tables are in memory without a cache.
template <Indexed G, bool whole>
class ClassRange {
  public:
    using States = ValueStates<G>;
    using State = typename States::State;

    static constexpr std::uint64_t piece = 1 << 14;  ///< positions that a thread takes at a time

    /// `states`: those of the positions from number `first` on.
    ClassRange(const G& game, std::uint32_t table_class, State* states, std::uint64_t first, TableTask& task)
        : game_(game), class_(table_class), states_(states), first_(whole ? 0 : first), task_(task) {}

    /// Sets `best` and `open` of the positions with these numbers, and raises `highest` to the largest |value| of a
    /// move that leaves the class. `most_exits`: moves that leave the class, collected before the tables are asked.
    /// Throws DamagedTable.
    void prepare(std::uint64_t from, std::uint64_t to, const TableSet<G>& smaller, std::uint64_t most_exits,
                 std::atomic<int>& highest) {
        // In memory, the cache misses of a batch overlap. Otherwise all entries of a block are read together.
        constexpr std::uint64_t batch = whole ? 256 : std::uint64_t{1} << 31;
        Exits exits(most_exits);
        int largest = 0;
        Placement p = table_placement(game_, class_, from);
        std::uint64_t start = from;
        for (std::uint64_t i = from; i < to; ++i) {
            if (i > from) game_.table_next(p);
            state(i) = prepared(p, static_cast<std::uint32_t>(i - start), smaller, exits, largest);
            if (i + 1 - start < batch && i + 1 < to && (whole || exits.size() < most_exits)) continue;
            take_exits(start, smaller, exits, largest);
            start = i + 1;
        }
        raise_to(highest, largest);
        task_.done.fetch_add(to - from, std::memory_order_relaxed);
    }

    /// Makes final the positions with these numbers that are final at the threshold v by their own state.
    void collect_final(std::uint64_t from, std::uint64_t to, int v, std::vector<FinalEntry>& stack) {
        std::array<State, 128> copy;  // other threads write meanwhile; few of them become final
        for (std::uint64_t start = from; start < to; start += copy.size()) {
            const std::uint64_t end = std::min(start + copy.size(), to);
            for (std::uint64_t i = start; i < end; ++i) {
                copy[i - start] = std::atomic_ref(state(i)).load(std::memory_order_relaxed);
            }
            if (States::awaited_threshold(copy.data(), end - start) < v) continue;
            for (std::uint64_t i = start; i < end; ++i) {
                std::atomic_ref<State> state(this->state(i));
                State old = state.load(std::memory_order_relaxed);
                // Another thread may update the same position meanwhile, or make it final.
                while (States::becomes_final(old, v)) {
                    if (!state.compare_exchange_weak(old, States::pack(States::best_of(old), States::final_mark),
                                                     std::memory_order_relaxed)) {
                        continue;
                    }
                    stack.push_back(pack_final(i, States::best_of(old)));
                    break;
                }
            }
        }
    }

    /// Takes some final positions from the stack and updates their predecessors. Those that become final go onto the
    /// stack, or, if the game has placements, are the next ones, as long as there is room. The range is the class.
    void propagate(std::vector<FinalEntry>& stack, int v)
        requires whole
    {
        constexpr std::size_t batch = 64;
        constexpr unsigned batches = 32;
        std::vector<FinalPosition> finals;
        std::vector<Update> updates;
        finals.reserve(batch);
        updates.reserve(16 * batch);
        std::uint64_t done = 0;
        for (unsigned k = 0; k < batches; ++k) {
            for (; finals.size() < batch && !stack.empty(); stack.pop_back()) {
                finals.push_back({table_placement(game_, class_, index_of(stack.back())), stack.back()});
            }
            if (finals.empty()) break;
            for (const FinalPosition& one : finals) {
                game_.for_each_predecessor(one.position, [&](const Placement& predecessor) {
                    const std::uint64_t index = game_.table_rank(predecessor);
                    __builtin_prefetch(&state(index), 1);
                    updates.push_back({KeptPlacement(predecessor), index, -value_of_final(one.entry)});
                });
            }
            done += finals.size();
            finals.clear();
            for (const Update& update : updates) {
                const std::optional<FinalEntry> entry = updated(update.index, update.value, v);
                if (!entry) continue;
                if constexpr (HasPlacements<G>) {
                    if (finals.size() < batch) {
                        finals.push_back({update.predecessor, *entry});
                        continue;
                    }
                }
                stack.push_back(*entry);
            }
            updates.clear();
        }
        for (const FinalPosition& one : finals) stack.push_back(one.entry);
        task_.done.fetch_add(done, std::memory_order_relaxed);
    }

    /// Marks final positions that have still to update their predecessors: the next pass over the range finds them.
    void set_pending(const std::vector<FinalEntry>& stack) {
        for (const FinalEntry entry : stack) {
            std::atomic_ref<State>(state(index_of(entry)))
                .store(States::pack(value_of_final(entry), States::pending_mark), std::memory_order_relaxed);
        }
    }

  private:
    using Placement = TablePlacement<G>;

    /// The same as SortedExits for tables in memory: the moves are looked up in the order in which they were added.
    class ExitsInMemory {
      public:
        explicit ExitsInMemory(std::uint64_t) {}

        void add(const TableFile* table, std::uint64_t rank, std::uint32_t index, int reward) {
            table->prefetch(rank);
            exits_.push_back({index, reward, table, rank});
        }
        std::size_t size() const noexcept { return exits_.size(); }

        /// Calls `visit(value, index, reward)` for each of them, and clears the list.
        template <class Visit>
        [[gnu::always_inline]] void for_each(Visit&& visit) {
            for (const Exit& exit : exits_) visit(exit.table->unchecked(exit.rank), exit.index, exit.reward);
            exits_.clear();
        }

      private:
        struct Exit {
            std::uint32_t index;
            int reward;
            const TableFile* table;
            std::uint64_t rank;
        };
        std::vector<Exit> exits_;
    };
    using Exits = std::conditional_t<whole, ExitsInMemory, SortedExits>;

    /// A predecessor as it was visited; nothing if it may be another position than the one that has its number.
    struct NoPlacement {
        explicit NoPlacement(const Placement&) {}
    };
    using KeptPlacement = std::conditional_t<HasPlacements<G>, Placement, NoPlacement>;

    struct FinalPosition {
        Placement position;
        FinalEntry entry;
    };

    /// A final position's value as one of its predecessors sees it.
    struct Update {
        [[no_unique_address]] KeptPlacement predecessor;
        std::uint64_t index;
        int value;
    };

    /// Updates a position of the range. Nothing if it does not become final.
    [[gnu::always_inline]] std::optional<FinalEntry> updated(std::uint64_t index, int value, int v) {
        const std::atomic_ref<State> state(this->state(index));
        State old = state.load(std::memory_order_relaxed);
        while (!States::is_final(old)) {
            const State now = States::updated(old, value, v);
            if (!state.compare_exchange_weak(old, now, std::memory_order_relaxed)) continue;
            if (States::is_final(now)) return pack_final(index, States::best_of(now));
            break;
        }
        return std::nullopt;
    }

    State& state(std::uint64_t index) const noexcept {
        if constexpr (whole) return states_[index];
        return states_[index - first_];
    }

    /// The state of a position by its moves in the class, those that leave it excepted: they are added to `exits`.
    [[gnu::always_inline]] State prepared(const Placement& p, std::uint32_t index_in_batch, const TableSet<G>& smaller,
                                          Exits& exits, int& largest) const {
        if (const std::optional<int> value = game_.terminal(p)) {
            largest = std::max(largest, std::abs(*value));
            return States::pack(*value, 0);
        }
        unsigned open = 0;
        int best = States::no_value;  // of the moves that end the game and lead to no table
        game_.for_each_successor(p, [&](const Placement& child, int reward) {
            const std::uint32_t c = game_.table_class(child);
            if (c == class_) {
                ++open;
                return;
            }
            if constexpr (ListsMoves<G>) {
                if (c == no_table_class) {
                    best = std::max(best, reward - *game_.terminal(child));
                    return;
                }
            }
            const std::uint64_t rank = game_.table_rank(child);
            if constexpr (whole) {
                exits.add(smaller.table(c), rank, index_in_batch, reward);
            } else {
                exits.add(c, rank, index_in_batch, reward);
            }
        });
        if (open >= States::pending_mark) throw std::length_error("a position with more than 253 moves");
        if (best != States::no_value) largest = std::max(largest, std::abs(best));
        return States::pack(best, open);
    }

    /// Puts what the moves out of the class bring into the states of a batch, and clears the list.
    [[gnu::always_inline]] void take_exits(std::uint64_t start, const TableSet<G>& smaller, Exits& exits,
                                           int& largest) {
        int highest = largest;
        const auto take = [&](int value_of_child, std::uint32_t index, int reward) {
            State& state = this->state(start + index);
            const int value = reward - value_of_child;
            highest = std::max(highest, std::abs(value));
            if (value > States::best_of(state)) state = States::pack(value, States::mark_of(state));
        };
        if constexpr (whole) {
            exits.for_each(take);
        } else {
            exits.for_each([&](std::uint32_t c, std::uint64_t rank, std::uint32_t index, int reward) {
                take(smaller.table(c)->value(rank), index, reward);
            });
        }
        largest = highest;
    }

    const G& game_;
    std::uint32_t class_;
    State* states_;
    std::uint64_t first_;
    TableTask& task_;
};

}  // namespace proofbase
