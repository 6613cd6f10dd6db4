// Virtual numbers, which part the threads of a parallel df-pn search: Kaneko, "Parallel depth first proof number
// search" (2010).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// Counts how many threads search below a node, and makes such a node look harder than its disproof number says. Then
/// other threads prefer other nodes, if these are hardly harder.
///
/// Counters are found by the hash of a node. Nodes may share a counter, since the count is only a hint. A thread
/// announces a node from `min_work` expansions on: a counter that every expansion wrote would slow down all threads.
class VirtualNumbers {
  public:
    static constexpr std::uint64_t min_work = 16;  ///< expansions

    explicit VirtualNumbers(std::uint32_t threads) : counters_(threads > 1 ? counter_count : 1), threads_(threads) {}

    std::uint32_t threads() const noexcept { return threads_; }
    bool parallel() const noexcept { return threads_ > 1; }

    // For parallel searches only.

    void enter_node(std::uint64_t hash) noexcept { counters_[index(hash)].fetch_add(1, std::memory_order_relaxed); }
    void leave_node(std::uint64_t hash) noexcept { counters_[index(hash)].fetch_sub(1, std::memory_order_relaxed); }

    /// The disproof number of a child of the searched node, raised by itself for every thread that searches below the
    /// child.
    template <class Child>
    std::uint32_t virtual_disproof(const Child& child) const noexcept {
        const std::uint32_t disproof = child.numbers.disproof;
        if (child.numbers.solved() || child.work() < min_work) return disproof;
        const std::uint32_t threads_below = counters_[index(child.question.hash)].load(std::memory_order_relaxed);
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(disproof + (std::uint64_t{disproof} + 1) * threads_below, infinite - 1));
    }

  private:
    static constexpr std::size_t counter_count = 1 << 14;
    static std::size_t index(std::uint64_t hash) noexcept { return hash % counter_count; }

    std::vector<std::atomic<std::uint8_t>> counters_;
    std::uint32_t threads_;
};

}  // namespace proofbase
