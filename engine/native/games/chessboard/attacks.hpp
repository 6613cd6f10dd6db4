// Which squares a man attacks. Sliders by subtraction on their lines ("hyperbola quintessence", R. Hyatt, G. Isenberg
// and A. Mahmoud's o^(o-2r)): no tables of occupancies, so that a search keeps the caches for itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

/// The lines through a square, without the square, and what a knight and a king attack from there.
struct Reach {
    Squares file = 0;
    Squares rising = 0;   ///< the diagonal towards h8
    Squares falling = 0;  ///< the diagonal towards h1
    Squares straight = 0;
    Squares diagonal = 0;
    Squares knight = 0;
    Squares king = 0;
};

struct AttackTables {
    std::array<Reach, 64> reach;
    std::array<std::array<Squares, 64>, 64> between;  ///< strictly between two squares of a line, else empty
    std::array<std::array<Squares, 64>, 64> line;     ///< the whole line through two squares, without the first
    std::array<std::uint8_t, 512> rank;               ///< by file + 8 * (the six inner squares of the rank)
};
extern const AttackTables attack_tables;

inline const Reach& reach_of(int square) noexcept {
    return attack_tables.reach[static_cast<std::size_t>(square)];
}

inline Squares between(int a, int b) noexcept {
    return attack_tables.between[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

inline Squares line_through(int a, int b) noexcept {
    return attack_tables.line[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

/// The squares of a line up to the first man on each side, and that man's square. `line` is none of the ranks.
inline Squares along(Squares line, Squares from, Squares occupied) noexcept {
    const Squares men = occupied & line;
    const Squares up = men - from;
    const Squares down = turned(turned(men) - turned(from));
    return (up ^ down) & line;
}

inline Squares diagonal_attacks(int square, Squares occupied) noexcept {
    const Reach& reach = reach_of(square);
    const Squares from = square_set(square);
    return along(reach.rising, from, occupied) | along(reach.falling, from, occupied);
}

inline Squares straight_attacks(int square, Squares occupied) noexcept {
    const int shift = square & 56;
    const auto index = (occupied >> (shift + 1) & 63) << 3 | static_cast<Squares>(square & 7);
    const Squares on_rank = Squares{attack_tables.rank[static_cast<std::size_t>(index)]} << shift;
    return on_rank | along(reach_of(square).file, square_set(square), occupied);
}

/// What pawns attack that move up the board, and those that move down.
constexpr Squares attacked_upwards(Squares pawns) noexcept {
    return (pawns & ~file_a) << 7 | (pawns & ~file_h) << 9;
}
constexpr Squares attacked_downwards(Squares pawns) noexcept {
    return (pawns & ~file_h) >> 7 | (pawns & ~file_a) >> 9;
}

}  // namespace proofbase::chessboard
