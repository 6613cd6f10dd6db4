// Graph kind `dag`: one node for each position (up to symmetry) and bound, with all its parents; for games in which
// no line of play comes back to a position (Schijf 1993, 4.4: the practical algorithm).
//
// Numbers are passed up to all parents, level by level, and only from nodes that changed. Where all lines of play to a
// position are equally long, every node then changes at most once per expansion.
//
// The time goes into cache misses (about 300 ns each in a large graph). So an edge holds the numbers of its child: a
// node reads the edges to its children, which lie side by side, and not the children. And memory that the next steps
// will read is fetched ahead.
//
// A leaf has no numbers of its own: they stand in the edges that lead to it.
//
// With the memory policy `drop-solved` (Schijf 1993, 4.6; Allis 1994, 4.4.2) the graph forgets what its expansions do
// not need. A leaf that its evaluation solves gets no node, and a proved node no edge. A solved node loses its edges,
// and leaves below it that no other node has are deleted. All of them are evaluated again where they are met again, or
// where the solution needs them. So the same nodes are expanded, and only such evaluations count more than once.
// Where sets name leaves by their numbers (set_backup.hpp), leaves are not deleted: a new number would come later in
// the order of the leaves.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/arena.hpp"
#include "search/graph/dag/blocks.hpp"
#include "search/graph/dag/dag_node.hpp"
#include "search/graph/node_depths.hpp"
#include "search/graph/question_index.hpp"
#include "search/graph/recurrence_watch.hpp"
#include "search/graph/search_graph.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G, class Backup>
class Dag {
    using Index = QuestionIndex<G>;
    using Child = typename Index::Child;

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
          drops_solved_(request.algorithm.has("drop-solved")) {
        reserve(1, std::atomic<bool>(false));
        Child root{};
        root.position = index_.representative(request.position);
        root.bound = request.at_least;
        index_.identify(root);
        const Leaf leaf = index_.evaluate(root);
        create(root, leaf, 0);
        root_numbers_ = leaf.numbers;
        root_ = {NodeRef::leaf(0), root.bound, root.position};
    }

    Step root() const { return {ref(0), root_.bound, root_.position}; }
    /// A node is referred to by its number while it is a leaf, and by its block once it is expanded.
    NodeRef ref(std::uint32_t number) const noexcept {
        const Node& node = nodes_[number];
        return node.has_block() ? NodeRef::expanded(node.link) : NodeRef::leaf(number);
    }
    std::uint32_t number(NodeRef node) const noexcept {
        return node.is_expanded() ? blocks_[node.index()].node : node.index();
    }
    Numbers numbers(NodeRef node) const noexcept {
        if (node.is_expanded()) return blocks_[node.index()].current();
        if (node.index() >= nodes_.size()) return again(node).numbers;
        const Node& stored = nodes_[node.index()];
        if (stored.is_leaf()) return leaf_numbers(node, stored.parents());
        return stored.has_block() ? blocks_[stored.link].current() : stored.solved_numbers();
    }
    /// Of the child to which an edge leads.
    Numbers numbers(const Edge& edge) const noexcept {
        if (edge.numbers.fit()) [[likely]]
            return edge.numbers.numbers();
        return wide_numbers(edge.child);
    }
    /// Of a solved node.
    std::uint32_t rank(NodeRef node) const noexcept {
        if (node.is_expanded()) return blocks_[node.index()].solved_rank();
        if (node.index() >= nodes_.size()) return again(node).rank;
        const Node& stored = nodes_[node.index()];
        return stored.has_block() ? blocks_[stored.link].solved_rank() : stored.link;
    }
    /// True for every node that is no leaf any more, also for a deleted one.
    bool expanded(NodeRef node) const noexcept {
        if (node.is_expanded()) return true;
        return node.index() < nodes_.size() && (nodes_[node.index()].inner() || nodes_[node.index()].deleted());
    }
    std::uint32_t size() const noexcept { return nodes_.size(); }
    std::uint64_t created() const noexcept { return created_; }
    /// The numbers of deleted nodes are used again first.
    std::uint64_t peak_nodes() const noexcept { return nodes_.size(); }
    std::uint64_t updates() const noexcept { return updates_; }
    std::uint64_t bytes() const noexcept {
        return nodes_.bytes() + bounds_.bytes() + wide_ranks_.bytes() + wide_numbers_.bytes() + blocks_.bytes() +
               index_.bytes() + backup_.bytes() + watch_.bytes() + depths_.bytes();
    }
    std::uint64_t node_bytes() const noexcept { return nodes_.bytes() + blocks_.header_bytes() + index_.key_bytes(); }

    bool omits_refuted_moves() const noexcept { return index_.omits_refuted_moves(); }
    bool claimed_elsewhere(NodeRef) const noexcept { return false; }
    bool preferred(NodeRef a, NodeRef b) const noexcept { return rank(a) < rank(b); }

    /// Creates the children of the unsolved leaf at the end of the path, or finds them where they exist; the path then
    /// refers to the node's block. Throws Cancelled or std::bad_alloc before anything has changed.
    void expand(Path& path, const std::atomic<bool>& cancelled) {
        Step& step = path.back();
        const std::uint32_t number = step.node.index();
        list_moves(step.position, moves_);
        std::uint32_t rank = 0;  // the least rank that a disproof can have
        if constexpr (TellsThreats<G>) {
            if (omits_refuted_moves()) rank = disproof_rank_by_threats(game_, step.position);
        }
        const auto count = static_cast<std::uint32_t>(moves_.size());
        reserve(count, cancelled);
        // In passes, so that the cache misses of the index, then of the nodes, then of their blocks overlap.
        children_.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_.emplace_back(index_.make_child(step.position, step.bound, moves_[i]));
            index_.identify(child);
            index_.prefetch(child);
        }
        watch_for_recurrence(number);
        if (nodes_[number].is_leaf()) prefetch_parents(nodes_[number].parents());
        for (const Child& child : children_) {
            index_.for_each_candidate(child, [&](std::uint32_t n) { prefetch_node(n); });
        }
        if (nodes_[number].is_leaf()) prefetch_listed(nodes_[number].parents());
        find_children(number);
        const std::uint32_t here = append_block(number, rank);
        Block& block = blocks_[here];
        Node& node = nodes_[number];
        const bool below = path.size() > 1 && node.is_leaf();  // then the numbers are at hand
        block.numbers = below ? numbers(edge_to(step.node, path[path.size() - 2].node.index())) : numbers(step.node);
        block.node = number;
        // By records that were stored after the checkpoint that expands it:
        if (block.numbers.solved()) block.solve(block.numbers.proved(), node.link);
        Edge* edge = block.begin();
        for (const Child& child : children_) {
            if (block.sparse && is_left_out(child)) continue;
            edge->numbers = PackedNumbers(child.leaf.numbers);
            if (child.node == Index::none) {
                edge->child = NodeRef::none();
            } else {
                edge->child = ref(child.node);
                if (!edge->numbers.fit()) wide_numbers_.set(child.node, child.leaf.numbers);
                const Node& to = nodes_[child.node];
                if (to.is_leaf() && to.parents().in_piece()) blocks_.prefetch(to.parents().any(blocks_.units()));
            }
            ++edge;
        }
        block.parents = {};
        for (Edge& to : block) {
            if (to.child != NodeRef::none()) add_parent(here, to);
        }
        const NodeRef leaf = step.node;
        step.node = NodeRef::expanded(here);
        if (node.is_leaf()) divide_parents(node.parents(), leaf, step.node, block.parents);
        node.set(NodeState::expanded, here);
    }

    /// Passes the numbers of the node at the end of `path` up. Returns the length of the path up to the node
    /// where the search goes on: above that node, the choice of a child is the same as before.
    std::size_t update(const Path& path) {
        std::size_t kept_length = path.size();
        backup_.begin_update();
        waiting_.clear();
        waiting_.push_back(path.back().node.index());
        blocks_[waiting_[0]].on_path = 1;
        // Level by level, so that the cache misses on the way to all parents of a level overlap.
        while (!waiting_.empty()) {
            changed_.clear();
            for (const std::uint32_t b : waiting_) {
                Block& block = blocks_[b];
                block.waiting = 0;
                if (block.numbers.solved()) continue;
                ++updates_;
                const bool changed = recalculate(block);
                if (block.loose && !block.numbers.solved()) leave_out_proved(b);
                if (!changed) continue;
                if (drops_solved_ && block.numbers.solved() && block.node != 0) solved_.push_back(b);
                // The parent on the path may now choose another child.
                if (block.on_path) kept_length = length_above(path, kept_length, b);
                if (block.parents.first != 0) blocks_.prefetch(block.parents.first);
                prefetch_parents(block.parents.others);
                changed_.push_back(b);
            }
            waiting_.clear();
            for (const std::uint32_t b : changed_) prefetch_listed(blocks_[b].parents.others);
            for (const std::uint32_t b : changed_) {
                pass_to_parents(b, [&](std::uint32_t parent) {
                    if (blocks_[parent].waiting) return;
                    blocks_[parent].waiting = 1;
                    blocks_[parent].parents.others.prefetch(blocks_.units());
                    waiting_.push_back(parent);
                });
            }
        }
        if (drops_solved_) drop_below_solved_nodes();
        if (backup_.restarts_at_root()) kept_length = 1;
        for (std::size_t i = kept_length; i < path.size(); ++i) blocks_[path[i].node.index()].on_path = 0;
        return kept_length;
    }

    std::size_t resume_length(std::size_t length) const noexcept { return length; }

    void descend(Path& path) {
        const Step& step = path.back();
        Block& block = blocks_[step.node.index()];
        block.on_path = 1;
        const Edge* edge = backup_.select(*this, block);
        const NodeRef child = edge->child;
        if (child.is_expanded()) {
            blocks_.prefetch(child.index());
        } else {
            prefetch_node(child.index());
        }
        list_moves(step.position, moves_);
        path.push_back(index_.step(step, moves_[block.move_of(edge)], child));
    }

    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        typename G::Moves moves;
        list_moves(step.position, moves);
        if (drops_solved_) return find_each_child(step, moves, visit);
        const Block& block = blocks_[step.node.index()];
        for (std::uint32_t i = 0; i < moves.size(); ++i) {
            NodeRef child = block.begin()[i].child;
            if (!child.is_expanded()) child = ref(child.index());  // where it was expanded when it was solved already
            visit(index_.step(step, moves[i], child), moves[i], numbers(block.begin()[i]));
        }
    }

    /// True if a restored search must update after each expansion: the backup depends on the order of the updates.
    bool repeats_updates() const noexcept { return drops_solved_ || backup_.repeats_updates(); }

    /// Updates a node that was expanded outside of a path, and the nodes above it.
    void update_above(const Step& expanded) {
        update(Path{expanded});
        blocks_[expanded.node.index()].on_path = 0;
    }

    /// Holds only the node: expanding it needs no ancestors.
    Path path_to(std::uint32_t number) const {
        const Node& node = nodes_[number];
        return {{ref(number), bounds_.bound(node, number), index_.position(node.key())}};
    }

    const Path& shown_path(const Path& path) const noexcept { return path; }

    /// Recalculates every node until nothing changes. Most children have higher numbers than their parents, so few
    /// rounds suffice: every round gives at least one more level of the graph, from the leaves upwards, its final
    /// numbers.
    void recalculate_all(const std::atomic<bool>& cancelled) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t n = nodes_.size(); n-- > 0;) {
                if (n % nodes_per_stop_check == 0) stop_if(cancelled);
                const std::uint32_t b = nodes_[n].link;
                if (!nodes_[n].has_block() || blocks_[b].numbers.solved() || !recalculate(blocks_[b])) continue;
                changed = true;
                pass_to_parents(b, [](std::uint32_t) {});
            }
        }
    }

  private:
    using Node = DagNode<typename Index::StoredKey>;
    static_assert(alignof(Node) == 1);

    /// The nodes as questions, for the index.
    struct Questions {
        struct Question {
            typename Node::Key key;
            int bound;
            bool is_deleted;
            bool deleted() const noexcept { return is_deleted; }
        };
        const Dag& dag;
        Question operator[](std::uint32_t n) const {
            const Node& node = dag.nodes_[n];
            return {node.key(), dag.bounds_.bound(node, n), node.deleted()};
        }
        std::uint32_t size() const noexcept { return dag.nodes_.size(); }
    };
    Questions questions() const noexcept { return {*this}; }

    /// Fetches a node into the cache: two lines may have a part of it.
    void prefetch_node(std::uint32_t number) const noexcept {
        const char* const node = reinterpret_cast<const char*>(&nodes_[number]);
        __builtin_prefetch(node);
        __builtin_prefetch(node + sizeof(Node) - 1);
    }
    /// Fetches the parents in a list's piece of memory into the cache.
    void prefetch_listed(const ParentList& parents) const noexcept {
        if (!parents.in_piece()) return;
        parents.for_each(blocks_.units(), [&](std::uint32_t parent) { blocks_.prefetch(parent); });
    }
    /// Fetches parents, or the list of them, into the cache.
    void prefetch_parents(const ParentList& parents) const noexcept {
        if (parents.in_piece()) {
            parents.prefetch(blocks_.units());
        } else if (!parents.empty()) {
            blocks_.prefetch(parents.word());
        }
    }

    /// The numbers of a leaf, from an edge that leads to it. Those of a leaf without a parent are not known; it is the
    /// root, or will be evaluated again.
    Numbers leaf_numbers(NodeRef leaf, const ParentList& parents) const noexcept {
        if (parents.empty()) return leaf.index() == 0 ? root_numbers_ : Numbers{1, 1};
        return numbers(edge_to(leaf, parents.any(blocks_.units())));
    }

    /// The numbers of an open child, where those in the edges are not complete.
    [[gnu::noinline]] Numbers wide_numbers(NodeRef child) const noexcept {
        return child.is_expanded() ? blocks_[child.index()].current() : wide_numbers_[child.index()];
    }

    /// The first edge from a parent to a child.
    const Edge& edge_to(NodeRef child, std::uint32_t parent) const noexcept {
        const Edge* edge = blocks_[parent].begin();
        while (edge->child != child) ++edge;
        return *edge;
    }

    /// Enters a block into the parents of a child. The edge gets the numbers of a child that is not new. A solved child
    /// has no parents.
    void add_parent(std::uint32_t block, Edge& to) {
        std::uint32_t taken = 0;
        if (to.child.is_expanded()) {
            Block& of_child = blocks_[to.child.index()];
            to.numbers = PackedNumbers(of_child.current());
            if (!to.numbers.solved()) taken = of_child.parents.add(blocks_.units(), block);
        } else {
            Node& child = nodes_[to.child.index()];
            if (!child.is_leaf()) {
                to.numbers = PackedNumbers(child.solved_numbers());
                return;
            }
            ParentList parents = child.parents();
            if (!parents.empty()) to.numbers = edge_to(to.child, parents.any(blocks_.units())).numbers;
            taken = parents.add(blocks_.units(), block);
            child.link = parents.word();
        }
        largest_list_ = std::max(largest_list_, taken);
    }

    /// Makes the parents of a leaf those of an expanded node, whose edges lead to its block from now on.
    void divide_parents(ParentList list, NodeRef leaf, NodeRef expanded, Parents& parents) {
        list.for_each(blocks_.units(), [&](std::uint32_t parent) {
            for (Edge& edge : blocks_[parent]) {
                if (edge.child == leaf) edge.child = expanded;
            }
        });
        parents.first = list.take(blocks_.units());
        parents.others = list;
    }

    /// The moves of a node, in the search's order; the same at every call.
    void list_moves(const Position& position, typename G::Moves& moves) const {
        order_(game_, position, moves);
        if constexpr (TellsThreats<G>) {
            if (omits_refuted_moves()) omit_refuted_moves(game_, position, moves);
        }
    }

    std::uint32_t create(const Child& child, const Leaf& leaf, std::uint32_t parent) {
        ++created_;
        std::uint32_t n = last_deleted_;
        if (n != Index::none) {
            last_deleted_ = nodes_[n].link;
        } else {
            n = nodes_.append(1);
        }
        backup_.node_created(n, parent);
        watch_.created(n, parent);
        depths_.created(parent);
        Node& node = nodes_[n];
        node.stored_key = index_.insert(child, n);
        bounds_.set_bound(node, n, child.bound);
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
            child.node = index_.find(child, questions());
            if (child.node != Index::none) {
                const Node& node = nodes_[child.node];
                if (node.has_block()) {
                    blocks_.prefetch(node.link);
                } else if (node.is_leaf()) {
                    if (node.parents().empty()) {
                        evaluate_again(child, number);
                    } else {
                        prefetch_parents(node.parents());
                    }
                }
                continue;
            }
            child.leaf = index_.evaluate(child, depths_.below(number));
            if (drops_solved_ && child.leaf.numbers.solved()) {
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
        set_leaf(nodes_[child.node], child.leaf);
    }

    /// With `drop-solved`: a proved child changes no numbers, so it needs no edge.
    bool is_left_out(const Child& child) const noexcept {
        return child.node == Index::none ? child.leaf.numbers.proved() : nodes_[child.node].proved();
    }

    /// The block of a node with the children in children_, whose disproof has at least this rank. With `drop-solved`,
    /// proved children are left out if the moves are few enough. The rank of what is left out, and of children without
    /// a node, becomes a part of the node's own.
    std::uint32_t append_block(std::uint32_t number, std::uint32_t rank) {
        const auto count = static_cast<std::uint32_t>(children_.size());
        std::uint32_t left_out = 0;
        std::uint32_t edges = count;
        if (drops_solved_) {
            std::uint32_t quickest = infinite;
            for (std::uint32_t i = 0; i < count; ++i) {
                const Child& child = children_[i];
                if (is_left_out(child)) {
                    rank =
                        std::max(rank, (child.node == Index::none ? child.leaf.rank : this->rank(ref(child.node))) + 1);
                    if (count <= Block::most_sparse_moves) {
                        left_out |= 1u << i;
                        --edges;
                    }
                } else if (child.node == Index::none) {
                    quickest = std::min(quickest, child.leaf.rank);
                }
            }
            if (quickest != infinite) rank = quickest;
        }
        const std::uint32_t here = blocks_.append(edges);
        if (left_out != 0) blocks_[here].leave_out(edges, left_out);
        set_rank(blocks_[here], number, rank);
        return here;
    }

    /// Takes the edges to proved children out of a block: they change no numbers any more. Only with `drop-solved`.
    void leave_out_proved(std::uint32_t b) {
        Block& block = blocks_[b];
        block.loose = 0;
        if (!block.sparse && block.count() > Block::most_sparse_moves) return;
        const std::uint32_t left_out_before = block.left_out();
        std::uint32_t left_out = left_out_before;
        std::uint32_t rank = least_rank(block);
        Edge* kept = block.begin();
        std::uint32_t move = 0;
        for (const Edge& edge : block) {
            while ((left_out_before >> move & 1) != 0) ++move;
            if (edge.numbers.proved()) {
                rank = std::max(rank, this->rank(edge.child) + 1);
                left_out |= 1u << move;
            } else {
                *kept++ = edge;
            }
            ++move;
        }
        if (kept == block.end()) return;
        blocks_.shrink(b, static_cast<std::uint32_t>(kept - block.begin()), left_out);
        set_rank(block, block.node, rank);
    }

    /// Of an open node: the least rank that its disproof can have. Where a child without a node proves it, the rank of
    /// the quickest of these children instead.
    std::uint32_t least_rank(const Block& block) const {
        return block.rank != Block::wide_rank ? block.rank : wide_ranks_[block.node];
    }
    void set_rank(Block& block, std::uint32_t number, std::uint32_t rank) {
        block.rank = (rank < Block::wide_rank ? rank : Block::wide_rank) & Block::wide_rank;
        if (rank >= Block::wide_rank) wide_ranks_.set(number, rank);
    }

    /// A leaf that was evaluated again.
    const Leaf& again(NodeRef node) const noexcept { return evaluated_again_[node.index() - nodes_.size()]; }

    /// As for_each_child(), from the positions after the moves: with `drop-solved`, edges may be gone. Leaves that have
    /// no node are evaluated again.
    template <class Visit>
    void find_each_child(const Step& step, const typename G::Moves& moves, Visit&& visit) const {
        for (std::uint32_t i = 0; i < moves.size(); ++i) {
            Child child = index_.make_child(step.position, step.bound, moves[i]);
            index_.identify(child);
            const std::uint32_t node = index_.find(child, questions());
            NodeRef found = node == Index::none ? NodeRef::none() : ref(node);
            if (node == Index::none) {
                found = NodeRef::leaf(nodes_.size() + static_cast<std::uint32_t>(evaluated_again_.size()));
                evaluated_again_.push_back(index_.evaluate(child));
            }
            visit(index_.step(step, moves[i], found), moves[i], numbers(found));
        }
    }

    /// Takes their blocks from the nodes that the last update solved. Leaves that only they have are deleted. The root
    /// keeps its block.
    void drop_below_solved_nodes() {
        for (const std::uint32_t b : solved_) {
            Block& block = blocks_[b];
            Node& node = nodes_[block.node];
            const NodeRef closed = NodeRef::leaf(block.node);
            for (const Edge& edge : block) {
                if (edge.child != NodeRef::none() && !edge.numbers.solved()) take_out(b, edge.child);
            }
            for_each_parent(block.parents, NodeRef::expanded(b), [&](Block&, Edge& to) { to.child = closed; });
            node.set(block.numbers.proved() ? NodeState::proved_inner : NodeState::disproved_inner,
                     block.solved_rank());
            blocks_.release(b);
        }
        solved_.clear();
    }

    /// Takes a parent from an open child. Deletes the child if it is a leaf and has no other parent. (The nodes below
    /// an expanded one may be met again, and are searched no second time.)
    void take_out(std::uint32_t parent, NodeRef child) {
        const std::uint32_t n = child.index();
        if (child.is_expanded()) {
            blocks_[n].parents.remove(blocks_.units(), parent);
            return;
        }
        if (!nodes_[n].is_leaf()) return;  // two moves lead to it, and it is deleted
        ParentList parents = nodes_[n].parents();
        const bool found = parents.remove(blocks_.units(), parent);
        nodes_[n].link = parents.word();
        if (!found || !parents.empty() || backup_.restarts_at_root()) return;
        index_.erase(n, questions());
        nodes_[n].set(NodeState::deleted, last_deleted_);
        last_deleted_ = n;
    }

    /// Throws if one of children_ is an ancestor of the node that is being expanded. For users' games only.
    void watch_for_recurrence([[maybe_unused]] std::uint32_t number) {
        if constexpr (Unproven<G>) {
            for (Child& child : children_) child.node = index_.find(child, questions());
            watch_.expanding(
                number, children_,
                [&](std::uint32_t n, auto&& visit) {
                    if (!ref(n).is_expanded()) return;
                    for (const Edge& edge : blocks_[nodes_[n].link]) {
                        if (edge.child != NodeRef::none()) visit(this->number(edge.child));
                    }
                },
                [&](std::uint32_t n) { return index_.position(nodes_[n].key()); });
        }
    }

    /// Makes room for one more block with `count` edges and as many new nodes, so that an expansion does not fail half
    /// done.
    void reserve(std::uint32_t count, const std::atomic<bool>& cancelled) {
        nodes_.reserve(count);
        const std::uint64_t largest_list = 2 * std::uint64_t{largest_list_} + 1;
        blocks_.reserve(count, count * largest_list, largest_list);
        backup_.reserve(count);
        depths_.reserve(count);
        bounds_.reserve(count);
        wide_ranks_.reserve(1);
        wide_numbers_.reserve(count);
        if (nodes_.size() + std::uint64_t{count} > NodeRef::limit) throw std::bad_alloc();
        index_.reserve(count, questions(), cancelled);
    }

    /// Calls visit(block, edge) for every edge that leads to `child`.
    template <class Visit>
    void for_each_parent(const Parents& parents, NodeRef child, Visit&& visit) {
        parents.for_each(blocks_.units(), [&](std::uint32_t parent) {
            Block& block = blocks_[parent];
            for (Edge& edge : block) {
                if (edge.child == child) visit(block, edge);
            }
        });
    }

    /// Writes the numbers of a node to the edges that lead to it and calls visit(parent) for each parent.
    template <class Visit>
    void pass_to_parents(std::uint32_t b, Visit&& visit) {
        const NodeRef child = NodeRef::expanded(b);
        const Numbers numbers = blocks_[b].current();
        const PackedNumbers now(numbers);
        const bool loose = drops_solved_ && numbers.proved();
        blocks_[b].parents.for_each(blocks_.units(), [&](std::uint32_t parent) {
            Block& block = blocks_[parent];
            for (Edge& edge : block) {
                if (edge.child == child) edge.numbers = now;
            }
            if (loose) block.loose = 1;
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
                rank.add(disproved_numbers, least_rank(block));
            }
        }
        // A disproof has to refute the moves without an edge, too: see Leaf and append_block().
        block.solve(proved, proved ? rank.result() : std::max(rank.result(), least_rank(block)));
    }

    G game_;
    MoveOrder order_;
    Index index_;
    [[no_unique_address]] RecurrenceWatch<G> watch_;
    NodeDepths depths_;
    [[no_unique_address]] typename Backup::ForDag backup_;
    Arena<Node> nodes_;
    NodeBounds bounds_;
    WideWords<std::uint32_t> wide_ranks_;  ///< of expanded nodes: see least_rank()
    WideWords<Numbers> wide_numbers_;      ///< of leaves
    Blocks blocks_;
    Step root_;
    Numbers root_numbers_{};  ///< while it is a leaf
    bool drops_solved_;
    std::uint32_t last_deleted_ = Index::none;   ///< begins the list of deleted nodes, whose numbers are used again
    mutable std::vector<Leaf> evaluated_again_;  ///< for a solution: their numbers are those behind the nodes
    std::vector<std::uint32_t> solved_;          ///< the blocks that an update has solved
    std::uint32_t largest_list_ = 0;             ///< units of the largest list of parents
    std::uint64_t created_ = 0;
    std::uint64_t updates_ = 0;
    typename G::Moves moves_;
    std::vector<Child> children_;
    std::vector<std::uint32_t> waiting_;  ///< the blocks of one level that are to be recalculated
    std::vector<std::uint32_t> changed_;  ///< the blocks of one level that changed
};

}  // namespace proofbase
