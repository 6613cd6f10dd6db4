// The nodes of a tree (tree.hpp) and their memory. Siblings lie side by side in a row; the rows of deleted nodes are
// used again. The numbers of siblings lie side by side, apart from the other members: a node is updated, and its
// most-proving child found, from one or two cache lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/graph/arena.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/policy/tree_backups.hpp"

namespace proofbase {

template <Game G, class Backup>
class TreeNodes {
  public:
    /// True if lines of play may come back to a position (by the type of the game; `acyclic()` may say no).
    static constexpr bool may_cycle = requires(const G& game, const typename G::Position& p) { game.repetition(p); };

    /// The result of a node, to be given to a node of another tree with the same position and bound.
    struct Result {
        Numbers numbers;
        std::uint32_t rank;              ///< of a solved node, else 0
        std::uint32_t depends_on_depth;  ///< as in CycleFacts; `infinite` for no_ancestor
    };

    Numbers numbers(std::uint32_t node) const noexcept { return numbers_[node]; }
    std::uint32_t rank(std::uint32_t node) const noexcept { return nodes_[node].rank; }
    bool expanded(std::uint32_t node) const noexcept { return nodes_[node].count != 0; }
    std::uint32_t size() const noexcept { return nodes_.size(); }
    std::uint64_t bytes() const noexcept { return nodes_.bytes() + numbers_.bytes(); }
    std::uint64_t node_bytes() const noexcept { return bytes(); }
    /// Nodes that are in the tree now.
    std::uint64_t held_nodes() const noexcept { return nodes_.size() - free_nodes_; }
    std::uint64_t peak_nodes() const noexcept { return peak_nodes_; }
    /// Bytes of deleted nodes that are not used again yet.
    std::uint64_t free_bytes() const noexcept { return free_nodes_ * (sizeof(Node) + sizeof(Numbers)); }

    /// Deletes everything below a node, whose numbers and rank stay (DeleteSolvedSubtrees, Allis et al. 1994, 4.1).
    void delete_below(std::uint32_t node) {
        to_delete_.push_back(node);
        while (!to_delete_.empty()) {
            Node& here = nodes_[to_delete_.back()];
            to_delete_.pop_back();
            if (here.count == 0) continue;
            for (std::uint32_t i = 0; i < here.count; ++i) {
                if (nodes_[here.first_child + i].count != 0) to_delete_.push_back(here.first_child + i);
            }
            rows_to_free_.push_back({here.first_child, here.count});
            here.first_child = children_elsewhere;
            here.count = 0;
        }
        for (const auto& [first, count] : rows_to_free_) free_row(first, count);
        rows_to_free_.clear();
    }

    /// True if the answer of this node rests on nodes that are not in the tree: they were deleted, or another tree
    /// found the answer.
    bool solved_elsewhere(std::uint32_t node) const noexcept { return nodes_[node].first_child == children_elsewhere; }

    /// True if the claim of a solved node comes from elsewhere: the node was solved elsewhere, or it is a leaf that
    /// repeats an ancestor, whose claim stands for both.
    bool claimed_elsewhere(std::uint32_t node) const noexcept {
        return solved_elsewhere(node) || (!expanded(node) && depends_on_path(node));
    }

    std::uint32_t index_among_siblings(std::uint32_t node) const noexcept {
        return node - nodes_[nodes_[node].parent].first_child;
    }

    /// The child of an expanded node by its index among its siblings.
    std::uint32_t child(std::uint32_t node, std::uint32_t index) const noexcept {
        return nodes_[node].first_child + index;
    }

    /// How many children a node has.
    std::uint32_t children(std::uint32_t node) const noexcept { return nodes_[node].count; }

    /// The result of a node, for another tree.
    Result result(std::uint32_t node) const noexcept {
        Result result{numbers(node), 0, infinite};
        if (result.numbers.solved()) result.rank = rank(node);
        if constexpr (may_cycle) {
            if (depends_on_path(node)) result.depends_on_depth = nodes_[node].cycles.depends_on_depth;
        }
        return result;
    }

    /// Gives a leaf the result of a node of another tree. The claim has to be taken from that tree.
    void set_result(std::uint32_t leaf, const Result& result) noexcept {
        Node& node = nodes_[leaf];
        numbers_[leaf] = result.numbers;
        node.rank = result.rank;
        node.first_child = children_elsewhere;
        if constexpr (may_cycle) node.cycles.depends_on_depth = result.depends_on_depth & no_ancestor;
    }

    void set_rank(std::uint32_t node, std::uint32_t rank) noexcept { nodes_[node].rank = rank; }

    /// True if the answer of a solved node holds only below one of its ancestors, where a repetition led to it.
    bool depends_on_path(std::uint32_t node) const noexcept {
        if constexpr (may_cycle) return nodes_[node].cycles.depends_on_depth != no_ancestor;
        return false;
    }

    /// True if a proved node should rest on its child `a` and not on its child `b`; both are disproved.
    bool preferred(std::uint32_t a, std::uint32_t b) const noexcept {
        const Node& x = nodes_[a];
        const Node& y = nodes_[b];
        if (Backup::prefers(x.extra, y.extra)) return true;
        if (Backup::prefers(y.extra, x.extra)) return false;
        if constexpr (may_cycle) {
            if (x.cycles.depends_on_depth != y.cycles.depends_on_depth) {
                return x.cycles.depends_on_depth > y.cycles.depends_on_depth;
            }
        }
        return x.rank < y.rank;
    }

  protected:
    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr std::uint32_t children_elsewhere = 0xffffffff;  ///< as first_child: solved_elsewhere()
    static constexpr std::uint32_t no_ancestor = 0x7fffffff;         ///< larger than every depth

    /// Wide enough for as many children as there are moves.
    using Count = std::conditional_t<sizeof(typename G::Move) == 1, std::uint16_t, std::uint32_t>;

    /// The members of a node that only games with cycles need.
    struct CycleFacts {
        /// Solved: the depth of the highest ancestor that the answer depends on, or no_ancestor.
        std::uint32_t depends_on_depth : 31 = no_ancestor;
        std::uint32_t repetition_proves : 1 = 0;  ///< endless play would prove the node, otherwise disprove it
    };
    struct NoCycles {};

    using Cycles = std::conditional_t<may_cycle, CycleFacts, NoCycles>;

    struct Node {
        std::uint32_t first_child;
        std::uint32_t parent;
        union {                                ///< the meaning of this word changes when the node is solved
            std::uint32_t rank;                ///< solved, or a leaf
            std::uint32_t most_proving_index;  ///< open and expanded: of the child below which the search goes on
        };
        Count count;  ///< of children, 0: a leaf
        typename G::Move move;
        [[no_unique_address]] typename Backup::Extra extra;  ///< of a solved node
        [[no_unique_address]] Cycles cycles;
    };

    /// Deletes all nodes.
    void clear() {
        nodes_.clear();
        numbers_.clear();
        ++deletions_;
        free_rows_.clear();
        free_nodes_ = 0;
    }

    /// The first node of a row for `count` siblings: a free row, or new memory. With `split`, a longer free row is
    /// split before new memory is taken.
    std::uint32_t allocate_row(std::uint32_t count, bool split) {
        for (std::size_t length = count; length < free_rows_.size(); ++length) {
            if (free_rows_[length].empty()) {
                if (split) continue;
                break;
            }
            const std::uint32_t first = free_rows_[length].back();
            if (length > count) {
                free_row(first + count, static_cast<std::uint32_t>(length - count));
                free_nodes_ -= length - count;  // free_row() has counted them, but they were free already
            }
            free_rows_[length].pop_back();
            free_nodes_ -= count;
            peak_nodes_ = std::max(peak_nodes_, held_nodes());
            return first;
        }
        return append_nodes(count);
    }

    /// Room for new nodes behind all others; the number of the first.
    std::uint32_t append_nodes(std::uint32_t count) {
        nodes_.reserve(count);
        numbers_.append(count);
        const std::uint32_t first = nodes_.append(count);
        peak_nodes_ = std::max(peak_nodes_, held_nodes());
        return first;
    }

    [[gnu::noinline]] void free_row(std::uint32_t first, std::uint32_t count) {
        if (free_rows_.size() <= count) free_rows_.resize(count + std::size_t{1});
        free_rows_[count].push_back(first);
        free_nodes_ += count;
        ++deletions_;
    }

    void set_leaf(std::uint32_t node, const Leaf& leaf) noexcept {
        numbers_[node] = leaf.numbers;
        nodes_[node].rank = leaf.rank;
    }

    /// Makes the root, the only node, a copy of a node of another tree, and copies the nodes below that.
    void copy_from(const TreeNodes& other, std::uint32_t node) {
        const auto copy = [&](std::uint32_t to, std::uint32_t from) {
            numbers_[to] = other.numbers_[from];
            nodes_[to] = other.nodes_[from];
        };
        copy(0, node);
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
            if (nodes_[n].count == 0) continue;
            const std::uint32_t first = append_nodes(nodes_[n].count);
            for (std::uint32_t i = 0; i < nodes_[n].count; ++i) {
                copy(first + i, nodes_[n].first_child + i);
                nodes_[first + i].parent = n;
            }
            nodes_[n].first_child = first;
        }
    }

    /// True if the search goes on below this child of an expanded node.
    bool leads_to(std::uint32_t node, std::uint32_t child) const noexcept {
        const Numbers& now = numbers_[node];
        return !now.solved() && !(now == given_up_numbers) &&
               nodes_[node].first_child + nodes_[node].most_proving_index == child;
    }

    /// How often nodes were deleted, so that their numbers may be those of other nodes now.
    std::uint64_t deletions() const noexcept { return deletions_; }

    /// The index of the first child that leads to a most-proving node. `now` are the numbers of the node.
    std::uint32_t most_proving_index(const Node& node, const Numbers& now) const noexcept {
        std::uint32_t index = 0;
        while (!Backup::leads_to_most_proving(now, numbers(node.first_child + index),
                                              nodes_[node.first_child + index].extra))
            ++index;
        return index;
    }

    /// The last child with the largest disproof number, seen by the child, of those that are open and not given up.
    std::uint32_t least_proving_child(const Node& node) const noexcept {
        std::uint32_t least = none;
        for (std::uint32_t child = node.first_child; child < node.first_child + node.count; ++child) {
            if (numbers(child).solved() || numbers(child) == given_up_numbers) continue;
            if (least == none || numbers_[child].disproof >= numbers_[least].disproof) least = child;
        }
        return least;
    }

    /// Sets the rank of a solved node from the children that its answer rests on. In a game with cycles, also sets the
    /// depth of the ancestor that the answer depends on. `outer_depth` is the depth of this tree's root below the root
    /// of the search.
    [[gnu::noinline]] void rank_solved_node(std::uint32_t solved, [[maybe_unused]] bool with_cycles,
                                            [[maybe_unused]] std::size_t outer_depth) {
        Node& node = nodes_[solved];
        const bool proved = numbers_[solved].proved();
        std::uint32_t best = none;
        std::uint32_t slowest = 0;
        [[maybe_unused]] std::uint32_t highest = no_ancestor;
        for (std::uint32_t child = node.first_child; child < node.first_child + node.count; ++child) {
            slowest = std::max(slowest, nodes_[child].rank);
            if constexpr (may_cycle) {
                highest = std::min<std::uint32_t>(highest, nodes_[child].cycles.depends_on_depth);
            }
            if (proved && numbers(child).disproved() && (best == none || preferred(child, best))) best = child;
        }
        node.rank = 1 + (proved ? nodes_[best].rank : slowest);
        if constexpr (may_cycle) {
            if (!with_cycles) return;
            CycleFacts& cycles = node.cycles;
            if (proved == (cycles.repetition_proves != 0)) node.rank = 0;  // a safety claim
            cycles.depends_on_depth = proved ? nodes_[best].cycles.depends_on_depth : highest;
            if (cycles.depends_on_depth == no_ancestor) return;
            auto depth = static_cast<std::uint32_t>(outer_depth);
            for (std::uint32_t up = solved; up != 0; up = nodes_[up].parent) ++depth;
            // A repetition of this node itself is one on every path to it.
            if (cycles.depends_on_depth >= depth) cycles.depends_on_depth = no_ancestor;
        }
    }

    Arena<Node> nodes_;
    Arena<Numbers> numbers_;  ///< of all nodes

  private:
    std::uint64_t free_nodes_ = 0;
    std::uint64_t peak_nodes_ = 0;
    std::uint64_t deletions_ = 0;
    std::vector<std::vector<std::uint32_t>> free_rows_;  ///< by length: the first nodes of free rows
    std::vector<std::uint32_t> to_delete_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rows_to_free_;
};

}  // namespace proofbase
