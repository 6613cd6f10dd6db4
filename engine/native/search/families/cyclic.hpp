// Family `pn-cyclic`: proof-number search in a graph whose nodes are positions, with end nodes where play would come
// back to an ancestor (Schijf 1993, 5.4). It may miss a win; then the search ends without an answer.
//   +unit +mobility +effort   initialisation (default: effort where the game has an estimate, else mobility)
//   +stack +queue             the order of updates (default: queue)
//   +oriented                 symmetric positions are nodes of their own
#pragma once

#include <memory>
#include <string>

#include "search/names/families.hpp"
#include "search/policy/initialisations.hpp"
#include "search/graph/parent_list/parent_list_graph.hpp"
#include "search/policy/memory.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/policy/orientation.hpp"
#include "search/pn/proof_number_search.hpp"
#include "search/policy/update_order.hpp"

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
