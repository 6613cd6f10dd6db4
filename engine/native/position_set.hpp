// Positions that a diagram meets when it is played out (docs/strategies.md).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace proofbase {

/// A set of positions that is emptied often, with 2^bits slots. More than half of them are not to be used. `Word` is an
/// unsigned integer of at most 128 bits.
template <class Word, unsigned bits>
class PositionSet {
  public:
    void clear() {
        size_ = 0;
        if (++round_ == 0) {
            rounds_.fill(0);
            round_ = 1;
        }
    }
    std::size_t size() const noexcept { return size_; }
    bool half_full() const noexcept { return size_ >= slots / 2; }

    /// False if it was there.
    bool insert(Word position) {
        std::uint64_t hash = static_cast<std::uint64_t>(position);
        if constexpr (sizeof(Word) > 8) hash ^= std::rotl(static_cast<std::uint64_t>(position >> 64), 29);
        std::size_t at = (hash * 0x9e3779b97f4a7c15u) >> (64 - bits);
        for (; rounds_[at] == round_; at = (at + 1) % slots) {
            if (positions_[at] == position) return false;
        }
        rounds_[at] = round_;
        positions_[at] = position;
        ++size_;
        return true;
    }

  private:
    static constexpr std::size_t slots = std::size_t{1} << bits;
    std::array<Word, slots> positions_{};
    std::array<std::uint32_t, slots> rounds_{};
    std::uint32_t round_ = 1;
    std::size_t size_ = 0;
};

}  // namespace proofbase
