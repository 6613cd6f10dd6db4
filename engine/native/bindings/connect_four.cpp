#include "games/connect_four.hpp"

#include "bindings/family_of.hpp"

namespace proofbase {

GameFamily connect_four_family() {
    return family_of<ConnectFour>({"connect-four", "connect-four:5x4"});
}

}  // namespace proofbase
