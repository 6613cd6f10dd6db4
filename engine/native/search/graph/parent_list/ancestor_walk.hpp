// The ancestors of a node in a graph whose nodes list their parents (parent_list_graph.hpp): a walk upwards that marks
// the nodes it meets with the number of the walk. So nothing has to be cleared between two walks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace proofbase {

class AncestorWalk {
  public:
    /// Walks upwards from `start`, one of `nodes` nodes; for_each_parent(n, visit) calls visit(parent).
    template <class ForEachParent>
    void walk_up(std::uint32_t start, std::uint32_t nodes, ForEachParent&& for_each_parent) {
        last_walk_.resize(nodes);
        if (++walk_ == 0) {  // the numbers of walks begin again
            std::fill(last_walk_.begin(), last_walk_.end(), 0);
            walk_ = 1;
        }
        ancestors_.assign(1, start);
        last_walk_[start] = walk_;
        for (std::size_t i = 0; i < ancestors_.size(); ++i) {
            for_each_parent(ancestors_[i], [&](std::uint32_t parent) {
                if (last_walk_[parent] == walk_) return;
                last_walk_[parent] = walk_;
                ancestors_.push_back(parent);
            });
        }
    }

    /// True if the last walk met a node: its start or an ancestor of the start.
    bool met(std::uint32_t node) const noexcept { return last_walk_[node] == walk_; }

    std::uint64_t bytes() const noexcept {
        return (last_walk_.capacity() + ancestors_.capacity()) * sizeof(std::uint32_t);
    }

  private:
    std::vector<std::uint32_t> last_walk_;  ///< by node: the number of the last walk that met it
    std::vector<std::uint32_t> ancestors_;
    std::uint32_t walk_ = 0;
};

}  // namespace proofbase
