// Connect-four's own type in the family df_pn.
#include "games/connect_four.hpp"
#include "search/families/df_pn.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<ConnectFour>> make_df_pn(const SearchRequest<ConnectFour>&);

}  // namespace proofbase
