// All families for users' games. Python's rules take nearly all of their time, so these searches are not optimised
// much.
#include "games/python_game.hpp"
#include "search/families/alpha_beta.hpp"
#include "search/families/base_twin.hpp"
#include "search/families/cyclic.hpp"
#include "search/families/dag.hpp"
#include "search/families/dag_by_parents.hpp"
#include "search/families/df_pn.hpp"
#include "search/families/fixpoint.hpp"
#include "search/families/forcing.hpp"
#include "search/families/null_window.hpp"
#include "search/families/pn2.hpp"
#include "search/families/pss.hpp"
#include "search/families/tree.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<PythonGame>> make_tree(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_pn2(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_dag(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_dag_by_parents(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_pss(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_forcing(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_cyclic(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_base_twin(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_fixpoint(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_df_pn(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_alpha_beta(const SearchRequest<PythonGame>&);
template std::unique_ptr<GameSearch<PythonGame>> make_null_window(const SearchRequest<PythonGame>&);
template std::vector<SolvedPosition> solve_positions(const PythonGame&, const Algorithm&,
                                                     const std::vector<PythonGame::Position>&, const PositionsRequest&,
                                                     const CheckInterrupt&);

}  // namespace proofbase
