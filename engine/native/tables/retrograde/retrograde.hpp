// Retrograde analysis of one class of positions, by values from the highest to the lowest. (Awari was solved by
// retrograde analysis: Romein and Bal 2002.)
//
// Every position has `best`, the best value that its moves of known value bring, and `open`, the number of its moves
// whose value is not known. At the start the moves of known value are those that leave the class. For each threshold v
// from the highest value of any such move down to 1:
//
//   all positions that are not final have |value| <= v
//   a position with best = v cannot do better: it is final, with the value v
//   a position with open = 0 has no move of unknown value: it is final, with the value best
//   a final position with the value w updates each predecessor: best = max(best, -w), open = open - 1
//
// until nothing changes. A position that is not final after v = 1 is worth 0: neither side can force more than endless
// play is worth. The values are those of the game, so they do not depend on the order of the work or the number of
// threads.
//
// For a checkpoint the threads put back what they have still to do: each position that is final and has not updated its
// predecessors gets a mark, and the next pass over the class finds it.
//
// Two bytes a position. Updates are collected and then applied in batches, so that their cache misses overlap. A class
// whose states do not fit into the memory is built in parts instead (values_in_parts.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "concepts.hpp"
#include "huge_pages.hpp"
#include "table_concepts.hpp"
#include "tables/files/needed_tables.hpp"
#include "tables/files/packed_table.hpp"
#include "tables/files/table_set.hpp"
#include "tables/retrograde/build_checkpoint.hpp"
#include "tables/retrograde/class_range.hpp"
#include "tables/retrograde/entry_state.hpp"
#include "tables/retrograde/propagation.hpp"
#include "tables/retrograde/value_range.hpp"
#include "tables/work/build_limits.hpp"
#include "tables/work/checkpoint_clock.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// Throws std::length_error, std::invalid_argument if no table can hold the class.
template <Indexed G>
void check_class(const G& game, std::uint32_t table_class) {
    if (game.class_size(table_class) >> 48 != 0) throw std::length_error("a class of more than 2^48 positions");
    if (game.highest_value() > 120) throw std::invalid_argument("tables hold values from -120 to 120");
}

template <Indexed G>
class Retrograde {
  public:
    /// `smaller`: has the tables of all classes that this class needs. `task` receives the progress.
    Retrograde(const TableSet<G>& smaller, std::uint32_t table_class, const BuildOptions& options, TableTask& task)
        : game_(smaller.game()),
          smaller_(smaller),
          class_(table_class),
          size_(game_.class_size(table_class)),
          options_(options),
          task_(task),
          header_(smaller.header(table_class)) {
        check_class(game_, table_class);
    }

    /// Solves the class and writes its table. Continues from a checkpoint if there is one.
    /// Throws TableWorkCancelled, DamagedTable (that of a smaller class), std::filesystem::filesystem_error.
    void run() {
        task_.table_class = class_;
        task_.size = size_;
        states_.resize(size_);
        Range range(game_, class_, states_.data(), 0, task_);
        BuildCheckpoint checkpoint(smaller_.path(class_), header_);
        std::atomic<int> highest{0};
        clock_.start();
        if (const auto threshold = checkpoint.load(states_)) {
            highest = *threshold;
        } else {
            task_.begin(TableTask::Phase::preparing);
            needed_tables(smaller_, class_, options_.threads, task_);
            in_pieces(options_.threads, size_, Range::piece, task_,
                      [&](std::uint64_t from, std::uint64_t to) { range.prepare(from, to, smaller_, 0, highest); });
        }
        task_.begin(TableTask::Phase::solving);
        for (int v = std::max<int>(highest, 1); v >= 1; --v) {
            task_.threshold = v;
            while (!solve_threshold(range, v)) save(checkpoint, v);
            if (v > 1 && clock_.is_due()) save(checkpoint, v - 1);
        }
        task_.begin(TableTask::Phase::writing);
        write();
        checkpoint.remove();
    }

  private:
    using Range = ClassRange<G, true>;
    using States = typename Range::States;
    using State = typename Range::State;

    void save(const BuildCheckpoint& checkpoint, int threshold) {
        const auto began = CheckpointClock::Clock::now();
        checkpoint.save(states_, threshold, task_);
        clock_.saved(began);
    }

    /// Finds all positions that are final at the threshold v. False when it was stopped for a checkpoint: then the
    /// states hold all that was found, and another call goes on with it.
    bool solve_threshold(Range& range, int v) {
        std::atomic<std::uint64_t> next{0};
        return propagate_in_threads(
            options_.threads, task_,
            [&](PropagatingThread& thread, bool stopped) {
                const std::uint64_t from = next.fetch_add(Range::piece, std::memory_order_relaxed);
                if (stopped || from >= size_) return false;
                range.collect_final(from, std::min(from + Range::piece, size_), v, thread.stack);
                return true;
            },
            [&](PropagatingThread& thread) { range.propagate(thread.stack, v); },
            [&](const PropagatingThread& thread) { return clock_.is_due(thread.batches); },
            [&](const std::vector<FinalEntry>& stack) { range.set_pending(stack); });
    }

    void write() {
        ValueRange values;
        in_pieces(options_.threads, size_, Range::piece, task_, [&](std::uint64_t from, std::uint64_t to) {
            values.take<States>(&states_[from], &states_[from] + (to - from));
        });
        values.describe(header_);
        write_table(smaller_.path(class_), header_, options_.threads, task_, [this](std::uint64_t i) {
            return static_cast<unsigned>(States::value_of(states_[i]) - header_.lowest);
        });
    }

    const G& game_;
    const TableSet<G>& smaller_;
    std::uint32_t class_;
    std::uint64_t size_;
    BuildOptions options_;
    TableTask& task_;
    TableHeader header_;
    std::vector<State, HugePages<State>> states_;
    CheckpointClock clock_{options_.checkpoint_every};
};

}  // namespace proofbase
