// Awari as the module offers it, with what is compiled for its own type. Tables stand beside: in one file with them the
// searches are slower by 5 to 10 %, for a compiler's limit on what is inlined.
#include "games/awari.hpp"

#include "bindings/adapters/offer_game.hpp"
#include "search/families/base_twin.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<Awari>> make_base_twin(const SearchRequest<Awari>&);

[[maybe_unused]] const bool offers_Awari = offer_with_searches<Awari>({{{"pn-base-twin", &make_base_twin<Awari>}}});

}  // namespace proofbase
