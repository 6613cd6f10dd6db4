// What a dag (dag.hpp) holds of every node: its key and two words. What an expanded node needs besides is in its block;
// the numbers of a leaf are in the edges that lead to it.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "search/policy/proof_numbers.hpp"

namespace proofbase {

enum class NodeState : std::uint8_t {
    leaf,             ///< open
    expanded,         ///< it has a block
    proved_leaf,      ///< by its evaluation
    disproved_leaf,   ///< likewise
    proved_inner,     ///< its block is gone
    disproved_inner,  ///< likewise
    deleted,
};

template <class StoredKey>
struct DagNode {
    static constexpr int least_bound = -255;
    static constexpr std::uint32_t wide_bound = 0x1ff;  ///< the bound is elsewhere (WideWords)
    static constexpr std::uint32_t wide_rank = 0xfffff;

    StoredKey key;
    /// leaf: the last block that became its parent, where the list of its parents begins, or 0; expanded: its block;
    /// solved: its rank; deleted: the node that was deleted before it.
    std::uint32_t link;
    std::uint32_t state_bits : 3;
    std::uint32_t bound_bits : 9;
    std::uint32_t rank_bits : 20;  ///< open: the least rank that a disproof of the node can have (Leaf)

    NodeState state() const noexcept { return static_cast<NodeState>(state_bits); }
    void set(NodeState state, std::uint32_t new_link) noexcept {
        state_bits = static_cast<std::uint32_t>(state);
        link = new_link;
    }
    bool is_leaf() const noexcept { return state() == NodeState::leaf; }
    bool has_block() const noexcept { return state() == NodeState::expanded; }
    bool proved() const noexcept { return state() == NodeState::proved_leaf || state() == NodeState::proved_inner; }
    bool solved() const noexcept { return state() >= NodeState::proved_leaf && state() <= NodeState::disproved_inner; }
    bool deleted() const noexcept { return state() == NodeState::deleted; }
    /// True if the node was expanded, also if its block is gone.
    bool inner() const noexcept {
        return has_block() || state() == NodeState::proved_inner || state() == NodeState::disproved_inner;
    }
    /// Of a solved node.
    Numbers solved_numbers() const noexcept { return proved() ? proved_numbers : disproved_numbers; }
};

/// Bounds and ranks of the few nodes for which the bits of DagNode are not enough.
class WideWords {
  public:
    template <class Node>
    int bound(const Node& node, std::uint32_t number) const {
        if (node.bound_bits != Node::wide_bound) return static_cast<int>(node.bound_bits) + Node::least_bound;
        return bounds_.at(number);
    }
    template <class Node>
    void set_bound(Node& node, std::uint32_t number, int bound) {
        const auto bits = static_cast<std::uint32_t>(bound) - static_cast<std::uint32_t>(Node::least_bound);
        node.bound_bits = bits < Node::wide_bound ? bits : Node::wide_bound;
        if (bits >= Node::wide_bound) bounds_[number] = bound;
    }

    template <class Node>
    std::uint32_t rank(const Node& node, std::uint32_t number) const {
        return node.rank_bits != Node::wide_rank ? node.rank_bits : ranks_.at(number);
    }
    template <class Node>
    void set_rank(Node& node, std::uint32_t number, std::uint32_t rank) {
        node.rank_bits = rank < Node::wide_rank ? rank : Node::wide_rank;
        if (rank >= Node::wide_rank) ranks_[number] = rank;
    }

    std::uint64_t bytes() const noexcept {
        constexpr std::uint64_t bytes_of_entry = 32;
        return bytes_of_entry * (bounds_.size() + ranks_.size());
    }

  private:
    std::unordered_map<std::uint32_t, int> bounds_;
    std::unordered_map<std::uint32_t, std::uint32_t> ranks_;
};

}  // namespace proofbase
