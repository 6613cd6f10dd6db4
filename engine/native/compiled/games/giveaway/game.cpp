// Giveaway chess as the module offers it. Searches run behind virtual functions.
#include "games/giveaway.hpp"

#include "bindings/adapters/offer_game.hpp"

namespace proofbase {

[[maybe_unused]] const bool offers_Giveaway = offer<Giveaway>();

}  // namespace proofbase
