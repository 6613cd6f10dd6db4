// Threads that check the parts of a set of records side by side.
#pragma once

#include <cstddef>

#include "function_ref.hpp"

namespace proofbase {

/// Calls `work()` in `threads` threads, of which the caller's is one, and returns when all calls have ended. There are
/// fewer threads where the system gives no more. Throws what one of the calls has thrown first.
void run_in_threads(std::size_t threads, FunctionRef<void()> work);

}  // namespace proofbase
