// A position of chess or giveaway chess, as its side to move sees it: its pawns move up the board. When Black is to
// move, the board is turned upside down, and rank 1 below is Black's first rank.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "games/chessboard/squares.hpp"
#include "inline_list.hpp"

namespace proofbase::chessboard {

enum class Rules : std::uint8_t { chess, giveaway, antichess };

/// The kinds of men. Their numbers are part of keys and of the codes of moves.
enum Kind : std::uint8_t { pawn, knight, bishop, rook, queen, king, no_man };

/// Rights to castle, as bits.
enum Castling : std::uint8_t { own_king_side = 1, own_queen_side = 2, other_king_side = 4, other_queen_side = 8 };

/// From + 64 * to + 4096 * (kind that a pawn becomes), squares as the side to move sees them. A castling is the king's
/// move, an en-passant capture the pawn's.
using Move = std::uint16_t;

/// No position with at most 16 men of each side has more moves: 27 for a queen.
using Moves = InlineList<Move, 440>;

constexpr Move move_of(int from, int to, Kind promotion = pawn) noexcept {
    return static_cast<Move>(from | to << 6 | promotion << 12);
}
constexpr int origin(Move move) noexcept {
    return move & 63;
}
constexpr int target(Move move) noexcept {
    return move >> 6 & 63;
}
constexpr Kind promotion(Move move) noexcept {
    return static_cast<Kind>(move >> 12);
}

struct Board {
    Squares pawns = 0;
    Squares knights = 0;
    Squares diagonal = 0;  ///< bishops and queens
    Squares straight = 0;  ///< rooks and queens
    Squares kings = 0;
    Squares own = 0;  ///< the men of the side to move
    std::uint8_t castling = 0;
    std::uint8_t en_passant = 0;  ///< where a pawn may capture another in passing; 0 where no such capture is legal
    bool black = false;           ///< whether Black is to move

    bool operator==(const Board&) const = default;

    Squares occupied() const noexcept { return pawns | knights | diagonal | straight | kings; }
    Squares other() const noexcept { return occupied() & ~own; }

    Kind kind_at(int square) const noexcept {
        const Squares at = square_set(square);
        if ((pawns & at) != 0) return pawn;
        if ((knights & at) != 0) return knight;
        if ((diagonal & at) != 0) return (straight & at) != 0 ? queen : bishop;
        if ((straight & at) != 0) return rook;
        return (kings & at) != 0 ? king : no_man;
    }

    /// Precondition: the squares are empty.
    void put(Kind kind, Squares at) noexcept {
        if (kind == pawn) pawns |= at;
        if (kind == knight) knights |= at;
        if (kind == bishop || kind == queen) diagonal |= at;
        if (kind == rook || kind == queen) straight |= at;
        if (kind == king) kings |= at;
    }

    void remove(Squares at) noexcept {
        pawns &= ~at;
        knights &= ~at;
        diagonal &= ~at;
        straight &= ~at;
        kings &= ~at;
        own &= ~at;
    }
};

/// The same position as the other side sees it, with the other side to move.
inline void pass(Board& b) noexcept {
    b.own = turned(b.other());
    b.pawns = turned(b.pawns);
    b.knights = turned(b.knights);
    b.diagonal = turned(b.diagonal);
    b.straight = turned(b.straight);
    b.kings = turned(b.kings);
    b.castling = static_cast<std::uint8_t>((b.castling >> 2 | b.castling << 2) & 15);
    b.black = !b.black;
}

/// Left for right. Of positions without rights to castle, this is the other one that is played alike.
inline Board mirrored(const Board& b) noexcept {
    Board out = b;
    out.pawns = mirrored(b.pawns);
    out.knights = mirrored(b.knights);
    out.diagonal = mirrored(b.diagonal);
    out.straight = mirrored(b.straight);
    out.kings = mirrored(b.kings);
    out.own = mirrored(b.own);
    if (b.en_passant != 0) out.en_passant = static_cast<std::uint8_t>(b.en_passant ^ 7);
    return out;
}

}  // namespace proofbase::chessboard
