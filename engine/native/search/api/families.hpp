// The families of algorithms, each made by one function from its policies (algorithm_table.hpp). The functions are
// defined in search/families/. The build compiles all of them for games behind virtual functions and for users' games,
// and for a game's own type those that its folder of native/compiled/games/ names.
#pragma once

#include <memory>
#include <string_view>

#include "search/api/game_search.hpp"
#include "search/api/search_request.hpp"

namespace proofbase {

template <Game G>
using MakeSearch = std::unique_ptr<GameSearch<G>> (*)(const SearchRequest<G>&);

template <Game G>
std::unique_ptr<GameSearch<G>> make_tree(const SearchRequest<G>& request);
template <Game G>
std::unique_ptr<GameSearch<G>> make_dag(const SearchRequest<G>& request);
/// `pn-dag` with `stack` or `queue`.
template <Game G>
std::unique_ptr<GameSearch<G>> make_dag_by_parents(const SearchRequest<G>& request);
template <Game G>
std::unique_ptr<GameSearch<G>> make_pss(const SearchRequest<G>& request);
template <Game G>
std::unique_ptr<GameSearch<G>> make_df_pn(const SearchRequest<G>& request);
template <Game G>
std::unique_ptr<GameSearch<G>> make_alpha_beta(const SearchRequest<G>& request);
template <Game G>
std::unique_ptr<GameSearch<G>> make_cyclic(const SearchRequest<G>& request);
template <Game G>
std::unique_ptr<GameSearch<G>> make_base_twin(const SearchRequest<G>& request);
template <Game G>
std::unique_ptr<GameSearch<G>> make_fixpoint(const SearchRequest<G>& request);
template <Game G>
std::unique_ptr<GameSearch<G>> make_pn2(const SearchRequest<G>& request);

template <Game G>
std::unique_ptr<GameSearch<G>> make_null_window(const SearchRequest<G>& request);

template <Game G>
std::unique_ptr<GameSearch<G>> make_forcing(const SearchRequest<G>& request);

/// `threats` of a game's own type.
template <Game G>
std::unique_ptr<GameSearch<G>> make_threats(const SearchRequest<G>& request);

/// `df-pn-plies` of any game; std::logic_error where it has none.
template <Game G>
std::unique_ptr<GameSearch<G>> make_df_pn_plies(const SearchRequest<G>& request);

/// The name of the family that makes the searches of an algorithm: its own, but for `pn-dag` with `stack` or `queue`,
/// which no game has compiled for its own type.
inline std::string_view compiled_family(const Algorithm& algorithm) {
    const bool by_parents = algorithm.family() == "pn-dag" && (algorithm.has("stack") || algorithm.has("queue"));
    return by_parents ? "pn-dag by parents" : algorithm.family();
}

/// A family that is compiled for the type G.
template <Game G>
struct AlgorithmFamily {
    std::string_view name;
    MakeSearch<G> make;
};

template <Game G>
inline constexpr AlgorithmFamily<G> algorithm_families[] = {
    // clang-format off
    {"pn-tree", &make_tree<G>},
    {"pn-dag", &make_dag<G>},
    {"pn-dag by parents", &make_dag_by_parents<G>},
    {"pss", &make_pss<G>},
    {"df-pn", &make_df_pn<G>},
    {"alpha-beta", &make_alpha_beta<G>},
    {"pn-cyclic", &make_cyclic<G>},
    {"pn-base-twin", &make_base_twin<G>},
    {"pn-fixpoint", &make_fixpoint<G>},
    {"pn2", &make_pn2<G>},
    {"null-window", &make_null_window<G>},
    {"threats", &make_forcing<G>},
    {"df-pn-plies", &make_df_pn_plies<G>},
    // clang-format on
};

}  // namespace proofbase
