// Backup policy `set`: nodes pass truncated proof and disproof sets up, and the numbers are the bounds of their
// weights. Müller, Proof-set search, Technical Report TR 01-09, University of Alberta (2001): backup (2.1), truncation
// and selection (4.2), weights (5.1), favouring (5.2).
//
// Seen by the side to move, as the numbers are (numbers.hpp): a node's proof set is the least of its children's
// disproof sets, its disproof set the union of their proof sets. A leaf's sets, itself, are not stored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "search/graph/arena.hpp"
#include "search/graph/dag/blocks.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/policy/proof_sets.hpp"

namespace proofbase {

/// How much of a set is named, for the questioner's proof sets (P) and disproof sets (D); what a leaf that is in a set
/// of the root already counts where sets are compared, in percent; and which leaves of the same weight a set lists
/// first and selection prefers.
struct SetOptions {
    std::uint32_t proof_size = 0;
    std::uint32_t disproof_size = 0;
    std::uint32_t favour = 100;
    bool newest_first = false;
};

template <class Members>
class SetBackup {
  public:
    using OfGraph = SetBackup;
    using Options = SetOptions;
    using Member = typename Members::Member;

    explicit SetBackup(const Options& options)
        : options_(options), turned_(options.newest_first ? UnitMembers::turned : 0) {}

    std::uint64_t bytes() const noexcept { return nodes_.bytes() + lists_.bytes(); }
    void reserve(std::uint32_t count) { nodes_.reserve(count); }

    /// Node `number` has been created below `parent`; the root below itself.
    void created(std::uint32_t number, std::uint32_t parent) {
        nodes_.append(1);
        nodes_[number].asked = number == parent || !nodes_[parent].asked;
    }

    /// What is kept of the root's sets for the comparisons of an update (5.2).
    void begin_update() {
        target_ = none;
        if (options_.favour == 100) return;
        favoured_.clear();
        for (const std::uint32_t list : {std::uint32_t{nodes_[0].proof}, std::uint32_t{nodes_[0].disproof}}) {
            for (const Member m : lists_[list]) favoured_.push_back(Members::literal(m));
        }
        std::sort(favoured_.begin(), favoured_.end());
    }

    /// Selection starts again from the root where sets name nodes: those of the root have changed.
    bool from_root() const noexcept { return options_.proof_size != 0 || options_.disproof_size != 0; }
    /// Favouring depends on the order of the updates, so a restored search must repeat them.
    bool repeats_updates() const noexcept { return options_.favour != 100; }

    /// Takes the sets and the numbers of an expanded node from its children; true if they changed.
    template <class Graph>
    bool recalculate(const Graph& graph, Block& block) {
        NodeSets& sets = nodes_[block.node];
        const Numbers before = block.numbers;
        if (from_root()) take_numbers(graph, block);
        const Numbers sums = sums_of(block);
        if (sums.solved()) {
            release(sets);
            block.numbers = sums;
            return true;
        }
        const std::uint32_t proof_size = size(sets.asked);
        const std::uint32_t disproof_size = size(!sets.asked);
        block.numbers.proof = sums.proof;
        // A node that is no leaf any more always tells its parents: one that asks for the other side, with sets of
        // another size, may name it while its own sets name nothing.
        bool changed = !sets.passed_up && from_root();
        sets.passed_up = 1;
        if (proof_size != 0) changed = take_least(graph, block, sets) || changed;
        block.numbers.disproof = sums.disproof;
        if (disproof_size != 0) changed = take_union(graph, block, sets, disproof_size) || changed;
        return changed || block.numbers != before;
    }

    /// The edge that selection follows (4.2.1): towards the first leaf that both sets are known to hold, once there is
    /// one; before that to the first child with the same set.
    template <class Graph>
    const Edge* select(const Graph& graph, const Block& block) {
        const NodeSets& sets = nodes_[block.node];
        if (target_ == none) {
            target_ = common(sets);
            in_proof_set_ = true;
        }
        const Edge* edge = block.begin();
        if (target_ != none && !in_proof_set_) {
            while (!holds(proof_set(graph, *edge, one_), target_)) ++edge;
        } else {
            // Where a position is asked about for both sides, a child may name leaves of a set that its parent only
            // counts: then the number decides.
            const bool named = size(sets.asked) != 0;
            const auto wanted = lists_[sets.proof];
            while (edge->numbers.disproof != block.numbers.proof ||
                   (named && !std::ranges::equal(disproof_set(graph, *edge, one_), wanted))) {
                ++edge;
            }
        }
        in_proof_set_ = !in_proof_set_;
        return edge;
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;

    /// The lists of an expanded, open node. `asked`: the questioner is to move; `passed_up`: it is no leaf for its
    /// parents either.
    struct NodeSets {
        std::uint32_t proof : 31;
        std::uint32_t passed_up : 1;
        std::uint32_t disproof : 31;
        std::uint32_t asked : 1;
    };
    static_assert(sizeof(NodeSets) == 8 && MemberLists<Member>::most <= 0x7fffffff);

    std::uint32_t size(bool of_proof) const noexcept { return of_proof ? options_.proof_size : options_.disproof_size; }

    /// A set and its bound are taken together: a child that changed in this round has its new lists already, and passes
    /// its numbers up when the round is over. An old bound with a new list may make a union of open sets count nothing.
    template <class Graph>
    static void take_numbers(const Graph& graph, Block& block) noexcept {
        for (Edge& edge : block) {
            if (edge.child.is_expanded()) edge.numbers = graph.numbers(edge.child);
        }
    }

    static Numbers sums_of(const Block& block) noexcept {
        NumberBackup numbers;
        for (const Edge& edge : block) numbers.add(edge.numbers);
        return numbers.result();
    }

    void release(NodeSets& sets) noexcept {
        lists_.release(sets.proof);
        lists_.release(sets.disproof);
        sets.proof = 0;
        sets.disproof = 0;
    }

    /// The named members of a child's disproof set; `one` has room for that of a leaf.
    template <class Graph>
    std::span<const Member> disproof_set(const Graph& graph, const Edge& edge, Member& one) const {
        if (edge.child.is_expanded()) return lists_[nodes_[graph.number(edge.child)].disproof];
        one = Members::member(edge.child.place() ^ turned_, false, edge.numbers.disproof);
        return {&one, 1};
    }

    template <class Graph>
    std::span<const Member> proof_set(const Graph& graph, const Edge& edge, Member& one) const {
        if (edge.child.is_expanded()) return lists_[nodes_[graph.number(edge.child)].proof];
        one = Members::member(edge.child.place() ^ turned_, true, edge.numbers.proof);
        return {&one, 1};
    }

    /// The proof set of a node: the least disproof set of its children. True if its list changed.
    template <class Graph>
    bool take_least(const Graph& graph, Block& block, NodeSets& sets) {
        const Edge* best = nullptr;
        std::span<const Member> least;
        std::uint64_t least_weight = 0;
        Member one;
        Member best_one;
        // Of two lists the one with the older leaf comes first where they begin to differ, also of lists that name the
        // newest leaves first.
        const auto by_age = [turn = Member{turned_} << 1](Member m) { return m ^ turn; };
        for (const Edge& edge : block) {
            // Where nothing is favoured, the bound decides before the members are looked at.
            if (edge.numbers.disproof == infinite) continue;
            if (options_.favour == 100 && edge.numbers.disproof != block.numbers.proof) continue;
            const auto members = disproof_set(graph, edge, one);
            const std::uint64_t weight = compared_weight(members, edge.numbers.disproof);
            if (best != nullptr) {
                if (weight != least_weight) {
                    if (weight > least_weight) continue;
                } else if (edge.numbers.disproof != best->numbers.disproof) {
                    // The full weight second (5.2): what is proved goes before what is only discounted to nothing.
                    if (edge.numbers.disproof > best->numbers.disproof) continue;
                } else if (!std::ranges::lexicographical_compare(members, least, std::less<>(), by_age, by_age)) {
                    continue;
                }
            }
            best = &edge;
            least_weight = weight;
            best_one = one;
            least = edge.child.is_expanded() ? members : std::span<const Member>(&best_one, 1);
        }
        block.numbers.proof = best->numbers.disproof;
        const bool same = std::ranges::equal(least, lists_[sets.proof]);
        // A list of the same members is shared all the same, so that only one of the two stays.
        std::uint32_t list;
        if (best->child.is_expanded()) {
            list = lists_.share(nodes_[graph.number(best->child)].disproof);
        } else if (same) {
            return false;
        } else {
            list = lists_.make(least);
        }
        lists_.release(sets.proof);
        sets.proof = list;
        return !same;
    }

    /// The disproof set of a node: the union of its children's proof sets. True if its list changed.
    template <class Graph>
    bool take_union(const Graph& graph, Block& block, NodeSets& sets, std::uint32_t size) {
        union_.clear(size);
        const std::span<const Edge> edges(block.begin(), block.end());
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const Edge& edge = edges[i];
            if (edge.numbers.proof == 0) continue;
            // Two moves to the same node: all of its set counts once.
            const auto same_child = [&](const Edge& other) { return other.child == edge.child; };
            if (std::ranges::any_of(edges.first(i), same_child)) continue;
            union_.add(proof_set(graph, edge, one_), edge.numbers.proof);
        }
        block.numbers.disproof = union_.bound();
        if (std::ranges::equal(union_.members(), lists_[sets.disproof])) return false;
        const std::uint32_t list = lists_.make(union_.members());
        lists_.release(sets.disproof);
        sets.disproof = list;
        return true;
    }

    /// What the comparison of sets takes a set to weigh, in percent of a unit.
    std::uint64_t compared_weight(std::span<const Member> members, std::uint32_t bound) const {
        std::uint64_t weight = std::uint64_t{bound} * 100;
        if (favoured_.empty()) return weight;
        for (const Member m : members) {
            if (std::binary_search(favoured_.begin(), favoured_.end(), Members::literal(m))) {
                weight -= std::uint64_t{Members::weight(m)} * (100 - options_.favour);
            }
        }
        return weight;
    }

    /// The first leaf of the questioner's proof set that the disproof set is known to hold as well: its member in the
    /// proof set of the side to move, or none.
    std::uint32_t common(const NodeSets& sets) {
        const auto first = lists_[sets.asked ? sets.proof : sets.disproof];
        const auto second = lists_[sets.asked ? sets.disproof : sets.proof];
        if (first.empty() || second.empty()) return none;
        marked_.resize((nodes_.size() + 63) / 64);
        const auto bit = [](std::uint32_t node) { return std::uint64_t{1} << (node & 63); };
        for (const Member m : second) {
            const std::uint32_t node = node_of(m);
            marked_[node >> 6] |= bit(node);
        }
        std::uint32_t found = none;
        for (const Member m : first) {
            const std::uint32_t literal = Members::literal(m);
            const std::uint32_t node = node_of(m);
            if ((marked_[node >> 6] & bit(node)) == 0 || !holds(second, literal ^ 1)) continue;
            found = sets.asked ? literal : literal ^ 1;
            break;
        }
        for (const Member m : second) marked_[node_of(m) >> 6] = 0;
        return found;
    }

    /// The number of a member's leaf.
    std::uint32_t node_of(Member m) const noexcept { return Members::literal(m) >> 1 ^ turned_; }

    static bool holds(std::span<const Member> members, std::uint32_t literal) {
        return std::ranges::any_of(members, [=](Member m) { return Members::literal(m) == literal; });
    }

    Options options_;
    std::uint32_t turned_;  ///< what the numbers of nodes are turned with, so that the newest are the smallest
    Arena<NodeSets> nodes_;
    MemberLists<Member> lists_;
    TruncatedUnion<Members> union_;
    Member one_{};
    std::uint32_t target_ = none;  ///< the leaf that selection goes for: its member in the sets on the way
    bool in_proof_set_ = true;     ///< where the target is in the current node
    std::vector<std::uint32_t> favoured_;
    std::vector<std::uint64_t> marked_;
};

}  // namespace proofbase
