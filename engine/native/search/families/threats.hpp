// Family `threats`: wins by trees of threats and moves that prepare them.
#pragma once

#include <memory>
#include <stdexcept>

#include "search/api/families.hpp"
#include "search/threats/threat_search.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_threats(const SearchRequest<G>& request) {
    if constexpr (QuietThreatGame<G>) {
        const auto threads = static_cast<std::size_t>(request.algorithm.number("threads-N"));
        return request.game.visit_attack(
            request.position, request.at_least > 0,
            [&]<class Attack>(const Attack& attack,
                              const typename Attack::Stones& stones) -> std::unique_ptr<GameSearch<G>> {
                return std::make_unique<ThreatSearch<G, Attack>>(request, attack, stones, threads);
            });
    } else {
        throw std::logic_error("the table of algorithms offers `threats` to games with trees of threats only");
    }
}

}  // namespace proofbase
