// Checkers as the module offers it. Searches run behind virtual functions.
#include "games/checkers.hpp"

#include "bindings/adapters/offer_game.hpp"

namespace proofbase {

[[maybe_unused]] const bool offers_Checkers = offer<Checkers>();

}  // namespace proofbase
