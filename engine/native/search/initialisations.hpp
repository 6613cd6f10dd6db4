// The initialisation policy of a name (leaf.hpp), as a type.
#pragma once

#include <string>
#include <type_traits>

#include "concepts.hpp"
#include "search/leaf.hpp"
#include "search/search_request.hpp"

namespace proofbase {

/// Takes the initialisation policy of the request's name; the default is the game's own effort where it has one, else
/// mobility. Throws UnsuitableAlgorithm.
template <Game G>
std::string take_initialisation(const SearchRequest<G>& request) {
    std::string policy = request.name.take("initialisation", {"unit", "mobility", "effort"});
    if (policy == "effort" && !Effort<G>) {
        throw request.name.refusal(request.game.name() + " has no estimate of the effort");
    }
    if (policy.empty()) policy = Effort<G> ? "effort" : "mobility";
    return policy;
}

/// Calls make(std::type_identity<Policy>{}) for a policy that take_initialisation() gave.
template <Game G, class Make>
auto with_initialisation(const std::string& policy, Make&& make) {
    if (policy == "unit") return make(std::type_identity<UnitInitialisation>{});
    if constexpr (Effort<G>) {
        if (policy == "effort") return make(std::type_identity<EffortInitialisation>{});
    }
    return make(std::type_identity<MobilityInitialisation>{});
}

}  // namespace proofbase
