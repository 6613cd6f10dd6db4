// The legal moves of giveaway chess: captures where there are any, else all others. The order is that of chess
// (games/chessboard/chess_moves.hpp) with all kings in the place of the king; a pawn becomes a queen, rook, bishop,
// knight or king in this order.
#pragma once

#include "games/chessboard/attacks.hpp"
#include "games/chessboard/board.hpp"
#include "games/chessboard/chess_moves.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

/// The moves of all men but pawns to the squares `allowed`; with `kings`, of kings, else of the others.
template <class Sink>
bool giveaway_men(const Board& b, Squares allowed, bool kings, Sink& sink) {
    const auto each = [&](Squares men, auto&& attacks) {
        for (men &= b.own; men != 0; men &= men - 1) {
            const int from = first_square(men);
            if (sink.man(from, attacks(from) & allowed)) return true;
        }
        return false;
    };
    if (kings) return each(b.kings, [](int from) { return reach_of(from).king; });
    const Squares occupied = b.occupied();
    return each(b.knights, [](int from) { return reach_of(from).knight; }) ||
           each(b.diagonal, [occupied](int from) { return diagonal_attacks(from, occupied); }) ||
           each(b.straight, [occupied](int from) { return straight_attacks(from, occupied); });
}

template <class Sink>
bool giveaway_captures(const Board& b, Sink& sink) {
    const Squares other = b.other();
    const Squares pawns = b.pawns & b.own;
    if (giveaway_men(b, other, false, sink)) return true;
    if (sink.pawns((pawns & ~file_a) << 7 & other, 7)) return true;
    if (sink.pawns((pawns & ~file_h) << 9 & other, 9)) return true;
    if (b.en_passant != 0) {
        for (Squares men = pass_capturers(b, b.en_passant); men != 0; men &= men - 1) {
            if (sink.man(first_square(men), square_set(b.en_passant))) return true;
        }
    }
    return giveaway_men(b, other, true, sink);
}

template <class Sink>
bool giveaway_others(const Board& b, Sink& sink) {
    const Squares empty = ~b.occupied();
    const Squares one_step = (b.pawns & b.own) << 8 & empty;
    return giveaway_men(b, empty, false, sink) || sink.pawns(one_step, 8) ||
           sink.pawns((one_step & rank_3) << 8 & empty, 16) || giveaway_men(b, empty, true, sink);
}

}  // namespace proofbase::chessboard
