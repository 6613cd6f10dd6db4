// Graphs whose nodes list their children and all their parents, with the updates of Schijf (1993): numbers are passed
// up by stack or by queue (4.6), with or without stopping where nothing changes. There are two kinds:
//
//   acyclic   a node for each position and bound (4.4: the practical algorithm); dag.hpp searches the same graph faster
//   cyclic    the same for games with cycles (5.4). A move to an ancestor leads to an end node, a leaf that stands for
//             the ancestor. The end node has the answer that repetition gives. If the ancestor is solved with the
//             opposite answer, the end node takes this answer.
//
// With Merging::conversions (Schijf 1993, 5.4, the second way; Allis 1994, 2.3.4), the cyclic kind merges only
// positions that a conversion leads to. Every other position has a node of its own on every path. The nodes between two
// conversions are a tree, and no line comes back across a conversion. So a repetition in it is one on every path, and
// no answer rests on one that is none.
//
// An end node is not stored as a node, but as a marked edge to the ancestor. An answer of the cyclic kind may rest on a
// repetition that is none on another path; cyclic_solution.hpp finds out whether the answer can be trusted.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "conversions.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/arena.hpp"
#include "search/graph/node_depths.hpp"
#include "search/graph/parent_list/ancestor_walk.hpp"
#include "search/graph/parent_list/parent_list_node.hpp"
#include "search/graph/question_index.hpp"
#include "search/graph/recurrence_watch.hpp"
#include "search/graph/search_graph.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// The order in which numbers are passed up to all parents (Schijf 1993, 4.4 and 4.6). Where several nodes are to be
/// updated: which one is next.
enum class UpdateOrder : std::uint8_t {
    stack,  ///< depth first: a node is updated once for every path that leads up to it
    queue,  ///< first come, first served: a node that waits already is not entered again
};

/// Which paths to a position share its node.
enum class Merging : std::uint8_t {
    all,          ///< all of them
    conversions,  ///< those that end with a conversion (is_conversion())
};

/// How the graph updates the parents of a node, and what it merges.
struct UpdatePolicy {
    UpdateOrder order = UpdateOrder::stack;
    bool early_stop = true;  ///< nothing is updated above a node whose numbers did not change
    Merging merging = Merging::all;
};

template <Game G, class Backup, bool cyclic>
class ParentListGraph {
    using Index = QuestionIndex<G>;

  public:
    using Step = QuestionStep<G, std::uint32_t>;
    using Path = std::vector<Step>;
    using Marks = NodeMarks<ParentListGraph>;

    static constexpr GraphTraits traits{
        .rests_on_repetition = cyclic,
        .evaluates_selected_leaves = false,
        .develops_leaves_by_second_search = false,
        .deletes_nodes = false,
        .gives_up_leaves = false,
        .watches_clock = true,
        .depends_on_update_order = false,
    };

    ParentListGraph(const SearchRequest<G>& request, Orientation<G> orientation, UpdatePolicy policy)
        : game_(request.game),
          order_(request.order),
          policy_(policy),
          index_(request, game_, orientation),
          watch_(game_),
          depths_(request.algorithm.initialisation()) {
        links_.append(1);  // number 0 stands for "none"
        Child root{};
        root.position = request.position;
        root.bound = request.at_least;
        look_up(root, 1, std::atomic<bool>(false), 0);
        create(root, 0);
        root_ = {0, root.bound, root.position};
    }

    Step root() const { return root_; }
    /// Nodes are referred to by their numbers, whether expanded or not.
    std::uint32_t ref(std::uint32_t number) const noexcept { return number; }
    std::uint32_t number(std::uint32_t node) const noexcept { return node; }
    Numbers numbers(std::uint32_t node) const noexcept { return nodes_[node].numbers; }
    /// The rank of a solved node; the cyclic kind has the ranks of leaves only.
    std::uint32_t rank(std::uint32_t node) const noexcept { return nodes_[node].rank; }
    bool expanded(std::uint32_t node) const noexcept { return nodes_[node].count != 0; }
    std::uint32_t size() const noexcept { return nodes_.size(); }
    std::uint64_t created() const noexcept { return nodes_.size() + end_nodes_; }
    std::uint64_t peak_nodes() const noexcept { return created(); }
    std::uint64_t updates() const noexcept { return updates_; }
    std::uint64_t bytes() const noexcept {
        return nodes_.bytes() + edges_.bytes() + links_.bytes() + index_.bytes() + ancestors_.bytes() + watch_.bytes() +
               depths_.bytes();
    }
    std::uint64_t node_bytes() const noexcept { return nodes_.bytes() + index_.key_bytes(); }

    bool omits_refuted_moves() const noexcept { return index_.omits_refuted_moves(); }
    bool claimed_elsewhere(std::uint32_t) const noexcept { return false; }
    bool preferred(std::uint32_t a, std::uint32_t b) const noexcept { return rank(a) < rank(b); }

    /// Sets the time at which an update along every path is to be broken off.
    void set_deadline(std::chrono::steady_clock::time_point time) noexcept { deadline_ = time; }
    /// True once after an update was broken off.
    bool take_long_step() noexcept { return std::exchange(broke_off_, false); }

    /// Creates the children of the unsolved leaf at the end of the path, or finds them where they exist. Where this or
    /// the rules throw, nothing has changed.
    void expand(const Path& path, const std::atomic<bool>& cancelled) {
        cancelled_ = &cancelled;
        const Step& step = path.back();
        order_(game_, step.position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        children_.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_.emplace_back(index_.make_child(step.position, step.bound, moves_[i]));
            child.of_its_own = merges_conversions_only() && !is_conversion(game_, step.position, moves_[i]);
            look_up(child, count, cancelled, depths_.below(step.node));
        }
        depths_.reserve(count);
        nodes_.reserve(count);
        edges_.reserve(count);
        links_.reserve(count);
        leads_to_end_node_.assign(count, false);
        if (merges_conversions_only()) {
            find_end_nodes_since_conversion(step.node);
        } else if (cyclic && !game_.acyclic()) {
            find_end_nodes(step.node);
        }
        watch_.expanding(
            step.node, children_,
            [&](std::uint32_t n, auto&& visit) {
                for (std::uint32_t i = 0; i < nodes_[n].count; ++i) visit(edges_[nodes_[n].first_edge + i]);
            },
            [&](std::uint32_t n) { return index_.position(nodes_[n].key); });

        const std::uint32_t first = edges_.append(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            const Child& child = children_[i];
            // The same position may stand twice among the children.
            std::uint32_t node = child.node;
            if (node == none) node = child.of_its_own ? among_children(i, first) : index_.find(child, nodes_);
            if (node == none) node = create(child, step.node);
            if (leads_to_end_node_[i]) ++end_nodes_;
            edges_[first + i] = node | (leads_to_end_node_[i] ? end_node_mark : 0);
            add_parent(node,
                       step.node | (leads_to_end_node_[i] ? end_node_mark : 0) | (child.rewarded ? reward_mark : 0));
        }
        nodes_[step.node].first_edge = first;
        nodes_[step.node].count = static_cast<Count>(count);
    }

    /// Passes the numbers of the node at the end of `path` up; returns the length of the path up to the first node of
    /// which a child may have changed.
    std::size_t update(const Path& path) {
        for (std::size_t i = 0; i < path.size(); ++i) {
            nodes_[path[i].node].path_length = static_cast<std::uint32_t>(i + 1);
        }
        kept_length_ = path.size();
        if (policy_.order == UpdateOrder::stack) {
            update_by_stack(path.back().node);
        } else {
            waiting_.push_back(path.back().node);
        }
        update_by_queue(!policy_.early_stop && !broke_off_);
        for (const Step& step : path) {
            if (!holds_rank(step.node)) nodes_[step.node].path_length = 0;
        }
        return kept_length_;
    }

    std::size_t resume_length(std::size_t length) const noexcept { return length; }

    void descend(Path& path) {
        const Step& step = path.back();
        const Node& node = nodes_[step.node];
        std::uint32_t i = 0;
        while (numbers_seen_by_parent(edges_[node.first_edge + i]).disproof != node.numbers.proof) ++i;
        order_(game_, step.position, moves_);
        path.push_back(index_.step(step, moves_[i], edges_[node.first_edge + i] & ~end_node_mark));
    }

    /// Calls visit(step of the child, move, numbers that the parent sees) for the children of an expanded node; for an
    /// end node the step is that of the ancestor.
    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        typename G::Moves moves;
        order_(game_, step.position, moves);
        const Node& node = nodes_[step.node];
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const std::uint32_t edge = edges_[node.first_edge + i];
            visit(index_.step(step, moves[i], edge & ~end_node_mark), moves[i], numbers_seen_by_parent(edge));
        }
    }

    /// The node with this number, as a step without a path.
    Step step(std::uint32_t number) const {
        return {number, nodes_[number].bound, index_.position(nodes_[number].key)};
    }
    /// Holds only the node: expanding it needs no ancestors.
    Path path_to(std::uint32_t number) const { return {step(number)}; }
    const Path& shown_path(const Path& path) const noexcept { return path; }

    /// Recalculates every node until nothing changes.
    void recalculate_all(const std::atomic<bool>& cancelled) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t n = nodes_.size(); n-- > 0;) {
                if (n % nodes_per_stop_check == 0) stop_if(cancelled);
                if (expanded(n) && recalculate(n)) changed = true;
            }
        }
    }

  private:
    static constexpr std::uint32_t none = Index::none;
    static constexpr std::uint32_t end_node_mark = 0x80000000;  ///< of an edge or a link: it leads to an end node
    static constexpr std::uint32_t reward_mark = 0x40000000;    ///< of a link: a move with a reward, in no cycle
    static constexpr std::uint32_t max_nodes = 0x3fffffff;
    static constexpr std::uint32_t clock_interval = 4096;  ///< updates

    using Child = typename Index::Child;
    using Node = ParentListNode<G>;
    using Count = typename Node::Count;
    using Link = ParentLink;

    /// QuestionIndex::look_up() for one of `count` children that are being created.
    void look_up(Child& child, std::uint32_t count, const std::atomic<bool>& cancelled, std::size_t depth) {
        if (nodes_.size() + std::uint64_t{count} > max_nodes) throw std::bad_alloc();
        if constexpr (cyclic) {
            index_.look_up_with_repetition(child, count, nodes_, cancelled);
        } else {
            index_.look_up(child, count, nodes_, cancelled, depth);
        }
    }

    std::uint32_t create(const Child& child, std::uint32_t parent) {
        const std::uint32_t n = nodes_.append(1);
        watch_.created(n, parent);
        depths_.created(parent);
        const std::uint32_t rank = child.leaf.numbers.solved() ? child.leaf.rank : 0;
        nodes_[n] = {index_.insert(child, n),
                     child.leaf.numbers,
                     child.bound,
                     0,
                     0,
                     0,
                     {rank},
                     0,
                     child.repetition_proves,
                     false,
                     child.of_its_own};
        return n;
    }

    /// Adds a parent, with its marks, to the list of a node. Does nothing if this parent is the last one of the list:
    /// another move of the parent leads to the same node.
    void add_parent(std::uint32_t node, std::uint32_t marked_parent) {
        Node& child = nodes_[node];
        if (child.last_link != 0 && links_[child.last_link].parent == marked_parent) return;
        const std::uint32_t n = links_.append(1);
        links_[n] = {marked_parent, 0};
        (child.last_link != 0 ? links_[child.last_link].next : child.first_link) = n;
        child.last_link = n;
    }

    /// Finds the children that are ancestors of `node`, or the node itself: their edges will lead to end nodes. Moves
    /// with a reward are not followed, since no cycle has one.
    void find_end_nodes(std::uint32_t node) {
        const auto may_be_end_node = [](const Child& child) { return child.node != none && !child.rewarded; };
        bool any_may_be_ancestor = false;
        for (std::size_t i = 0; i < children_.size(); ++i) {
            const Child& child = children_[i];
            leads_to_end_node_[i] = may_be_end_node(child) && child.node == node;
            any_may_be_ancestor |= may_be_end_node(child) && !leads_to_end_node_[i] && expanded(child.node);
        }
        if (!any_may_be_ancestor) return;
        ancestors_.walk_up(node, nodes_.size(), [&](std::uint32_t n, auto&& visit) {
            for (std::uint32_t l = nodes_[n].first_link; l != 0; l = links_[l].next) {
                if ((links_[l].parent & (end_node_mark | reward_mark)) == 0) visit(links_[l].parent);
            }
        });
        for (std::size_t i = 0; i < children_.size(); ++i) {
            if (may_be_end_node(children_[i]) && ancestors_.met(children_[i].node)) leads_to_end_node_[i] = true;
        }
    }

    bool merges_conversions_only() const noexcept { return cyclic && policy_.merging == Merging::conversions; }

    /// The same with Merging::conversions: only nodes since the last conversion can be repeated, and each of them has
    /// one parent.
    void find_end_nodes_since_conversion(std::uint32_t node) {
        for (std::size_t i = 0; i < children_.size(); ++i) {
            Child& child = children_[i];
            if (!child.of_its_own) continue;
            for (std::uint32_t n = node;; n = links_[nodes_[n].first_link].parent & max_nodes) {
                if (index_.same_question(child, nodes_[n])) {
                    leads_to_end_node_[i] = true;
                    child.node = n;
                    break;
                }
                if (!nodes_[n].of_its_own) break;
            }
        }
    }

    /// The node of an earlier child that asks the same question as child `i`, or none. `first`: edge of child 0.
    std::uint32_t among_children(std::uint32_t i, std::uint32_t first) const {
        for (std::uint32_t before = 0; before < i; ++before) {
            const std::uint32_t node = edges_[first + before] & ~end_node_mark;
            if (children_[before].of_its_own && !leads_to_end_node_[before] &&
                index_.same_question(children_[i], nodes_[node])) {
                return node;
            }
        }
        return none;
    }

    /// The numbers of a child as its parent sees them over the edge. An end node has the answer that repetition gives,
    /// unless the ancestor is solved with the opposite answer.
    Numbers numbers_seen_by_parent(std::uint32_t edge) const noexcept {
        const Node& child = nodes_[edge & ~end_node_mark];
        if constexpr (cyclic) {
            if ((edge & end_node_mark) != 0) {
                if (child.repetition_proves) {
                    return child.numbers.disproved() ? disproved_numbers : proved_numbers;
                }
                return child.numbers.proved() ? proved_numbers : disproved_numbers;
            }
        }
        return child.numbers;
    }

    /// True if the node's union holds the rank; false if it holds the path length.
    bool holds_rank(std::uint32_t node) const noexcept { return !cyclic && nodes_[node].numbers.solved(); }

    /// The update of one node; true if its numbers changed.
    bool update_node(std::uint32_t n) {
        ++updates_;
        const Node& node = nodes_[n];
        if (!holds_rank(n) && node.path_length != 0 && node.path_length < kept_length_) kept_length_ = node.path_length;
        return recalculate(n);
    }

    /// Updates `start` and the nodes above it, along every path. There may be too many paths: when time is over, the
    /// update is broken off: each node that is still to be updated goes into the queue, once.
    void update_by_stack(std::uint32_t start) {
        stack_.assign(1, start);
        std::uint32_t steps = 0;
        while (!stack_.empty()) {
            if (++steps % clock_interval == 0 && time_is_over()) {
                broke_off_ = true;
                for (; !stack_.empty(); stack_.pop_back()) enqueue(stack_.back());
                return;
            }
            const std::uint32_t node = stack_.back();
            stack_.pop_back();
            if (!update_node(node) && policy_.early_stop) continue;
            const std::size_t before = stack_.size();
            for_each_parent(node, [&](std::uint32_t parent) { stack_.push_back(parent); });
            std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(before), stack_.end());
        }
    }

    /// Updates the nodes in the queue and the nodes above them. With `above_unchanged`, the update goes on above nodes
    /// whose numbers do not change. When time is over, it stops at such nodes.
    void update_by_queue(bool above_unchanged) {
        std::uint32_t steps = 0;
        while (!waiting_.empty()) {
            if (above_unchanged && ++steps % clock_interval == 0 && time_is_over()) {
                broke_off_ = true;
                above_unchanged = false;
            }
            const std::uint32_t node = waiting_.front();
            waiting_.pop_front();
            nodes_[node].waiting = false;
            if (update_node(node) || above_unchanged)
                for_each_parent(node, [&](std::uint32_t parent) { enqueue(parent); });
        }
    }

    bool time_is_over() const {
        return cancelled_->load(std::memory_order_relaxed) || std::chrono::steady_clock::now() >= deadline_;
    }

    void enqueue(std::uint32_t node) {
        if (std::exchange(nodes_[node].waiting, true)) return;
        waiting_.push_back(node);
    }

    /// Visits the parents that see the last change of the node's numbers. A parent that has an end node for this node
    /// sees no change before the node is solved.
    template <class Visit>
    void for_each_parent(std::uint32_t node, Visit&& visit) const {
        const bool solved = numbers_before_.solved() || nodes_[node].numbers.solved();
        for (std::uint32_t l = nodes_[node].first_link; l != 0; l = links_[l].next) {
            const std::uint32_t parent = links_[l].parent;
            if ((parent & end_node_mark) == 0 || solved) visit(parent & max_nodes);
        }
    }

    /// Takes the numbers of an expanded node from its children; true if they changed.
    bool recalculate(std::uint32_t n) {
        Node& node = nodes_[n];
        Backup backup;
        for (std::uint32_t i = 0; i < node.count; ++i) backup.add(numbers_seen_by_parent(edges_[node.first_edge + i]));
        const Numbers now = backup.result();
        numbers_before_ = node.numbers;
        if (now == numbers_before_) return false;
        node.numbers = now;
        if (holds_rank(n)) {
            SolvedRank rank(now);
            for (std::uint32_t i = 0; i < node.count; ++i) {
                const Node& child = nodes_[edges_[node.first_edge + i]];
                rank.add(child.numbers, child.rank);
            }
            node.rank = rank.result();
        }
        return true;
    }

    G game_;
    MoveOrder order_;
    UpdatePolicy policy_;
    Index index_;
    [[no_unique_address]] RecurrenceWatch<G> watch_;
    NodeDepths depths_;
    Arena<Node> nodes_;
    Arena<std::uint32_t> edges_;  ///< children of a node side by side, with marks
    Arena<Link> links_;
    Step root_;
    std::uint64_t end_nodes_ = 0;
    std::uint64_t updates_ = 0;
    typename G::Moves moves_;
    std::vector<Child> children_;          ///< of the node that is being expanded
    std::vector<bool> leads_to_end_node_;  ///< by child: the edge leads to an end node
    std::vector<std::uint32_t> stack_;
    std::deque<std::uint32_t> waiting_;
    std::size_t kept_length_ = 0;                   ///< the result of update(), while that runs
    Numbers numbers_before_{};                      ///< of the node that was recalculated last
    const std::atomic<bool>* cancelled_ = nullptr;  ///< of the last expansion
    std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
    bool broke_off_ = false;  ///< the last update was broken off, since time was over
    AncestorWalk ancestors_;
};

}  // namespace proofbase
