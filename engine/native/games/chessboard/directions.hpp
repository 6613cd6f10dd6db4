// Sets of squares in four directions at once, as the vector units of processors calculate them: all sliders, or all
// knights, of a side move in a few instructions, without branches and without tables. ("Kogge-Stone" fills: S. Lefler,
// G. Isenberg.)
//
// A set for each of four axes: a rank, the diagonals towards a8 and h1, a file, the diagonals towards h8 and a1.
#pragma once

#include <bit>

#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

using FourSets = Squares __attribute__((vector_size(32)));

inline constexpr FourSets ray_steps = {1, 7, 8, 9};
inline constexpr FourSets knight_steps = {6, 10, 15, 17};

namespace edges {
inline constexpr Squares no_a = ~file_a;
inline constexpr Squares no_h = ~file_h;
inline constexpr Squares no_ab = ~(file_a | file_a << 1);
inline constexpr Squares no_gh = ~(file_h | file_h >> 1);

// Where a step may end that does not go over the edge of the board.
inline constexpr FourSets ray_up = {no_a, no_h, ~Squares{0}, no_a};
inline constexpr FourSets ray_down = {no_h, no_a, ~Squares{0}, no_h};
inline constexpr FourSets knight_up = {no_gh, no_ab, no_h, no_a};
inline constexpr FourSets knight_down = {no_ab, no_gh, no_a, no_h};
}  // namespace edges

constexpr FourSets on_all_axes(Squares set) noexcept {
    return FourSets{set, set, set, set};
}

/// Rooks and queens on ranks and files, bishops and queens on diagonals.
constexpr FourSets by_axis(Squares straight, Squares diagonal) noexcept {
    return FourSets{straight, diagonal, straight, diagonal};
}

/// What sliders attack on their axes up the board (on ranks: to the right), the first man on each way included. No
/// square is attacked twice on one way, so the numbers of squares may be added.
inline FourSets attacks_up(FourSets sliders, FourSets empty) noexcept {
    empty &= edges::ray_up;
    sliders |= empty & sliders << ray_steps;
    empty &= empty << ray_steps;
    sliders |= empty & sliders << 2 * ray_steps;
    empty &= empty << 2 * ray_steps;
    sliders |= empty & sliders << 4 * ray_steps;
    return sliders << ray_steps & edges::ray_up;
}

inline FourSets attacks_down(FourSets sliders, FourSets empty) noexcept {
    empty &= edges::ray_down;
    sliders |= empty & sliders >> ray_steps;
    empty &= empty >> ray_steps;
    sliders |= empty & sliders >> 2 * ray_steps;
    empty &= empty >> 2 * ray_steps;
    sliders |= empty & sliders >> 4 * ray_steps;
    return sliders >> ray_steps & edges::ray_down;
}

inline FourSets king_steps_up(Squares kings) noexcept {
    return on_all_axes(kings) << ray_steps & edges::ray_up;
}
inline FourSets king_steps_down(Squares kings) noexcept {
    return on_all_axes(kings) >> ray_steps & edges::ray_down;
}
inline FourSets knight_steps_up(Squares knights) noexcept {
    return on_all_axes(knights) << knight_steps & edges::knight_up;
}
inline FourSets knight_steps_down(Squares knights) noexcept {
    return on_all_axes(knights) >> knight_steps & edges::knight_down;
}

inline Squares united(FourSets sets) noexcept {
    return sets[0] | sets[1] | sets[2] | sets[3];
}

/// How many squares the sets have together; a square of two sets counts twice.
inline unsigned count_squares(FourSets a, FourSets b) noexcept {
    unsigned count = 0;
    for (int i = 0; i < 4; ++i) count += static_cast<unsigned>(std::popcount(a[i]) + std::popcount(b[i]));
    return count;
}

}  // namespace proofbase::chessboard
