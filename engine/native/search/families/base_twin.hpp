// Family `pn-base-twin`: proof-number search with base nodes and twin nodes (Breuker et al. 2001), which is never wrong
// about a repetition.
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/graph/twin/base_twin.hpp"
#include "search/pn/memory.hpp"
#include "search/pn/proof_number_search.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_base_twin(const SearchRequest<G>& request) {
    const Orientation<G> orientation(request.algorithm.has("no-symmetry"));
    return std::make_unique<ProofNumberSearch<G, BaseTwin<G, NumberBackup>, Keep>>(request, orientation);
}

}  // namespace proofbase
