// Family `pn-dag`: proof-number search in a graph whose nodes are positions.
//   +unit +mobility +effort   initialisation (default: effort where the game has an estimate, else mobility)
#pragma once

#include <memory>
#include <string>

#include "search/dag.hpp"
#include "search/families.hpp"
#include "search/initialisations.hpp"
#include "search/memory.hpp"
#include "search/numbers.hpp"
#include "search/proof_number_search.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<SearchOf<G>> make_dag(const SearchRequest<G>& request) {
    if (!request.game.acyclic())
        throw request.name.refusal(request.game.name() + " has cycles, which pn-dag cannot treat");
    const std::string initialisation = take_initialisation(request);
    request.name.take("memory", {"keep"});
    request.name.finish();
    const std::string name = "pn-dag+" + initialisation + request.order_suffix;
    return with_initialisation<G>(
        initialisation, [&]<class Policy>(std::type_identity<Policy>) -> std::unique_ptr<SearchOf<G>> {
            return std::make_unique<ProofNumberSearch<G, Dag<G, NumberBackup, Policy>, Keep>>(request, name);
        });
}

}  // namespace proofbase
