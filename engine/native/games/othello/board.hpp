// Boards of Othello as sets of squares: bit 8 * row + column of a word, from the top left (a1), for boards of up to 8
// rows and columns. Squares of smaller boards have the same bits; the others are never taken.
//
// Discs are turned along eight rays: in four of them (right, down left, down, down right) the bits grow, in the other
// four they fall. Each group of four is a vector of four words.
#pragma once

#if defined(__AVX512CD__) && defined(__AVX512VL__)
#include <immintrin.h>
#endif

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace proofbase::othello {

using Squares = std::uint64_t;
/// A set of squares for each of four rays.
using Lanes = std::uint64_t __attribute__((vector_size(32)));

inline int count(Squares squares) noexcept {
    return std::popcount(squares);
}
inline int lowest_square(Squares squares) noexcept {
    return std::countr_zero(squares);
}
[[gnu::always_inline]] inline Squares united(const Lanes& lanes) noexcept {
    using Pair = std::uint64_t __attribute__((vector_size(16)));
    Pair halves[2];
    std::memcpy(halves, &lanes, sizeof(lanes));
    const Pair pair = halves[0] | halves[1];
    return pair[0] | pair[1];
}
[[gnu::always_inline]] inline Squares common(const Lanes& lanes) noexcept {
    return ~united(~lanes);
}

/// The squares of the four rays of a square on which bits grow, and of those on which they fall, up to the edge of 8x8.
struct alignas(64) Rays {
    std::array<std::array<Squares, 4>, 64> growing{};
    std::array<std::array<Squares, 4>, 64> falling{};
};

constexpr Rays make_rays() {
    constexpr std::array<std::pair<int, int>, 4> steps{{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};  // column, row
    Rays rays;
    for (int square = 0; square < 64; ++square) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            for (const int way : {1, -1}) {
                Squares ray = 0;
                int column = square % 8 + way * steps[i].first;
                int row = square / 8 + way * steps[i].second;
                for (; column >= 0 && column < 8 && row >= 0 && row < 8;
                     column += way * steps[i].first, row += way * steps[i].second) {
                    ray |= Squares{1} << (8 * row + column);
                }
                (way > 0 ? rays.growing : rays.falling)[static_cast<std::size_t>(square)][i] = ray;
            }
        }
    }
    return rays;
}
inline constexpr Rays rays = make_rays();

[[gnu::always_inline]] inline Lanes lanes_of(const std::array<Squares, 4>& words) noexcept {
    return Lanes{words[0], words[1], words[2], words[3]};
}

/// The highest bit of each word alone. Bits of a word lie on one line with the given distance.
[[gnu::always_inline]] inline Lanes highest_bits(Lanes words) noexcept {
#if defined(__AVX512CD__) && defined(__AVX512VL__)
    return (Lanes{} + (Squares{1} << 63)) >> (Lanes)_mm256_lzcnt_epi64((__m256i)words);
#else
    constexpr Lanes step{1, 7, 8, 9};
    words |= words >> step;
    words |= words >> (step + step);
    words |= words >> (4 * step);
    return words & ~(words >> step);
#endif
}

/// The discs of `other` that a disc of `own` on an empty square turns; none: it may not be put there. A ray is turned
/// up to its first square without a disc of `other`, if `own` has a disc there.
[[gnu::always_inline]] inline Squares flips(Squares own, Squares other, int square) noexcept {
    const Lanes growing = lanes_of(rays.growing[static_cast<std::size_t>(square)]);
    const Lanes falling = lanes_of(rays.falling[static_cast<std::size_t>(square)]);
    const Lanes free = Lanes{} + ~other;
    const Lanes first = free & growing;
    const Lanes end = first & -first & own;
    Lanes turned = (end - 1) & growing & (Lanes)(end != 0);
    const Lanes last = highest_bits(free & falling) & own;
    turned |= falling & -(last + last);
    return united(turned);
}

/// The squares where `own` may put a disc, `empty` being the empty squares of the board. Parallel prefix: runs of discs
/// of `other` behind discs of `own` grow by 1, 1, 2 and 2 discs in all directions at once.
[[gnu::always_inline]] inline Squares placements(Squares own, Squares other, Squares empty) noexcept {
    constexpr Squares inner_columns = 0x7e7e7e7e7e7e7e7eULL;
    constexpr Lanes step{1, 7, 8, 9};
    constexpr Lanes inner{inner_columns, inner_columns, ~Squares{0}, inner_columns};
    const Lanes between = other & inner;
    const Lanes mine = Lanes{} + own;
    Lanes up = between & (mine << step);
    Lanes down = between & (mine >> step);
    up |= between & (up << step);
    down |= between & (down >> step);
    const Lanes pairs_up = between & (between << step);
    const Lanes pairs_down = between & (between >> step);
    up |= pairs_up & (up << (step + step));
    down |= pairs_down & (down >> (step + step));
    up |= pairs_up & (up << (step + step));
    down |= pairs_down & (down >> (step + step));
    return united((up << step) | (down >> step)) & empty;
}

inline constexpr Squares not_first = 0xfefefefefefefefeULL;  // column
inline constexpr Squares not_last = 0x7f7f7f7f7f7f7f7fULL;

/// Some squares, and all squares next to them, on 8x8.
constexpr Squares neighbours(Squares squares) noexcept {
    const Squares row = squares | (squares << 1 & not_first) | (squares >> 1 & not_last);
    return row | row << 8 | row >> 8;
}

inline Squares upside_down(Squares squares) noexcept {
    return __builtin_bswap64(squares);
}
inline Squares left_right(Squares squares) noexcept {
    squares = (squares >> 1 & 0x5555555555555555ULL) | (squares & 0x5555555555555555ULL) << 1;
    squares = (squares >> 2 & 0x3333333333333333ULL) | (squares & 0x3333333333333333ULL) << 2;
    return (squares >> 4 & 0x0f0f0f0f0f0f0f0fULL) | (squares & 0x0f0f0f0f0f0f0f0fULL) << 4;
}
/// Rows become columns.
inline Squares transposed(Squares squares) noexcept {
    const auto exchange = [&](int distance, Squares mask) {
        const Squares different = (squares ^ squares >> distance) & mask;
        squares ^= different ^ different << distance;
    };
    exchange(7, 0x00aa00aa00aa00aaULL);
    exchange(14, 0x0000cccc0000ccccULL);
    exchange(28, 0x00000000f0f0f0f0ULL);
    return squares;
}

/// What follows from the size of a board.
class Board {
  public:
    static constexpr bool fits(int width, int height) noexcept {
        return (width == height && (width == 4 || width == 6 || width == 8)) || (width == 4 && height == 6) ||
               (width == 6 && height == 4);
    }

    /// `discs_only`: empty squares count for nobody at the end.
    Board(int width, int height, bool discs_only) noexcept : width_(width), height_(height), discs_only_(discs_only) {
        for (int row = 0; row < height; ++row) all_ |= ((Squares{1} << width) - 1) << (8 * row);
        first_middle_ = Squares{1} << (8 * (height / 2 - 1) + width / 2 - 1);
        const Squares top = all_ & 0xff;
        const Squares left = all_ & 0x0101010101010101ULL;
        const Squares columns = left | left << (width - 1);
        const Squares rows = top | top << (8 * (height - 1));
        corners_ = columns & rows;
        ends_ = {columns, columns | rows, rows, columns | rows};
    }

    int width() const noexcept { return width_; }
    int height() const noexcept { return height_; }
    int size() const noexcept { return width_ * height_; }
    Squares all() const noexcept { return all_; }
    bool discs_only() const noexcept { return discs_only_; }

    /// The value for `own` of a game that is over.
    int result(Squares own, Squares other) const noexcept {
        const int lead = count(own) - count(other);
        const int empty = discs_only_ ? 0 : size() - count(own | other);
        return lead > 0 ? lead + empty : lead < 0 ? lead - empty : 0;
    }

    /// The upper left of the four squares in the middle, and all four.
    Squares first_middle() const noexcept { return first_middle_; }
    Squares middle() const noexcept { return first_middle_ * 0x303; }

    Squares corners() const noexcept { return corners_; }

    /// Where lines of each kind end: rows, rising diagonals, columns, falling diagonals.
    Lanes ends_of_lines() const noexcept { return lanes_of(ends_); }

    /// Row by row without gaps: the number of a square of the board, and its bit.
    int number(int square) const noexcept { return square / 8 * width_ + square % 8; }
    int square(int number) const noexcept { return number / width_ * 8 + number % width_; }

    /// The set with bits by number.
    Squares packed(Squares squares) const noexcept {
        if (width_ == 8) return squares;
        Squares out = 0;
        for (int row = height_ - 1; row >= 0; --row) out = out << width_ | (squares >> (8 * row) & row_mask());
        return out;
    }
    Squares unpacked(Squares numbers) const noexcept {
        if (width_ == 8) return numbers;
        Squares out = 0;
        for (int row = 0; row < height_; ++row, numbers >>= width_) out |= (numbers & row_mask()) << (8 * row);
        return out;
    }

    /// Calls visit(a, b) with the images of two sets under each symmetry of the board: 8 if it is square, else 4.
    template <class Visit>
    [[gnu::always_inline]] void for_each_image(Squares a, Squares b, Visit&& visit) const {
        for_each_reflection(a, b, visit);
        if (width_ == height_) for_each_reflection(transposed(a), transposed(b), visit);
    }

  private:
    Squares row_mask() const noexcept { return (Squares{1} << width_) - 1; }

    template <class Visit>
    [[gnu::always_inline]] void for_each_reflection(Squares a, Squares b, Visit&& visit) const {
        const int rows_left = 8 * (8 - height_);
        const int columns_left = 8 - width_;
        const Squares a_mirrored = left_right(a) >> columns_left;
        const Squares b_mirrored = left_right(b) >> columns_left;
        visit(a, b);
        visit(a_mirrored, b_mirrored);
        visit(upside_down(a) >> rows_left, upside_down(b) >> rows_left);
        visit(upside_down(a_mirrored) >> rows_left, upside_down(b_mirrored) >> rows_left);
    }

    int width_;
    int height_;
    bool discs_only_;
    Squares all_ = 0;
    Squares first_middle_ = 0;
    Squares corners_ = 0;
    std::array<Squares, 4> ends_{};
};

}  // namespace proofbase::othello
