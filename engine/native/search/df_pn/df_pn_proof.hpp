// What a df-pn search has proved, as a graph: the table holds most of it, and where an entry was lost the position is
// searched again, so that the graph is whole however small the table is.
//
// Collecting goes down from the solved root: one child where the side to move reaches its bound (the quickest of those
// that the table has), all children where it does not. Everything met is true, whatever path it was found on: so any
// choice will do for what repetition suits (docs/fact-model.md: its claims need no falling ranks). For the rest the
// ranks must fall; they are taken from the finished graph, from its ends backwards, and not from the table. In a game
// with cycles choices of different searches may lead in a circle; then some nodes get no rank, ranked() is false, and a
// search with a table that loses less is needed.
//
// The graph is one for GraphSolution (graph_solution.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/local_check.hpp"
#include "records/record_table.hpp"
#include "search/api/any_search.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/df_pn/df_pn_worker.hpp"
#include "search/graph/node_index.hpp"
#include "search/policy/initialisation.hpp"

namespace proofbase {

template <Game G>
class DfPnProof {
  public:
    using Shared = DfPnShared<G>;
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Words = typename Shared::Words;

    struct Step {
        std::uint32_t node;
        int bound;
        Position position;
    };

    DfPnProof(Shared& shared, const RecordTable<G>* known, std::uint64_t conditions)
        : shared_(shared), game_(shared.game), known_(known), worker_(shared) {
        worker_.limit_conditions(conditions);
    }

    /// Collects what a solved question rests on. The caller holds the gate of the known records. Throws Cancelled.
    void collect(const Position& root, int bound, bool proved) {
        node(root, bound, proved);
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) grow(n);
        rank();
    }

    bool ranked() const {
        return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.rank != infinite; });
    }

    // What GraphSolution asks of a graph.

    Step root() const { return step(0); }
    Numbers numbers(std::uint32_t n) const noexcept { return nodes_[n].proved ? proved_numbers : disproved_numbers; }
    std::uint32_t rank(std::uint32_t n) const noexcept { return nodes_[n].rank; }
    bool expanded(std::uint32_t n) const noexcept { return !nodes_[n].leaf; }
    bool claimed_elsewhere(std::uint32_t) const noexcept { return false; }
    bool preferred(std::uint32_t a, std::uint32_t b) const noexcept { return rank(a) < rank(b); }
    bool leaves_moves_to_lines() const noexcept { return false; }

    template <class Visit>
    void for_each_child(const Step& above, Visit&& visit) const {
        const Node& node = nodes_[above.node];
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            visit(step(edges_[i].child), static_cast<Move>(edges_[i].move), numbers(edges_[i].child));
        }
    }

    class Marks {
      public:
        explicit Marks(const DfPnProof& proof) : marked_(proof.nodes_.size()) {}
        bool mark(std::uint32_t n) {
            if (marked_[n]) return false;
            return marked_[n] = true;
        }

      private:
        std::vector<bool> marked_;
    };

  private:
    static constexpr std::uint32_t none = 0xffffffff;

    struct Node {
        Position position;
        Words key;
        int bound;
        std::uint32_t rank;
        std::uint32_t first;
        std::uint32_t count;
        bool proved;
        bool safe;  ///< repetition suits this answer
        bool leaf;
    };

    struct Edge {
        std::uint32_t child;
        std::uint32_t move;
    };

    struct Below {
        Position position;
        Words key;
        std::uint64_t hash;
        int bound;
    };

    Step step(std::uint32_t n) const { return {n, nodes_[n].bound, nodes_[n].position}; }

    std::uint64_t hash(std::uint32_t n) const { return hash_node(nodes_[n].key, nodes_[n].bound); }

    std::uint32_t find(const Words& key, int bound, std::uint64_t hash) const {
        std::uint32_t found = none;
        index_.for_each_candidate(hash, [&](std::uint32_t n) {
            if (nodes_[n].bound == bound && nodes_[n].key == key) found = n;
        });
        return found;
    }

    /// The number of a node, which is new or not.
    std::uint32_t node(const Position& position, int bound, bool proved) {
        const Words key = shared_.keys.words(game_.key(position));
        const Below below{position, key, hash_node(key, bound), bound};
        if (index_.full(nodes_.size() + 1)) {
            const auto count = static_cast<std::uint32_t>(nodes_.size());
            const auto hash_of = [this](std::uint32_t n) { return hash(n); };
            if (!index_.grow(count + 1, count, shared_.cancelled, hash_of)) throw Cancelled();
        }
        const std::uint32_t found = find(below.key, bound, below.hash);
        if (found != none) return found;
        const auto rho = shared_.game.acyclic() ? std::nullopt : repetition_value(game_, position);
        const bool safe = rho && (bound <= *rho) == proved;
        const auto n = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({position, below.key, bound, safe ? 0 : infinite, 0, 0, proved, safe, false});
        index_.insert(below.hash, n);
        return n;
    }

    /// Gives a node its children, or its rank if it is a leaf.
    void grow(std::uint32_t n) {
        if (shared_.cancelled.load(std::memory_order_relaxed)) throw Cancelled();
        const Position position = nodes_[n].position;
        const int bound = nodes_[n].bound;
        const bool proved = nodes_[n].proved;
        const Leaf leaf = shared_.evaluator(position, bound, [&] { return game_.key(position); });
        // Nothing is looked ahead for a safety claim: its evidence must be its children.
        if (leaf.numbers.solved() && (!nodes_[n].safe || ended(position, bound))) {
            nodes_[n].leaf = true;
            nodes_[n].rank = leaf.rank;  // a record that says more than is asked may be one of progress, with a rank
            return;
        }
        typename G::Moves moves;
        shared_.order(game_, position, moves);
        nodes_[n].first = static_cast<std::uint32_t>(edges_.size());
        if (proved) {
            const Move move = choose(n, moves);
            const std::uint32_t child = this->child(position, bound, move, false);
            edges_.push_back({child, static_cast<std::uint32_t>(move)});
        } else {
            for (std::size_t i = 0; i < moves.size(); ++i) {
                const std::uint32_t child = this->child(position, bound, moves[i], true);
                edges_.push_back({child, static_cast<std::uint32_t>(moves[i])});
            }
        }
        nodes_[n].count = static_cast<std::uint32_t>(edges_.size()) - nodes_[n].first;
    }

    std::uint32_t child(const Position& position, int bound, Move move, bool proved) {
        return node(game_.play(position, move), game_.reward(position, move) - bound + 1, proved);
    }

    /// The rules, a table or a record settle the question.
    bool ended(const Position& position, int bound) const {
        return settled_leaf(game_, known_, position, bound, [&] { return game_.key(position); }).has_value();
    }

    /// A move that proves a proved node.
    Move choose(std::uint32_t n, const typename G::Moves& moves) {
        const Node& above = nodes_[n];
        below_.clear();
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Position position = game_.play(above.position, moves[i]);
            const int bound = game_.reward(above.position, moves[i]) - above.bound + 1;
            const Words key = shared_.keys.words(game_.key(position));
            below_.push_back({position, key, hash_node(key, bound), bound});
            shared_.table.prefetch(below_.back().hash);
        }
        std::uint32_t least = infinite;
        std::size_t best = moves.size();
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Below& below = below_[i];
            const std::uint32_t met = find(below.key, below.bound, below.hash);
            std::uint32_t rank = infinite;
            if (met != none && !nodes_[met].proved && above.safe) {
                rank = 0;  // what is there already costs nothing more
            } else {
                DfPnEntry entry;
                const Leaf leaf =
                    shared_.evaluator(below.position, below.bound, [&] { return game_.key(below.position); });
                if (leaf.numbers.disproved()) {
                    rank = leaf.rank;
                } else if (!leaf.numbers.solved() && shared_.table.find(below.key, below.bound, below.hash, entry) &&
                           entry.numbers.disproved()) {
                    rank = above.safe ? entry.rank + 1 : entry.rank;
                }
            }
            if (rank < least) {
                least = rank;
                best = i;
            }
        }
        if (best < moves.size()) return moves[best];
        worker_.begin(above.position, above.bound);
        while (!worker_.solved()) {
            if (shared_.cancelled.load(std::memory_order_relaxed)) throw Cancelled();
            worker_.search(slice);
        }
        if (!worker_.answer().numbers.proved()) throw std::logic_error("df-pn: a proved node is not proved again");
        return worker_.answer_move();
    }

    /// Ranks from the ends backwards: the smallest come first.
    void rank() {
        std::vector<std::uint32_t> missing(nodes_.size());
        std::vector<std::uint32_t> starts(nodes_.size() + 1);
        for (const Edge& edge : edges_) ++starts[edge.child + 1];
        for (std::size_t n = 0; n < nodes_.size(); ++n) starts[n + 1] += starts[n];
        std::vector<std::uint32_t> parents(edges_.size());
        std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
        using Ranked = std::pair<std::uint32_t, std::uint32_t>;
        std::priority_queue<Ranked, std::vector<Ranked>, std::greater<>> queue;
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
            const Node& node = nodes_[n];
            missing[n] = node.count;
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) parents[next[edges_[i].child]++] = n;
            if (node.rank != infinite) queue.emplace(node.rank, n);
        }
        while (!queue.empty()) {
            const auto [rank, n] = queue.top();
            queue.pop();
            for (std::uint32_t i = starts[n]; i < starts[n + 1]; ++i) {
                Node& parent = nodes_[parents[i]];
                if (--missing[parents[i]] > 0 || parent.rank != infinite) continue;  // the last child is the slowest
                parent.rank = rank + 1;
                queue.emplace(parent.rank, parents[i]);
            }
        }
    }

    static constexpr std::uint64_t slice = 64;  // expansions

    Shared& shared_;
    const G& game_;
    const RecordTable<G>* known_;
    DfPnWorker<G> worker_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    NodeIndex index_;
    std::vector<Below> below_;
};

}  // namespace proofbase
