// Family `pn-tree`: proof-number search in a tree; also in games with cycles.
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/graph/tree/tree.hpp"
#include "search/pn/memory.hpp"
#include "search/pn/proof_number_search.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/policy/tree_backups.hpp"

namespace proofbase {

/// The policies of trees that are chosen at run time (and not by a type).
inline TreeOptions tree_options(const Algorithm& algorithm) {
    TreeOptions options;
    options.delayed = algorithm.has("delayed");
    options.from_root = algorithm.has("from-root");
    options.early_stop = !algorithm.has("full-updates");
    options.splits_rows = algorithm.has("delete-least");
    options.deletes_solved = options.splits_rows || algorithm.has("delete-solved");
    return options;
}

template <Game G>
std::unique_ptr<GameSearch<G>> make_tree(const SearchRequest<G>& request) {
    const TreeOptions options = tree_options(request.algorithm);
    if (request.algorithm.has("mst")) {
        return std::make_unique<ProofNumberSearch<G, Tree<G, SolutionSizeBackup>, DeleteSolved>>(request, options);
    }
    if (request.algorithm.has("delete-least")) {
        return std::make_unique<ProofNumberSearch<G, Tree<G, GivingUpBackup>, DeleteLeast>>(request, options);
    }
    return std::make_unique<ProofNumberSearch<G, Tree<G, NumberBackup>, DeleteSolved>>(request, options);
}

}  // namespace proofbase
