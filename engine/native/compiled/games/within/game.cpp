// `within:N:GAME` as the module offers it. Searches run behind virtual functions.
#include "games/within.hpp"

#include "bindings/adapters/offer_game.hpp"

namespace proofbase {

[[maybe_unused]] const bool offers_Within = offer<Within>();

}  // namespace proofbase
