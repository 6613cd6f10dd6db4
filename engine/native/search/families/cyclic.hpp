// Family `pn-cyclic`: proof-number search in a graph whose nodes are positions, with end nodes where play would come
// back to an ancestor (Schijf 1993, 5.4). It may miss a win; then the search ends without an answer.
//   +unit +mobility +effort   initialisation (default: effort where the game has an estimate, else mobility)
//   +stack +queue             the order of updates (default: queue)
//   +oriented                 symmetric positions are nodes of their own
#pragma once

#include <memory>
#include <string>

#include "search/families.hpp"
#include "search/initialisations.hpp"
#include "search/linked.hpp"
#include "search/memory.hpp"
#include "search/numbers.hpp"
#include "search/orientation.hpp"
#include "search/proof_number_search.hpp"
#include "search/update_order.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<SearchOf<G>> make_cyclic(const SearchRequest<G>& request) {
    const std::string initialisation = take_initialisation(request);
    const std::string order = request.name.take("updates", {"stack", "queue"});
    const Orientation<G> orientation = take_orientation(request);
    request.name.take("memory", {"keep"});
    request.name.finish();
    const std::string name = "pn-cyclic+" + initialisation + (order == "stack" ? "+stack" : "") +
                             (orientation.oriented() ? "+oriented" : "") + request.order_suffix;
    return with_initialisation<G>(
        initialisation, [&]<class Policy>(std::type_identity<Policy>) -> std::unique_ptr<SearchOf<G>> {
            const UpdatePolicy policy{order == "stack" ? UpdateOrder::stack : UpdateOrder::queue};
            return std::make_unique<ProofNumberSearch<G, Linked<G, NumberBackup, Policy, true>, Keep>>(
                request, name, orientation, policy);
        });
}

}  // namespace proofbase
