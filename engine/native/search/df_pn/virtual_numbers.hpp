// Virtual numbers, which part the threads of a parallel df-pn search: Kaneko, "Parallel depth first proof number
// search" (2010).
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/policy/proof_numbers.hpp"
#include "search/run/thread_marks.hpp"

namespace proofbase {

/// Makes a node below which threads search look harder than its disproof number says. Then other threads prefer other
/// nodes, if these are hardly harder.
class VirtualNumbers : public ThreadMarks {
  public:
    using ThreadMarks::ThreadMarks;

    /// The disproof number of a child of the searched node, raised by itself for every thread that searches below the
    /// child. For parallel searches only.
    template <class Child>
    std::uint32_t virtual_disproof(const Child& child) const noexcept {
        const std::uint32_t disproof = child.numbers.disproof;
        if (child.numbers.solved() || child.work() < least_work) return disproof;
        const std::uint32_t threads_below = count(child.question.hash);
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(disproof + (std::uint64_t{disproof} + 1) * threads_below, infinite - 1));
    }
};

}  // namespace proofbase
