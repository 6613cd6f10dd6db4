// Marks on positions that a thread searches, so that other threads prefer other ones (Hyatt, "The DTS high-performance
// parallel tree search algorithm", 1997; Weill, "The ABDADA distributed minimax search algorithm", 1996, for the idea
// of putting off moves that another thread searches).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace proofbase {

/// Counts how many threads search below a position, or below a node. Counters are found by a hash. Positions may share
/// a counter, since the count is only a hint.
class ThreadMarks {
  public:
    /// A thread marks what took so many nodes, or expansions: a counter that each of them wrote would slow down all
    /// threads.
    static constexpr std::uint64_t least_work = 16;

    explicit ThreadMarks(std::uint32_t threads) : counters_(threads > 1 ? counter_count : 1), threads_(threads) {}

    std::uint32_t threads() const noexcept { return threads_; }
    bool parallel() const noexcept { return threads_ > 1; }

    // For parallel searches only.

    void enter(std::uint64_t hash) noexcept { counters_[index(hash)].fetch_add(1, std::memory_order_relaxed); }
    void leave(std::uint64_t hash) noexcept { counters_[index(hash)].fetch_sub(1, std::memory_order_relaxed); }
    std::uint32_t count(std::uint64_t hash) const noexcept {
        return counters_[index(hash)].load(std::memory_order_relaxed);
    }

  private:
    static constexpr std::size_t counter_count = 1 << 14;
    static std::size_t index(std::uint64_t hash) noexcept { return hash % counter_count; }

    std::vector<std::atomic<std::uint8_t>> counters_;
    std::uint32_t threads_;
};

}  // namespace proofbase
