// Tic-tac-toe as the module offers it. Searches run behind virtual functions.
#include "games/tic_tac_toe.hpp"

#include "bindings/adapters/offer_game.hpp"

namespace proofbase {

[[maybe_unused]] const bool offers_TicTacToe = offer<TicTacToe>();

}  // namespace proofbase
