// The nodes of a tree (tree.hpp) and their memory: siblings side by side in rows, which are used again when they are
// deleted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/graph/arena.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/policy/tree_backups.hpp"

namespace proofbase {

template <Game G, class Backup>
class TreeNodes {
  public:
    /// True if lines of play may come back to a position (by the type of the game; `acyclic()` may say no).
    static constexpr bool may_cycle = requires(const G& game, const typename G::Position& p) { game.repetition(p); };

    /// What one tree knows of a node of another, for the same position and bound.
    struct Result {
        Numbers numbers;
        std::uint32_t rank;
        std::uint32_t lean;
    };

    Numbers numbers(std::uint32_t node) const noexcept { return {nodes_[node].proof, nodes_[node].disproof}; }
    std::uint32_t rank(std::uint32_t node) const noexcept { return nodes_[node].rank; }
    bool expanded(std::uint32_t node) const noexcept { return nodes_[node].count != 0; }
    std::uint32_t size() const noexcept { return nodes_.size(); }
    std::uint64_t bytes() const noexcept { return nodes_.bytes(); }
    std::uint64_t node_bytes() const noexcept { return nodes_.bytes(); }
    /// Bytes of nodes that were deleted and not used again.
    std::uint64_t free_bytes() const noexcept { return free_nodes_ * sizeof(Node); }

    /// Deletes everything below a node, whose numbers and rank stay; the space is used again
    /// (DeleteSolvedSubtrees, Allis et al. 1994, 4.1).
    void release(std::uint32_t node) {
        released_.push_back(node);
        while (!released_.empty()) {
            Node& here = nodes_[released_.back()];
            released_.pop_back();
            if (here.count == 0) continue;
            for (std::uint32_t i = 0; i < here.count; ++i) {
                if (nodes_[here.first_child + i].count != 0) released_.push_back(here.first_child + i);
            }
            give_back_.push_back({here.first_child, here.count});
            here.first_child = was_released;
            here.count = 0;
        }
        for (const auto& [first, count] : give_back_) give_back(first, count);
        give_back_.clear();
    }

    /// True if what the answer of this node rests on is not in the tree: its children were deleted, or it was settled
    /// elsewhere.
    bool released(std::uint32_t node) const noexcept { return nodes_[node].first_child == was_released; }

    /// The place of a node among its siblings.
    std::uint32_t place(std::uint32_t node) const noexcept { return node - nodes_[nodes_[node].parent].first_child; }

    /// The child at a place of an expanded node.
    std::uint32_t child(std::uint32_t node, std::uint32_t place) const noexcept {
        return nodes_[node].first_child + place;
    }

    /// How many children a node has.
    std::uint32_t children(std::uint32_t node) const noexcept { return nodes_[node].count; }

    Result result(std::uint32_t node) const noexcept {
        Result result{numbers(node), rank(node), leans_on_nothing};
        if constexpr (may_cycle) result.lean = nodes_[node].cycles.lean;
        return result;
    }

    void set_rank(std::uint32_t node, std::uint32_t rank) noexcept { nodes_[node].rank = rank; }

    /// True for a leaf that repeats an ancestor.
    bool repeats(std::uint32_t node) const noexcept { return !expanded(node) && !independent(node); }

    /// True if the answer of a solved node holds wherever its position stands: it leans on no ancestor.
    bool independent(std::uint32_t node) const noexcept {
        if constexpr (may_cycle) return nodes_[node].cycles.lean == leans_on_nothing;
        return true;
    }

    /// True if a proved node rests rather on child `a` than on child `b`, both disproved.
    bool better(std::uint32_t a, std::uint32_t b) const noexcept {
        const Node& x = nodes_[a];
        const Node& y = nodes_[b];
        if (Backup::smaller(x.extra, y.extra)) return true;
        if (Backup::smaller(y.extra, x.extra)) return false;
        if constexpr (may_cycle) {
            if (x.cycles.lean != y.cycles.lean) return x.cycles.lean > y.cycles.lean;
        }
        return x.rank < y.rank;
    }

  protected:
    static constexpr std::uint32_t was_released = 0xffffffff;
    static constexpr std::uint32_t leans_on_nothing = 0xffffffff;

    /// Wide enough for as many children as there are moves.
    using Count = std::conditional_t<sizeof(typename G::Move) == 1, std::uint16_t, std::uint32_t>;

    /// What a node of a game with cycles knows.
    struct InCycles {
        std::uint32_t lean = leans_on_nothing;  ///< solved: depth of the highest ancestor that the answer leans on
        bool endless = false;                   ///< repetition alone would reach the bound
    };
    struct NotInCycles {};

    using Cycles = std::conditional_t<may_cycle, InCycles, NotInCycles>;

    struct Node {
        std::uint32_t proof;
        std::uint32_t disproof;
        std::uint32_t first_child;
        std::uint32_t parent;
        std::uint32_t rank;  ///< of a solved node; else, of an expanded one, the place of the most-proving child
        Count count;         ///< of children, 0: a leaf
        typename G::Move move;
        [[no_unique_address]] typename Backup::Extra extra;  ///< of a solved node
        [[no_unique_address]] Cycles cycles;
    };

    /// Deletes all nodes.
    void clear() {
        nodes_.clear();
        free_.clear();
        free_nodes_ = 0;
    }

    /// Room for `count` siblings: some that were given back, or new. `cut`: longer rows are cut where that saves new
    /// ones.
    std::uint32_t take(std::uint32_t count, bool cut) {
        for (std::size_t row = count; row < free_.size(); ++row) {
            if (free_[row].empty()) {
                if (cut) continue;
                break;
            }
            const std::uint32_t first = free_[row].back();
            if (row > count) {
                give_back(first + count, static_cast<std::uint32_t>(row - count));
                free_nodes_ -= row - count;  // they were counted
            }
            free_[row].pop_back();
            free_nodes_ -= count;
            return first;
        }
        return nodes_.append(count);
    }

    [[gnu::noinline]] void give_back(std::uint32_t first, std::uint32_t count) {
        if (free_.size() <= count) free_.resize(count + std::size_t{1});
        free_[count].push_back(first);
        free_nodes_ += count;
    }

    /// The place of the first child that leads to a most-proving node.
    std::uint32_t leading(const Node& node) const noexcept {
        const Numbers now{node.proof, node.disproof};
        std::uint32_t place = 0;
        while (!Backup::leads(now, numbers(node.first_child + place), nodes_[node.first_child + place].extra)) ++place;
        return place;
    }

    /// The last child with the largest proof (at a max node) or disproof number, of those that count.
    std::uint32_t least_proving_child(const Node& node) const noexcept {
        std::uint32_t least = was_released;
        for (std::uint32_t child = node.first_child; child < node.first_child + node.count; ++child) {
            if (numbers(child).solved() || numbers(child) == given_up_numbers) continue;
            if (least == was_released || nodes_[child].disproof >= nodes_[least].disproof) least = child;
        }
        return least;
    }

    Arena<Node> nodes_;

  private:
    std::uint64_t free_nodes_ = 0;
    std::vector<std::vector<std::uint32_t>> free_;  ///< [n]: first nodes of free rows of n siblings
    std::vector<std::uint32_t> released_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> give_back_;
};

}  // namespace proofbase
