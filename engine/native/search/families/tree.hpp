// Family `pn-tree`: proof-number search in a tree; also in games with cycles.
//   +unit +mobility +effort +depth       initialisation (default: effort where the game has one, else mobility)
//   +mst                                 backup: MST*, the smallest solution tree (with unit or mobility)
//   +immediate +delayed                  evaluation (default: immediate; delayed goes with unit, effort or depth)
//   +current-node +from-root             where the next most-proving node is sought (default: current-node)
//   +most-proving                        nodes know the way to their most-proving node
//   +no-stop                             numbers go up to the root, also where nothing changes
//   +keep +delete-solved +delete-least   memory (default: keep)
#pragma once

#include <memory>
#include <string>

#include "search/policy/tree_backups.hpp"
#include "search/names/families.hpp"
#include "search/policy/initialisations.hpp"
#include "search/policy/memory.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/pn/proof_number_search.hpp"
#include "search/graph/tree/tree.hpp"
#include "search/policy/update_order.hpp"

namespace proofbase {

/// Takes the policies of trees that are no types.
template <Game G>
TreeOptions take_tree_options(const SearchRequest<G>& request) {
    TreeOptions options;
    options.delayed = request.name.take("evaluation", {"immediate", "delayed"}) == "delayed";
    options.from_root = request.name.take("selection", {"current-node", "from-root"}) == "from-root";
    options.most_proving = request.name.take("shortcut", {"most-proving"}) == "most-proving";
    options.early_stop = take_early_stop(request);
    return options;
}

/// Their part of the resolved name.
inline std::string to_text(const TreeOptions& options) {
    return std::string(options.delayed ? "+delayed" : "") + (options.from_root ? "+from-root" : "") +
           (options.most_proving ? "+most-proving" : "");
}

template <Game G>
std::string take_tree_initialisation(const SearchRequest<G>& request, const TreeOptions& options) {
    if (options.delayed) return take_initialisation(request, {"unit", "effort", "depth"});
    return take_initialisation(request, {"unit", "mobility", "effort", "depth"});
}

template <Game G>
std::unique_ptr<SearchOf<G>> make_tree(const SearchRequest<G>& request) {
    using Made = std::unique_ptr<SearchOf<G>>;
    const bool smallest = request.name.take("backup", {"mst"}) == "mst";
    TreeOptions options = take_tree_options(request);
    const std::string memory = smallest ? request.name.take("memory", {"keep", "delete-solved"})
                                        : request.name.take("memory", {"keep", "delete-solved", "delete-least"});
    const std::string initialisation = !smallest         ? take_tree_initialisation(request, options)
                                       : options.delayed ? take_initialisation(request, {"unit"})
                                                         : take_initialisation(request, {"unit", "mobility"});
    request.name.finish();
    const std::string name = "pn-tree+" + initialisation + (smallest ? "+mst" : "") + to_text(options) +
                             (memory.starts_with("delete") ? "+" + memory : "") +
                             (options.early_stop ? "" : "+no-stop") + request.order_suffix;
    if (smallest) {
        const auto make = [&]<class Policy>(std::type_identity<Policy>) -> Made {
            using Graph = Tree<G, SolutionSizeBackup, Policy>;
            if (memory == "delete-solved")
                return std::make_unique<ProofNumberSearch<G, Graph, DeleteSolved>>(request, name, options);
            return std::make_unique<ProofNumberSearch<G, Graph, Keep>>(request, name, options);
        };
        return initialisation == "unit" ? make(std::type_identity<UnitInitialisation>{})
                                        : make(std::type_identity<MobilityInitialisation>{});
    }
    return with_tree_initialisation<G>(initialisation, [&]<class Policy>(std::type_identity<Policy>) -> Made {
        using Graph = Tree<G, NumberBackup, Policy>;
        if (memory == "delete-least") {
            options.bounded = true;
            using Shrinking = Tree<G, GivingUpBackup, Policy>;
            return std::make_unique<ProofNumberSearch<G, Shrinking, DeleteLeast>>(request, name, options);
        }
        if (memory == "delete-solved")
            return std::make_unique<ProofNumberSearch<G, Graph, DeleteSolved>>(request, name, options);
        return std::make_unique<ProofNumberSearch<G, Graph, Keep>>(request, name, options);
    });
}

}  // namespace proofbase
