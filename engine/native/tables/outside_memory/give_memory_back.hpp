// Memory between two steps of work that keeps to a limit.
#pragma once

#include <cstddef>  // says whether this is the C library with malloc_trim

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace proofbase {

/// What was given back to the allocator goes back to the system: the next step needs the room for other things.
inline void give_memory_back() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace proofbase
