// The initialisation policy of a name (leaf.hpp), as a type.
#pragma once

#include <string>
#include <type_traits>

#include "concepts.hpp"
#include "search/leaf.hpp"
#include "search/search_request.hpp"

namespace proofbase {

/// The policy of this name, or where there is none the default: the game's own effort where it has one, else mobility.
/// Throws UnsuitableAlgorithm if the game does not have what the policy needs.
template <Game G>
std::string usable_initialisation(const SearchRequest<G>& request, const std::string& policy) {
    if (policy == "effort" && !Effort<G>) {
        throw request.name.refusal(request.game.name() + " has no estimate of the effort");
    }
    return policy.empty() ? Effort<G> ? "effort" : "mobility" : policy;
}

/// Takes the initialisation policy of the request's name. Throws UnsuitableAlgorithm.
template <Game G>
std::string take_initialisation(const SearchRequest<G>& request) {
    return usable_initialisation(request, request.name.take("initialisation", {"unit", "mobility", "effort"}));
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
