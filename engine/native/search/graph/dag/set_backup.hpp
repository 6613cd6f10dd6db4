// Backup policy `set`, proof-set search: nodes pass truncated proof and disproof sets up. The numbers of a node are the
// bounds of the weights of its two sets. Müller, Proof-set search, Technical Report TR 01-09, University of Alberta
// (2001): backup (2.1), truncation and selection (4.2), weights (5.1), favouring (5.2).
//
// Sets are seen by the side to move, as the numbers are (proof_numbers.hpp): a node's proof set is the lightest of its
// children's disproof sets, its disproof set the union of their proof sets. Both sets of a leaf hold the leaf alone and
// are not stored.
//
// The limits P and D of the paper are seen by the side to move at the root. A node where this side moves is an OR node,
// any other node is an AND node: the proof set of an AND node is a disproof set of the paper.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "search/graph/arena.hpp"
#include "search/graph/dag/blocks.hpp"
#include "search/graph/dag/proof_sets.hpp"
#include "search/graph/dag/set_order.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

class SetBackup {
  public:
    using ForDag = SetBackup;
    using Options = SetOptions;

    explicit SetBackup(const Options& options)
        : options_(options), order_(options), number_mask_(order_.number_mask()) {}

    static constexpr bool depends_on_update_order = true;

    std::uint64_t bytes() const noexcept { return nodes_.bytes() + lists_.bytes(); }
    void reserve(std::uint32_t count) { nodes_.reserve(count); }

    /// To be called when node `number` has been created below `parent`; the root counts as its own parent. The number
    /// may be that of a leaf that was deleted.
    void node_created(std::uint32_t number, std::uint32_t parent) {
        if (number == nodes_.size()) nodes_.append(1);
        nodes_[number].or_node = number == parent || !nodes_[parent].or_node;
    }

    /// To be called before an update. Remembers which leaves are in the root's sets: comparisons favour them (5.2).
    /// Forgets the target of the last selection.
    void begin_update() {
        target_ = none;
        order_.favour({lists_[nodes_[0].proof], lists_[nodes_[0].disproof]});
    }

    /// True if sets list leaves. Then selection starts again at the root after each update, since the sets of the root
    /// have changed.
    bool restarts_at_root() const noexcept { return options_.lists_leaves(); }
    /// With favouring, sets depend on the order of the updates, so a restored search repeats them.
    bool repeats_updates() const noexcept { return !order_.favours_none(); }

    /// Takes the sets and the numbers of an expanded node from its children; true if they changed.
    template <class Graph>
    bool recalculate(const Graph& graph, Block& block) {
        NodeSets& sets = nodes_[block.node];
        const Numbers before = block.numbers;
        if (restarts_at_root()) refresh_numbers(graph, block);
        const Numbers sums = sums_of(graph, block);
        if (sums.solved()) {
            release(sets);
            block.numbers = sums;
            return true;
        }
        const std::uint32_t max_proof_members = options_.max_members(sets.or_node);
        const std::uint32_t max_disproof_members = options_.max_members(!sets.or_node);
        block.numbers.proof = sums.proof;
        // The first update of a node always counts as a change. Until then the node was a leaf, and the sets of its
        // parents list this leaf. Now these sets have to list other leaves instead, even if the node's own sets list
        // nothing: the limits differ between proof sets and disproof sets.
        bool changed = !sets.updated_once && restarts_at_root();
        sets.updated_once = 1;
        if (max_proof_members != 0) changed = take_lightest_as_proof_set(graph, block, sets) || changed;
        block.numbers.disproof = sums.disproof;
        if (max_disproof_members != 0) {
            changed = take_union_as_disproof_set(graph, block, sets, max_disproof_members) || changed;
        }
        return changed || block.numbers != before;
    }

    /// The edge that selection follows (4.2.1). The first node on the way down whose two sets have a leaf in common
    /// makes this leaf the target, and selection goes to the target from there on. Before that, selection goes to the
    /// first child whose disproof set is the node's proof set.
    template <class Graph>
    const Edge* select(const Graph& graph, const Block& block) {
        const NodeSets& sets = nodes_[block.node];
        if (target_ == none) {
            target_ = first_common_leaf(sets);
            target_in_proof_set_ = true;
        }
        const Edge* edge = block.begin();
        if (target_ != none && !target_in_proof_set_) {
            while (!contains(proof_set(graph, *edge, leaf_member_), target_)) ++edge;
        } else {
            // The first parent of a child decides whether the child is an OR node or an AND node. Another parent may be
            // of the same kind as the child. That parent's proof sets and the child's disproof sets have different
            // limits: the child's set may list leaves where this node's sets list none. So if they list none, only the
            // numbers are compared.
            const bool is_listed = options_.max_members(sets.or_node) != 0;
            const auto wanted = lists_[sets.proof];
            while (graph.numbers(*edge).disproof != block.numbers.proof ||
                   (is_listed && !std::ranges::equal(disproof_set(graph, *edge, leaf_member_), wanted))) {
                ++edge;
            }
        }
        return edge;
    }

    /// To be called when the path has followed a selection. Where the rules of a user's game have thrown before, the
    /// selection is repeated.
    void followed() noexcept { target_in_proof_set_ = !target_in_proof_set_; }

  private:
    static constexpr std::uint32_t none = 0xffffffff;

    /// The lists of an expanded, unsolved node.
    struct NodeSets {
        std::uint32_t proof : 31;
        std::uint32_t updated_once : 1;  ///< since the node was expanded
        std::uint32_t disproof : 31;
        std::uint32_t or_node : 1;  ///< the side to move is that of the root
    };
    static_assert(sizeof(NodeSets) == 8 && MemberLists::limit <= 0x7fffffff);

    /// Writes the present numbers of the children to the edges. A child that changed in this round of the update
    /// already has its new lists, but the edges get its new numbers only at the end of the round. With old numbers and
    /// new lists, the bound of a union could fall to 0 though no set in it is empty.
    template <class Graph>
    static void refresh_numbers(const Graph& graph, Block& block) noexcept {
        for (Edge& edge : block) {
            if (edge.child.is_expanded()) edge.numbers = PackedNumbers(graph.numbers(edge.child));
        }
    }

    template <class Graph>
    static Numbers sums_of(const Graph& graph, const Block& block) noexcept {
        NumberBackup numbers;
        for (const Edge& edge : block) numbers.add(graph.numbers(edge));
        return numbers.result();
    }

    void release(NodeSets& sets) noexcept {
        lists_.release(sets.proof);
        lists_.release(sets.disproof);
        sets.proof = 0;
        sets.disproof = 0;
    }

    /// The members of a child's disproof set. The only member of a leaf's set is not stored: it is written to
    /// `leaf_member`.
    template <class Graph>
    std::span<const SetMember> disproof_set(const Graph& graph, const Edge& edge, SetMember& leaf_member) const {
        if (edge.child.is_expanded()) return lists_[nodes_[graph.number(edge.child)].disproof];
        leaf_member = SetMember::of(edge.child.index() ^ number_mask_, false, graph.numbers(edge).disproof);
        return {&leaf_member, 1};
    }

    /// The members of a child's proof set. The only member of a leaf's set is written to `leaf_member`.
    template <class Graph>
    std::span<const SetMember> proof_set(const Graph& graph, const Edge& edge, SetMember& leaf_member) const {
        if (edge.child.is_expanded()) return lists_[nodes_[graph.number(edge.child)].proof];
        leaf_member = SetMember::of(edge.child.index() ^ number_mask_, true, graph.numbers(edge).proof);
        return {&leaf_member, 1};
    }

    /// Takes the lightest disproof set of the children as the proof set of a node. True if its list changed.
    template <class Graph>
    bool take_lightest_as_proof_set(const Graph& graph, Block& block, NodeSets& sets) {
        const Edge* best = nullptr;
        SetOrder::Set lightest{};
        SetMember leaf_member;
        SetMember best_leaf_member;
        for (const Edge& edge : block) {
            // Where nothing is favoured, the bound decides before the members are looked at.
            const std::uint32_t disproof = graph.numbers(edge).disproof;
            if (disproof == infinite) continue;
            if (order_.favours_none() && disproof != block.numbers.proof) continue;
            const auto set = order_.set(disproof_set(graph, edge, leaf_member), disproof);
            if (best != nullptr && !order_.lighter(set, lightest)) continue;
            best = &edge;
            lightest = set;
            if (!edge.child.is_expanded()) {
                best_leaf_member = leaf_member;
                lightest.members = {&best_leaf_member, 1};
            }
        }
        block.numbers.proof = graph.numbers(*best).disproof;
        const bool same = std::ranges::equal(lightest.members, lists_[sets.proof]);
        // The child's list is shared even if the node has an equal list, so that only one of the two lists is kept.
        std::uint32_t list;
        if (best->child.is_expanded()) {
            list = lists_.share(nodes_[graph.number(best->child)].disproof);
        } else if (same) {
            return false;
        } else {
            list = lists_.make(lightest.members);
        }
        lists_.release(sets.proof);
        sets.proof = list;
        return !same;
    }

    /// Takes the union of the children's proof sets as the disproof set of a node. True if its list changed.
    template <class Graph>
    bool take_union_as_disproof_set(const Graph& graph, Block& block, NodeSets& sets, std::uint32_t max_members) {
        union_.clear(max_members);
        const std::span<const Edge> edges(block.begin(), block.end());
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const Edge& edge = edges[i];
            const std::uint32_t proof = graph.numbers(edge).proof;
            if (proof == 0) continue;
            // Where two moves lead to the same node, its set counts once.
            const auto same_child = [&](const Edge& other) { return other.child == edge.child; };
            if (std::ranges::any_of(edges.first(i), same_child)) continue;
            union_.add(proof_set(graph, edge, leaf_member_), proof);
        }
        block.numbers.disproof = union_.bound();
        if (std::ranges::equal(union_.members(), lists_[sets.disproof])) return false;
        const std::uint32_t list = lists_.make(union_.members());
        lists_.release(sets.disproof);
        sets.disproof = list;
        return true;
    }

    /// The first leaf that the two sets of a node have in common, in the order of the set that is a proof set to the
    /// side to move at the root. Returns the literal that the node's proof set has of this leaf, or none.
    std::uint32_t first_common_leaf(const NodeSets& sets) {
        const auto first = lists_[sets.or_node ? sets.proof : sets.disproof];
        const auto second = lists_[sets.or_node ? sets.disproof : sets.proof];
        if (first.empty() || second.empty()) return none;
        marked_.resize((nodes_.size() + 63) / 64);
        const auto bit = [](std::uint32_t node) { return std::uint64_t{1} << (node & 63); };
        for (const SetMember m : second) {
            const std::uint32_t node = node_of(m);
            marked_[node >> 6] |= bit(node);
        }
        std::uint32_t found = none;
        for (const SetMember m : first) {
            const std::uint32_t literal = m.literal();
            const std::uint32_t node = node_of(m);
            if ((marked_[node >> 6] & bit(node)) == 0 || !contains(second, literal ^ 1)) continue;
            found = sets.or_node ? literal : literal ^ 1;
            break;
        }
        for (const SetMember m : second) marked_[node_of(m) >> 6] = 0;
        return found;
    }

    /// The number of a member's leaf.
    std::uint32_t node_of(SetMember m) const noexcept { return m.literal() >> 1 ^ number_mask_; }

    static bool contains(std::span<const SetMember> members, std::uint32_t literal) {
        return std::ranges::any_of(members, [=](SetMember m) { return m.literal() == literal; });
    }

    Options options_;
    SetOrder order_;
    std::uint32_t number_mask_;  ///< of order_
    Arena<NodeSets> nodes_;
    MemberLists lists_;
    TruncatedUnion union_;
    SetMember leaf_member_{};
    std::uint32_t target_ = none;  ///< the literal of the target of selection (see select()), or none
    /// Says which set of the node that select() gets next has the target: the proof set, or the disproof set.
    bool target_in_proof_set_ = true;
    std::vector<std::uint64_t> marked_;
};

}  // namespace proofbase
