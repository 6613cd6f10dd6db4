// Family `pn-dag`: proof-number search in a graph whose nodes are positions.
//   +threats                  winning threats settle what they can (default where the game has threats)
//   +unit +mobility +effort   other initialisations (default: effort where the game has an estimate, else mobility)
//   +stack +queue             numbers go up to all parents in the papers' orders (default: level by level, dag.hpp)
//   +no-stop                  with one of these: up to the root, also where nothing changes
//   +oriented                 symmetric positions are nodes of their own
#pragma once

#include <memory>
#include <string>

#include "search/graph/dag/dag.hpp"
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
std::unique_ptr<SearchOf<G>> make_dag(const SearchRequest<G>& request) {
    if (!request.game.acyclic()) {
        throw request.name.refusal(request.game.name() +
                                   " has cycles, which pn-dag cannot treat; pn-base-twin and pn-cyclic can");
    }
    const std::string wanted = Threats<G>
                                   ? request.name.take("initialisation", {"threats", "unit", "mobility", "effort"})
                                   : request.name.take("initialisation", {"unit", "mobility", "effort"});
    const std::string order = request.name.take("updates", {"stack", "queue"});
    const bool early_stop = take_early_stop(request);
    const Orientation<G> orientation = take_orientation(request);
    request.name.take("memory", {"keep"});
    request.name.finish();
    if (!early_stop && order.empty()) throw request.name.refusal("'no-stop' goes with 'stack' or 'queue'");
    const bool plain = order.empty() && !orientation.oriented();
    if constexpr (Threats<G>) {
        if (wanted == "threats" && !plain) {
            throw request.name.refusal("'threats' goes with canonical positions and no order of updates");
        }
        if (plain && (wanted.empty() || wanted == "threats")) {
            return std::make_unique<ProofNumberSearch<G, Dag<G, NumberBackup, ThreatsInitialisation>, Keep>>(
                request, "pn-dag+threats" + request.order_suffix, orientation);
        }
    }
    const std::string initialisation = usable_initialisation(request, wanted);
    const std::string name = "pn-dag+" + initialisation + (order.empty() ? "" : "+" + order) +
                             (early_stop ? "" : "+no-stop") + (orientation.oriented() ? "+oriented" : "") +
                             request.order_suffix;
    return with_initialisation<G>(
        initialisation, [&]<class Policy>(std::type_identity<Policy>) -> std::unique_ptr<SearchOf<G>> {
            if (order.empty()) {
                return std::make_unique<ProofNumberSearch<G, Dag<G, NumberBackup, Policy>, Keep>>(request, name,
                                                                                                  orientation);
            }
            const UpdatePolicy policy{order == "stack" ? UpdateOrder::stack : UpdateOrder::queue, early_stop};
            return std::make_unique<ProofNumberSearch<G, Linked<G, NumberBackup, Policy, false>, Keep>>(
                request, name, orientation, policy);
        });
}

}  // namespace proofbase
