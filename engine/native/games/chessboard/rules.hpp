// What both games over the chessboard have in common: their moves by their rules, and playing one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "games/chessboard/board.hpp"
#include "games/chessboard/key.hpp"

namespace proofbase::chessboard {

/// What a pawn can become: the first so many of `promotions`.
constexpr int kinds_of_promotion(Rules rules) noexcept {
    return rules == Rules::chess ? 4 : 5;
}

void legal_moves(Rules rules, const Board& b, Moves& out) noexcept;
bool has_move(Rules rules, const Board& b) noexcept;

/// How many moves there are, without making a list of them.
unsigned count_moves(Rules rules, const Board& b) noexcept;

/// Writes the keys of positions of chess after legal moves, and how many moves there are in them.
void describe_chess_children(const Board& b, std::span<const Move> moves, std::span<Key> keys,
                             std::span<std::uint32_t> counts) noexcept;

/// The value of a finished game for the side to move. Chess: mate loses, stalemate draws. Giveaway: who cannot move
/// wins.
std::optional<int> terminal(Rules rules, const Board& b) noexcept;

/// Whether a pawn of the side to move may legally capture in passing to this square.
bool has_pass_capture(Rules rules, const Board& b, int to) noexcept;

/// The position after a legal move.
Board play(Rules rules, const Board& before, Move move) noexcept;

}  // namespace proofbase::chessboard
