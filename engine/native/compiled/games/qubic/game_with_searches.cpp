// Qubic as the module offers it, with what is compiled for its own type.
#include "games/qubic.hpp"

#include "bindings/adapters/offer_game.hpp"
#include "search/families/dag.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<Qubic>> make_dag(const SearchRequest<Qubic>&);

[[maybe_unused]] const bool offers_Qubic = offer_with_searches<Qubic>({{{"pn-dag", &make_dag<Qubic>}}});

}  // namespace proofbase
