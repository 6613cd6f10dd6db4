// The nodes of a dag (dag.hpp) and the edges between them.
//
// The time of a search goes into cache misses (about 300 ns each in a large graph). So an edge holds the numbers of its
// child: a node reads the edges to its children, which lie side by side, and not the children. A leaf has no numbers of
// its own: they stand in the edges that lead to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>

#include "search/graph/arena.hpp"
#include "search/graph/dag/blocks.hpp"
#include "search/graph/dag/dag_node.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// The root is node 0. `StoredKey`: the key of a node (QuestionIndex).
template <class StoredKey>
class DagEdges {
  public:
    using Node = DagNode<StoredKey>;
    static_assert(alignof(Node) == 1);

    Node& node(std::uint32_t number) noexcept { return nodes_[number]; }
    const Node& node(std::uint32_t number) const noexcept { return nodes_[number]; }
    Block& block(std::uint32_t number) noexcept { return blocks_[number]; }
    const Block& block(std::uint32_t number) const noexcept { return blocks_[number]; }
    Blocks& blocks() noexcept { return blocks_; }
    Units& units() noexcept { return blocks_.units(); }

    std::uint32_t size() const noexcept { return nodes_.size(); }
    std::uint64_t bytes() const noexcept {
        return nodes_.bytes() + bounds_.bytes() + wide_ranks_.bytes() + wide_numbers_.bytes() + blocks_.bytes();
    }
    std::uint64_t node_bytes() const noexcept { return nodes_.bytes() + blocks_.header_bytes(); }

    /// A node is referred to by its number while it is a leaf, and by its block once it is expanded.
    NodeRef ref(std::uint32_t number) const noexcept {
        const Node& node = nodes_[number];
        return node.has_block() ? NodeRef::expanded(node.link) : NodeRef::leaf(number);
    }
    std::uint32_t number(NodeRef node) const noexcept {
        return node.is_expanded() ? blocks_[node.index()].node : node.index();
    }
    int bound(std::uint32_t number) const { return bounds_.bound(nodes_[number], number); }
    void set_bound(std::uint32_t number, int bound) { bounds_.set_bound(nodes_[number], number, bound); }

    Numbers numbers(NodeRef node) const noexcept {
        if (node.is_expanded()) return blocks_[node.index()].current();
        const Node& stored = nodes_[node.index()];
        if (stored.is_leaf()) return leaf_numbers(node, stored.parents());
        return stored.has_block() ? blocks_[stored.link].current() : stored.solved_numbers();
    }
    /// The numbers of the child to which an edge leads.
    Numbers numbers(const Edge& edge) const noexcept {
        if (edge.numbers.fit()) [[likely]]
            return edge.numbers.numbers();
        return wide_numbers(edge.child);
    }
    /// The numbers of the root, while it is a leaf.
    void set_root_numbers(const Numbers& numbers) noexcept { root_numbers_ = numbers; }
    /// The numbers of a leaf, where an edge has too few bits for them.
    void set_wide_numbers(std::uint32_t leaf, const Numbers& numbers) { wide_numbers_.set(leaf, numbers); }

    /// The rank of a solved node.
    std::uint32_t rank(NodeRef node) const noexcept {
        if (node.is_expanded()) return blocks_[node.index()].solved_rank();
        const Node& stored = nodes_[node.index()];
        return stored.has_block() ? blocks_[stored.link].solved_rank() : stored.link;
    }
    /// The least rank that the disproof of an open node can have. Where a child without a node proves it, the rank of
    /// the quickest of these children instead.
    std::uint32_t least_rank(const Block& block) const {
        return block.rank != Block::wide_rank ? block.rank : wide_ranks_[block.node];
    }
    void set_least_rank(Block& block, std::uint32_t number, std::uint32_t rank) {
        block.rank = (rank < Block::wide_rank ? rank : Block::wide_rank) & Block::wide_rank;
        if (rank >= Block::wide_rank) wide_ranks_.set(number, rank);
    }

    /// Makes room for one more block with `count` edges and as many new nodes, so that an expansion does not fail half
    /// done.
    void reserve(std::uint32_t count) {
        nodes_.reserve(count);
        const std::uint64_t largest_list = 2 * std::uint64_t{largest_list_} + 1;
        blocks_.reserve(count, count * largest_list, largest_list);
        bounds_.reserve(count);
        wide_ranks_.reserve(1);
        wide_numbers_.reserve(count);
        if (nodes_.size() + std::uint64_t{count} > NodeRef::limit) throw std::bad_alloc();
    }
    std::uint32_t append_node() { return nodes_.append(1); }

    /// The first edge from a parent to a child.
    const Edge& edge_to(NodeRef child, std::uint32_t parent) const noexcept {
        const Edge* edge = blocks_[parent].begin();
        while (edge->child != child) ++edge;
        return *edge;
    }

    /// Enters a block into the parents of a child. The edge gets the numbers of a child that is not new. A solved child
    /// has no parents.
    void add_parent(std::uint32_t block, Edge& to) {
        std::uint32_t taken = 0;
        if (to.child.is_expanded()) {
            Block& of_child = blocks_[to.child.index()];
            to.numbers = PackedNumbers(of_child.current());
            if (!to.numbers.solved()) taken = of_child.parents.add(units(), block);
        } else {
            Node& child = nodes_[to.child.index()];
            if (!child.is_leaf()) {
                to.numbers = PackedNumbers(child.solved_numbers());
                return;
            }
            ParentList parents = child.parents();
            if (!parents.empty()) to.numbers = edge_to(to.child, parents.any(units())).numbers;
            taken = parents.add(units(), block);
            child.link = parents.word();
        }
        largest_list_ = std::max(largest_list_, taken);
    }

    /// Makes the parents of a leaf those of an expanded node, whose edges lead to its block from now on.
    void divide_parents(ParentList list, NodeRef leaf, NodeRef expanded, Parents& parents) {
        list.for_each(units(), [&](std::uint32_t parent) {
            for (Edge& edge : blocks_[parent]) {
                if (edge.child == leaf) edge.child = expanded;
            }
        });
        parents.first = list.take(units());
        parents.others = list;
    }

    /// Calls change(edge) for every edge that leads to an expanded node, and visit(parent) for each of its parents.
    template <class Change, class Visit>
    void for_each_parent(std::uint32_t b, Change&& change, Visit&& visit) {
        const NodeRef child = NodeRef::expanded(b);
        blocks_[b].parents.for_each(units(), [&](std::uint32_t parent) {
            for (Edge& edge : blocks_[parent]) {
                if (edge.child == child) change(edge);
            }
            visit(parent);
        });
    }

    /// Fetches a node into the cache: two lines may have a part of it.
    void prefetch_node(std::uint32_t number) const noexcept {
        const char* const node = reinterpret_cast<const char*>(&nodes_[number]);
        __builtin_prefetch(node);
        __builtin_prefetch(node + sizeof(Node) - 1);
    }
    /// Fetches the parents in a list's piece of memory into the cache.
    void prefetch_listed(const ParentList& parents) const noexcept {
        if (!parents.in_piece()) return;
        parents.for_each(units(), [&](std::uint32_t parent) { blocks_.prefetch(parent); });
    }
    /// Fetches parents, or the list of them, into the cache.
    void prefetch_parents(const ParentList& parents) const noexcept {
        if (parents.in_piece()) {
            parents.prefetch(units());
        } else if (!parents.empty()) {
            blocks_.prefetch(parents.word());
        }
    }

    /// The nodes as questions, for QuestionIndex.
    struct Questions {
        struct Question {
            typename Node::Key key;
            int bound;
            bool is_deleted;
            bool deleted() const noexcept { return is_deleted; }
        };
        const DagEdges& edges;
        [[gnu::always_inline]] Question operator[](std::uint32_t n) const {
            const Node& node = edges.nodes_[n];
            return {node.key(), edges.bounds_.bound(node, n), node.deleted()};
        }
        std::uint32_t size() const noexcept { return edges.size(); }
    };
    Questions questions() const noexcept { return {*this}; }

  private:
    const Units& units() const noexcept { return blocks_.units(); }

    /// The numbers of a leaf, from an edge that leads to it. Those of a leaf without a parent are not known; it is the
    /// root, or will be evaluated again.
    Numbers leaf_numbers(NodeRef leaf, const ParentList& parents) const noexcept {
        if (parents.empty()) return leaf.index() == 0 ? root_numbers_ : Numbers{1, 1};
        return numbers(edge_to(leaf, parents.any(units())));
    }

    /// The numbers of an open child, where those in the edges are not complete.
    [[gnu::noinline]] Numbers wide_numbers(NodeRef child) const noexcept {
        return child.is_expanded() ? blocks_[child.index()].current() : wide_numbers_[child.index()];
    }

    Arena<Node> nodes_;
    NodeBounds bounds_;
    WideWords<std::uint32_t> wide_ranks_;  ///< of expanded nodes: see least_rank()
    WideWords<Numbers> wide_numbers_;      ///< of leaves
    Blocks blocks_;
    Numbers root_numbers_{};
    std::uint32_t largest_list_ = 0;  ///< units of the largest list of parents
};

}  // namespace proofbase
