// How a graph with one node for each question finds its nodes. A question is a position, up to symmetry, and a bound;
// the graphs dag, parent list and base-twin have such nodes. The graph keeps the nodes; each has a stored `key` and a
// `bound`.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "records/local_check.hpp"
#include "search/api/any_search.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/arena.hpp"
#include "search/graph/key_pool.hpp"
#include "search/graph/node_index.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/orientation.hpp"

namespace proofbase {

/// A node of a graph on the way of a search.
template <Game G, class Node>
struct QuestionStep {
    Node node;
    int bound;
    typename G::Position position;  ///< the one that stands for all positions of the node
};

template <Game G>
class QuestionIndex {
  public:
    using Position = typename G::Position;
    using Key = typename G::Key;
    using Move = typename G::Move;
    using StoredKey = typename KeyPool<Key>::Stored;

    static constexpr std::uint32_t none = NodeIndex::none;

    /// A child of a node that is being expanded. It is filled step by step: played() gives position, bound and reward,
    /// identify() key and hash, look_up() all.
    struct Child {
        Position position;
        Key key;
        std::uint64_t hash;
        int bound;
        bool rewarded = false;  ///< the move to it has a reward; no cycle has such a move
        std::uint32_t node = none;
        Leaf leaf;                              ///< of a child without a node
        bool repetition_reaches_bound = false;  ///< of a child without a node, for its side to move
    };

    /// `game` is that of the graph and outlives the index.
    QuestionIndex(const SearchRequest<G>& request, const G& game, const Orientation<G>& orientation)
        : game_(game), orientation_(orientation), evaluator_(game, request.known, request.algorithm.initialisation()) {}

    /// The child to which a move leads.
    Child played(const Position& position, int bound, Move move) const {
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
    Position position(const StoredKey& key) const { return *game_.position(keys_.key(key)); }

    void identify(Child& child) const {
        child.key = orientation_.key(game_, child.position);
        child.hash = hash_question(child.key, child.bound);
    }

    Leaf evaluate(const Child& child) const {
        return evaluator_(child.position, child.bound, [&] { return game_.key(child.position); });
    }

    /// Fills in all that has to be asked of the rules about a child with position and bound. Makes room in the index
    /// for `count` nodes, of which the child is one. Where this or the rules throw, the graph is as before.
    template <class Nodes>
    void look_up(Child& child, std::uint64_t count, const Nodes& nodes, const std::atomic<bool>& cancelled) {
        child.position = representative(std::move(child.position));
        identify(child);
        reserve(count, nodes, cancelled);
        child.node = find(child, nodes);
        if (child.node == none) child.leaf = evaluate(child);
    }

    /// The same, and whether repetition alone would reach the bound.
    template <class Nodes>
    void look_up_with_repetition(Child& child, std::uint64_t count, const Nodes& nodes,
                                 const std::atomic<bool>& cancelled) {
        look_up(child, count, nodes, cancelled);
        if (child.node != none) return;
        const std::optional<int> rho = repetition_value(game_, child.position);
        child.repetition_reaches_bound = rho && *rho >= child.bound;
    }

    /// The node of an identified child, or none.
    template <class Nodes>
    std::uint32_t find(const Child& child, const Nodes& nodes) const {
        std::uint32_t found = none;
        slots_.for_each_candidate(child.hash, [&](std::uint32_t n) {
            if (nodes[n].bound == child.bound && keys_.key(nodes[n].key) == child.key) found = n;
        });
        return found;
    }

    /// Fetches ahead the memory that find() reads: first that of the index, then the nodes that it compares.
    void prefetch(const Child& child) const noexcept { slots_.prefetch(child.hash); }
    template <class Nodes>
    void prefetch_candidates(const Child& child, const Nodes& nodes) const {
        slots_.for_each_candidate(child.hash, [&](std::uint32_t n) { __builtin_prefetch(&nodes[n]); });
    }

    /// Enters the node of an identified child; returns the key that the node keeps.
    StoredKey insert(const Child& child, std::uint32_t node) {
        const StoredKey stored = keys_.store(child.key);
        slots_.insert(child.hash, node);
        return stored;
    }

    /// Makes room for so many more nodes. Throws Cancelled; then the index is as before.
    template <class Nodes>
    void reserve(std::uint64_t more, const Nodes& nodes, const std::atomic<bool>& cancelled) {
        if (!slots_.full(nodes.size() + more)) return;
        const auto hash_of = [&](std::uint32_t n) { return hash_question(keys_.key(nodes[n].key), nodes[n].bound); };
        if (!slots_.enlarge(nodes.size() + more, nodes.size(), cancelled, hash_of)) throw Cancelled();
    }

    /// True where lines of winning threats answer moves that nodes do not have (policy `threats`).
    bool leaves_moves_to_lines() const noexcept { return evaluator_.leaves_moves_to_lines(); }

    std::uint64_t bytes() const noexcept { return slots_.bytes() + keys_.bytes(); }
    std::uint64_t key_bytes() const noexcept { return keys_.bytes(); }

  private:
    const G& game_;
    Orientation<G> orientation_;
    LeafEvaluator<G> evaluator_;
    KeyPool<Key> keys_;
    NodeIndex slots_;
};

}  // namespace proofbase
