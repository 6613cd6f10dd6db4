// How deep below the root the nodes of a graph are, for the initialisation policy `depth`. A node to which several
// lines of play lead has the depth of the line by which it was created.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/policy/initialisation_policy.hpp"

namespace proofbase {

/// Holds nothing for the other policies, where every depth is 0.
class NodeDepths {
  public:
    explicit NodeDepths(Initialisation policy) noexcept : counts_(policy == Initialisation::depth) {}

    /// Makes room for so many more nodes.
    void reserve(std::uint32_t more) {
        if (counts_ && depths_.capacity() < depths_.size() + more) depths_.reserve(2 * depths_.size() + more);
    }
    /// The next node, a child of `parent`; the first one is the root.
    void created(std::uint32_t parent) {
        if (counts_) depths_.push_back(depths_.empty() ? 0 : depths_[parent] + 1);
    }
    /// The depth of a child of the node.
    std::size_t below(std::uint32_t node) const noexcept { return counts_ ? depths_[node] + std::size_t{1} : 0; }
    std::uint64_t bytes() const noexcept { return depths_.capacity() * sizeof(std::uint32_t); }

  private:
    bool counts_;
    std::vector<std::uint32_t> depths_;
};

}  // namespace proofbase
