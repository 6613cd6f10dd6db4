// Searches of games behind virtual functions, compiled once for all games: families that share code.
#include "search/families/dag.hpp"
#include "search/families/dag_by_parents.hpp"
#include "search/families/forcing.hpp"
#include "search/families/pn2.hpp"
#include "search/families/pss.hpp"
#include "search/families/tree.hpp"
#include "virtual_game/records.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<VirtualGame>> make_tree(const SearchRequest<VirtualGame>&);
template std::unique_ptr<GameSearch<VirtualGame>> make_pn2(const SearchRequest<VirtualGame>&);
template std::unique_ptr<GameSearch<VirtualGame>> make_dag(const SearchRequest<VirtualGame>&);
template std::unique_ptr<GameSearch<VirtualGame>> make_dag_by_parents(const SearchRequest<VirtualGame>&);
template std::unique_ptr<GameSearch<VirtualGame>> make_pss(const SearchRequest<VirtualGame>&);
template std::unique_ptr<GameSearch<VirtualGame>> make_forcing(const SearchRequest<VirtualGame>&);

}  // namespace proofbase
