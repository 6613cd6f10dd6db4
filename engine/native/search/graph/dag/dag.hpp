// Graph kind `dag`: one node for each position (up to symmetry) and bound, with all its parents; for games in which
// no line of play comes back to a position (Schijf 1993, 4.4: the practical algorithm).
//
// Numbers are passed up to all parents, level by level, and only from nodes that changed. Where all lines of play to a
// position are equally long, every node then changes at most once per expansion.
//
// dag_edges.hpp holds the nodes and their edges; drop_solved.hpp is the memory policy that forgets solved parts.
// Memory that the next steps will read is fetched ahead.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/dag/blocks.hpp"
#include "search/graph/dag/dag_edges.hpp"
#include "search/graph/dag/dag_node.hpp"
#include "search/graph/dag/drop_solved.hpp"
#include "search/graph/dag/foreseen_leaf.hpp"
#include "search/graph/node_depths.hpp"
#include "search/graph/question_index.hpp"
#include "search/graph/recurrence_watch.hpp"
#include "search/graph/search_graph.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/policy/quick_rules.hpp"

namespace proofbase {

template <Game G, class Backup>
class Dag {
    using Index = QuestionIndex<G>;
    using Child = typename Index::Child;
    using Edges = DagEdges<typename Index::StoredKey>;
    using Node = typename Edges::Node;

  public:
    using Position = typename G::Position;
    using Step = QuestionStep<G, NodeRef>;
    using Path = std::vector<Step>;
    using Marks = NodeMarks<Dag>;
    using BackupOptions = typename Backup::ForDag::Options;

    static constexpr GraphTraits traits{
        .rests_on_repetition = false,
        .evaluates_selected_leaves = false,
        .develops_leaves_by_second_search = false,
        .deletes_nodes = false,
        .gives_up_leaves = false,
        .watches_clock = false,
        .depends_on_update_order = true,
    };

    explicit Dag(const SearchRequest<G>& request, Orientation<G> orientation = Orientation<G>(),
                 const BackupOptions& options = {})
        : game_(request.game),
          order_(request.order),
          index_(request, game_, orientation),
          watch_(game_),
          depths_(request.algorithm.initialisation()),
          backup_(options),
          dropped_(index_, edges_, request.algorithm.has("drop-solved"), !backup_.restarts_at_root()) {
        reserve(1, std::atomic<bool>(false));
        Child root{};
        root.position = index_.representative(request.position);
        root.bound = request.at_least;
        index_.identify(root);
        const Leaf leaf = index_.evaluate(root);
        create(root, leaf, 0);
        edges_.set_root_numbers(leaf.numbers);
        root_ = {NodeRef::leaf(0), root.bound, root.position};
    }

    Step root() const { return {ref(0), root_.bound, root_.position}; }
    NodeRef ref(std::uint32_t number) const noexcept { return edges_.ref(number); }
    std::uint32_t number(NodeRef node) const noexcept { return edges_.number(node); }
    Numbers numbers(NodeRef node) const noexcept {
        if (dropped_.was_evaluated_again(node)) return dropped_.evaluated_again(node).numbers;
        return edges_.numbers(node);
    }
    Numbers numbers(const Edge& edge) const noexcept { return edges_.numbers(edge); }
    std::uint32_t rank(NodeRef node) const noexcept {
        if (dropped_.was_evaluated_again(node)) return dropped_.evaluated_again(node).rank;
        return edges_.rank(node);
    }
    /// True for every node that is no leaf any more, also for a deleted one.
    bool expanded(NodeRef node) const noexcept {
        if (node.is_expanded()) return true;
        if (dropped_.was_evaluated_again(node)) return false;
        return edges_.node(node.index()).inner() || edges_.node(node.index()).deleted();
    }
    std::uint32_t size() const noexcept { return edges_.size(); }
    std::uint64_t created() const noexcept { return created_; }
    /// The numbers of deleted nodes are used again first.
    std::uint64_t peak_nodes() const noexcept { return edges_.size(); }
    std::uint64_t updates() const noexcept { return updates_; }
    std::uint64_t bytes() const noexcept {
        return edges_.bytes() + index_.bytes() + backup_.bytes() + watch_.bytes() + depths_.bytes();
    }
    std::uint64_t node_bytes() const noexcept { return edges_.node_bytes() + index_.key_bytes(); }

    bool omits_refuted_moves() const noexcept { return index_.omits_refuted_moves(); }
    bool claimed_elsewhere(NodeRef) const noexcept { return false; }
    bool preferred(NodeRef a, NodeRef b) const noexcept { return rank(a) < rank(b); }

    /// Creates the children of the unsolved leaf at the end of the path, or finds them where they exist; the path then
    /// refers to the node's block. Throws Cancelled or std::bad_alloc before anything has changed.
    void expand(Path& path, const std::atomic<bool>& cancelled) {
        Step& step = path.back();
        const std::uint32_t number = step.node.index();
        std::uint32_t rank = 0;  // the least rank that a disproof can have
        if constexpr (TellsThreats<G>) {
            if (omits_refuted_moves()) rank = disproof_rank_by_threats(game_, step.position);
        }
        if (!foreseen_.take_children(step, children_)) make_children(step, children_);
        const auto count = static_cast<std::uint32_t>(children_.size());
        reserve(count, cancelled);
        // In passes, so that the cache misses of the index, then of the nodes, then of their blocks overlap.
        watch_for_recurrence(number);
        if (edges_.node(number).is_leaf()) edges_.prefetch_parents(edges_.node(number).parents());
        foreseen_.make_children([&](const Step& leaf, auto& children) { make_children(leaf, children); });
        prefetch_nodes(children_);
        if (edges_.node(number).is_leaf()) edges_.prefetch_listed(edges_.node(number).parents());
        find_children(number);
        const std::uint32_t here = append_block(number, rank);
        Block& block = edges_.block(here);
        Node& node = edges_.node(number);
        const bool below = path.size() > 1 && node.is_leaf();  // then the numbers are at hand
        block.numbers =
            below ? numbers(edges_.edge_to(step.node, path[path.size() - 2].node.index())) : numbers(step.node);
        block.node = number;
        // By records that were stored after the checkpoint that expands it:
        if (block.numbers.solved()) block.solve(block.numbers.proved(), node.link);
        Edge* edge = block.begin();
        for (const Child& child : children_) {
            if (block.sparse && dropped_.is_left_out(child)) continue;
            edge->numbers = PackedNumbers(child.leaf.numbers);
            if (child.node == Index::none) {
                edge->child = NodeRef::none();
            } else {
                edge->child = ref(child.node);
                if (!edge->numbers.fit()) edges_.set_wide_numbers(child.node, child.leaf.numbers);
                const Node& to = edges_.node(child.node);
                if (to.is_leaf() && to.parents().in_piece()) edges_.blocks().prefetch(to.parents().any(edges_.units()));
            }
            ++edge;
        }
        block.parents = {};
        for (Edge& to : block) {
            if (to.child != NodeRef::none()) edges_.add_parent(here, to);
        }
        const NodeRef leaf = step.node;
        step.node = NodeRef::expanded(here);
        if (node.is_leaf()) edges_.divide_parents(node.parents(), leaf, step.node, block.parents);
        node.set(NodeState::expanded, here);
        prefetch_nodes(foreseen_.children());
    }

    /// Passes the numbers of the node at the end of `path` up. Returns the length of the path up to the node
    /// where the search goes on: above that node, the choice of a child is the same as before.
    std::size_t update(const Path& path) {
        std::size_t kept_length = path.size();
        backup_.begin_update();
        waiting_.clear();
        waiting_.push_back(path.back().node.index());
        edges_.block(waiting_[0]).on_path = 1;
        // Level by level, so that the cache misses on the way to all parents of a level overlap.
        while (!waiting_.empty()) {
            changed_.clear();
            for (const std::uint32_t b : waiting_) {
                Block& block = edges_.block(b);
                block.waiting = 0;
                if (block.numbers.solved()) continue;
                ++updates_;
                const bool changed = recalculate(block);
                if (block.loose && !block.numbers.solved()) dropped_.leave_out_proved(b);
                if (!changed) continue;
                dropped_.changed(b);
                // The parent on the path may now choose another child.
                if (block.on_path) kept_length = length_above(path, kept_length, b);
                if (block.parents.first != 0) edges_.blocks().prefetch(block.parents.first);
                edges_.prefetch_parents(block.parents.others);
                changed_.push_back(b);
            }
            waiting_.clear();
            for (const std::uint32_t b : changed_) edges_.prefetch_listed(edges_.block(b).parents.others);
            for (const std::uint32_t b : changed_) {
                pass_to_parents(b, [&](std::uint32_t parent) {
                    if (edges_.block(parent).waiting) return;
                    edges_.block(parent).waiting = 1;
                    edges_.block(parent).parents.others.prefetch(edges_.units());
                    waiting_.push_back(parent);
                });
            }
        }
        dropped_.drop_below_solved_nodes();
        if (backup_.restarts_at_root()) kept_length = 1;
        for (std::size_t i = kept_length; i < path.size(); ++i) edges_.block(path[i].node.index()).on_path = 0;
        return kept_length;
    }

    std::size_t resume_length(std::size_t length) const noexcept { return length; }

    void descend(Path& path) {
        const Step& step = path.back();
        Block& block = edges_.block(step.node.index());
        block.on_path = 1;
        const Edge* edge = backup_.select(*this, block);
        const NodeRef child = edge->child;
        if (child.is_expanded()) {
            edges_.blocks().prefetch(child.index());
        } else {
            edges_.prefetch_node(child.index());
        }
        list_moves(step.position, moves_);
        const Step below = index_.step(step, moves_[block.move_of(edge)], child);
        if (!child.is_expanded()) foresee(step, block, edge);
        path.push_back(below);
        backup_.followed();
    }

    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        typename G::Moves moves;
        list_moves(step.position, moves);
        if (dropped_.on()) return find_each_child(step, moves, visit);
        const Block& block = edges_.block(step.node.index());
        for (std::uint32_t i = 0; i < moves.size(); ++i) {
            NodeRef child = block.begin()[i].child;
            if (!child.is_expanded()) child = ref(child.index());  // where it was expanded when it was solved already
            visit(index_.step(step, moves[i], child), moves[i], numbers(block.begin()[i]));
        }
    }

    /// True if a restored search must update after each expansion: the backup depends on the order of the updates.
    bool repeats_updates() const noexcept { return dropped_.on() || backup_.repeats_updates(); }

    /// Updates a node that was expanded outside of a path, and the nodes above it.
    void update_above(const Step& expanded) {
        update(Path{expanded});
        edges_.block(expanded.node.index()).on_path = 0;
    }

    /// Holds only the node: expanding it needs no ancestors.
    Path path_to(std::uint32_t number) const {
        const Node& node = edges_.node(number);
        return {{ref(number), edges_.bound(number), index_.position(node.key())}};
    }

    const Path& shown_path(const Path& path) const noexcept { return path; }

    /// Recalculates every node until nothing changes. Most children have higher numbers than their parents, so few
    /// rounds suffice: every round gives at least one more level of the graph, from the leaves upwards, its final
    /// numbers.
    void recalculate_all(const std::atomic<bool>& cancelled) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t n = edges_.size(); n-- > 0;) {
                if (n % nodes_per_stop_check == 0) stop_if(cancelled);
                const std::uint32_t b = edges_.node(n).link;
                if (!edges_.node(n).has_block() || edges_.block(b).numbers.solved() || !recalculate(edges_.block(b)))
                    continue;
                changed = true;
                pass_to_parents(b, [](std::uint32_t) {});
            }
        }
    }

  private:
    /// The moves of a node, in the search's order; the same at every call.
    void list_moves(const Position& position, typename G::Moves& moves) const {
        order_(game_, position, moves);
        if constexpr (TellsThreats<G>) {
            if (omits_refuted_moves()) omit_refuted_moves(game_, position, moves);
        }
    }

    /// Makes the children of a step, without their nodes. Then their slots of the index are fetched, one close after
    /// the other: a processor waits for the address of what it fetches, and looks up some addresses at once.
    void make_children(const Step& step, std::vector<Child>& children) {
        list_moves(step.position, moves_);
        children.clear();
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            Child& child = children.emplace_back(index_.make_child(step.position, step.bound, moves_[i]));
            index_.identify(child);
        }
        for (const Child& child : children) index_.prefetch(child);
    }

    /// Fetches the nodes that may be those of children into the cache; their slots of the index are there.
    void prefetch_nodes(std::span<const Child> children) const noexcept {
        for (const Child& child : children) {
            index_.for_each_candidate(child, [&](std::uint32_t n) { edges_.prefetch_node(n); });
        }
    }

    /// Foresees which leaf is expanded after the one that an edge of a block leads to. moves_ are those of the block's
    /// node, at `step`.
    void foresee(const Step& step, const Block& block, const Edge* chosen) {
        if (!has_quick_rules<G> || omits_refuted_moves() || !foreseen_.wanted()) return;
        for (const Edge* edge = chosen + 1; edge != block.end(); ++edge) {
            const bool open_leaf = !edge->child.is_expanded() && edge->child != NodeRef::none();
            if (!open_leaf || numbers(*edge).disproof != block.numbers.proof) continue;
            edges_.prefetch_node(edge->child.index());
            return foreseen_.foresee(index_.step(step, moves_[block.move_of(edge)], edge->child));
        }
    }

    std::uint32_t create(const Child& child, const Leaf& leaf, std::uint32_t parent) {
        ++created_;
        std::uint32_t n = dropped_.take_deleted();
        if (n == Index::none) n = edges_.append_node();
        backup_.node_created(n, parent);
        watch_.created(n, parent);
        depths_.created(parent);
        Node& node = edges_.node(n);
        node.stored_key = index_.insert(child, n);
        edges_.set_bound(n, child.bound);
        set_leaf(node, leaf);
        return n;
    }

    /// Makes a new node a leaf without parents.
    void set_leaf(Node& node, const Leaf& leaf) {
        if (leaf.numbers.solved()) {
            node.set(leaf.numbers.proved() ? NodeState::proved_leaf : NodeState::disproved_leaf, leaf.rank);
        } else {
            node.set(NodeState::leaf, ParentList().word());
        }
    }

    /// Finds or creates the nodes of children_; with `drop-solved` a leaf that is solved gets none.
    void find_children(std::uint32_t number) {
        std::uint32_t without_node = 0;
        for (Child& child : children_) {
            child.node = index_.find(child, edges_.questions());
            if (child.node != Index::none) {
                const Node& node = edges_.node(child.node);
                if (node.has_block()) {
                    edges_.blocks().prefetch(node.link);
                } else if (node.is_leaf()) {
                    if (node.parents().empty()) {
                        evaluate_again(child, number);
                    } else {
                        edges_.prefetch_parents(node.parents());
                    }
                }
                continue;
            }
            child.leaf = index_.evaluate(child, depths_.below(number));
            if (dropped_.needs_no_node(child.leaf)) {
                ++without_node;
            } else {
                child.node = create(child, child.leaf, number);
            }
        }
        created_ += without_node;  // not before: where the rules of a user's game throw, the call is repeated
    }

    /// A child has a node without a parent: an earlier move leads to it as well, or else its parents are gone, or were
    /// never made since the rules of a user's game threw.
    void evaluate_again(Child& child, std::uint32_t parent) {
        for (const Child* other = children_.data(); other != &child; ++other) {
            if (other->node == child.node) return;
        }
        child.leaf = index_.evaluate(child, depths_.below(parent));
        set_leaf(edges_.node(child.node), child.leaf);
    }

    /// The block of a node with the children in children_, whose disproof has at least this rank.
    std::uint32_t append_block(std::uint32_t number, std::uint32_t rank) {
        const auto shape = dropped_.shape(children_, rank);
        const std::uint32_t here = edges_.blocks().append(shape.edges);
        Block& block = edges_.block(here);
        if (shape.left_out != 0) block.leave_out(shape.edges, shape.left_out);
        edges_.set_least_rank(block, number, shape.rank);
        return here;
    }

    /// As for_each_child(), from the positions after the moves: with `drop-solved`, edges may be gone. Leaves that have
    /// no node are evaluated again.
    template <class Visit>
    void find_each_child(const Step& step, const typename G::Moves& moves, Visit&& visit) const {
        for (std::uint32_t i = 0; i < moves.size(); ++i) {
            Child child = index_.make_child(step.position, step.bound, moves[i]);
            index_.identify(child);
            const std::uint32_t node = index_.find(child, edges_.questions());
            const NodeRef ref = node == Index::none ? dropped_.evaluate_again(child) : this->ref(node);
            visit(index_.step(step, moves[i], ref), moves[i], numbers(ref));
        }
    }

    /// Throws if one of children_ is an ancestor of the node that is being expanded. For users' games only.
    void watch_for_recurrence([[maybe_unused]] std::uint32_t number) {
        if constexpr (Unproven<G>) {
            for (Child& child : children_) child.node = index_.find(child, edges_.questions());
            watch_.expanding(
                number, children_,
                [&](std::uint32_t n, auto&& visit) {
                    if (!ref(n).is_expanded()) return;
                    for (const Edge& edge : edges_.block(edges_.node(n).link)) {
                        if (edge.child != NodeRef::none()) visit(this->number(edge.child));
                    }
                },
                [&](std::uint32_t n) { return index_.position(edges_.node(n).key()); });
        }
    }

    /// Makes room for one more block with `count` edges and as many new nodes, so that an expansion does not fail half
    /// done.
    void reserve(std::uint32_t count, const std::atomic<bool>& cancelled) {
        edges_.reserve(count);
        backup_.reserve(count);
        depths_.reserve(count);
        index_.reserve(count, edges_.questions(), cancelled);
    }

    /// Writes the numbers of a node to the edges that lead to it and calls visit(parent) for each parent.
    template <class Visit>
    void pass_to_parents(std::uint32_t b, Visit&& visit) {
        const Numbers numbers = edges_.block(b).current();
        const PackedNumbers now(numbers);
        const bool loose = dropped_.on() && numbers.proved();
        edges_.for_each_parent(
            b, [&](Edge& to) { to.numbers = now; },
            [&](std::uint32_t parent) {
                if (loose) edges_.block(parent).loose = 1;
                visit(parent);
            });
    }

    /// The length of the path above a block that has changed, if that is less than `length`; 1 at least.
    static std::size_t length_above(const Path& path, std::size_t length, std::uint32_t b) noexcept {
        for (std::size_t i = length; i-- > 0;) {
            if (path[i].node == NodeRef::expanded(b)) return std::max<std::size_t>(i, 1);
        }
        return length;
    }

    /// Takes the numbers of an expanded node, and its rank if it is solved, from its children. True if something
    /// changed that its parents use.
    bool recalculate(Block& block) {
        if (!backup_.recalculate(*this, block)) return false;
        if (block.numbers.solved()) solve(block);
        return true;
    }

    /// Gives a block the rank that follows from its children, which have just solved it.
    [[gnu::noinline]] void solve(Block& block) const {
        const bool proved = block.numbers.proved();
        SolvedRank rank(block.numbers);
        for (const Edge& edge : block) {
            if (edge.child != NodeRef::none()) {
                rank.add(numbers(edge), this->rank(edge.child));
            } else if (proved && !edge.numbers.proved()) {
                rank.add(disproved_numbers, edges_.least_rank(block));
            }
        }
        // A disproof has to refute the moves without an edge, too: see Leaf and append_block().
        block.solve(proved, proved ? rank.result() : std::max(rank.result(), edges_.least_rank(block)));
    }

    G game_;
    MoveOrder order_;
    Index index_;
    [[no_unique_address]] RecurrenceWatch<G> watch_;
    NodeDepths depths_;
    [[no_unique_address]] typename Backup::ForDag backup_;
    Edges edges_;
    DropSolved<Index, Edges> dropped_;
    Step root_;
    std::uint64_t created_ = 0;
    std::uint64_t updates_ = 0;
    typename G::Moves moves_;
    std::vector<Child> children_;
    ForeseenLeaf<Step, Child> foreseen_;
    std::vector<std::uint32_t> waiting_;  ///< the blocks of one level that are to be recalculated
    std::vector<std::uint32_t> changed_;  ///< the blocks of one level that changed
};

}  // namespace proofbase
