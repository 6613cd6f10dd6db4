// What `auto` stands for: an algorithm for the properties of a game and the memory that there is, and why.
// docs/search.md ("Choosing one") has the measurements behind it.
#pragma once

#include <string>

#include "concepts.hpp"
#include "search/names/recommended_algorithm.hpp"

namespace proofbase {

/// The algorithm to begin with.
template <Game G>
RecommendedAlgorithm automatic_algorithm(const G& game) {
    if (game.acyclic()) {
        return {"pn-dag", Threats<G>  ? "acyclic, winning threats are searched for"
                          : Effort<G> ? "acyclic, the game estimates effort"
                                      : "acyclic, effort estimated by the number of moves"};
    }
    return {"pn-base-twin", game.name() + " has cycles, and base-twin is never wrong about one"};
}

/// The algorithm to go on with when the first one has used up its memory.
template <Game G>
RecommendedAlgorithm algorithm_when_memory_is_full(const G& game) {
    return {"df-pn", automatic_algorithm(game).algorithm + " used up its memory; the table of df-pn fits into any"};
}

}  // namespace proofbase
