// Family `pn-tree`: proof-number search in a tree.
//   +unit +mobility +effort   initialisation (default: effort where the game has an estimate, else mobility)
//   +keep +delete-solved      memory (default: keep)
//   +no-stop                  numbers go up to the root, also where nothing changes
#pragma once

#include <memory>
#include <string>

#include "search/families.hpp"
#include "search/initialisations.hpp"
#include "search/memory.hpp"
#include "search/numbers.hpp"
#include "search/proof_number_search.hpp"
#include "search/tree.hpp"
#include "search/update_order.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<SearchOf<G>> make_tree(const SearchRequest<G>& request) {
    if (!request.game.acyclic())
        throw request.name.refusal(request.game.name() + " has cycles, which pn-tree cannot treat");
    const std::string initialisation = take_initialisation(request);
    const std::string memory = request.name.take("memory", {"keep", "delete-solved"});
    const bool early_stop = take_early_stop(request);
    request.name.finish();
    const bool deletes = memory == "delete-solved";
    const std::string name = "pn-tree+" + initialisation + (deletes ? "+delete-solved" : "") +
                             (early_stop ? "" : "+no-stop") + request.order_suffix;
    return with_initialisation<G>(
        initialisation, [&]<class Policy>(std::type_identity<Policy>) -> std::unique_ptr<SearchOf<G>> {
            using Graph = Tree<G, NumberBackup, Policy>;
            if (deletes) return std::make_unique<ProofNumberSearch<G, Graph, DeleteSolved>>(request, name, early_stop);
            return std::make_unique<ProofNumberSearch<G, Graph, Keep>>(request, name, early_stop);
        });
}

}  // namespace proofbase
