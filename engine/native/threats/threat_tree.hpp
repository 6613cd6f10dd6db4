// The proof of a win by threats as a tree. A node with the attacker to move is
//   `ends`                              he wins at once, or, as the defender cannot, leaves two squares that win; or
//   MOVE COUNT (REPLY node) * COUNT     his move, and for each of these replies the node after it. Every other reply
//                                       leaves a node that `ends`.
// Moves and replies are numbers of squares. docs/search.md
#pragma once

#include <cstdint>
#include <vector>

namespace proofbase {

struct ThreatTree {
    static constexpr std::uint16_t ends = 0xffff;

    std::vector<std::uint16_t> numbers;
    std::uint64_t nodes = 0;  ///< with the attacker to move
};

}  // namespace proofbase
