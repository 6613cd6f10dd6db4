// The order in which numbers are passed up to all parents (Schijf 1993, 4.4 and 4.6).
#pragma once

#include <cstdint>

namespace proofbase {

/// Where several nodes are to be updated: which one is next.
enum class UpdateOrder : std::uint8_t {
    stack,  ///< depth first: a node is updated once for every path that leads up to it
    queue,  ///< first come, first served: a node that waits already is not entered again
};

/// How a graph whose nodes list their parents (parent_list_graph.hpp) updates them.
struct UpdatePolicy {
    UpdateOrder order = UpdateOrder::stack;
    bool early_stop = true;  ///< nothing is updated above a node whose numbers did not change
};

}  // namespace proofbase
