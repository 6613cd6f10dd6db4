// Checkers' own type in the family df_pn.
#include "games/checkers.hpp"
#include "search/families/df_pn.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<Checkers>> make_df_pn(const SearchRequest<Checkers>&);

}  // namespace proofbase
