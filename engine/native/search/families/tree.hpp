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
    return options;
}

template <Game G, class Backup>
std::unique_ptr<GameSearch<G>> make_tree_with(const SearchRequest<G>& request) {
    const TreeOptions options = tree_options(request.algorithm);
    if (request.algorithm.has("delete-solved")) {
        return std::make_unique<ProofNumberSearch<G, Tree<G, Backup>, DeleteSolved>>(request, options);
    }
    return std::make_unique<ProofNumberSearch<G, Tree<G, Backup>, Keep>>(request, options);
}

template <Game G>
std::unique_ptr<GameSearch<G>> make_tree(const SearchRequest<G>& request) {
    if (request.algorithm.has("mst")) return make_tree_with<G, SolutionSizeBackup>(request);
    if (request.algorithm.has("delete-least")) {
        const TreeOptions options = tree_options(request.algorithm);
        return std::make_unique<ProofNumberSearch<G, Tree<G, GivingUpBackup>, DeleteLeast>>(request, options);
    }
    return make_tree_with<G, NumberBackup>(request);
}

}  // namespace proofbase
