// The order in which numbers are passed up to all parents (Schijf 1993, 4.4 and 4.6).
#pragma once

#include <cstdint>

namespace proofbase {

enum class UpdateOrder : std::uint8_t {
    stack,  ///< by recursion: a node once for every path that leads to it
    queue,  ///< first come, first served: a node waits once
};

/// How a graph that links its nodes (linked.hpp) updates.
struct UpdatePolicy {
    UpdateOrder order = UpdateOrder::stack;
    bool early_stop = true;  ///< nothing is updated above a node whose numbers did not change
};

}  // namespace proofbase
