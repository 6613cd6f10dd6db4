// The proof of a win by threats as a tree. A node with the attacker to move is
//   `ends`                              he wins at once, or, as the defender cannot, leaves two squares that win; or
//   MOVE COUNT (REPLY node) * COUNT     his move, and for each of these replies the node after it. Every other reply
//                                       leaves a node that `ends`.
// Moves and replies are numbers of squares. docs/search.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace proofbase {

struct ThreatTree {
    static constexpr std::uint16_t ends = 0xffff;

    std::vector<std::uint16_t> numbers;
    std::uint64_t nodes = 0;  ///< with the attacker to move

    /// The place behind the node that begins at `at`.
    std::size_t behind(std::size_t at) const {
        if (numbers[at] == ends) return at + 1;
        int count = numbers[at + 1];
        for (at += 2; count > 0; --count) at = behind(at + 1);
        return at;
    }
};

}  // namespace proofbase
