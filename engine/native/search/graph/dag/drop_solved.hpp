// Memory policy `drop-solved` of a dag (Schijf 1993, 4.6; Allis 1994, 4.4.2): the graph forgets what its expansions do
// not need.
//
// A leaf that its evaluation solves gets no node, and a proved node no edge. A solved node loses its edges, and leaves
// below it that no other node has are deleted. All of them are evaluated again where they are met again, or where the
// solution needs them. So the same nodes are expanded, and only such evaluations count more than once. Where sets name
// leaves by their numbers (set_backup.hpp), leaves are not deleted: a new number would come later in the order of the
// leaves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/graph/dag/blocks.hpp"
#include "search/graph/dag/dag_node.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// The policy of one graph; it does nothing unless it is on.
template <class Index, class Edges>
class DropSolved {
    using Child = typename Index::Child;
    using Node = typename Edges::Node;

  public:
    /// The index and the edges are those of the graph. `deletes_leaves`: see above.
    DropSolved(Index& index, Edges& edges, bool on, bool deletes_leaves)
        : index_(index), edges_(edges), on_(on), deletes_leaves_(deletes_leaves) {}

    bool on() const noexcept { return on_; }

    /// Whether a child gets no node.
    bool needs_no_node(const Leaf& leaf) const noexcept { return on_ && leaf.numbers.solved(); }
    /// Whether a child needs no edge: a proved one changes no numbers.
    bool is_left_out(const Child& child) const noexcept {
        return child.node == Index::none ? child.leaf.numbers.proved() : edges_.node(child.node).proved();
    }

    /// The number of a deleted node, to be used again; or `none`.
    std::uint32_t take_deleted() noexcept {
        const std::uint32_t n = last_deleted_;
        if (n != Index::none) last_deleted_ = edges_.node(n).link;
        return n;
    }

    /// What a new block holds: proved children are left out if the moves are few enough. The rank of what is left out,
    /// and of children without a node, becomes a part of the node's own.
    struct Shape {
        std::uint32_t edges;
        std::uint32_t left_out;  ///< the moves without an edge, a bit for each
        std::uint32_t rank;
    };
    Shape shape(const std::vector<Child>& children, std::uint32_t rank) const {
        const auto count = static_cast<std::uint32_t>(children.size());
        Shape shape{count, 0, rank};
        if (!on_) return shape;
        std::uint32_t quickest = infinite;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Child& child = children[i];
            if (is_left_out(child)) {
                shape.rank =
                    std::max(shape.rank,
                             (child.node == Index::none ? child.leaf.rank : edges_.rank(edges_.ref(child.node))) + 1);
                if (count <= Block::most_sparse_moves) {
                    shape.left_out |= 1u << i;
                    --shape.edges;
                }
            } else if (child.node == Index::none) {
                quickest = std::min(quickest, child.leaf.rank);
            }
        }
        if (quickest != infinite) shape.rank = quickest;
        return shape;
    }

    /// Takes the edges to proved children out of a block: they change no numbers any more.
    void leave_out_proved(std::uint32_t b) {
        Block& block = edges_.block(b);
        block.loose = 0;
        if (!block.sparse && block.count() > Block::most_sparse_moves) return;
        const std::uint32_t left_out_before = block.left_out();
        std::uint32_t left_out = left_out_before;
        std::uint32_t rank = edges_.least_rank(block);
        Edge* kept = block.begin();
        std::uint32_t move = 0;
        for (const Edge& edge : block) {
            while ((left_out_before >> move & 1) != 0) ++move;
            if (edge.numbers.proved()) {
                rank = std::max(rank, edges_.rank(edge.child) + 1);
                left_out |= 1u << move;
            } else {
                *kept++ = edge;
            }
            ++move;
        }
        if (kept == block.end()) return;
        edges_.blocks().shrink(b, static_cast<std::uint32_t>(kept - block.begin()), left_out);
        edges_.set_least_rank(block, block.node, rank);
    }

    /// An update has changed a block. The root keeps its block.
    void changed(std::uint32_t b) {
        const Block& block = edges_.block(b);
        if (on_ && block.numbers.solved() && block.node != 0) solved_.push_back(b);
    }

    /// Takes their blocks from the nodes that the last update solved. Leaves that only they have are deleted.
    void drop_below_solved_nodes() {
        for (const std::uint32_t b : solved_) {
            Block& block = edges_.block(b);
            Node& node = edges_.node(block.node);
            const NodeRef closed = NodeRef::leaf(block.node);
            for (const Edge& edge : block) {
                if (edge.child != NodeRef::none() && !edge.numbers.solved()) take_out(b, edge.child);
            }
            edges_.for_each_parent(b, [&](Edge& to) { to.child = closed; }, [](std::uint32_t) {});
            node.set(block.numbers.proved() ? NodeState::proved_inner : NodeState::disproved_inner,
                     block.solved_rank());
            edges_.blocks().release(b);
        }
        solved_.clear();
    }

    /// Evaluates a child without a node, for a solution. It is referred to as a leaf behind all nodes.
    NodeRef evaluate_again(const Child& child) const {
        const NodeRef ref = NodeRef::leaf(edges_.size() + static_cast<std::uint32_t>(evaluated_again_.size()));
        evaluated_again_.push_back(index_.evaluate(child));
        return ref;
    }
    bool was_evaluated_again(NodeRef node) const noexcept {
        return !node.is_expanded() && node.index() >= edges_.size();
    }
    const Leaf& evaluated_again(NodeRef node) const noexcept { return evaluated_again_[node.index() - edges_.size()]; }

  private:
    /// Takes a parent from an open child. Deletes the child if it is a leaf and has no other parent. (The nodes below
    /// an expanded one may be met again, and are searched no second time.)
    void take_out(std::uint32_t parent, NodeRef child) {
        const std::uint32_t n = child.index();
        if (child.is_expanded()) {
            edges_.block(n).parents.remove(edges_.units(), parent);
            return;
        }
        Node& node = edges_.node(n);
        if (!node.is_leaf()) return;  // two moves lead to it, and it is deleted
        ParentList parents = node.parents();
        const bool was_parent = parents.remove(edges_.units(), parent);
        node.link = parents.word();
        if (!was_parent || !parents.empty() || !deletes_leaves_) return;
        index_.erase(n, edges_.questions());
        node.set(NodeState::deleted, last_deleted_);
        last_deleted_ = n;
    }

    Index& index_;
    Edges& edges_;
    bool on_;
    bool deletes_leaves_;
    std::uint32_t last_deleted_ = Index::none;   ///< begins the list of deleted nodes, whose numbers are used again
    mutable std::vector<Leaf> evaluated_again_;  ///< their numbers are those behind the nodes
    std::vector<std::uint32_t> solved_;          ///< the blocks that an update has solved
};

}  // namespace proofbase
