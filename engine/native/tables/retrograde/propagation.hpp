// The loop of the threads that propagate final positions of a range at a threshold: each takes final positions from
// wherever there are more, and works until nothing follows from them.
#pragma once

#include <cstdint>
#include <vector>

#include "function_ref.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// A position that has become final: its number in the class and, in the low byte, its value.
using FinalEntry = std::uint64_t;

constexpr FinalEntry pack_final(std::uint64_t index, int value) noexcept {
    return index << 8 | static_cast<std::uint8_t>(value);
}
constexpr std::uint64_t index_of(FinalEntry entry) noexcept {
    return entry >> 8;
}
constexpr std::int8_t value_of_final(FinalEntry entry) noexcept {
    return static_cast<std::int8_t>(entry & 0xff);
}

/// What a thread of `propagate_in_threads` has.
struct PropagatingThread {
    std::uint64_t batches = 0;           ///< calls of `propagate` so far
    std::vector<FinalEntry> stack = {};  ///< final positions that have still to update their predecessors
};

/// Propagates until nothing is left, in all threads.
///
/// Args:
///     more(thread, stopped): puts more final positions onto the thread's stack; false if there are none.
///     propagate(thread): takes some positions from the stack and updates their predecessors.
///     has_to_stop(thread): asked after each batch, whether the work is to be stopped.
///     set_pending(stack): marks these final positions, which have still to update their predecessors.
///
/// Returns:
///     False when it was stopped: then what has still to update its predecessors is marked as pending.
///
/// Throws TableWorkCancelled, and what the functions throw.
bool propagate_in_threads(unsigned threads, const TableTask& task, FunctionRef<bool(PropagatingThread&, bool)> more,
                          FunctionRef<void(PropagatingThread&)> propagate,
                          FunctionRef<bool(const PropagatingThread&)> has_to_stop,
                          FunctionRef<void(const std::vector<FinalEntry>&)> set_pending);

}  // namespace proofbase
