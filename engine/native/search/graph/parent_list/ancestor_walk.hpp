// Which nodes of a linked graph (linked.hpp) are ancestors of one: a walk upwards that remembers, by the number of the
// walk, what it has met, so that nothing has to be cleared between two of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace proofbase {

class AncestorWalk {
  public:
    /// Walks from `node` among `nodes` nodes; for_each_parent(n, visit) calls visit(parent).
    template <class ForEachParent>
    void from(std::uint32_t node, std::uint32_t nodes, ForEachParent&& for_each_parent) {
        met_.resize(nodes);
        if (++walk_ == 0) {  // the numbers of walks begin again
            std::fill(met_.begin(), met_.end(), 0);
            walk_ = 1;
        }
        ancestors_.assign(1, node);
        met_[node] = walk_;
        for (std::size_t i = 0; i < ancestors_.size(); ++i) {
            for_each_parent(ancestors_[i], [&](std::uint32_t parent) {
                if (met_[parent] == walk_) return;
                met_[parent] = walk_;
                ancestors_.push_back(parent);
            });
        }
    }

    /// Whether the last walk met a node: its start or an ancestor of it.
    bool met(std::uint32_t node) const noexcept { return met_[node] == walk_; }

    std::uint64_t bytes() const noexcept { return (met_.capacity() + ancestors_.capacity()) * sizeof(std::uint32_t); }

  private:
    std::vector<std::uint32_t> met_;  ///< by node: the last walk that met it
    std::vector<std::uint32_t> ancestors_;
    std::uint32_t walk_ = 0;
};

}  // namespace proofbase
