// Searches of games behind virtual functions: families that share code.
#include "search/families/alpha_beta.hpp"
#include "search/families/base_twin.hpp"
#include "search/families/cyclic.hpp"
#include "search/families/df_pn.hpp"
#include "search/families/fixpoint.hpp"
#include "virtual_game/records.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<VirtualGame>> make_cyclic(const SearchRequest<VirtualGame>&);
template std::unique_ptr<GameSearch<VirtualGame>> make_base_twin(const SearchRequest<VirtualGame>&);
template std::unique_ptr<GameSearch<VirtualGame>> make_fixpoint(const SearchRequest<VirtualGame>&);
template std::unique_ptr<GameSearch<VirtualGame>> make_df_pn(const SearchRequest<VirtualGame>&);
template std::unique_ptr<GameSearch<VirtualGame>> make_alpha_beta(const SearchRequest<VirtualGame>&);

}  // namespace proofbase
