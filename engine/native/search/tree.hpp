// Graph kind `tree`: every node has one parent; a position that is reached on several ways has several nodes.
// The children of a node lie side by side, so that choosing among them reads one or two cache lines.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/arena.hpp"
#include "search/leaf.hpp"
#include "search/move_order.hpp"
#include "search/numbers.hpp"
#include "search/search_request.hpp"

namespace proofbase {

template <Game G, class Backup, class Initialisation>
class Tree {
  public:
    using Position = typename G::Position;

    /// Where a search stands: the nodes from the root to the one under consideration.
    struct Step {
        std::uint32_t node;
        int bound;
        Position position;
    };
    using Path = std::vector<Step>;

    /// `early_stop`: nothing is updated above a node whose numbers did not change.
    explicit Tree(const SearchRequest<G>& request, bool early_stop = true)
        : game_(request.game),
          order_(request.order),
          early_stop_(early_stop),
          valuation_(game_, request.known),
          root_{0, request.at_least, request.position} {
        nodes_.append(1);
        set_leaf(0, valuation_(root_.position, root_.bound, [&] { return game_.key(root_.position); }));
    }

    Step root() const { return root_; }
    /// Nodes are referred to by their numbers, whether expanded or not.
    std::uint32_t ref(std::uint32_t number) const noexcept { return number; }
    std::uint32_t number(std::uint32_t node) const noexcept { return node; }
    Numbers numbers(std::uint32_t node) const noexcept { return {nodes_[node].proof, nodes_[node].disproof}; }
    std::uint32_t rank(std::uint32_t node) const noexcept { return nodes_[node].rank; }
    bool expanded(std::uint32_t node) const noexcept { return nodes_[node].count != 0; }
    std::uint32_t size() const noexcept { return nodes_.size(); }
    std::uint64_t created() const noexcept { return created_; }
    std::uint64_t updates() const noexcept { return updates_; }
    std::uint64_t bytes() const noexcept { return nodes_.bytes(); }
    std::uint64_t node_bytes() const noexcept { return nodes_.bytes(); }

    /// A tree meets no node twice, so there is nothing to mark.
    class Marks {
      public:
        explicit Marks(const Tree&) {}
        bool mark(std::uint32_t) noexcept { return true; }
    };

    /// Creates the children of an unsolved leaf.
    void expand(const Step& step, const std::atomic<bool>&) {
        order_(game_, step.position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        const std::uint32_t first = take(count);
        try {
            for (std::uint32_t i = 0; i < count; ++i) {
                const auto move = moves_[i];
                const Position child = game_.play(step.position, move);
                const int bound = game_.reward(step.position, move) - step.bound + 1;
                const Leaf leaf = valuation_(child, bound, [&] { return game_.key(child); });
                nodes_[first + i] = {leaf.numbers.proof, leaf.numbers.disproof, 0, step.node, leaf.rank, 0, move};
            }
        } catch (...) {
            give_back(first, count);  // the next attempt gives the same nodes the same numbers
            throw;
        }
        nodes_[step.node].first_child = first;
        nodes_[step.node].count = static_cast<Count>(count);
        created_ += count;
    }

    /// Deletes everything below a solved node, whose numbers and rank stay; the space is used again
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

    /// True if the children of this node were deleted.
    bool released(std::uint32_t node) const noexcept { return nodes_[node].first_child == was_released; }

    /// Recalculates the nodes of `path` from its end up to the first one that stays the same, or is the root;
    /// returns the length of the path on which the search goes on (the current node of Allis et al. 1994, 4.2).
    std::size_t update(const Path& path) {
        std::size_t length = path.size();
        while (recalculate(path[length - 1].node) && length > 1) --length;
        updates_ += path.size() - length + 1;
        if (!early_stop_) {
            for (std::size_t above = length - 1; above-- > 0; ++updates_) recalculate(path[above].node);
        }
        return length;
    }

    /// Extends `path` by the child on the way to a most-proving node.
    void descend(Path& path) const {
        const Step& step = path.back();
        const Node& node = nodes_[step.node];
        std::uint32_t child = node.first_child;
        while (nodes_[child].disproof != node.proof) ++child;
        path.push_back(enter(step, child));
    }

    /// Calls visit(step of the child, move) for the children of an expanded node.
    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        const Node& node = nodes_[step.node];
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const std::uint32_t child = node.first_child + i;
            visit(enter(step, child), nodes_[child].move);
        }
    }

    /// The way to a node (for replaying a checkpoint).
    Path path(std::uint32_t node) const {
        std::vector<std::uint32_t> line;
        for (std::uint32_t n = node; n != 0; n = nodes_[n].parent) line.push_back(n);
        Path path{root_};
        for (; !line.empty(); line.pop_back()) path.push_back(enter(path.back(), line.back()));
        return path;
    }

    /// The node as a step on its own.
    Step step(std::uint32_t node) const { return path(node).back(); }

    /// Recalculates every node, children first (they have higher numbers than their parents).
    void recalculate_all() {
        for (std::uint32_t n = nodes_.size(); n-- > 0;) {
            if (expanded(n) && !numbers(n).solved()) recalculate(n);
        }
    }

  private:
    static constexpr std::uint32_t was_released = 0xffffffff;

    /// Wide enough for as many children as there are moves.
    using Count = std::conditional_t<sizeof(typename G::Move) == 1, std::uint16_t, std::uint32_t>;

    struct Node {
        std::uint32_t proof;
        std::uint32_t disproof;
        std::uint32_t first_child;
        std::uint32_t parent;
        std::uint32_t rank;  ///< of a solved node
        Count count;         ///< of children, 0: a leaf
        typename G::Move move;
    };

    /// Room for `count` siblings: one that was given back, or new.
    std::uint32_t take(std::uint32_t count) {
        if (count >= free_.size() || free_[count].empty()) return nodes_.append(count);
        const std::uint32_t first = free_[count].back();
        free_[count].pop_back();
        return first;
    }

    void give_back(std::uint32_t first, std::uint32_t count) {
        if (free_.size() <= count) free_.resize(count + std::size_t{1});
        free_[count].push_back(first);
    }

    Step enter(const Step& step, std::uint32_t child) const {
        const auto move = nodes_[child].move;
        return {child, game_.reward(step.position, move) - step.bound + 1, game_.play(step.position, move)};
    }

    void set_leaf(std::uint32_t node, const Leaf& leaf) {
        nodes_[node].proof = leaf.numbers.proof;
        nodes_[node].disproof = leaf.numbers.disproof;
        nodes_[node].rank = leaf.rank;
    }

    /// Takes the numbers of an expanded node from its children; true if they changed.
    bool recalculate(std::uint32_t n) {
        Node& node = nodes_[n];
        Backup backup;
        for (std::uint32_t i = 0; i < node.count; ++i) backup.add(numbers(node.first_child + i));
        const Numbers now = backup.result();
        if (now == Numbers{node.proof, node.disproof}) return false;
        node.proof = now.proof;
        node.disproof = now.disproof;
        if (now.solved()) {
            SolvedRank rank(now);
            for (std::uint32_t i = 0; i < node.count; ++i) {
                rank.add(numbers(node.first_child + i), nodes_[node.first_child + i].rank);
            }
            node.rank = rank.result();
        }
        return true;
    }

    G game_;
    MoveOrder order_;
    bool early_stop_;
    LeafValuation<G, Initialisation> valuation_;
    Step root_;
    Arena<Node> nodes_;
    std::uint64_t created_ = 1;
    std::uint64_t updates_ = 0;
    std::vector<std::vector<std::uint32_t>> free_;  ///< [n]: first nodes of free rows of n siblings
    std::vector<std::uint32_t> released_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> give_back_;
    typename G::Moves moves_;
};

}  // namespace proofbase
