// Family `pn-base-twin`: proof-number search with base nodes and twin nodes (Breuker et al. 2001), which is never wrong
// about a repetition.
//   +unit +mobility +effort   initialisation (default: effort where the game has an estimate, else mobility)
//   +oriented                 symmetric positions are nodes of their own
#pragma once

#include <memory>
#include <string>

#include "search/graph/twin/base_twin.hpp"
#include "search/names/families.hpp"
#include "search/policy/initialisations.hpp"
#include "search/policy/memory.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/policy/orientation.hpp"
#include "search/pn/proof_number_search.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<SearchOf<G>> make_base_twin(const SearchRequest<G>& request) {
    const std::string initialisation = take_initialisation(request);
    const Orientation<G> orientation = take_orientation(request);
    request.name.take("memory", {"keep"});
    request.name.finish();
    const std::string name =
        "pn-base-twin+" + initialisation + (orientation.oriented() ? "+oriented" : "") + request.order_suffix;
    return with_initialisation<G>(
        initialisation, [&]<class Policy>(std::type_identity<Policy>) -> std::unique_ptr<SearchOf<G>> {
            return std::make_unique<ProofNumberSearch<G, BaseTwin<G, NumberBackup, Policy>, Keep>>(request, name,
                                                                                                   orientation);
        });
}

}  // namespace proofbase
