#include "games/tic_tac_toe.hpp"

#include "bindings/family_of.hpp"

namespace proofbase {

GameFamily tic_tac_toe_family() {
    return family_of<TicTacToe>({"tic-tac-toe"});
}

}  // namespace proofbase
