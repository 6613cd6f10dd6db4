// Boards of connect-four as sets of squares: a bit a square, in a word of 64 or 128 bits.
//
// Column-major with one spare bit on top of every column, column 0 at the low end:
//
//      6 13 20 27 34 41 48     spare row
//      5 12 19 26 33 40 47
//      4 11 18 25 32 39 46
//      3 10 17 24 31 38 45     7x6
//      2  9 16 23 30 37 44
//      1  8 15 22 29 36 43
//      0  7 14 21 28 35 42
//
// Lines are then found by shifts of 1 (column), height (falling), height+1 (row), height+2 (rising).
#pragma once

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace proofbase::connect_four {

using WideWord = unsigned __int128;

/// How many squares are in a set.
inline int count(std::uint64_t squares) noexcept {
    return std::popcount(squares);
}
inline int count(WideWord squares) noexcept {
    return std::popcount(static_cast<std::uint64_t>(squares)) +
           std::popcount(static_cast<std::uint64_t>(squares >> 64));
}

/// The square of the highest bit alone; nothing of an empty set.
inline std::uint64_t highest(std::uint64_t squares) noexcept {
    return std::bit_floor(squares);
}
inline WideWord highest(WideWord squares) noexcept {
    const auto high = static_cast<std::uint64_t>(squares >> 64);
    return high != 0 ? WideWord{std::bit_floor(high)} << 64
                     : WideWord{std::bit_floor(static_cast<std::uint64_t>(squares))};
}

/// A word for each direction of a line: column, falling, row, rising.
using Lanes = std::uint64_t __attribute__((vector_size(32)));

/// The lowest of some squares. Precondition: there is one.
inline int lowest_square(std::uint64_t squares) noexcept {
    return std::countr_zero(squares);
}
inline int lowest_square(WideWord squares) noexcept {
    const auto low = static_cast<std::uint64_t>(squares);
    return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(squares >> 64));
}

/// How many bits are in the four words.
inline int count(const Lanes& words) noexcept {
#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512VL__)
    const auto counts = (Lanes)_mm256_popcnt_epi64((__m256i)words);
    return static_cast<int>((counts[0] + counts[1]) + (counts[2] + counts[3]));
#else
    return (std::popcount(words[0]) + std::popcount(words[1])) + (std::popcount(words[2]) + std::popcount(words[3]));
#endif
}

/// A set of squares for each direction of a line. `step` is the distance of the next square of a line, from 1 to 63.
template <class Word>
struct FourSets {
    Lanes squares;

    static FourSets all(std::uint64_t squares) noexcept { return {Lanes{} + squares}; }
    FourSets up(const Lanes& step) const noexcept { return {squares << step}; }
    FourSets down(const Lanes& step) const noexcept { return {squares >> step}; }
    FourSets operator&(const FourSets& other) const noexcept { return {squares & other.squares}; }
    FourSets operator|(const FourSets& other) const noexcept { return {squares | other.squares}; }
    FourSets operator^(const FourSets& other) const noexcept { return {squares ^ other.squares}; }
    FourSets operator~() const noexcept { return {~squares}; }
    int count() const noexcept { return connect_four::count(squares); }
    std::uint64_t united() const noexcept { return (squares[0] | squares[1]) | (squares[2] | squares[3]); }
};

template <>
struct FourSets<WideWord> {
    Lanes low;
    Lanes high;

    static FourSets all(WideWord squares) noexcept {
        return {Lanes{} + static_cast<std::uint64_t>(squares), Lanes{} + static_cast<std::uint64_t>(squares >> 64)};
    }
    FourSets up(const Lanes& step) const noexcept { return {low << step, high << step | low >> (64 - step)}; }
    FourSets down(const Lanes& step) const noexcept { return {low >> step | high << (64 - step), high >> step}; }
    FourSets operator&(const FourSets& other) const noexcept { return {low & other.low, high & other.high}; }
    FourSets operator|(const FourSets& other) const noexcept { return {low | other.low, high | other.high}; }
    FourSets operator^(const FourSets& other) const noexcept { return {low ^ other.low, high ^ other.high}; }
    FourSets operator~() const noexcept { return {~low, ~high}; }
    int count() const noexcept { return connect_four::count(low) + connect_four::count(high); }
    WideWord united() const noexcept {
        const std::uint64_t below = (low[0] | low[1]) | (low[2] | low[3]);
        const std::uint64_t above = (high[0] | high[1]) | (high[2] | high[3]);
        return WideWord{above} << 64 | below;
    }
};

/// What follows from the size of a board. `Word` is std::uint64_t or WideWord.
template <class Word>
class Board {
    static_assert(std::is_same_v<Word, std::uint64_t> || std::is_same_v<Word, WideWord>);

  public:
    static constexpr int word_bits = 8 * sizeof(Word);

    /// Whether a board has at least a square and fits the word.
    static constexpr bool fits(int width, int height) noexcept {
        return width >= 1 && height >= 1 && static_cast<std::int64_t>(height + 1) * width <= word_bits;
    }

    /// Precondition: fits(width, height).
    Board(int width, int height) noexcept : width_(width), height_(height) {
        for (int c = 0; c < width; ++c) bottom_ |= Word{1} << (c * (height + 1));
        squares_ = bottom_ * ((Word{1} << height) - 1);
        const auto high = static_cast<std::uint64_t>(height);
        const std::uint64_t steps[4] = {1, high, high + 1, high + 2};
        std::copy(steps, steps + 4, steps_);
        constexpr bool one_word = std::is_same_v<Word, std::uint64_t>;
        if (height <= 7 && (one_word ? width <= 8 : width >= 2 && width <= 16)) {
            bytes_ = ((std::uint64_t{2} << height) - 1) * 0x0101010101010101;
        }
    }

    int width() const noexcept { return width_; }
    int height() const noexcept { return height_; }
    int column_bits() const noexcept { return height_ + 1; }

    Word squares() const noexcept { return squares_; }  ///< all squares of the board
    Word bottom() const noexcept { return bottom_; }    ///< the lowest square of every column
    Word square(int column, int row) const noexcept { return Word{1} << (column * column_bits() + row); }

    /// A column with its spare bit, at the low end of the word.
    Word column_field() const noexcept { return (Word{2} << height_) - 1; }

    /// The squares on which the next stone can fall. `mask` are all stones.
    Word playable(Word mask) const noexcept { return (mask + bottom_) & squares_; }

    /// Whether four of the stones are in an unbroken row, column or diagonal.
    bool has_line(Word stones) const noexcept {
        if (width_ < 4) {
            const Word pairs = stones & (stones >> 1);
            return (pairs & (pairs >> 2)) != 0;
        }
        const Lanes step = steps();
        const auto all = FourSets<Word>::all(stones);
        const auto pairs = all & all.down(step);
        return (pairs & pairs.down(step).down(step)).united() != 0;
    }

    /// The empty squares that complete a line of `stones`. `mask` are all stones.
    Word completing(Word stones, Word mask) const noexcept {
        Word squares = (stones << 1) & (stones << 2) & (stones << 3);
        if (width_ >= 4) {  // in a column only squares above the stones can be empty
            const Lanes step = steps();
            const auto all = FourSets<Word>::all(stones);
            const auto up = all.up(step);
            const auto down = all.down(step);
            const auto two_up = up & up.up(step);
            const auto two_down = down & down.down(step);
            const auto above = two_up & (up.up(step).up(step) | down);
            const auto below = two_down & (down.down(step).down(step) | up);
            squares = (above | below).united();
        }
        return squares & squares_ & ~mask;
    }

    /// Whether mirror() takes a few instructions, and no loop.
    bool has_fast_mirror() const noexcept {
#if defined(__BMI2__)
        return bytes_ != 0;
#else
        return false;
#endif
    }

    /// The columns, with their spare bits, in reverse order.
    Word mirror(Word columns) const noexcept {
#if defined(__BMI2__)
        if (bytes_ != 0) {
            if constexpr (std::is_same_v<Word, std::uint64_t>) return reversed(columns, width_);
            const int half = width_ / 2;
            const Word low = columns & ((Word{1} << (half * column_bits())) - 1);
            const Word high = columns >> (half * column_bits());
            return Word{reversed(static_cast<std::uint64_t>(low), half)} << ((width_ - half) * column_bits()) |
                   reversed(static_cast<std::uint64_t>(high), width_ - half);
        }
#endif
        const Word column = column_field();
        Word out = 0;
        for (int low = 0, high = (width_ - 1) * column_bits(); low <= high;
             low += column_bits(), high -= column_bits()) {
            out |= (columns >> low & column) << high | (columns >> high & column) << low;
        }
        return out;
    }

    /// The distance of the next square of a line, in each direction. Precondition: the width is at least 4. Then the
    /// squares of a line, steps of at most a quarter of the word apart, are in the word.
    Lanes steps() const noexcept {
        Lanes steps;
        std::memcpy(&steps, steps_, sizeof(steps));
        return steps;
    }

  private:
#if defined(__BMI2__)
    /// So many columns, from 1 to 8, in reverse order: each into a byte, the bytes in reverse order, and back.
    std::uint64_t reversed(std::uint64_t columns, int count) const noexcept {
        return _pext_u64(__builtin_bswap64(_pdep_u64(columns, bytes_)) >> (64 - 8 * count), bytes_);
    }
#endif

    int width_;
    int height_;
    Word bottom_ = 0;
    Word squares_ = 0;
    std::uint64_t bytes_ = 0;  ///< eight columns with their spare bits, each in a byte; 0 if the columns do not fit
    std::uint64_t steps_[4];   ///< distance of the next square of a line: column, falling, row, rising
};

}  // namespace proofbase::connect_four
