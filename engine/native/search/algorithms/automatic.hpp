// What `auto` stands for: an algorithm for the properties of a game and the memory that there is, and why.
// Measured, solves in ms of the processor a position (2,000 or 5,000 nodes first): Pons L2_R2 8.7, 10.4,
// L1_R1 4.2, 4.4; 8 plies of UCI 197, 203. With 1,000 nodes fewer forced wins are found, and L1_R1 takes 5.0.
#pragma once

#include <cstdint>
#include <string>

#include "concepts.hpp"
#include "search/algorithms/recommended_algorithm.hpp"

namespace proofbase {

/// Whether a game tells null-window search which moves it need not try. Its author says by that that lines are
/// of similar length and moves of similar number: there alpha-beta refutes a question with far fewer nodes than
/// proof-number search, which is better where one side has to find its way to a forced win.
template <Game G>
inline constexpr bool helps_null_window = OpenMoves<G>;

/// Forced wins are found by so many nodes of proof-number search, or mostly not at all.
inline constexpr std::uint64_t nodes_before_null_window = 2'000;

/// A board so large that only threats decide who wins in a time that anybody waits for. A draw is proved on smaller
/// ones and near the end of the game, and proof-number search does that.
template <Game G>
bool is_decided_by_threats(const G& game) {
    if constexpr (QuietThreatGame<G>) return game.square_bits().size() > 49;
    return false;
}
inline constexpr std::uint64_t nodes_before_threats = 100'000;

/// Whether so few positions lie between two moves that cannot be taken back that a graph holds them all: then a search
/// by fixpoints finds wins which other searches lose in the cycles.
template <Game G>
bool has_small_region(const G& game, const typename G::Position& position) {
    constexpr std::uint64_t small = 1 << 14;
    if constexpr (Converting<G>) return game.region_size(position) <= small;
    return false;
}

/// The algorithm to begin with; `position`: what is asked about, null if that is not known.
template <Game G>
RecommendedAlgorithm automatic_algorithm(const G& game, const typename G::Position* position = nullptr) {
    if (!game.acyclic()) {
        if (position != nullptr && has_small_region(game, *position)) {
            return {"pn-fixpoint", game.name() + " has cycles, and few positions lie between moves without return"};
        }
        return {"pn-base-twin", game.name() + " has cycles, and base-twin is never wrong about one"};
    }
    if (counts_plies_of_wins(game)) {
        return {"df-pn-plies", "a position has one node, for all the plies that may be left"};
    }
    if constexpr (SearchesEndings<G>) {
        return {"null-window", "acyclic, the game helps to prune and to order moves, and searches its endings itself"};
    }
    RecommendedAlgorithm choice{"pn-dag", finds_threats(game) ? "acyclic, winning threats are searched for"
                                          : estimates_effort(game)
                                              ? "acyclic, the game estimates effort"
                                              : "acyclic, effort estimated by the number of moves"};
    if constexpr (helps_null_window<G>) {
        choice.nodes = nodes_before_null_window;
        choice.reason += "; for " + std::to_string(nodes_before_null_window) + " nodes, before null-window";
    }
    if (is_decided_by_threats(game)) {
        choice.nodes = nodes_before_threats;
        choice.reason += "; for " + std::to_string(nodes_before_threats) + " nodes, before threats";
    }
    return choice;
}

/// The algorithm to go on with when the first one has taken its nodes. Nothing of the first one is used.
template <Game G>
RecommendedAlgorithm algorithm_after_first_nodes(const G& game) {
    if (is_decided_by_threats(game)) {
        return {"threats", "wins by threats, with relevance zones, after " + std::to_string(nodes_before_threats) +
                               " nodes found no answer"};
    }
    if (!helps_null_window<G> || !game.acyclic()) return automatic_algorithm(game);
    return {"null-window", "acyclic, the game helps to prune and to order moves, and " +
                               std::to_string(nodes_before_null_window) + " nodes found no answer"};
}

/// The algorithm to go on with when the one before, whichever it was, has used up its memory.
template <Game G>
RecommendedAlgorithm algorithm_when_memory_is_full(const G& game) {
    const std::string family = helps_null_window<G> && game.acyclic() ? "null-window" : "df-pn";
    return {family, "the search before used up its memory; the table of " + family + " fits into any"};
}

}  // namespace proofbase
