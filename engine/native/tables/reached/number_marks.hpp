// Marks of the numbers of a class, a bit each, that threads set together.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "huge_pages.hpp"
#include "tables/reached/reached_numbers.hpp"

namespace proofbase {

class NumberMarks {
  public:
    /// For numbers below `size`.
    explicit NumberMarks(std::uint64_t size) : words_((size + 63) / 64) {}

    void prefetch(std::uint64_t number) const noexcept { __builtin_prefetch(&words_[number / 64], 1); }

    /// Whether it is new.
    bool set(std::uint64_t number) noexcept {
        std::atomic_ref<std::uint64_t> word(words_[number / 64]);
        const std::uint64_t bit = std::uint64_t{1} << number % 64;
        if ((word.load(std::memory_order_relaxed) & bit) != 0) return false;
        return (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
    }

    /// The marked numbers.
    ReachedNumbers numbers() const {
        ReachedNumbers out;
        for (std::uint64_t k = 0; k < words_.size(); ++k) {
            for (std::uint64_t bits = words_[k]; bits != 0; bits &= bits - 1) {
                out.add(64 * k + static_cast<unsigned>(std::countr_zero(bits)));
            }
        }
        return out;
    }

    std::uint64_t words() const noexcept { return words_.size(); }

    /// The marks of the numbers from 64 * `index` on.
    std::uint64_t word(std::uint64_t index) noexcept {
        return std::atomic_ref<std::uint64_t>(words_[index]).load(std::memory_order_relaxed);
    }

  private:
    std::vector<std::uint64_t, HugePages<std::uint64_t>> words_;
};

}  // namespace proofbase
