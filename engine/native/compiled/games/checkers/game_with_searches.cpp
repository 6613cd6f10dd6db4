// Checkers as the module offers it, with what is compiled for its own type.
#include "games/checkers.hpp"

#include "bindings/adapters/offer_game.hpp"
#include "search/families/base_twin.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<Checkers>> make_base_twin(const SearchRequest<Checkers>&);

/// With tables to five men df-pn proves 13 of 31 published problems of 6 to 10 men within 400,000 expansions a
/// question, base-twin 12 within as many nodes; two others take it 2.5 and 5.6 times the nodes of df-pn.
template <>
RecommendedAlgorithm automatic_algorithm(const Checkers& game, const Checkers::Position*) {
    return {"df-pn", game.name() + " has cycles, and df-pn is never wrong about one"};
}

[[maybe_unused]] const bool offers_Checkers =
    offer_with_searches<Checkers>({{{"pn-base-twin", &make_base_twin<Checkers>}, {"df-pn", &make_df_pn<Checkers>}}});

}  // namespace proofbase
