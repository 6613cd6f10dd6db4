// What `auto` stands for: an algorithm for the properties of a game and the memory that there is, and why.
// docs/search.md ("Choosing one") has the measurements behind it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "concepts.hpp"
#include "search/names/choice.hpp"
#include "search/names/families.hpp"

namespace proofbase {

/// Whether there is a family of this name.
template <Game G>
bool has_family(std::string_view name) {
    return std::any_of(std::begin(algorithm_families<G>), std::end(algorithm_families<G>),
                       [&](const AlgorithmFamily<G>& family) { return family.name == name; });
}

/// The algorithm to begin with.
template <Game G>
Choice automatic(const G& game) {
    if (game.acyclic()) {
        return {"pn-dag", Threats<G>  ? "acyclic, winning threats are searched for"
                          : Effort<G> ? "acyclic, the game estimates effort"
                                      : "acyclic, effort estimated by the number of moves"};
    }
    const std::string cycles = game.name() + " has cycles";
    if (has_family<G>("pn-base-twin")) return {"pn-base-twin", cycles + ", and base-twin is never wrong about one"};
    if (has_family<G>("df-pn")) return {"df-pn", cycles + ", which df-pn can treat"};
    return {"pn-dag", cycles};  // refuses it
}

/// The algorithm to go on with when the first one has used up its memory; none if there is no other.
template <Game G>
std::optional<Choice> automatic_when_full(const G& game) {
    if (!has_family<G>("df-pn") || automatic(game).algorithm == "df-pn") return std::nullopt;
    return Choice{"df-pn", automatic(game).algorithm + " used up its memory; the table of df-pn fits into any"};
}

}  // namespace proofbase
