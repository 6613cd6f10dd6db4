// Chess's own type in the family df_pn.
#include "games/chess.hpp"
#include "search/families/df_pn.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<Chess>> make_df_pn(const SearchRequest<Chess>&);

}  // namespace proofbase
