// What searches for winning lines of threats have cost.
#pragma once

#include <cstddef>
#include <cstdint>

namespace proofbase {

/// The cost of a search for winning lines, summed over its calls.
struct ThreatSearchCost {
    std::uint64_t searches = 0;
    std::uint64_t nodes = 0;
    std::uint64_t largest = 0;  ///< most nodes of one search
    std::uint64_t cut = 0;      ///< searches that reached their limit of nodes

    void count(std::size_t searched) {
        ++searches;
        nodes += searched;
        if (searched > largest) largest = searched;
    }
};

}  // namespace proofbase
