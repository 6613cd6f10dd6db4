// The initialisation policy of a name (leaf.hpp), as a type.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "concepts.hpp"
#include "search/policy/leaf.hpp"
#include "search/api/search_request.hpp"

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

/// Takes the initialisation policy of the request's name, one of `choices`; the default is the game's own effort where
/// it has one, else mobility, where they are among the choices. Throws UnsuitableAlgorithm.
template <Game G>
std::string take_initialisation(const SearchRequest<G>& request,
                                std::initializer_list<std::string_view> choices = {"unit", "mobility", "effort"}) {
    const std::string policy = request.name.take("initialisation", choices);
    const auto offered = [&](std::string_view name) {
        return std::find(choices.begin(), choices.end(), name) != choices.end();
    };
    const bool without = policy.empty() && !(Effort<G> && offered("effort")) && !offered("mobility");
    const bool mobile = policy.empty() && !offered("effort") && offered("mobility");
    return without ? "unit" : mobile ? "mobility" : usable_initialisation(request, policy);
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

/// The same for trees, which know `depth` as well.
template <Game G, class Make>
auto with_tree_initialisation(const std::string& policy, Make&& make) {
    if (policy == "depth") return make(std::type_identity<DepthInitialisation>{});
    return with_initialisation<G>(policy, std::forward<Make>(make));
}

}  // namespace proofbase
