// Sets of so many points, in ascending order of their numbers: the combinatorial number system.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/mens_morris/board.hpp"

namespace proofbase::mens_morris {

/// n over k, for n up to 24 points.
constexpr std::uint32_t choose(int n, int k) noexcept {
    if (k < 0 || k > n) return 0;
    std::uint64_t product = 1;
    for (int i = 1; i <= k; ++i) product = product * static_cast<std::uint64_t>(n - k + i) / static_cast<unsigned>(i);
    return static_cast<std::uint32_t>(product);
}

/// The next larger number with as many bits.
constexpr Men next_set(Men men) noexcept {
    const Men lowest = men & (~men + 1);
    const Men ripple = men + lowest;
    return ripple | ((men ^ ripple) >> 2) / lowest;
}

/// All sets of `count` of the points 0 to n - 1 in ascending order. Those of fewer points come first, so that the same
/// lists serve any n.
class Sets {
  public:
    Sets(int points, int count) : count_(count) {
        all_.reserve(choose(points, count));
        if (count == 0) {
            all_.push_back(0);
        } else {
            const Men last = (man_on(count) - 1) << (points - count);
            for (Men men = man_on(count) - 1; men < last; men = next_set(men)) all_.push_back(men);
            all_.push_back(last);
        }
        for (Men half = 0; half < low_.size(); ++half) {
            std::uint32_t low = 0;
            std::uint32_t high = 0;
            int before = 0;
            const int below = count - std::popcount(half);  // men in the low half, where this is the high one
            for_each_point(half, [&](int bit) {
                ++before;
                low += choose(bit, before);
                if (below >= 0) high += choose(bit + half_bits, before + below);
            });
            low_[half] = low;
            high_[half] = high;
        }
    }

    int count() const noexcept { return count_; }
    std::size_t size() const noexcept { return all_.size(); }
    Men operator[](std::size_t number) const noexcept { return all_[number]; }
    std::uint32_t number(Men men) const noexcept { return low_[men & (halves - 1)] + high_[men >> half_bits]; }

  private:
    static constexpr int half_bits = 12;
    static constexpr Men halves = 1 << half_bits;

    int count_;
    std::vector<Men> all_;
    std::array<std::uint32_t, halves> low_{};
    std::array<std::uint32_t, halves> high_{};
};

/// Bits with the number of ones before any place.
class CountedBits {
  public:
    explicit CountedBits(std::uint32_t size) : words_(size / 64 + 1), before_(size / 64 + 1) {}

    void set(std::uint32_t i) noexcept { words_[i / 64] |= std::uint64_t{1} << (i % 64); }

    /// To be called after the last set(). Returns the number of ones.
    std::uint32_t count() noexcept {
        std::uint32_t ones = 0;
        for (std::size_t w = 0; w < words_.size(); ++w) {
            before_[w] = ones;
            ones += static_cast<std::uint32_t>(std::popcount(words_[w]));
        }
        return ones;
    }

    /// The number of ones below a bit.
    std::uint32_t rank(std::uint32_t i) const noexcept {
        const std::uint64_t below = words_[i / 64] & ((std::uint64_t{1} << (i % 64)) - 1);
        return before_[i / 64] + static_cast<std::uint32_t>(std::popcount(below));
    }

    /// The place of a one: the inverse of rank.
    std::uint32_t select(std::uint32_t rank) const noexcept {
        std::size_t low = 0;
        std::size_t high = words_.size();  // the last word with before_ <= rank is in [low, high)
        while (high - low > 1) {
            const std::size_t middle = (low + high) / 2;
            (before_[middle] <= rank ? low : high) = middle;
        }
        std::uint64_t word = words_[low];
        for (std::uint32_t left = rank - before_[low]; left > 0; --left) word &= word - 1;
        return static_cast<std::uint32_t>(64 * low) + static_cast<std::uint32_t>(std::countr_zero(word));
    }

  private:
    std::vector<std::uint64_t> words_;
    std::vector<std::uint32_t> before_;  // ones in the words before
};

}  // namespace proofbase::mens_morris
