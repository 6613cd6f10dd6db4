// What `auto` stands for: an algorithm for the properties of a game and the memory that there is, and why.
// docs/search.md ("Choosing one") has the measurements behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "concepts.hpp"

namespace proofbase {

/// An algorithm by name, and why it was chosen, in words for people.
struct Choice {
    std::string algorithm;
    std::string reason;
};

/// The algorithm that suits `game`; `memory` are the bytes that the search may hold (none: not limited).
template <Game G>
Choice automatic(const G& game, std::optional<std::uint64_t> = std::nullopt) {
    const std::string cycles = game.acyclic() ? "acyclic" : "lines may come back to a position";
    if (Effort<G>) return {"pn-dag+effort", cycles + ", the game estimates effort"};
    return {"pn-dag+mobility", cycles + ", effort estimated by the number of moves"};
}

}  // namespace proofbase
