// Renju as the module offers it. Searches run behind virtual functions.
#include "games/renju.hpp"

#include "bindings/adapters/offer_game.hpp"

namespace proofbase {

[[maybe_unused]] const bool offers_Renju = offer<Renju>();

}  // namespace proofbase
