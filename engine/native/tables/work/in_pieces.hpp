// Loops of long work on tables, shared out among threads.
#pragma once

#include <cstdint>

#include "function_ref.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// Calls `work(from, to)`, or `work(number of the thread, from, to)`, for pieces of [0, size), in any order, in
/// `threads` threads. Throws TableWorkCancelled.
void in_pieces(unsigned threads, std::uint64_t size, std::uint64_t piece, const TableTask& task,
               FunctionRef<void(unsigned, std::uint64_t, std::uint64_t)> work);
void in_pieces(unsigned threads, std::uint64_t size, std::uint64_t piece, const TableTask& task,
               FunctionRef<void(std::uint64_t, std::uint64_t)> work);

}  // namespace proofbase
