// Family `pn-dag`: proof-number search in a graph whose nodes are positions. The numbers go up to all parents level by
// level (dag.hpp); with `stack` or `queue`, in the papers' orders (parent_list_graph.hpp).
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/graph/dag/dag.hpp"
#include "search/graph/parent_list/parent_list_graph.hpp"
#include "search/pn/memory.hpp"
#include "search/pn/proof_number_search.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_dag(const SearchRequest<G>& request) {
    const Algorithm& algorithm = request.algorithm;
    const Orientation<G> orientation(algorithm.has("no-symmetry"));
    const bool by_stack = algorithm.has("stack");
    if (!by_stack && !algorithm.has("queue")) {
        return std::make_unique<ProofNumberSearch<G, Dag<G, NumberBackup>, Keep>>(request, orientation);
    }
    const UpdatePolicy updates{by_stack ? UpdateOrder::stack : UpdateOrder::queue, !algorithm.has("full-updates")};
    return std::make_unique<ProofNumberSearch<G, ParentListGraph<G, NumberBackup, false>, Keep>>(request, orientation,
                                                                                                 updates);
}

}  // namespace proofbase
