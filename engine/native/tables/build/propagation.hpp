// The loop of the threads that propagate final positions of a range at a threshold: each takes final positions from
// wherever there are more, and works until nothing follows from them.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "tables/build/class_range.hpp"
#include "tables/build/entry_state.hpp"
#include "tables/build/shared_stacks.hpp"
#include "tables/table_task.hpp"

namespace proofbase {

/// What a thread of `propagate_in_threads` has.
struct PropagatingThread {
    unsigned number = 0;
    std::uint64_t batches = 0;              ///< calls of `propagate` so far
    std::vector<FinalEntry> stack = {};     ///< final positions that have still to update their predecessors
    std::vector<ValueUpdate> updates = {};  ///< of a batch
};

/// Propagates until nothing is left, in all threads.
///
/// Args:
///     more(thread, stopped): puts more final positions onto the thread's stack; false if there are none.
///     propagate(thread): takes some positions from the stack and updates their predecessors.
///     has_to_stop(thread): asked after each batch, whether the work is to be stopped.
///
/// Returns:
///     False when it was stopped: then what has still to update its predecessors is marked as pending in the range.
///
/// Throws TableWorkCancelled, and what the three functions throw.
template <class Range, class More, class Propagate, class HasToStop>
bool propagate_in_threads(Range& range, unsigned threads, const TableTask& task, More&& more, Propagate&& propagate,
                          HasToStop&& has_to_stop) {
    SharedStacks<FinalEntry> stacks(threads);
    std::atomic<bool> stopped{false};
    in_threads(threads, [&](unsigned number) {
        PropagatingThread thread{number};
        try {
            while (true) {
                while (!thread.stack.empty() && !stopped.load(std::memory_order_relaxed)) {
                    propagate(thread);
                    stacks.share(thread.stack);
                    task.stop_if_cancelled();
                    ++thread.batches;
                    if (has_to_stop(thread)) {
                        stopped = true;
                        stacks.end();
                    }
                }
                task.stop_if_cancelled();
                range.set_pending(thread.stack);
                thread.stack.clear();
                const bool ending = stopped.load(std::memory_order_relaxed);
                if (more(thread, ending)) continue;
                if (ending || !stacks.receive(thread.stack)) return;
            }
        } catch (...) {
            stacks.stop();
            throw;
        }
    });
    for (const std::vector<FinalEntry>& part : stacks.take()) range.set_pending(part);
    return !stopped;
}

}  // namespace proofbase
