// Family `pn2`: pn^2-search, proof-number search whose leaves are developed by a second proof-number search; both in
// trees, also in games with cycles.
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/families/tree.hpp"
#include "search/graph/tree/pn2_tree.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_pn2(const SearchRequest<G>& request) {
    using Graph = Pn2Tree<G, Tree<G, NumberBackup>>;
    const auto cached = static_cast<std::uint32_t>(request.algorithm.number("cache-N"));
    return std::make_unique<ProofNumberSearch<G, Graph, Keep>>(request, tree_options(request.algorithm), cached);
}

}  // namespace proofbase
