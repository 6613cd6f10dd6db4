// Mates by the next move: of all moves only those that give check are tried.
#pragma once

#include <cstdint>

#include "concepts.hpp"
#include "games/chessboard/board.hpp"

namespace proofbase::chessboard {

/// Whether the side to move has a move that mates.
bool mates_at_once(const Board& b) noexcept;

/// The moves of the side to move, in the order of the rules, up to the first one that mates.
MovesToWin moves_to_mate(const Board& b) noexcept;

}  // namespace proofbase::chessboard
