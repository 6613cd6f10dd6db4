// Ranges of addresses (pages.hpp) that searches have left, for the next ones. A solve makes some ten searches one after
// the other. Clearing the memory that one has written to takes a fraction of the time in which the system provides new
// pages: a virtual machine may have to ask for each of them outside.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <mutex>

namespace proofbase {

struct SpareRange {
    void* data = nullptr;
    std::size_t bytes = 0;
    std::size_t held = 0;  ///< so many of them, from the first one on, may be in memory; all others never were
};

/// Holds ranges of zero bytes, at most `most_held` bytes of memory, most of which the system takes back when it runs
/// short. Thread-safe.
class SpareRanges {
  public:
    static constexpr std::size_t most_held = std::size_t{1} << 30;

    /// A range of so many bytes, all zero. Its data is null if there is none.
    static SpareRange take(std::size_t bytes) noexcept {
        // The lock is not waited for: where a process was forked, it may never be free.
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return {};
        for (std::size_t i = count_; i-- > 0;) {
            if (ranges_[i].bytes != bytes) continue;
            const SpareRange range = take_out(i);
            assert(is_zero(range));
            return range;
        }
        return {};
    }

    /// Keeps a range of zero bytes. False if it cannot: then the range is still the caller's.
    static bool keep(const SpareRange& range) noexcept {
        if (range.held > most_held) return false;
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return false;
        assert(is_zero(range));
        while (count_ == ranges_.size() || held_ + range.held > most_held) {
            const SpareRange oldest = take_out(0);
            munmap(oldest.data, oldest.bytes);
        }
        ranges_[count_++] = range;
        held_ += range.held;
        return true;
    }

    /// Gives all ranges back to the system.
    static void drop() noexcept {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        while (lock && count_ > 0) {
            const SpareRange oldest = take_out(0);
            munmap(oldest.data, oldest.bytes);
        }
    }

  private:
    static SpareRange take_out(std::size_t i) noexcept {
        const SpareRange range = ranges_[i];
        std::copy(ranges_.begin() + i + 1, ranges_.begin() + count_, ranges_.begin() + i);
        --count_;
        held_ -= range.held;
        return range;
    }

    [[maybe_unused]] static bool is_zero(const SpareRange& range) noexcept {
        const auto* const bytes = static_cast<const unsigned char*>(range.data);
        constexpr std::size_t looked_at = std::size_t{2} << 20;
        return std::all_of(bytes, bytes + std::min(range.bytes, looked_at),
                           [](unsigned char byte) { return byte == 0; });
    }

    static inline std::mutex mutex_;                   ///< of the fields below
    static inline std::array<SpareRange, 32> ranges_;  ///< the oldest first
    static inline std::size_t count_ = 0;
    static inline std::size_t held_ = 0;  ///< by all of them
};

}  // namespace proofbase
