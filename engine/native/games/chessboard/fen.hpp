// Positions as texts, and which of them are legal.
#pragma once

#include <string>
#include <string_view>

#include "games/chessboard/board.hpp"

namespace proofbase::chessboard {

inline constexpr std::string_view letters = "PNBRQK";  ///< of the men, by their kind

/// `e4` for a square.
std::string square_text(int square);

/// What makes a position illegal, in words; empty if nothing does. What no rule of the game can reach by counting alone
/// (a bishop that pawns shut in) is legal.
std::string defect(Rules rules, const Board& b);

/// The position of a FEN: its first two fields at least, the counters of moves are left out. An en-passant square where
/// no capture is legal is left out. Throws InvalidPosition, `name` is the game's.
Board parse_fen(Rules rules, std::string_view name, std::string_view text);

/// The plies since the last capture or move of a pawn, of a text that parse_fen() has read; 0 where it does not say,
/// 1000 for any larger number.
unsigned counter_in_fen(std::string_view text);

/// All six fields; the number of the move, which is no part of the position, as 1.
std::string fen(const Board& b, unsigned counter = 0);

/// The board with its ranks and files, White below, and what else belongs to the position.
std::string drawing(const Board& b);

}  // namespace proofbase::chessboard
