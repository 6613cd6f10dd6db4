// Graph kind `tree`: every node has one parent; a position that is reached on several ways has several nodes.
//
// In a game with cycles a question (position and bound) that an ancestor asks already is an end of the tree: the line
// could go on like that for ever, and is worth what repetition gives. Repetition helps the same side all along a cycle
// (docs/fact-model.md), so an answer that favours the other side never depends on a repetition. An answer that does
// depend on one holds only below the ancestor that was repeated; every solved node knows the highest such ancestor.
#pragma once

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
#include "in_place.hpp"
#include "records/check/local_check.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/search_graph.hpp"
#include "search/graph/tree/path_questions.hpp"
#include "search/graph/tree/tree_nodes.hpp"
#include "search/graph/tree/tree_path.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/policy/tree_backups.hpp"

namespace proofbase {

/// The policies of a tree that are chosen at run time.
struct TreeOptions {
    bool early_stop = true;  ///< nothing is updated above a node whose numbers did not change
    bool delayed = false;    ///< a leaf is evaluated when it is selected, not when it is created (Allis 1994, 2.2.1)
    bool from_root = false;  ///< every most-proving node is sought from the root, not from the current node
    bool deletes_solved = false;  ///< solved subtrees are deleted (search/pn/memory.hpp)
    bool splits_rows = false;     ///< a free row of siblings is split where that saves new memory
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
    using Question = std::conditional_t<may_cycle, PathQuestion<G>, std::monostate>;
    static constexpr GraphTraits traits{
        .rests_on_repetition = false,
        .evaluates_selected_leaves = true,
        .develops_leaves_by_second_search = false,
        .deletes_nodes = true,
        .gives_up_leaves = Backup::gives_up_leaves,
        .watches_clock = false,
        .depends_on_update_order = false,
    };

    struct Step {
        std::uint32_t node = 0;
        int bound;
        Position position;
        [[no_unique_address]] Question question{};  ///< of games with cycles
    };
    using Path = TreePath<Step>;

    explicit Tree(const SearchRequest<G>& request, TreeOptions options = {})
        : Tree(request.game, request.records, request.order, request.algorithm.initialisation(), options) {
        create_root({0, request.at_least, request.position});
    }

    /// A tree without nodes: restart() comes first.
    Tree(const G& game, const KnownRecords<G>* records, const MoveOrder& order, Initialisation initialisation,
         TreeOptions options)
        : game_(game),
          order_(order),
          records_(records),
          options_(options),
          with_cycles_(may_cycle && !game_.acyclic()),
          evaluator_(game_, records, initialisation) {}
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    /// Makes the end of a path in another tree the root, the only node; the path above it counts as its ancestors.
    void restart(const Path& path) {
        this->clear();
        outer_path_.assign(path.begin(), path.end() - 1);
        create_root({0, path.back().bound, path.back().position});
    }

    /// Also copies the nodes below `node` of another tree; `node` has the question of the end of the path.
    void restart(const Path& path, const Tree& other, std::uint32_t node) {
        restart(path);
        this->copy_from(other, node);
    }

    bool omits_refuted_moves() const noexcept { return false; }
    bool deletes_solved() const noexcept { return options_.deletes_solved; }

    Step root() const { return root_; }
    /// Nodes are referred to by their numbers, whether expanded or not.
    std::uint32_t ref(std::uint32_t number) const noexcept { return number; }
    std::uint32_t number(std::uint32_t node) const noexcept { return node; }
    std::uint64_t created() const noexcept { return created_; }
    std::uint64_t updates() const noexcept { return updates_; }

    /// A walk in a tree meets no node twice, so there is nothing to mark.
    class Marks {
      public:
        explicit Marks(const Tree&) {}
        bool mark(std::uint32_t) noexcept { return true; }
    };

    /// With delayed evaluation, evaluates the leaf at the end of the path; true if that solves it.
    bool evaluate(const Path& path) {
        if (!options_.delayed) return false;
        const Step& step = path.back();
        const Leaf leaf = evaluate_on_path(step.position, step.bound, path, path.size() - 1, nodes_[step.node].cycles);
        if (!leaf.numbers.solved()) return false;
        this->set_leaf(step.node, leaf);
        return true;
    }

    /// Creates the children of the unsolved leaf at the end of the path.
    void expand(const Path& path, const std::atomic<bool>&) {
        const Step& step = path.back();
        const std::size_t depth = path.size();
        if (options_.delayed) {
            create_children(step, [&](const Position&, int, Cycles&) { return unevaluated_leaf(depth); });
        } else if constexpr (may_cycle) {
            create_children(step, [&](const Position& p, int bound, Cycles& cycles) {
                return evaluate_on_path(p, bound, path, depth, cycles);
            });
        } else {
            create_evaluated_children(step, depth);
        }
    }

    /// Creates the children of a leaf with the results of another tree. False if the leaf has another number
    /// of moves.
    bool create_children_with_results(const Step& step, const std::vector<Result>& results) {
        order_(game_, step.position, moves_);
        if (moves_.size() != results.size()) return false;
        std::size_t next = 0;
        create_children(step, [&](const Position& p, int bound, [[maybe_unused]] Cycles& cycles) -> Leaf {
            if (with_cycles_) cycles = cycle_facts(p, bound);
            const Result& result = results[next++];
            return {result.numbers, result.rank};
        });
        for (std::uint32_t i = 0; i < results.size(); ++i) {
            if (results[i].numbers.solved()) this->set_result(this->child(step.node, i), results[i]);
        }
        return true;
    }

    /// Recalculates the nodes of `path` from its end upwards, and stops at the root or at a node that does not change.
    /// Returns the length of the path up to the node where it stopped.
    std::size_t update(Path& path) {
        std::size_t last = path.size();
        if (!expanded(path[last - 1].node)) {  // solved by its evaluation
            if (last == 1) return 1;
            --last;
        }
        std::size_t length = last;
        std::size_t way = last;  // up to here the path is still the way to a most-proving node
        Numbers before = numbers(path[length - 1].node);
        for (bool changed = recalculate(path[length - 1].node);;) {
            if (length < path.size() && !this->leads_to(path[length - 1].node, path[length].node)) way = length;
            if (!changed || length == 1) break;
            --length;
            const std::uint32_t node = path[length - 1].node;
            const Numbers child_before = std::exchange(before, numbers(node));
            changed = recalculate_from(node, path[length].node, child_before);
        }
        path.set_way(way);
        updates_ += last - length + 1;
        if (!options_.early_stop) {
            for (std::size_t above = length - 1; above-- > 0; ++updates_) recalculate(path[above].node);
        }
        return length;
    }

    /// Without the policy `from-root`, the path then ends at the current node of Allis et al. 1994, 4.2.
    std::size_t resume_length(std::size_t length) const noexcept { return options_.from_root ? 1 : length; }

    /// Extends `path` by the child on the way to a most-proving node.
    [[gnu::always_inline]] void descend(Path& path) const {
        if (path.follow_way()) return;
        const Node& node = nodes_[path.back().node];
        const std::uint32_t child = node.first_child + node.most_proving_index;
        if (path.step_again(child, this->deletions())) return;
        Step& below = path.next();
        write_step(path.back(), child, below);
        path.extend();
    }

    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        const Node& node = nodes_[step.node];
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const std::uint32_t child = node.first_child + i;
            visit(step_to_child(step, child), nodes_[child].move, numbers(child));
        }
    }

    Path path_to(std::uint32_t node) const {
        std::vector<std::uint32_t> line;
        for (std::uint32_t n = node; n != 0; n = nodes_[n].parent) line.push_back(n);
        Path path(root_);
        for (; !line.empty(); line.pop_back()) path.push_back(step_to_child(path.back(), line.back()));
        return path;
    }

    /// Calls visit(position) for the solved nodes whose answers rest on nodes that were deleted.
    template <class Visit>
    void for_each_solved_elsewhere(Visit&& visit) const {
        std::vector<std::pair<std::uint32_t, Position>> open{{0, root_.position}};
        while (!open.empty()) {
            const auto [node, position] = std::move(open.back());
            open.pop_back();
            if (this->solved_elsewhere(node) && numbers(node).solved()) visit(position);
            for (std::uint32_t i = 0; i < nodes_[node].count; ++i) {
                const std::uint32_t child = nodes_[node].first_child + i;
                if (!expanded(child) && !this->solved_elsewhere(child)) continue;
                open.emplace_back(child, game_.play(position, nodes_[child].move));
            }
        }
    }

    const Path& shown_path(const Path& path) const noexcept { return path; }

    /// Recalculates every node, children first (they have higher numbers than their parents).
    void recalculate_all(const std::atomic<bool>& cancelled) {
        for (std::uint32_t n = nodes_.size(); n-- > 0;) {
            if (n % nodes_per_stop_check == 0) stop_if(cancelled);
            if (expanded(n) && !numbers(n).solved()) recalculate(n);
        }
    }

    bool root_given_up() const noexcept { return numbers(0) == given_up_numbers; }

    /// Gives up the least-proving leaf (Allis et al. 1994, 4.1 and Fig. 10). Ancestors that can then neither be proved
    /// nor disproved are given up, too, and the nodes below them are deleted. The root must be expanded, and neither
    /// solved nor given up.
    void give_up_least_proving() {
        std::uint32_t node = 0;
        while (expanded(node)) node = this->least_proving_child(nodes_[node]);
        numbers_[node] = given_up_numbers;
        while (node != 0 && recalculate(nodes_[node].parent)) {
            node = nodes_[node].parent;
            if (numbers(node) == given_up_numbers) this->delete_below(node);
        }
    }

  protected:
    const G& game() const noexcept { return game_; }
    const KnownRecords<G>* records() const noexcept { return records_; }
    const MoveOrder& order() const noexcept { return order_; }
    const TreeOptions& options() const noexcept { return options_; }
    Initialisation initialisation() const noexcept { return evaluator_.policy(); }

    /// Calculates the rank of a solved expanded node again, after those of its children have changed.
    void recalculate_rank(std::uint32_t node) { this->rank_solved_node(node, with_cycles_, outer_path_.size()); }

  private:
    using Nodes::nodes_;
    using Nodes::numbers_;
    using typename Nodes::Cycles, typename Nodes::Node;

    /// Creates the root, as the only node.
    void create_root(Step root) {
        root_ = std::move(root);
        if constexpr (may_cycle) {
            if (with_cycles_) root_.question = Question(game_, root_.position, root_.bound);
            questions_.start_below(outer_path_);
        }
        this->append_nodes(1);
        Node& node = nodes_[0] = Node{};
        if (with_cycles_) node.cycles = cycle_facts(root_.position, root_.bound);
        this->set_leaf(0, options_.delayed ? unevaluated_leaf(0)
                                           : evaluate_on_path(root_.position, root_.bound, {}, 0, node.cycles));
    }

    /// The members of a node for games with cycles, as they are before the node is evaluated.
    Cycles cycle_facts([[maybe_unused]] const Position& p, [[maybe_unused]] int bound) const {
        Cycles cycles;
        if constexpr (may_cycle) {
            if (const auto rho = repetition_value(game_, p)) cycles.repetition_proves = *rho >= bound;
        }
        return cycles;
    }

    /// Creates the children of a leaf. leaf_of(position, bound, cycles) evaluates each of them. If it throws, the row
    /// of children is freed; the next call takes the same row, so the children get the same numbers.
    template <class LeafOf>
    [[gnu::always_inline]] void create_children(const Step& step, LeafOf&& leaf_of) {
        order_(game_, step.position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        const std::uint32_t first = this->allocate_row(count, options_.splits_rows);
        try {
            for (std::uint32_t i = 0; i < count; ++i) {
                const auto move = moves_[i];
                const Position child = game_.play(step.position, move);
                const int bound = game_.reward(step.position, move) - step.bound + 1;
                Cycles cycles;
                const Leaf leaf = leaf_of(child, bound, cycles);
                numbers_[first + i] = leaf.numbers;
                nodes_[first + i] = {0, step.node, {leaf.rank}, 0, move, {}, cycles};
            }
        } catch (...) {
            this->free_row(first, count);
            throw;
        }
        nodes_[step.node].first_child = first;
        nodes_[step.node].count = static_cast<typename Nodes::Count>(count);
        created_ += count;
    }

    /// The common case, compiled as one piece: nearly all nodes are made here.
    [[gnu::flatten]] void create_evaluated_children(const Step& step, std::size_t depth) {
        create_children(step, [&](const Position& p, int bound, Cycles&) { return evaluate_leaf(p, bound, depth); });
    }

    /// A leaf by the rules, by records or by the initialisation.
    Leaf evaluate_leaf(const Position& p, int bound, std::size_t depth) const {
        return evaluator_(p, bound, [&] { return game_.key(p); }, outer_path_.size() + depth);
    }

    /// A leaf as in evaluate_leaf(); but in a game with cycles a leaf that repeats an ancestor is solved by repetition.
    /// Its ancestors are the first `ancestors` nodes of the path and the nodes of outer_path_.
    Leaf evaluate_on_path(const Position& p, int bound, const Path& path, std::size_t ancestors, Cycles& cycles) {
        if constexpr (may_cycle) {
            if (with_cycles_) {
                const CountedMoves counted = evaluator_.count(p);
                Leaf leaf;
                if (answer_by_rules_or_table(game_, records_, p, bound, leaf, counted.state)) return leaf;
                if (records_ != nullptr) {
                    if (const auto known = leaf_by_record(*records_, game_.key(p), bound)) return *known;
                }
                const std::optional<int> rho = repetition_value(game_, p);
                if (!rho) throw std::logic_error(game_.name() + " has cycles, but a position has no repetition value");
                cycles.repetition_proves = *rho >= bound;
                if (const auto depth = questions_.find(game_, p, bound, path, ancestors, this->deletions())) {
                    cycles.depends_on_depth = static_cast<std::uint32_t>(*depth);
                    return {cycles.repetition_proves ? proved_numbers : disproved_numbers, 0};
                }
                return evaluator_.initialise(p, bound, outer_path_.size() + ancestors, counted);
            }
        }
        return evaluate_leaf(p, bound, ancestors);
    }

    /// A leaf whose evaluation is delayed.
    Leaf unevaluated_leaf(std::size_t depth) const noexcept {
        return evaluator_.policy() == Initialisation::depth ? leaf_by_depth(outer_path_.size() + depth) : Leaf{{1, 1}};
    }

    Step step_to_child(const Step& step, std::uint32_t child) const {
        Step below;
        write_step(step, child, below);
        return below;
    }

    /// The number of the node comes last: until then the step is that to no child.
    void write_step(const Step& step, std::uint32_t child, Step& below) const {
        const auto move = nodes_[child].move;
        below.bound = game_.reward(step.position, move) - step.bound + 1;
        make_in_place(below.position, [&] { return game_.play(step.position, move); });
        if constexpr (may_cycle) {
            if (with_cycles_) below.question = Question(game_, below.position, below.bound);
        }
        below.node = child;
    }

    /// Takes the numbers of an expanded node from its children; true if they changed.
    [[gnu::always_inline]] bool recalculate(std::uint32_t n) {
        Node& node = nodes_[n];
        const Numbers* const row = &numbers_[node.first_child];
        Backup backup;
        for (std::uint32_t i = 0; i < node.count; ++i) backup.add(row[i], nodes_[node.first_child + i].extra);
        const Numbers now = backup.result();
        const bool changed = !(now == numbers_[n]);
        if (changed) {
            numbers_[n] = now;
            if (now.solved()) {
                node.extra = backup.extra();
                recalculate_rank(n);
            }
        }
        if (!now.solved() && !(now == given_up_numbers)) node.most_proving_index = this->most_proving_index(node, now);
        return changed;
    }

    /// As recalculate(), after one child has changed its numbers.
    [[gnu::always_inline]] bool recalculate_from(std::uint32_t n, std::uint32_t child, const Numbers& before) {
        if constexpr (requires(Numbers& now) { Backup::adjust(now, before, before); }) {
            Numbers now = numbers_[n];
            if (this->leads_to(n, child) && Backup::adjust(now, before, numbers_[child])) {
                return !(std::exchange(numbers_[n], now) == now);
            }
        }
        return recalculate(n);
    }

    G game_;
    MoveOrder order_;
    const KnownRecords<G>* records_;
    TreeOptions options_;
    bool with_cycles_;  ///< play may come back to a position, by the game's parameters
    LeafEvaluator<G> evaluator_;
    Step root_;
    std::vector<Step> outer_path_;  ///< the ancestors of the root in another tree
    [[no_unique_address]] std::conditional_t<may_cycle, PathQuestions<G, Step>, std::monostate> questions_;
    std::uint64_t created_ = 1;
    std::uint64_t updates_ = 0;
    typename G::Moves moves_;
};

}  // namespace proofbase
