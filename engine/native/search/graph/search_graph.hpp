// What proof-number search asks of a graph: one concept, `SearchGraph`, with one signature of every member.
//
// A graph states its optional abilities in `traits`. Every trait promises members that are listed in a concept of its
// own. The search uses these members only where the trait is true, and never looks for a member that might be there:
// a graph that misspells a promised member does not compile.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "search/api/search.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// A bool without a default: a struct with such a member has to be initialised with an explicit value for it.
class ExplicitBool {
  public:
    constexpr ExplicitBool(bool value) noexcept
        : value_(value) {}  // NOLINT(google-explicit-constructor): written as a bool
    constexpr operator bool() const noexcept { return value_; }  // NOLINT(google-explicit-constructor): likewise

  private:
    bool value_;
};

/// The optional abilities of a graph. Every graph states all of them. In brackets: the concept of the members that a
/// graph with this ability must have.
struct GraphTraits {
    /// An answer may rest on a repetition that is none on another path. A solution is then a set of answers that
    /// support each other (cyclic_solution.hpp), and the search may end without an answer (RestsOnRepetition).
    ExplicitBool rests_on_repetition;
    /// A leaf may be evaluated when it is selected, and not when it is created (EvaluatesSelectedLeaves).
    ExplicitBool evaluates_selected_leaves;
    /// A leaf is developed by a search of its own, in several steps, as in pn^2-search
    /// (DevelopsLeavesBySecondSearch).
    ExplicitBool develops_leaves_by_second_search;
    /// The graph can delete the nodes below a solved node (DeletesNodes).
    ExplicitBool deletes_nodes;
    /// When memory runs out, the graph can give up leaves: nothing is searched below them any more (GivesUpLeaves).
    ExplicitBool gives_up_leaves;
    /// One step of the search may take long, so the graph ends it when time is over (WatchesClock).
    ExplicitBool watches_clock;
    /// Numbers may depend on the order of the updates, so that a restored search repeats the updates
    /// (DependsOnUpdateOrder).
    ExplicitBool depends_on_update_order;
};

/// A visitor for for_each_child() in the concepts below: it accepts any arguments.
struct AnyVisitor {
    template <class... Arguments>
    void operator()(const Arguments&...) const noexcept {}
};

/// A graph whose nodes can be read.
///
/// Types
///   Step     a node as the search comes to it: `node` (how the graph refers to it), `bound` (of the question that
///            the node asks) and `position`.
///
/// Requirements
///   numbers(node)     proof and disproof number, seen by the side to move.
///   rank(node)        of a solved node: within how many plies the answer is realised. A graph that rests on
///                     repetition knows it of leaves only.
///   expanded(node)    false for a leaf.
///   for_each_child(step, visit)   visit(step of the child, move, numbers) for the children of an expanded node. The
///                     numbers are those that this node sees: an end node (parent_list_graph.hpp) has other numbers
///                     than the ancestor that it stands for.
template <class Graph>
concept GraphNodes = requires(const Graph& graph, const typename Graph::Step& step) {
    { step.bound } -> std::convertible_to<int>;
    step.position;
    { graph.numbers(step.node) } -> std::convertible_to<Numbers>;
    { graph.rank(step.node) } -> std::convertible_to<std::uint32_t>;
    { graph.expanded(step.node) } -> std::same_as<bool>;
    { graph.for_each_child(step, AnyVisitor()) } -> std::same_as<void>;
};

/// A graph from which GraphSolution takes the claims that an answer rests on.
///
/// Requirements
///   claimed_elsewhere(node)   true if the node's claim comes from elsewhere: it was emitted when the nodes below it
///                     were deleted, or it is that of the ancestor that the node repeats.
///   preferred(a, b)   true if a proved node should rest on its child `a` and not on its child `b`; both are disproved.
///   omits_refuted_moves()   true with the policy `threats`: nodes omit the moves that a line of winning threats
///                     refutes.
///   Marks(graph)      remembers nodes: mark(node) is false if the node was marked before. A tree, which has one way to
///                     every node, remembers nothing.
template <class Graph>
concept SolvedGraph =
    GraphNodes<Graph> && requires(const Graph& graph, const typename Graph::Step& step, typename Graph::Marks& marks) {
        { graph.claimed_elsewhere(step.node) } -> std::same_as<bool>;
        { graph.preferred(step.node, step.node) } -> std::same_as<bool>;
        { graph.omits_refuted_moves() } -> std::same_as<bool>;
        requires std::constructible_from<typename Graph::Marks, const Graph&>;
        { marks.mark(step.node) } -> std::same_as<bool>;
    };

/// A graph from which CyclicSolution takes the claims that an answer rests on.
///
/// Requirements
///   size()            how many nodes have a number.
///   number(node)      the number of a node.
///   step(number)      the node with this number, on its own.
template <class Graph>
concept RestsOnRepetition =
    GraphNodes<Graph> && requires(const Graph& graph, const typename Graph::Step& step, std::uint32_t number) {
        { graph.size() } -> std::same_as<std::uint32_t>;
        { graph.number(step.node) } -> std::same_as<std::uint32_t>;
        { graph.step(number) } -> std::same_as<typename Graph::Step>;
    };

/// Requirements
///   evaluate(path)    evaluates the leaf at the end of the path, if that is still to be done; true if the leaf is
///                     solved now, so that it need not be expanded.
template <class Graph>
concept EvaluatesSelectedLeaves = requires(Graph& graph, const typename Graph::Path& path) {
    { graph.evaluate(path) } -> std::same_as<bool>;
};

/// Requirements
///   develop(path, cancelled, log)   goes on with the second search below the leaf at the end of the path. True when
///                     that search is done: the leaf is solved or has children, and the log has the result.
///   replay_development(path, log, index)   gives the leaf the result that develop() has added to the log at
///                     `index`, and moves the index behind it. Throws InvalidCheckpoint.
///   search_again(game, solved, records, cancelled, emit)   emits the claims that second searches found
///                     and did not keep, by searching again. Throws Cancelled. (Its types are those of the game: not
///                     checked here.)
///   expansions()      of all second searches.
template <class Graph>
concept DevelopsLeavesBySecondSearch =
    requires(Graph& graph, const Graph& constant, const typename Graph::Path& path, const std::atomic<bool>& cancelled,
             std::vector<std::uint32_t>& log, const std::vector<std::uint32_t>& written, std::size_t& index) {
        { graph.develop(path, cancelled, log) } -> std::same_as<bool>;
        { graph.replay_development(path, written, index) } -> std::same_as<void>;
        { constant.expansions() } -> std::same_as<std::uint64_t>;
    };

/// Requirements
///   delete_below(node)            deletes everything below a node, whose numbers and rank stay.
///   depends_on_path(node)         true if the answer of a solved node holds below one of its ancestors only.
template <class Graph>
concept DeletesNodes = requires(Graph& graph, const Graph& constant, const typename Graph::Step& step) {
    { graph.delete_below(step.node) } -> std::same_as<void>;
    { constant.depends_on_path(step.node) } -> std::same_as<bool>;
};

/// Requirements
///   give_up_least_proving()       gives up the least-proving leaf. The root is expanded, and neither solved nor given
///                     up.
///   root_given_up()   true if so many leaves were given up that the root can neither be proved nor disproved.
///   free_bytes()      bytes of deleted nodes that are not used again yet.
template <class Graph>
concept GivesUpLeaves = requires(Graph& graph, const Graph& constant) {
    { graph.give_up_least_proving() } -> std::same_as<void>;
    { constant.root_given_up() } -> std::same_as<bool>;
    { constant.free_bytes() } -> std::same_as<std::uint64_t>;
};

/// Requirements
///   set_deadline(time)            when a long step is to be broken off.
///   take_long_step()  true once after a step that took long: the search looks at the clock at once.
template <class Graph>
concept WatchesClock = requires(Graph& graph, std::chrono::steady_clock::time_point time) {
    { graph.set_deadline(time) } -> std::same_as<void>;
    { graph.take_long_step() } -> std::same_as<bool>;
};

/// Requirements
///   repeats_updates() true if numbers depend on the order of the updates with the options of this graph.
///   update_above(step)            the update after an expansion outside of a path.
template <class Graph>
concept DependsOnUpdateOrder = requires(Graph& graph, const Graph& constant, const typename Graph::Step& step) {
    { constant.repeats_updates() } -> std::same_as<bool>;
    { graph.update_above(step) } -> std::same_as<void>;
};

/// The graph of a proof-number search. Nodes are numbered from 0, the root, in the order in which they are created, so
/// that expanding the same nodes in the same order gives the same numbers again.
///
/// Types
///   Path     the steps from the root to the node under consideration.
///
/// Requirements
///   traits            a GraphTraits that states every optional ability.
///   root()            the root as a step.
///   ref(number), number(node)     between the number of a node and how the graph refers to it.
///   size()            how many nodes have a number.
///   created(), updates()          totals since the search began.
///   peak_nodes()      how many nodes were held at one time at most.
///   bytes(), node_bytes()         memory in use, and the part of it that holds nodes.
///   expand(path, cancelled)       creates the children of the unsolved leaf at the end of the path, or finds those
///                     that exist. Throws Cancelled, std::bad_alloc or an exception of a user's rules; the search can
///                     then go on as if the call had not been made. May change how the path refers to the node.
///   update(path)      passes the numbers of the node at the end of the path up; returns the length of the path up to
///                     the node where the search goes on: above that node, the choice of a child is the same as
///                     before. It may note in the path how the search goes on.
///   resume_length(length)         the length of the path with which the search goes on after update() returned
///                     `length`: this length, or 1 for a graph that descends from the root every time.
///   descend(path)     extends the path towards a most-proving node, by one step or more.
///   path_to(number)   a path to a node that is to be expanded again; graphs that need no ancestors for that give the
///                     node alone.
///   shown_path(path)  the line of play to show while the search stands at the end of `path`.
///   recalculate_all(cancelled)    recalculates the numbers of all nodes, after a checkpoint was restored. Throws
///                     Cancelled; the graph is of no use then.
template <class Graph>
concept SearchGraph =
    GraphNodes<Graph> &&
    requires(Graph& graph, const Graph& constant, typename Graph::Path& path, const typename Graph::Path& constant_path,
             const typename Graph::Step& step, std::uint32_t number, std::size_t length,
             const std::atomic<bool>& cancelled) {
        { Graph::traits } -> std::convertible_to<GraphTraits>;
        { constant.root() } -> std::same_as<typename Graph::Step>;
        { constant.ref(number) } -> std::same_as<decltype(Graph::Step::node)>;
        { constant.number(step.node) } -> std::same_as<std::uint32_t>;
        { constant.size() } -> std::same_as<std::uint32_t>;
        { constant.created() } -> std::same_as<std::uint64_t>;
        { constant.updates() } -> std::same_as<std::uint64_t>;
        { constant.peak_nodes() } -> std::same_as<std::uint64_t>;
        { constant.bytes() } -> std::same_as<std::uint64_t>;
        { constant.node_bytes() } -> std::same_as<std::uint64_t>;
        { graph.expand(path, cancelled) } -> std::same_as<void>;
        { graph.update(path) } -> std::same_as<std::size_t>;
        { constant.resume_length(length) } -> std::same_as<std::size_t>;
        { graph.descend(path) } -> std::same_as<void>;
        { constant.path_to(number) } -> std::same_as<typename Graph::Path>;
        { constant.shown_path(constant_path) } -> std::convertible_to<typename Graph::Path>;
        { graph.recalculate_all(cancelled) } -> std::same_as<void>;
    } &&
    (static_cast<bool>(Graph::traits.rests_on_repetition) || SolvedGraph<Graph>) &&
    (!Graph::traits.rests_on_repetition || RestsOnRepetition<Graph>) &&
    (!Graph::traits.evaluates_selected_leaves || EvaluatesSelectedLeaves<Graph>) &&
    (!Graph::traits.develops_leaves_by_second_search || DevelopsLeavesBySecondSearch<Graph>) &&
    (!Graph::traits.deletes_nodes || DeletesNodes<Graph>) && (!Graph::traits.gives_up_leaves || GivesUpLeaves<Graph>) &&
    (!Graph::traits.watches_clock || WatchesClock<Graph>) &&
    (!Graph::traits.depends_on_update_order || DependsOnUpdateOrder<Graph>);

/// Walks over all nodes look at `cancelled` once in so many nodes: well within a millisecond.
inline constexpr std::uint32_t nodes_per_stop_check = 4096;

inline void stop_if(const std::atomic<bool>& cancelled) {
    if (cancelled.load(std::memory_order_relaxed)) throw Cancelled();
}

/// Which nodes of a graph a walk has met; `Marks` of graphs in which several ways lead to a node.
template <class Graph>
class NodeMarks {
  public:
    explicit NodeMarks(const Graph& graph) : graph_(graph), marked_(graph.size()) {}

    /// False if the node was marked before.
    template <class Node>
    bool mark(Node node) {
        const std::uint32_t number = graph_.number(node);
        if (number >= marked_.size()) marked_.resize(number + std::size_t{1});  // a leaf that was evaluated again
        if (marked_[number]) return false;
        return marked_[number] = true;
    }

  private:
    const Graph& graph_;
    std::vector<bool> marked_;
};

}  // namespace proofbase
