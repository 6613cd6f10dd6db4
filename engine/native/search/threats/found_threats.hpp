// Winning threats of many positions, by one of the searches for threat trees, for players and for comparisons of these
// searches. What searches is in search/threats/find_threats.hpp, compiled with the family `threats` of the game.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "threats/trees/threat_tree.hpp"

namespace proofbase {

struct FoundThreats {
    const char* outcome = "cut";
    ThreatTree tree;  ///< of squares; empty unless won
    std::uint64_t nodes = 0;
};

/// The threats in positions that are not finished; `opponent`: of the side not to move. `finder` is "threes", "fours",
/// "sequences" or "sequences-by-search" (the test of Allis 1994, 5.3.3).
template <class G>
std::vector<FoundThreats> find_threats(const G& game, const std::vector<typename G::Position>& positions,
                                       std::string_view finder, std::uint64_t most_nodes, bool opponent);

}  // namespace proofbase
