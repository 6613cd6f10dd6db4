// Go-moku as the module offers it, with what is compiled for its own type.
#include "games/gomoku.hpp"

#include "bindings/adapters/offer_game.hpp"
#include "search/api/families.hpp"
#include "search/families/dag.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<Gomoku>> make_dag(const SearchRequest<Gomoku>&);

[[maybe_unused]] const bool offers_Gomoku = offer_with_searches<Gomoku>(
    {{{"pn-dag", &make_dag<Gomoku>}, {"threats", &make_threats<Gomoku>}}, nullptr, &find_threats<Gomoku>});

}  // namespace proofbase
