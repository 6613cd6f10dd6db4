// Graph kind `tree`: every node has one parent; a position that is reached on several ways has several nodes.
// The children of a node lie side by side, so that choosing among them reads one or two cache lines.
//
// In a game with cycles a question (position and bound) that an ancestor asks already is an end of the tree: the line
// could go on like that for ever, and is worth what repetition gives. Who profits from it is the same all along a cycle
// (docs/fact-model.md), so answers of the other side never rest on repetition; those that do hold only below the
// ancestor, and every solved node knows the highest ancestor that its answer leans on.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "concepts.hpp"
#include "records/local_check.hpp"
#include "search/arena.hpp"
#include "search/backups.hpp"
#include "search/leaf.hpp"
#include "search/move_order.hpp"
#include "search/numbers.hpp"
#include "search/search_request.hpp"

namespace proofbase {

struct TreeOptions {
    bool early_stop = true;     ///< nothing is updated above a node whose numbers did not change
    bool delayed = false;       ///< a leaf is evaluated when it is selected, not when it is created (Allis 1994, 2.2.1)
    bool from_root = false;     ///< every most-proving node is sought from the root, not from the current node
    bool most_proving = false;  ///< nodes know the child below which their most-proving node is (Allis 1994, 2.3.2)
    bool bounded = false;       ///< rows of siblings are cut where that saves new memory
};

template <Game G, class Backup, class Initialisation>
class Tree {
  public:
    using Position = typename G::Position;
    using Key = typename G::Key;

    /// True if lines of play may come back to a position (by the type of the game; `acyclic()` may say no).
    static constexpr bool may_cycle = requires(const G& game, const Position& p) { game.repetition(p); };

    /// Where a search stands: the nodes from the root to the one under consideration.
    struct Step {
        std::uint32_t node;
        int bound;
        Position position;
        [[no_unique_address]] std::conditional_t<may_cycle, Key, std::monostate> key{};  ///< of games with cycles
    };
    using Path = std::vector<Step>;

    explicit Tree(const SearchRequest<G>& request, TreeOptions options = {})
        : game_(request.game),
          order_(request.order),
          options_(options),
          cyclic_(may_cycle && !game_.acyclic()),
          valuation_(game_, request.known) {
        plant({0, request.at_least, request.position});
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
    /// Bytes of nodes that were deleted and not used again.
    std::uint64_t free_bytes() const noexcept { return free_nodes_ * sizeof(Node); }

    /// A tree meets no node twice, so there is nothing to mark.
    class Marks {
      public:
        explicit Marks(const Tree&) {}
        bool mark(std::uint32_t) noexcept { return true; }
    };

    /// Delayed evaluation: evaluates the leaf at the end of the path; true if that settles it.
    bool evaluate(const Path& path) {
        if (!options_.delayed) return false;
        const Step& step = path.back();
        Node& node = nodes_[step.node];
        const Leaf leaf = evaluate(step.position, step.bound, path, path.size() - 1, node.cycles);
        if (!leaf.numbers.solved()) return false;
        set_leaf(node, leaf);
        return true;
    }

    /// Creates the children of the unsolved leaf at the end of the path.
    void expand(const Path& path, const std::atomic<bool>&) {
        const Step& step = path.back();
        const std::size_t depth = path.size();
        order_(game_, step.position, moves_);
        if (options_.delayed) {
            grow(step, [&](const Position&, int, Cycles&) { return unevaluated(depth); });
        } else if constexpr (may_cycle) {
            grow(step, [&](const Position& p, int bound, Cycles& c) { return evaluate(p, bound, path, depth, c); });
        } else {
            grow(step, [&](const Position& p, int bound, Cycles&) { return evaluate(p, bound, depth); });
        }
    }

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

    /// True if the children of this node were deleted.
    bool released(std::uint32_t node) const noexcept { return nodes_[node].first_child == was_released; }

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

    /// Recalculates the nodes of `path` from its end up to the first one that stays the same, or is the root;
    /// returns the length of the path above which nothing changed.
    std::size_t update(const Path& path) {
        std::size_t last = path.size();
        if (!expanded(path[last - 1].node)) {  // settled by its evaluation
            if (last == 1) return 1;
            --last;
        }
        std::size_t length = last;
        while (recalculate(path[length - 1].node) && length > 1) --length;
        updates_ += last - length + 1;
        if (!options_.early_stop) {
            for (std::size_t above = length - 1; above-- > 0; ++updates_) recalculate(path[above].node);
        }
        return length;
    }

    /// The length of the path on which the search goes on after update() gave `length`: the current node of Allis et
    /// al. 1994, 4.2.
    std::size_t resume(std::size_t length) const noexcept { return options_.from_root ? 1 : length; }

    /// Extends `path` by the child on the way to a most-proving node.
    void descend(Path& path) const {
        const Step& step = path.back();
        const Node& node = nodes_[step.node];
        path.push_back(enter(step, node.first_child + (options_.most_proving ? node.rank : leading(node))));
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

    /// Recalculates every node, children first (they have higher numbers than their parents).
    void recalculate_all() {
        for (std::uint32_t n = nodes_.size(); n-- > 0;) {
            if (expanded(n) && !numbers(n).solved()) recalculate(n);
        }
    }

    /// True if nothing can be shown any more: too much was given up.
    bool exhausted() const noexcept { return numbers(0) == given_up_numbers; }

    /// Gives up the least-proving leaf (Allis et al. 1994, 4.1 and Fig. 10), and deletes what nothing can be shown
    /// through any more. The root must be expanded, and neither solved nor exhausted.
    void give_up_least_proving() {
        std::uint32_t node = 0;
        while (expanded(node)) node = least_proving_child(nodes_[node]);
        nodes_[node].proof = nodes_[node].disproof = infinite;
        while (node != 0 && recalculate(nodes_[node].parent)) {
            node = nodes_[node].parent;
            if (numbers(node) == given_up_numbers) release(node);
        }
    }

  private:
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

    /// Makes the root, the only node.
    void plant(Step root) {
        root_ = std::move(root);
        if constexpr (may_cycle) {
            if (cyclic_) root_.key = game_.key(root_.position);
        }
        nodes_.append(1);
        nodes_[0] = Node{};
        set_leaf(nodes_[0],
                 options_.delayed ? unevaluated(0) : evaluate(root_.position, root_.bound, {}, 0, nodes_[0].cycles));
    }

    /// Gives a leaf its children by `moves_`, with what leaf(position, bound, cycles) says of each.
    template <class LeafOf>
    [[gnu::always_inline]] void grow(const Step& step, LeafOf&& leaf_of) {
        const auto count = static_cast<std::uint32_t>(moves_.size());
        const std::uint32_t first = take(count);
        try {
            for (std::uint32_t i = 0; i < count; ++i) {
                const auto move = moves_[i];
                const Position child = game_.play(step.position, move);
                const int bound = game_.reward(step.position, move) - step.bound + 1;
                Cycles cycles;
                const Leaf leaf = leaf_of(child, bound, cycles);
                nodes_[first + i] = {
                    leaf.numbers.proof, leaf.numbers.disproof, 0, step.node, leaf.rank, 0, move, {}, cycles};
            }
        } catch (...) {
            give_back(first, count);  // the next attempt gives the same nodes the same numbers
            throw;
        }
        nodes_[step.node].first_child = first;
        nodes_[step.node].count = static_cast<Count>(count);
        created_ += count;
    }

    /// A leaf by the rules, by records or by the initialisation.
    Leaf evaluate(const Position& p, int bound, std::size_t depth) const {
        return valuation_(p, bound, [&] { return game_.key(p); }, depth);
    }

    /// The same, or as a repetition of one of the first `ancestors` nodes of the path.
    Leaf evaluate(const Position& p, int bound, const Path& path, std::size_t ancestors, Cycles& cycles) const {
        if constexpr (may_cycle) {
            if (cyclic_) {
                const Key key = game_.key(p);
                if (const std::optional<Leaf> leaf = valuation_.settled(p, bound, [&] { return key; })) return *leaf;
                const std::optional<int> rho = repetition_value(game_, p);
                if (!rho) throw std::logic_error(game_.name() + " has cycles, but a position has no repetition value");
                cycles.endless = *rho >= bound;
                for (std::size_t i = ancestors; i-- > 0;) {
                    if (path[i].bound != bound || !(path[i].key == key)) continue;
                    cycles.lean = static_cast<std::uint32_t>(i);
                    return {cycles.endless ? proved_numbers : disproved_numbers, 0};
                }
                return valuation_.initial(p, bound, ancestors);
            }
        }
        return evaluate(p, bound, ancestors);
    }

    /// A leaf whose evaluation is delayed.
    Leaf unevaluated(std::size_t depth) const noexcept {
        if constexpr (std::is_same_v<Initialisation, DepthInitialisation>) {
            return DepthInitialisation{}(game_, root_.position, root_.bound, depth);
        }
        return {{1, 1}};
    }

    static void set_leaf(Node& node, const Leaf& leaf) noexcept {
        node.proof = leaf.numbers.proof;
        node.disproof = leaf.numbers.disproof;
        node.rank = leaf.rank;
    }

    /// Room for `count` siblings: some that were given back, or new.
    std::uint32_t take(std::uint32_t count) {
        for (std::size_t row = count; row < free_.size(); ++row) {
            if (free_[row].empty()) {
                if (options_.bounded) continue;
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

    void give_back(std::uint32_t first, std::uint32_t count) {
        if (free_.size() <= count) free_.resize(count + std::size_t{1});
        free_[count].push_back(first);
        free_nodes_ += count;
    }

    Step enter(const Step& step, std::uint32_t child) const {
        const auto move = nodes_[child].move;
        Step entered{child, game_.reward(step.position, move) - step.bound + 1, game_.play(step.position, move)};
        if constexpr (may_cycle) {
            if (cyclic_) entered.key = game_.key(entered.position);
        }
        return entered;
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

    /// Takes the numbers of an expanded node from its children; true if they changed.
    bool recalculate(std::uint32_t n) {
        Node& node = nodes_[n];
        Backup backup;
        for (std::uint32_t i = 0; i < node.count; ++i) {
            backup.add(numbers(node.first_child + i), nodes_[node.first_child + i].extra);
        }
        const Numbers now = backup.result();
        const bool changed = !(now == Numbers{node.proof, node.disproof});
        if (changed) {
            node.proof = now.proof;
            node.disproof = now.disproof;
            if (now.solved()) solved(n, backup);
        }
        if (options_.most_proving && !now.solved() && !(now == given_up_numbers)) node.rank = leading(node);
        return changed;
    }

    /// Rank, and what else a solved node keeps, from the children that its answer rests on.
    void solved(std::uint32_t n, const Backup& backup) {
        Node& node = nodes_[n];
        const bool proved = node.proof == 0;
        node.extra = backup.extra();
        std::uint32_t best = was_released;
        std::uint32_t slowest = 0;
        [[maybe_unused]] std::uint32_t lean = leans_on_nothing;
        for (std::uint32_t child = node.first_child; child < node.first_child + node.count; ++child) {
            slowest = std::max(slowest, nodes_[child].rank);
            if constexpr (may_cycle) lean = std::min(lean, nodes_[child].cycles.lean);
            if (proved && numbers(child).disproved() && (best == was_released || better(child, best))) best = child;
        }
        node.rank = 1 + (proved ? nodes_[best].rank : slowest);
        if constexpr (may_cycle) {
            if (!cyclic_) return;
            if (proved == node.cycles.endless) node.rank = 0;  // a safety claim
            node.cycles.lean = proved ? nodes_[best].cycles.lean : lean;
            if (node.cycles.lean == leans_on_nothing) return;
            std::uint32_t depth = 0;
            for (std::uint32_t up = n; up != 0; up = nodes_[up].parent) ++depth;
            if (node.cycles.lean >= depth) node.cycles.lean = leans_on_nothing;
        }
    }

    G game_;
    MoveOrder order_;
    TreeOptions options_;
    bool cyclic_;
    LeafValuation<G, Initialisation> valuation_;
    Step root_;
    Arena<Node> nodes_;
    std::uint64_t created_ = 1;
    std::uint64_t updates_ = 0;
    std::uint64_t free_nodes_ = 0;
    std::vector<std::vector<std::uint32_t>> free_;  ///< [n]: first nodes of free rows of n siblings
    std::vector<std::uint32_t> released_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> give_back_;
    typename G::Moves moves_;
};

}  // namespace proofbase
