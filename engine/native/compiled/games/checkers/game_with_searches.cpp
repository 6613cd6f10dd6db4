// Checkers as the module offers it, with what is compiled for its own type.
#include "games/checkers.hpp"

#include "bindings/adapters/offer_game.hpp"
#include "search/families/base_twin.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<Checkers>> make_base_twin(const SearchRequest<Checkers>&);

[[maybe_unused]] const bool offers_Checkers =
    offer_with_searches<Checkers>({{{"pn-base-twin", &make_base_twin<Checkers>}, {"df-pn", &make_df_pn<Checkers>}}});

}  // namespace proofbase
