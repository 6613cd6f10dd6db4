// How a graph with one node for each question finds its nodes. A question is a position, up to symmetry, and a bound;
// the graphs dag, parent list and base-twin have such nodes. The graph keeps the nodes; each has a stored `key` and a
// `bound`.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "concepts.hpp"
#include "keys.hpp"
#include "records/check/local_check.hpp"
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/arena.hpp"
#include "search/graph/key_pool.hpp"
#include "search/graph/node_index.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/orientation.hpp"

namespace proofbase {

/// A node on the path of a search.
template <Game G, class Node>
struct QuestionStep {
    Node node;
    int bound;
    typename G::Position position;  ///< the representative of the node's positions (Orientation)
};

template <Game G>
class QuestionIndex {
  public:
    using Position = typename G::Position;
    using Key = typename G::Key;
    using Move = typename G::Move;
    using StoredKey = typename KeyPool<Key>::Stored;

    static constexpr std::uint32_t none = NodeIndex::none;

    /// A child of a node that is being expanded. Three functions fill in its members: make_child() sets the position,
    /// the bound and the reward; identify() sets the key and the hash; look_up() calls identify() and sets the node or
    /// the leaf.
    struct Child {
        Position position;
        Key key;
        std::uint64_t hash;
        int bound;
        bool rewarded = false;    ///< the move to it has a reward; no cycle has such a move
        bool of_its_own = false;  ///< a node that other paths do not share: no find() finds it
        std::uint32_t node = none;
        Leaf leaf;                       ///< of a child without a node
        bool repetition_proves = false;  ///< of a child without a node: endless play would prove it
    };

    /// `game` is that of the graph and outlives the index.
    QuestionIndex(const SearchRequest<G>& request, const G& game, const Orientation<G>& orientation)
        : game_(game),
          orientation_(orientation),
          evaluator_(game, request.records, request.algorithm.initialisation()),
          slots_(request.algorithm.has("drop-solved")) {}

    /// The child to which a move leads.
    Child make_child(const Position& position, int bound, Move move) const {
        const int reward = game_.reward(position, move);
        Child child{};
        child.position = game_.play(position, move);
        child.bound = reward - bound + 1;
        child.rewarded = reward != 0;
        return child;
    }

    /// The step along an edge of the graph.
    template <class Node>
    QuestionStep<G, Node> step(const QuestionStep<G, Node>& from, Move move, Node to) const {
        const int bound = game_.reward(from.position, move) - from.bound + 1;
        return {to, bound, orientation_.representative(game_, game_.play(from.position, move))};
    }

    Position representative(Position position) const { return orientation_.representative(game_, std::move(position)); }
    Position position(const StoredKey& key) const { return position_of_key(game_, keys_.key(key)); }

    void identify(Child& child) const {
        child.key = orientation_.key(game_, child.position);
        child.hash = hash_question(child.key, child.bound);
    }

    /// `depth`: moves from the root of the search; only the initialisation policy `depth` asks for it.
    Leaf evaluate(const Child& child, std::size_t depth = 0) const {
        return evaluator_(child.position, child.bound, [&] { return game_.key(child.position); }, depth);
    }

    /// Finds the node of a child whose position and bound are set. A child without a node is evaluated. Also makes room
    /// in the index for `count` new nodes, so that inserting them cannot fail. Where this function or the rules throw,
    /// the graph is as before.
    template <class Nodes>
    void look_up(Child& child, std::uint64_t count, const Nodes& nodes, const std::atomic<bool>& cancelled,
                 std::size_t depth = 0) {
        child.position = representative(std::move(child.position));
        identify(child);
        reserve(count, nodes, cancelled);
        if (!child.of_its_own) child.node = find(child, nodes);
        if (child.node == none) child.leaf = evaluate(child, depth);
    }

    /// Calls look_up(), and sets repetition_proves as well.
    template <class Nodes>
    void look_up_with_repetition(Child& child, std::uint64_t count, const Nodes& nodes,
                                 const std::atomic<bool>& cancelled) {
        look_up(child, count, nodes, cancelled);
        if (child.node != none) return;
        const std::optional<int> rho = repetition_value(game_, child.position);
        child.repetition_proves = rho && *rho >= child.bound;
    }

    /// The node of an identified child, or none.
    template <class Nodes>
    std::uint32_t find(const Child& child, const Nodes& nodes) const {
        std::uint32_t found = none;
        slots_.for_each_candidate(child.hash, [&](std::uint32_t n) {
            if (!of_its_own(nodes[n]) && same_question(child, nodes[n])) found = n;
        });
        return found;
    }

    /// Fetches the slots of the index that find() reads, and the stored record that evaluate() may ask for, into the
    /// cache.
    void prefetch(const Child& child) const noexcept {
        slots_.prefetch(child.hash);
        evaluator_.prefetch(child.key);
    }
    /// Calls visit(node) for the nodes that find() compares.
    template <class Visit>
    void for_each_candidate(const Child& child, Visit&& visit) const {
        slots_.for_each_candidate(child.hash, visit);
    }

    /// Adds the node of an identified child to the index. Returns the key that the node has to store.
    StoredKey insert(const Child& child, std::uint32_t node) {
        const StoredKey stored = keys_.store(child.key);
        if (!child.of_its_own) slots_.insert(child.hash, node);
        return stored;
    }

    /// True if an identified child asks the question of a node.
    template <class StoredNode>
    bool same_question(const Child& child, const StoredNode& node) const {
        return node.bound == child.bound && keys_.key(node.key) == child.key;
    }

    /// Makes room for so many more nodes. Throws Cancelled; then the index is as before.
    template <class Nodes>
    void reserve(std::uint64_t more, const Nodes& nodes, const std::atomic<bool>& cancelled) {
        if (!slots_.full(nodes.size() + more)) return;
        const auto hash_of = [&](std::uint32_t n) { return hash_question(keys_.key(nodes[n].key), nodes[n].bound); };
        const auto in_use = [&](std::uint32_t n) {
            if constexpr (requires { nodes[n].deleted(); }) return !nodes[n].deleted();
            return !of_its_own(nodes[n]);
        };
        if (!slots_.enlarge(nodes.size() + more, nodes.size(), cancelled, hash_of, in_use)) throw Cancelled();
    }

    /// Takes a node out of the index.
    template <class Nodes>
    void erase(std::uint32_t node, const Nodes& nodes) {
        const auto hash_of = [&](std::uint32_t n) { return hash_question(keys_.key(nodes[n].key), nodes[n].bound); };
        slots_.erase(hash_of(node), node, hash_of);
        keys_.release(nodes[node].key);
    }

    /// True with the policy `threats`: nodes omit the moves that a line of winning threats refutes.
    bool omits_refuted_moves() const noexcept { return evaluator_.omits_refuted_moves(); }

    std::uint64_t bytes() const noexcept { return slots_.bytes() + keys_.bytes(); }
    std::uint64_t key_bytes() const noexcept { return keys_.bytes(); }

  private:
    template <class StoredNode>
    static bool of_its_own([[maybe_unused]] const StoredNode& node) noexcept {
        if constexpr (requires { node.of_its_own; }) return node.of_its_own;
        return false;
    }

    const G& game_;
    Orientation<G> orientation_;
    LeafEvaluator<G> evaluator_;
    KeyPool<Key> keys_;
    NodeIndex slots_;
};

}  // namespace proofbase
