// Connect-four's own type in the family dag.
#include "games/connect_four.hpp"
#include "search/families/dag.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<ConnectFour>> make_dag(const SearchRequest<ConnectFour>&);

}  // namespace proofbase
