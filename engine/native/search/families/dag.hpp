// Family `pn-dag`: proof-number search in a graph whose nodes are positions. The numbers go up to all parents level by
// level (dag.hpp). With `stack` or `queue`: families/dag_by_parents.hpp.
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/graph/dag/dag.hpp"
#include "search/pn/memory.hpp"
#include "search/pn/proof_number_search.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_dag(const SearchRequest<G>& request) {
    const Orientation<G> orientation(request.algorithm.has("no-symmetry"));
    return std::make_unique<ProofNumberSearch<G, Dag<G, NumberBackup>, Keep>>(request, orientation);
}

}  // namespace proofbase
