// The same work in several threads.
#pragma once

#include "function_ref.hpp"

namespace proofbase {

/// Calls `work(number)` in `threads` threads, the calling thread included (number 0), and waits for all of them. There
/// are fewer threads where the system gives no more. Throws what one of the calls has thrown first.
void in_threads(unsigned threads, FunctionRef<void(unsigned)> work);

}  // namespace proofbase
