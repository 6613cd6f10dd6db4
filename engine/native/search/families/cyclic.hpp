// Family `pn-cyclic`: proof-number search in a graph whose nodes are positions, with end nodes where play would come
// back to an ancestor (Schijf 1993, 5.4). It may miss a win; then the search ends without an answer.
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
std::unique_ptr<GameSearch<G>> make_cyclic(const SearchRequest<G>& request) {
    const Orientation<G> orientation(request.algorithm.has("no-symmetry"));
    const UpdatePolicy updates{.order = request.algorithm.has("stack") ? UpdateOrder::stack : UpdateOrder::queue,
                               .merging = request.algorithm.has("conversions") ? Merging::conversions : Merging::all};
    return std::make_unique<ProofNumberSearch<G, ParentListGraph<G, NumberBackup, true>, Keep>>(request, orientation,
                                                                                                updates);
}

}  // namespace proofbase
