// How much work a win takes in chess, roughly (EstimatesPlies in concepts.hpp), in thirds of a ply.
//
// A rook or a queen mates: the less room the other king has, the sooner. Before that a pawn has to become one, the
// sooner the less squares are left and if no pawn of the other side is in its way. What the other side can do makes it
// harder. An estimate counts three times as much as the plies of a line: so a search finds a mate sooner, which need
// not be the shortest one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "games/chessboard/board.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

/// Moves of a king from one square to the other on an empty board.
constexpr int king_moves_between(int a, int b) noexcept {
    return std::max(std::abs((a & 7) - (b & 7)), std::abs((a >> 3) - (b >> 3)));
}

/// The squares that can stop pawns that move up: in front of them, on their own and on the neighbouring files.
constexpr Squares stopping_squares(Squares pawns) noexcept {
    Squares front = pawns << 8;
    front |= front << 8;
    front |= front << 16;
    front |= front << 32;
    return front | (front << 1 & ~file_a) | (front >> 1 & ~file_h);
}

/// For the side to move if `mover`, else for the other side.
inline std::uint32_t plies_to_win(const Board& position, bool mover) noexcept {
    constexpr int from_promotion = 72;
    constexpr int step_of_pawn = 6;
    constexpr int pawn_in_the_way = 48;
    constexpr int without_pawns = 600;
    constexpr int line_to_the_edge = 12;
    constexpr int step_of_king = 6;
    constexpr int other_major_piece = 120;
    constexpr int other_minor_piece = 24;
    constexpr int step_of_other_pawn = 3;

    Board b = position;
    if (!mover) pass(b);
    const Squares other = b.other();
    const Squares other_pawns = b.pawns & other;
    int plies = without_pawns;
    if ((b.straight & b.own) != 0) {
        const int king = first_square(b.kings & b.own);
        const int other_king = first_square(b.kings & other);
        const int file = other_king & 7;
        const int rank = other_king >> 3;
        const int to_the_edge = std::min({file, 7 - file, rank, 7 - rank});
        plies = 6 + line_to_the_edge * to_the_edge + step_of_king * (king_moves_between(king, other_king) - 1);
    } else {
        for_each_square(b.pawns & b.own, [&](int square) {
            const bool stopped = (stopping_squares(square_set(square)) & other_pawns) != 0;
            plies =
                std::min(plies, from_promotion + step_of_pawn * (7 - (square >> 3)) + (stopped ? pawn_in_the_way : 0));
        });
    }
    plies += other_major_piece * std::popcount(b.straight & other);
    plies += other_minor_piece * std::popcount((b.knights | (b.diagonal & ~b.straight)) & other);
    int steps = 0;
    for_each_square(other_pawns, [&](int square) { steps = std::max(steps, 7 - (square >> 3)); });
    return static_cast<std::uint32_t>(plies + step_of_other_pawn * steps);
}

/// At least the number of positions that lines can reach without a capture and without a move of a pawn.
inline std::uint64_t positions_without_pawn_moves(const Board& b) noexcept {
    const int pieces = std::popcount(b.occupied() & ~b.pawns);
    return pieces > 10 ? ~std::uint64_t{0} : std::uint64_t{2} << 6 * pieces;  // 64 squares for each
}

}  // namespace proofbase::chessboard
