// The legal moves of chess, without trying any: men that are pinned stay on their line, a check is met by its checker's
// capture, by a man between or by the king.
//
// The order of the moves, the same in the Python rules: knights; bishops and queens on diagonals; rooks and queens on
// files and ranks; pawns that capture to the left, to the right, one step, two steps, in passing; the king; castling on
// the king's side, on the queen's side. Within each group by the man's square, then by its target, from a1 to h8 as the
// side to move sees the board (pawns by their targets); a pawn becomes a queen, rook, bishop, knight in this order.
#pragma once

#include <bit>

#include "games/chessboard/attacks.hpp"
#include "games/chessboard/board.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

/// Whether a man of the other side attacks the square. `occupied` are the men that stand in the way.
inline bool is_attacked(const Board& b, int square, Squares occupied, Squares other) noexcept {
    const Reach& reach = reach_of(square);
    if ((reach.knight & b.knights & other) != 0 || (reach.king & b.kings & other) != 0) return true;
    if ((attacked_upwards(square_set(square)) & b.pawns & other) != 0) return true;
    const Squares diagonal = reach.diagonal & b.diagonal & other;
    if (diagonal != 0 && (diagonal_attacks(square, occupied) & diagonal) != 0) return true;
    const Squares straight = reach.straight & b.straight & other;
    return straight != 0 && (straight_attacks(square, occupied) & straight) != 0;
}

/// Whether the side to move is in check.
inline bool in_check(const Board& b) noexcept {
    return is_attacked(b, first_square(b.kings & b.own), b.occupied(), b.other());
}

/// Whether the side to move may capture in passing from this square, to the square `to`.
inline bool may_pass_capture(const Board& b, int from, int to) noexcept {
    const Squares captured = square_set(to - 8);
    const Squares occupied = (b.occupied() ^ square_set(from) ^ captured) | square_set(to);
    return !is_attacked(b, first_square(b.kings & b.own), occupied, b.other() & ~captured);
}

/// The pawns of the side to move that stand beside the pawn that has passed `to`.
inline Squares pass_capturers(const Board& b, int to) noexcept {
    return attacked_downwards(square_set(to)) & b.pawns & b.own;
}

/// The men of both sides, and the king of the side to move with its lines.
struct MoverView {
    explicit MoverView(const Board& b) noexcept
        : occupied(b.occupied()),
          own(b.own),
          other(occupied ^ own),
          king_at(b.kings & own),
          king_square(first_square(king_at)),
          reach(reach_of(king_square)) {}

    Squares occupied;
    Squares own;
    Squares other;
    Squares king_at;
    int king_square;
    const Reach& reach;
};

/// Gives all legal moves to the sink. True if the sink has said that it needs no more.
template <class Sink>
bool chess_moves(const Board& b, Sink& sink) {
    const auto [occupied, own, other, king_at, king_square, reach] = MoverView(b);

    Squares checkers = ((reach.knight & b.knights) | (attacked_upwards(king_at) & b.pawns)) & other;
    Squares pinned = 0;
    for_each_square(((reach.diagonal & b.diagonal) | (reach.straight & b.straight)) & other, [&](int sniper) {
        const Squares blockers = between(king_square, sniper) & occupied;
        if (blockers == 0) {
            checkers |= square_set(sniper);
        } else if ((blockers & (blockers - 1)) == 0) {
            pinned |= blockers & own;
        }
    });

    const auto king_moves = [&] {
        Squares targets = reach.king & ~own & ~attacked_downwards(b.pawns & other);
        const Squares without_king = occupied ^ king_at;
        for_each_square(targets, [&](int to) {
            if (is_attacked(b, to, without_king, other)) targets ^= square_set(to);
        });
        return sink.man(king_square, targets);
    };

    Squares allowed = ~own;
    if (checkers != 0) {
        if ((checkers & (checkers - 1)) != 0) return king_moves();
        allowed = checkers | between(king_square, first_square(checkers));
    }

    for (Squares men = b.knights & own & ~pinned; men != 0; men &= men - 1) {
        const int from = first_square(men);
        if (sink.man(from, reach_of(from).knight & allowed)) return true;
    }
    const auto along_pin = [&](int from, Squares targets) {
        return (pinned & square_set(from)) != 0 ? targets & line_through(king_square, from) : targets;
    };
    for (Squares men = b.diagonal & own; men != 0; men &= men - 1) {
        const int from = first_square(men);
        if (sink.man(from, along_pin(from, diagonal_attacks(from, occupied) & allowed))) return true;
    }
    for (Squares men = b.straight & own; men != 0; men &= men - 1) {
        const int from = first_square(men);
        if (sink.man(from, along_pin(from, straight_attacks(from, occupied) & allowed))) return true;
    }

    const Squares pawns = b.pawns & own;
    const Squares captures = allowed & other;
    if (sink.pawns((pawns & ~file_a & (~pinned | reach.falling)) << 7 & captures, 7)) return true;
    if (sink.pawns((pawns & ~file_h & (~pinned | reach.rising)) << 9 & captures, 9)) return true;
    const Squares one_step = (pawns & (~pinned | reach.file)) << 8 & ~occupied;
    if (sink.pawns(one_step & allowed, 8)) return true;
    if (sink.pawns((one_step & rank_3) << 8 & ~occupied & allowed, 16)) return true;
    if (b.en_passant != 0) {
        for (Squares men = pass_capturers(b, b.en_passant); men != 0; men &= men - 1) {
            const int from = first_square(men);
            if (may_pass_capture(b, from, b.en_passant) && sink.man(from, square_set(b.en_passant))) return true;
        }
    }
    if (king_moves()) return true;

    if (checkers != 0) return false;
    const auto passes_safely = [&](int first, int second) {
        return !is_attacked(b, first, occupied, other) && !is_attacked(b, second, occupied, other);
    };
    if ((b.castling & own_king_side) != 0 && (occupied & 0x60) == 0 && passes_safely(5, 6)) {
        if (sink.man(4, square_set(6))) return true;
    }
    if ((b.castling & own_queen_side) != 0 && (occupied & 0x0e) == 0 && passes_safely(3, 2)) {
        return sink.man(4, square_set(2));
    }
    return false;
}

}  // namespace proofbase::chessboard
