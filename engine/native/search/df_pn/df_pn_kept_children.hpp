// The children of the nodes that a df-pn thread has expanded last. Df-pn comes back to a node whenever the thresholds
// of its parent allow more work: a third of all expansions in chess mates are of nodes that were expanded before. Their
// moves, keys and first numbers are found here. What the table knows of the children is asked anew at every expansion.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/df_pn/df_pn_child.hpp"
#include "search/df_pn/df_pn_question.hpp"

namespace proofbase {

/// A ring of children: those of a new node overwrite the oldest.
template <class Position, class KeyWords>
class DfPnKeptChildren {
  public:
    using Child = DfPnChild<KeyWords>;

    /// An expanded node. Positions with one key may have their moves in another order, so the position is compared.
    struct Node {
        Position position{};
        int bound = 0;
        std::uint32_t count = 0;  ///< of the children; 0 for none kept
        std::uint32_t rank_of_omitted = 0;
        std::uint64_t first = 0;  ///< the number of its first child, of all children ever kept
    };

    /// Limits the memory to about this many bytes, and to those of `most_children`.
    void limit_bytes(std::uint64_t bytes) noexcept {
        ring_.reset();
        nodes_ = {};
        next_ = 0;
        const std::uint64_t fitting = bytes / (sizeof(Child) + sizeof(Node) / children_per_node);
        capacity_ = std::bit_floor(std::min<std::uint64_t>(fitting, most_children));
    }

    void prefetch(std::uint64_t hash) const noexcept {
        if (nodes_.empty()) return;
        const char* const start = reinterpret_cast<const char*>(&nodes_[place(hash)]);
        __builtin_prefetch(start);
        __builtin_prefetch(start + sizeof(Node) - 1);
    }

    /// The node of this position and bound, if its children are still here; else null.
    const Node* find(std::uint64_t hash, const Position& position, int bound) const noexcept {
        if (nodes_.empty()) return nullptr;
        const Node& node = nodes_[place(hash)];
        const bool overwritten = next_ > node.first + capacity_;
        if (node.count == 0 || overwritten || node.bound != bound || node.position != position) return nullptr;
        return &node;
    }

    std::span<const Child> children(const Node& node) const noexcept {
        return {ring_.get() + (node.first & (capacity_ - 1)), node.count};
    }

    /// Makes room for the children of a node. Returns null if they are too many.
    Child* keep(std::uint64_t hash, const Position& position, int bound, std::uint32_t count,
                std::uint32_t rank_of_omitted) {
        if (count == 0 || count > capacity_) return nullptr;
        if (ring_ == nullptr) {
            // Not cleared: the system gives memory as it is used.
            ring_ = std::make_unique_for_overwrite<Child[]>(capacity_);
            nodes_.resize(std::max<std::size_t>(capacity_ / children_per_node, 1));
        }
        const std::uint64_t used = next_ & (capacity_ - 1);
        if (used + count > capacity_) next_ += capacity_ - used;  // a node's children are not parted
        nodes_[place(hash)] = {position, bound, count, rank_of_omitted, next_};
        Child* const room = ring_.get() + (next_ & (capacity_ - 1));
        next_ += count;
        return room;
    }

    std::uint64_t bytes() const noexcept {
        return std::min(next_, capacity_) * sizeof(Child) + nodes_.size() * sizeof(Node);
    }

  private:
    std::size_t place(std::uint64_t hash) const noexcept { return hash & (nodes_.size() - 1); }

    static constexpr std::uint64_t most_children = 1 << 15;
    static constexpr std::uint64_t children_per_node = 8;  ///< nodes with fewer share places

    std::unique_ptr<Child[]> ring_;
    std::vector<Node> nodes_;  ///< by the hash of the question
    std::uint64_t capacity_ = 0;
    std::uint64_t next_ = 0;  ///< children ever kept
};

}  // namespace proofbase
