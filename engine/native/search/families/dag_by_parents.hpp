// Family `pn-dag` with `stack` or `queue`: the numbers go up in the papers' orders (parent_list_graph.hpp).
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/graph/parent_list/parent_list_graph.hpp"
#include "search/pn/memory.hpp"
#include "search/pn/proof_number_search.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_dag_by_parents(const SearchRequest<G>& request) {
    const Algorithm& algorithm = request.algorithm;
    const Orientation<G> orientation(algorithm.has("no-symmetry"));
    const UpdatePolicy updates{algorithm.has("stack") ? UpdateOrder::stack : UpdateOrder::queue,
                               !algorithm.has("full-updates")};
    return std::make_unique<ProofNumberSearch<G, ParentListGraph<G, NumberBackup, false>, Keep>>(request, orientation,
                                                                                                 updates);
}

}  // namespace proofbase
