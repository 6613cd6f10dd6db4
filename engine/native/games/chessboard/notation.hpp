// Moves as texts: read in standard algebraic notation (SAN) and as UCI protocols write them, written as SAN.
#pragma once

#include <string>
#include <string_view>

#include "games/chessboard/board.hpp"

namespace proofbase::chessboard {

/// `Nbd7`, `exd6`, `e8=Q+`, `O-O`, `Qxf7#`. Giveaway knows no checks, and marks none.
std::string move_text(Rules rules, const Board& b, Move move);

/// The legal move of a text: SAN, with or without its marks of capture, check and comment, also with more of the origin
/// than is needed (`Ng1-f3`), or UCI (`e7e8q`, `e1g1`). Throws InvalidMove, `name` is the game's.
Move parse_move(Rules rules, std::string_view name, const Board& b, std::string_view text);

}  // namespace proofbase::chessboard
