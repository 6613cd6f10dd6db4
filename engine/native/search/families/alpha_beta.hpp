// Family `alpha-beta`: alpha-beta search with iterative deepening. Treats games with cycles.
#pragma once

#include <memory>

#include "search/alpha_beta/alpha_beta.hpp"
#include "search/api/families.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_alpha_beta(const SearchRequest<G>& request) {
    const Algorithm& algorithm = request.algorithm;
    return std::make_unique<AlphaBeta<G>>(request, algorithm.number("table-N") << 20, algorithm.has("exact"));
}

}  // namespace proofbase
