// Diagrams that a game knows without a search (docs/strategies.md), as taking out a solution asks for them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "records/claims/strategies.hpp"

namespace proofbase {

/// A diagram with the replies named that it does not answer.
struct AnsweringDiagram {
    Strategy strategy;
    std::size_t answered = 0;  ///< replies; at least 1
};

/// Games with static bounds that have diagrams for the reasons of these. `diagrams()` gives what one thread asks by:
/// `find(p, bound, all)`, for positions that are not terminal, is the diagram by which the side that is not to move
/// gets at least `bound` against the most replies; with `all` only one that answers every reply. Every line of it ends
/// within `most_plies(p)` plies. The claims made of it are checked like all others.
template <class G>
concept FindsDiagrams =
    StaticBounds<G> && requires(const G& game, typename G::Diagrams& diagrams, const typename G::Position& p) {
        { game.diagrams() } -> std::same_as<typename G::Diagrams>;
        { diagrams.find(p, 0, true) } -> std::same_as<std::optional<AnsweringDiagram>>;
        { game.most_plies(p) } -> std::same_as<std::uint32_t>;
    };

}  // namespace proofbase
