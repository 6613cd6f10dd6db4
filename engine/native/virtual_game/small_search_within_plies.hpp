// Small searches (records/evidence/small_search/small_search.hpp) of `within:N:GAME` by the own type of the game
// inside.
#pragma once

#include <memory>

#include "records/evidence/small_search/small_search.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// Null where the game inside does not tell of winning moves (TellsWinningMoves). Defined in
/// compiled/any_game/within_plies.cpp.
std::unique_ptr<AnySmallSearch<VirtualGame::Position>> small_search_within_plies(const VirtualGame& game);

}  // namespace proofbase
