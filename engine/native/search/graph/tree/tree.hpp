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
#include "search/api/search_request.hpp"
#include "search/graph/tree/tree_nodes.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/policy/tree_backups.hpp"

namespace proofbase {

struct TreeOptions {
    bool early_stop = true;     ///< nothing is updated above a node whose numbers did not change
    bool delayed = false;       ///< a leaf is evaluated when it is selected, not when it is created (Allis 1994, 2.2.1)
    bool from_root = false;     ///< every most-proving node is sought from the root, not from the current node
    bool most_proving = false;  ///< nodes know the child below which their most-proving node is (Allis 1994, 2.3.2)
    bool bounded = false;       ///< rows of siblings are cut where that saves new memory
};

template <Game G, class Backup>
class Tree : public TreeNodes<G, Backup> {
    using Nodes = TreeNodes<G, Backup>;

  public:
    using Nodes::expanded;
    using Nodes::may_cycle;
    using Nodes::numbers;
    using Result = typename Nodes::Result;
    using Position = typename G::Position;
    using Key = typename G::Key;

    /// Where a search stands: the nodes from the root to the one under consideration.
    struct Step {
        std::uint32_t node;
        int bound;
        Position position;
        [[no_unique_address]] std::conditional_t<may_cycle, Key, std::monostate> key{};  ///< of games with cycles
    };
    using Path = std::vector<Step>;

    explicit Tree(const SearchRequest<G>& request, TreeOptions options = {})
        : Tree(request.game, request.known, request.order, request.algorithm.initialisation(), options) {
        plant({0, request.at_least, request.position});
    }

    /// A tree without nodes: restart() comes first.
    Tree(const G& game, const RecordTable<G>* known, const MoveOrder& order, Initialisation initialisation,
         TreeOptions options)
        : game_(game),
          order_(order),
          known_(known),
          options_(options),
          cyclic_(may_cycle && !game_.acyclic()),
          evaluator_(game_, known, initialisation) {}
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    /// Makes the end of a path in another tree the root, the only node; the path above it counts as its ancestors.
    void restart(const Path& path) {
        this->clear();
        above_.assign(path.begin(), path.end() - 1);
        plant({0, path.back().bound, path.back().position});
    }

    /// The same, and takes over what another tree has below one of its nodes, which is the end of the path.
    void restart(const Path& path, const Tree& other, std::uint32_t node) {
        restart(path);
        nodes_[0] = other.nodes_[node];
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
            if (nodes_[n].count == 0) continue;
            const std::uint32_t first = nodes_.append(nodes_[n].count);
            for (std::uint32_t i = 0; i < nodes_[n].count; ++i) {
                nodes_[first + i] = other.nodes_[nodes_[n].first_child + i];
                nodes_[first + i].parent = n;
            }
            nodes_[n].first_child = first;
        }
    }

    Step root() const { return root_; }
    /// Nodes are referred to by their numbers, whether expanded or not.
    std::uint32_t ref(std::uint32_t number) const noexcept { return number; }
    std::uint32_t number(std::uint32_t node) const noexcept { return node; }
    std::uint64_t created() const noexcept { return created_; }
    std::uint64_t updates() const noexcept { return updates_; }
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
        if (options_.delayed) {
            grow(step, [&](const Position&, int, Cycles&) { return unevaluated(depth); });
        } else if constexpr (may_cycle) {
            grow(step, [&](const Position& p, int bound, Cycles& c) { return evaluate(p, bound, path, depth, c); });
        } else {
            grow_at_once(step, depth);
        }
    }

    /// Settles a leaf by what another tree says of it.
    void settle(std::uint32_t node, const Result& result) noexcept { take_over(nodes_[node], result); }

    /// Gives a leaf its children, with what another tree says of them. False if it has another number of moves.
    bool adopt(const Step& step, const std::vector<Result>& results) {
        order_(game_, step.position, moves_);
        if (moves_.size() != results.size()) return false;
        std::size_t next = 0;
        grow(step, [&](const Position& p, int bound, [[maybe_unused]] Cycles& cycles) -> Leaf {
            if (cyclic_) cycles = this->cycles(p, bound);
            const Result& result = results[next++];
            return {result.numbers, result.rank};
        });
        for (std::uint32_t i = 0; i < results.size(); ++i) {
            Node& node = nodes_[this->child(step.node, i)];
            if (results[i].numbers.solved()) take_over(node, results[i]);
        }
        return true;
    }

    /// Calculates the rank of a solved expanded node again, after those of its children have changed.
    void rank_again(std::uint32_t node) { rest(node); }
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
        while (expanded(node)) node = this->least_proving_child(nodes_[node]);
        nodes_[node].proof = nodes_[node].disproof = infinite;
        while (node != 0 && recalculate(nodes_[node].parent)) {
            node = nodes_[node].parent;
            if (numbers(node) == given_up_numbers) this->release(node);
        }
    }

  protected:
    const G& game() const noexcept { return game_; }
    const RecordTable<G>* known() const noexcept { return known_; }
    const MoveOrder& order() const noexcept { return order_; }
    const TreeOptions& options() const noexcept { return options_; }
    Initialisation initialisation() const noexcept { return evaluator_.policy(); }

  private:
    using Nodes::leading;
    using Nodes::nodes_;
    using typename Nodes::Cycles;
    using typename Nodes::Node;

    /// Makes the root, the only node.
    void plant(Step root) {
        root_ = std::move(root);
        if constexpr (may_cycle) {
            if (cyclic_) root_.key = game_.key(root_.position);
        }
        nodes_.append(1);
        nodes_[0] = Node{};
        if (cyclic_) nodes_[0].cycles = cycles(root_.position, root_.bound);
        set_leaf(nodes_[0],
                 options_.delayed ? unevaluated(0) : evaluate(root_.position, root_.bound, {}, 0, nodes_[0].cycles));
    }

    /// What a node knows before it is evaluated.
    Cycles cycles([[maybe_unused]] const Position& p, [[maybe_unused]] int bound) const {
        Cycles cycles;
        if constexpr (may_cycle) {
            if (const auto rho = repetition_value(game_, p)) cycles.endless = *rho >= bound;
        }
        return cycles;
    }

    static void take_over(Node& node, const Result& result) noexcept {
        node.proof = result.numbers.proof;
        node.disproof = result.numbers.disproof;
        node.rank = result.rank;
        node.first_child = Nodes::was_released;
        if constexpr (may_cycle) node.cycles.lean = result.lean;
    }

    /// Gives a leaf its children, with what leaf(position, bound, cycles) says of each.
    template <class LeafOf>
    [[gnu::always_inline]] void grow(const Step& step, LeafOf&& leaf_of) {
        order_(game_, step.position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        const std::uint32_t first = this->take(count, options_.bounded);
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
            this->give_back(first, count);  // the next attempt gives the same nodes the same numbers
            throw;
        }
        nodes_[step.node].first_child = first;
        nodes_[step.node].count = static_cast<typename Nodes::Count>(count);
        created_ += count;
    }

    /// The common case, compiled as one piece: nearly all nodes are made here.
    [[gnu::flatten]] void grow_at_once(const Step& step, std::size_t depth) {
        grow(step, [&](const Position& p, int bound, Cycles&) { return evaluate(p, bound, depth); });
    }

    /// A leaf by the rules, by records or by the initialisation.
    Leaf evaluate(const Position& p, int bound, std::size_t depth) const {
        return evaluator_(p, bound, [&] { return game_.key(p); }, above_.size() + depth);
    }

    /// The same, or as a repetition of one of the first `ancestors` nodes of the path.
    Leaf evaluate(const Position& p, int bound, const Path& path, std::size_t ancestors, Cycles& cycles) const {
        if constexpr (may_cycle) {
            if (cyclic_) {
                const Key key = game_.key(p);
                if (const std::optional<Leaf> leaf = settled_leaf(game_, known_, p, bound, [&] { return key; }))
                    return *leaf;
                const std::optional<int> rho = repetition_value(game_, p);
                if (!rho) throw std::logic_error(game_.name() + " has cycles, but a position has no repetition value");
                cycles.endless = *rho >= bound;
                const auto asks_the_same = [&](const Step& step) { return step.bound == bound && step.key == key; };
                for (std::size_t i = ancestors + above_.size(); i-- > 0;) {
                    if (!asks_the_same(i < above_.size() ? above_[i] : path[i - above_.size()])) continue;
                    cycles.lean = static_cast<std::uint32_t>(i);
                    return {cycles.endless ? proved_numbers : disproved_numbers, 0};
                }
                return evaluator_.unsettled(p, bound, above_.size() + ancestors);
            }
        }
        return evaluate(p, bound, ancestors);
    }

    /// A leaf whose evaluation is delayed.
    Leaf unevaluated(std::size_t depth) const noexcept {
        if (evaluator_.policy() == Initialisation::depth) return leaf_by_depth(above_.size() + depth);
        return {{1, 1}};
    }

    static void set_leaf(Node& node, const Leaf& leaf) noexcept {
        node.proof = leaf.numbers.proof;
        node.disproof = leaf.numbers.disproof;
        node.rank = leaf.rank;
    }

    Step enter(const Step& step, std::uint32_t child) const {
        const auto move = nodes_[child].move;
        Step entered{child, game_.reward(step.position, move) - step.bound + 1, game_.play(step.position, move)};
        if constexpr (may_cycle) {
            if (cyclic_) entered.key = game_.key(entered.position);
        }
        return entered;
    }

    /// Takes the numbers of an expanded node from its children; true if they changed.
    [[gnu::always_inline]] bool recalculate(std::uint32_t n) {
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
            if (now.solved()) {
                node.extra = backup.extra();
                rest(n);
            }
        }
        if (options_.most_proving && !now.solved() && !(now == given_up_numbers)) node.rank = leading(node);
        return changed;
    }

    /// The rank of a solved node, and the ancestor it leans on, from the children that its answer rests on.
    [[gnu::noinline]] void rest(std::uint32_t n) {
        Node& node = nodes_[n];
        const bool proved = node.proof == 0;
        std::uint32_t best = Nodes::was_released;
        std::uint32_t slowest = 0;
        [[maybe_unused]] std::uint32_t lean = Nodes::leans_on_nothing;
        for (std::uint32_t child = node.first_child; child < node.first_child + node.count; ++child) {
            slowest = std::max(slowest, nodes_[child].rank);
            if constexpr (may_cycle) lean = std::min(lean, nodes_[child].cycles.lean);
            if (proved && numbers(child).disproved() && (best == Nodes::was_released || this->better(child, best)))
                best = child;
        }
        node.rank = 1 + (proved ? nodes_[best].rank : slowest);
        if constexpr (may_cycle) {
            if (!cyclic_) return;
            if (proved == node.cycles.endless) node.rank = 0;  // a safety claim
            node.cycles.lean = proved ? nodes_[best].cycles.lean : lean;
            if (node.cycles.lean == Nodes::leans_on_nothing) return;
            auto depth = static_cast<std::uint32_t>(above_.size());
            for (std::uint32_t up = n; up != 0; up = nodes_[up].parent) ++depth;
            if (node.cycles.lean >= depth) node.cycles.lean = Nodes::leans_on_nothing;
        }
    }

    G game_;
    MoveOrder order_;
    const RecordTable<G>* known_;
    TreeOptions options_;
    bool cyclic_;
    LeafEvaluator<G> evaluator_;
    Step root_;
    Path above_;  ///< the ancestors of the root in another tree
    std::uint64_t created_ = 1;
    std::uint64_t updates_ = 0;
    typename G::Moves moves_;
};

}  // namespace proofbase
