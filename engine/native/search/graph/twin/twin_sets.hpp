// Backup policy `set` for graphs with base nodes and twin nodes: proof-set search in games with cycles (Müller
// 2001, 6.1). Every base node and every twin node has two sets of its own, as it has numbers of its own. The members of
// sets are bases: a base and its twins are one leaf, which counts once.
//
// A twin keeps the sets that it had when it was looked at last. So a base may be a leaf in the sets of one node and
// have been expanded below another one: the case that the paper names ("the same node can appear both as leaf and as
// interior node"). Such a member still counts as the one leaf that it was, until the search passes the node again.
// Nothing else depends on sets: which node is solved is decided by the numbers 0 and infinity of its children.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "search/graph/arena.hpp"
#include "search/graph/dag/proof_sets.hpp"
#include "search/graph/dag/set_order.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

class TwinSets {
  public:
    using ForTwins = TwinSets;
    using Options = SetOptions;

    explicit TwinSets(const Options& options) : options_(options), order_(options) {}

    std::uint64_t bytes() const noexcept { return nodes_.bytes() + lists_.bytes(); }
    void reserve(std::uint32_t count) { nodes_.reserve(count); }
    void append(std::uint32_t count) { nodes_.append(count); }

    /// To be called for the base node `node` of a new base below `parent`; the root counts as its own parent.
    void base_created(std::uint32_t node, std::uint32_t parent) noexcept {
        nodes_[node].or_node = node == parent || !nodes_[parent].or_node;
    }

    /// To be called before an update: comparisons favour the leaves of the root's sets (5.2).
    void begin_update() { order_.favour({lists_[nodes_[0].proof], lists_[nodes_[0].disproof]}); }

    /// Gives a node the sets that follow from some children of its base, and returns its numbers.
    /// `for_each(visit)` calls visit(child) for these children, in the same order every time.
    template <class Graph, class ForEach>
    Numbers take(const Graph& graph, std::uint32_t node, ForEach&& for_each) {
        NumberBackup numbers;
        for_each([&](std::uint32_t child) { numbers.add(graph.own_numbers(child)); });
        Numbers now = numbers.result();
        if (now.solved()) {
            release(node);
            return now;
        }
        const bool or_node = nodes_[graph.base_node(node)].or_node;
        if (options_.max_members(or_node) != 0) take_lightest(graph, node, for_each, now);
        if (const std::uint32_t size = options_.max_members(!or_node)) take_union(graph, node, for_each, size, now);
        nodes_[node].updated = 1;
        return now;
    }

    /// Gives node `to` the sets of node `from`.
    void copy(std::uint32_t from, std::uint32_t to) noexcept {
        if (from == to) return;
        set_list<&Node::proof>(to, lists_.share(nodes_[from].proof));
        set_list<&Node::disproof>(to, lists_.share(nodes_[from].disproof));
        nodes_[to].updated = nodes_[from].updated;
    }

    /// To be called when a node is solved: its sets are not asked for any more.
    void release(std::uint32_t node) noexcept {
        set_list<&Node::proof>(node, 0);
        set_list<&Node::disproof>(node, 0);
    }

    /// True if the search below `node` should rather go to child `a` than to child `b`; both are unsolved.
    template <class Graph>
    bool preferred(const Graph& graph, std::uint32_t node, std::uint32_t a, std::uint32_t b) const {
        const std::uint32_t bound_of_a = graph.own_numbers(a).disproof;
        const std::uint32_t bound_of_b = graph.own_numbers(b).disproof;
        // Where the node lists nothing, only numbers are compared, as in take().
        if (options_.max_members(nodes_[graph.base_node(node)].or_node) == 0) return bound_of_a < bound_of_b;
        if (order_.favours_none() && bound_of_a != bound_of_b) return bound_of_a < bound_of_b;
        SetMember leaf_a;
        SetMember leaf_b;
        return order_.lighter(order_.set(disproof_set(graph, a, leaf_a), bound_of_a),
                              order_.set(disproof_set(graph, b, leaf_b), bound_of_b));
    }

  private:
    /// The sets of a base node or a twin node.
    struct Node {
        std::uint32_t proof;
        std::uint32_t disproof;
        std::uint8_t updated;  ///< the sets are lists; until then both hold one leaf, the node's base
        std::uint8_t or_node;  ///< of a base node: the side to move is that of the root
    };

    template <auto list>
    void set_list(std::uint32_t node, std::uint32_t to) noexcept {
        lists_.release(nodes_[node].*list);
        nodes_[node].*list = to;
    }

    /// The members of a node's disproof set. The member of a leaf's set is not stored: it is written to `leaf`.
    template <class Graph>
    std::span<const SetMember> disproof_set(const Graph& graph, std::uint32_t node, SetMember& leaf) const {
        if (nodes_[node].updated) return lists_[nodes_[node].disproof];
        leaf = SetMember::of(graph.number(node) ^ order_.number_mask(), false, graph.own_numbers(node).disproof);
        return {&leaf, 1};
    }

    template <class Graph>
    std::span<const SetMember> proof_set(const Graph& graph, std::uint32_t node, SetMember& leaf) const {
        if (nodes_[node].updated) return lists_[nodes_[node].proof];
        leaf = SetMember::of(graph.number(node) ^ order_.number_mask(), true, graph.own_numbers(node).proof);
        return {&leaf, 1};
    }

    /// The proof set of a node is the lightest disproof set of its children.
    template <class Graph, class ForEach>
    void take_lightest(const Graph& graph, std::uint32_t node, ForEach&& for_each, Numbers& now) {
        bool any = false;
        std::uint32_t best = 0;
        SetOrder::Set lightest{};
        SetMember leaf;
        SetMember best_leaf{};
        for_each([&](std::uint32_t child) {
            const std::uint32_t bound = graph.own_numbers(child).disproof;
            if (bound == infinite || (order_.favours_none() && bound != now.proof)) return;
            const auto set = order_.set(disproof_set(graph, child, leaf), bound);
            if (any && !order_.lighter(set, lightest)) return;
            any = true;
            best = child;
            lightest = set;
            if (!nodes_[child].updated) {
                best_leaf = leaf;
                lightest.members = {&best_leaf, 1};
            }
        });
        now.proof = lightest.bound;
        set_list<&Node::proof>(
            node, nodes_[best].updated ? lists_.share(nodes_[best].disproof) : lists_.make(lightest.members));
    }

    /// The disproof set of a node is the union of its children's proof sets.
    template <class Graph, class ForEach>
    void take_union(const Graph& graph, std::uint32_t node, ForEach&& for_each, std::uint32_t size, Numbers& now) {
        union_.clear(size);
        SetMember leaf;
        for_each([&](std::uint32_t child) {
            const std::uint32_t bound = graph.own_numbers(child).proof;
            if (bound != 0) union_.add(proof_set(graph, child, leaf), bound);
        });
        now.disproof = union_.bound();
        if (std::ranges::equal(union_.members(), lists_[nodes_[node].disproof])) return;
        set_list<&Node::disproof>(node, lists_.make(union_.members()));
    }

    Options options_;
    SetOrder order_;
    Arena<Node> nodes_;
    MemberLists lists_;
    TruncatedUnion union_;
};

}  // namespace proofbase
