// What differs by system, and not by processor only. engine/system.py has it for Python.
#pragma once

#include <sys/mman.h>
#include <sys/stat.h>

#include <cstddef>  // says whether this is the C library with malloc_trim

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__APPLE__)  // which has other names for the times of a file
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

namespace proofbase {

/// Asks for huge pages in a range of memory, or for none. A hint: refusal costs speed only, and only Linux has it.
inline void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes,
                              [[maybe_unused]] bool wanted = true) noexcept {
#if defined(MADV_HUGEPAGE)
    ::madvise(memory, bytes, wanted ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
}

/// Lets the system take a range of memory back when it runs short. What it takes reads as zero.
inline void may_take_back([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_FREE)
    ::madvise(memory, bytes, MADV_FREE);
#endif
}

/// What was given back to the allocator goes back to the system: the next step of work that keeps to a limit needs the
/// room for other things.
inline void give_memory_back() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace proofbase
