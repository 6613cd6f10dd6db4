// Family `pn-fixpoint`: best-first search in a graph with cycles, whose costs of proofs are a fixpoint over the whole
// graph.
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/graph/fixpoint/fixpoint_graph.hpp"
#include "search/pn/memory.hpp"
#include "search/pn/proof_number_search.hpp"
#include "search/policy/orientation.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_fixpoint(const SearchRequest<G>& request) {
    const Orientation<G> orientation(request.algorithm.has("no-symmetry"));
    return std::make_unique<ProofNumberSearch<G, FixpointGraph<G>, Keep>>(request, orientation);
}

}  // namespace proofbase
