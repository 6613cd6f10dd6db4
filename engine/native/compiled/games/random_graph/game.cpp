// Random game graphs as the module offers them. Searches run behind virtual functions.
#include "games/random_graph.hpp"

#include "bindings/adapters/offer_game.hpp"

namespace proofbase {

[[maybe_unused]] const bool offers_RandomGraph = offer<RandomGraph>();

}  // namespace proofbase
