// The graph that the solution of a df-pn search is taken from (GraphSolution, graph_solution.hpp). The table holds most
// of the graph. Where an entry was lost, the position is searched again, so the graph is complete however small the
// table is.
//
// Collecting starts at the solved root. Of a proved node, one child is collected: the quickest of the disproved
// children that the table has. Of a disproved node, all children are collected.
//
// Ranks. All collected results hold on every path. So a safety claim (docs/fact-model.md), whose rank is 0, may rest on
// any choice of children. The rank of a progress claim must be larger than the ranks that it rests on. Ranks are
// therefore computed from the finished graph, from its leaves upwards, and not taken from the table. In a game with
// cycles, children chosen by different searches may form a cycle. The nodes of such a cycle get no rank, and
// all_ranked() is false: then a new search is needed, with a larger table, which loses fewer entries.
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
#include "records/check/local_check.hpp"
#include "search/api/search.hpp"
#include "search/df_pn/df_pn_question.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/df_pn/df_pn_worker.hpp"
#include "search/graph/node_index.hpp"
#include "search/policy/initialisation.hpp"

namespace proofbase {

template <Game G>
class DfPnSolutionGraph {
  public:
    using Shared = DfPnShared<G>;
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Question = DfPnQuestion<typename Shared::KeyWords>;

    struct Step {
        std::uint32_t node;
        int bound;
        Position position;
    };

    /// `worker_bytes` limits what the searches that fill gaps keep beside the table.
    DfPnSolutionGraph(Shared& shared, std::uint64_t worker_bytes)
        : shared_(shared), game_(shared.game), worker_(shared) {
        worker_.limit_bytes(worker_bytes);
    }

    /// Collects what the answer to a solved question rests on. The caller holds the mutex of the known
    /// records. Throws Cancelled.
    void collect(const Position& root, int bound, bool proved) {
        find_or_add(root, bound, proved);
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) expand(n);
        compute_ranks();
    }

    bool all_ranked() const {
        return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.rank != infinite; });
    }

    // What GraphSolution asks of a graph.

    Step root() const { return step(0); }
    Numbers numbers(std::uint32_t n) const noexcept { return nodes_[n].proved ? proved_numbers : disproved_numbers; }
    std::uint32_t rank(std::uint32_t n) const noexcept { return nodes_[n].rank; }
    bool expanded(std::uint32_t n) const noexcept { return !nodes_[n].is_leaf; }
    bool claimed_elsewhere(std::uint32_t) const noexcept { return false; }
    bool preferred(std::uint32_t a, std::uint32_t b) const noexcept { return rank(a) < rank(b); }
    bool omits_refuted_moves() const noexcept { return false; }

    template <class Visit>
    void for_each_child(const Step& parent, Visit&& visit) const {
        const Node& node = nodes_[parent.node];
        for (std::uint32_t i = node.first_edge; i < node.first_edge + node.edge_count; ++i) {
            visit(step(edges_[i].child), static_cast<Move>(edges_[i].move), numbers(edges_[i].child));
        }
    }

    class Marks {
      public:
        explicit Marks(const DfPnSolutionGraph& graph) : marked_(graph.nodes_.size()) {}
        bool mark(std::uint32_t n) {
            if (marked_[n]) return false;
            return marked_[n] = true;
        }

      private:
        std::vector<bool> marked_;
    };

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr std::uint64_t expansions_between_checks = 64;  ///< for cancel()

    struct Node {
        Position position;
        Question question;
        std::uint32_t rank;  ///< `infinite` until it is known
        std::uint32_t first_edge;
        std::uint32_t edge_count;
        bool proved;
        bool is_safety_claim;
        bool is_leaf;
    };

    struct Edge {
        std::uint32_t child;
        std::uint32_t move;
    };

    struct Candidate {
        Position position;
        Question question;
    };

    Step step(std::uint32_t n) const { return {n, nodes_[n].question.bound, nodes_[n].position}; }

    void stop_if_cancelled() const {
        if (shared_.cancelled.load(std::memory_order_relaxed)) throw Cancelled();
    }

    Question question_of(const Position& position, int bound) {
        return {shared_.keys.words(game_.key(position)), bound};
    }

    std::uint32_t find(const Question& question) const {
        std::uint32_t found = none;
        index_.for_each_candidate(question.hash, [&](std::uint32_t n) {
            if (nodes_[n].question == question) found = n;
        });
        return found;
    }

    /// The number of the node that asks this question. A new node is added if there is none.
    std::uint32_t find_or_add(const Position& position, int bound, bool proved) {
        const Question question = question_of(position, bound);
        if (index_.full(nodes_.size() + 1)) {
            const auto count = static_cast<std::uint32_t>(nodes_.size());
            const auto hash_of = [this](std::uint32_t n) { return nodes_[n].question.hash; };
            if (!index_.enlarge(count + 1, count, shared_.cancelled, hash_of)) throw Cancelled();
        }
        const std::uint32_t found = find(question);
        if (found != none) return found;
        const auto rho = shared_.game.acyclic() ? std::nullopt : repetition_value(game_, position);
        const bool is_safety_claim = rho && (bound <= *rho) == proved;
        const auto n = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({position, question, is_safety_claim ? 0 : infinite, 0, 0, proved, is_safety_claim, false});
        index_.insert(question.hash, n);
        return n;
    }

    /// Adds the edges of a node, or its rank if it is a leaf.
    void expand(std::uint32_t n) {
        stop_if_cancelled();
        const Position position = nodes_[n].position;
        const int bound = nodes_[n].question.bound;
        const Leaf leaf = shared_.evaluator(position, bound, [&] { return game_.key(position); });
        // The evidence of a safety claim must be its children: the game's look-ahead does not count.
        const bool needs_children = nodes_[n].is_safety_claim && !is_settled(position, bound);
        if (leaf.numbers.solved() && !needs_children) {
            nodes_[n].is_leaf = true;
            // Also of a safety claim: a stronger record may settle the question, and be a progress claim with a rank.
            nodes_[n].rank = leaf.rank;
            return;
        }
        typename G::Moves moves;
        shared_.move_order(game_, position, moves);
        nodes_[n].first_edge = static_cast<std::uint32_t>(edges_.size());
        if (nodes_[n].proved) {
            add_edge(n, proving_move(n, moves));
        } else {
            for (std::size_t i = 0; i < moves.size(); ++i) add_edge(n, moves[i]);
        }
        nodes_[n].edge_count = static_cast<std::uint32_t>(edges_.size()) - nodes_[n].first_edge;
    }

    /// The child's answer is the opposite of its parent's.
    void add_edge(std::uint32_t n, Move move) {
        const Position position = nodes_[n].position;
        const int child_bound = game_.reward(position, move) - nodes_[n].question.bound + 1;
        const std::uint32_t child = find_or_add(game_.play(position, move), child_bound, !nodes_[n].proved);
        edges_.push_back({child, static_cast<std::uint32_t>(move)});
    }

    /// True if the rules, a table of values or a record settle the question.
    bool is_settled(const Position& position, int bound) const {
        return settled_leaf(game_, shared_.records, position, bound, [&] { return game_.key(position); }).has_value();
    }

    /// A move that proves a proved node: to the child of the least rank, as far as ranks are known, else the move of a
    /// new search.
    Move proving_move(std::uint32_t n, const typename G::Moves& moves) {
        const Node& parent = nodes_[n];
        candidates_.clear();
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Position position = game_.play(parent.position, moves[i]);
            const int bound = game_.reward(parent.position, moves[i]) - parent.question.bound + 1;
            candidates_.push_back({position, question_of(position, bound)});
            shared_.table.prefetch(candidates_.back().question.hash);
        }
        std::uint32_t least_rank = infinite;
        std::size_t best = moves.size();
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const std::uint32_t rank = rank_of_disproved(candidates_[i], parent.is_safety_claim);
            if (rank < least_rank) {
                least_rank = rank;
                best = i;
            }
        }
        return best < moves.size() ? moves[best] : search_proving_move(parent);
    }

    /// The rank of a child that is known to be disproved; `infinite` if that is not known. For a parent that is a
    /// safety claim ranks do not matter: of its children, one that the graph has already comes first, then leaves.
    std::uint32_t rank_of_disproved(const Candidate& child, bool parent_is_safety_claim) const {
        const std::uint32_t n = find(child.question);
        if (n != none && !nodes_[n].proved && parent_is_safety_claim) return 0;
        const Leaf leaf =
            shared_.evaluator(child.position, child.question.bound, [&] { return game_.key(child.position); });
        if (leaf.numbers.disproved()) return leaf.rank;
        DfPnEntry entry;
        if (leaf.numbers.solved() || !shared_.table.find(child.question, entry)) return infinite;
        if (!entry.numbers.disproved()) return infinite;
        return parent_is_safety_claim ? entry.rank + 1 : entry.rank;
    }

    Move search_proving_move(const Node& node) {
        worker_.start(node.position, node.question.bound);
        while (!worker_.solved()) {
            stop_if_cancelled();
            worker_.search(expansions_between_checks);
        }
        if (!worker_.result().numbers.proved()) throw std::logic_error("df-pn: a proved node is not proved again");
        return worker_.proving_move();
    }

    /// Computes all ranks from the leaves upwards, the smallest first. The rank of a node is one more than the largest
    /// of its children's ranks.
    void compute_ranks() {
        std::vector<std::uint32_t> unranked_children(nodes_.size());
        // The parents of node n are parents[first_parent[n]] up to parents[first_parent[n + 1] - 1].
        std::vector<std::uint32_t> first_parent(nodes_.size() + 1);
        for (const Edge& edge : edges_) ++first_parent[edge.child + 1];
        for (std::size_t n = 0; n < nodes_.size(); ++n) first_parent[n + 1] += first_parent[n];
        std::vector<std::uint32_t> parents(edges_.size());
        std::vector<std::uint32_t> next_parent(first_parent.begin(), first_parent.end() - 1);
        using RankAndNode = std::pair<std::uint32_t, std::uint32_t>;
        std::priority_queue<RankAndNode, std::vector<RankAndNode>, std::greater<>> ranked;
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
            const Node& node = nodes_[n];
            unranked_children[n] = node.edge_count;
            for (std::uint32_t i = node.first_edge; i < node.first_edge + node.edge_count; ++i) {
                parents[next_parent[edges_[i].child]++] = n;
            }
            if (node.rank != infinite) ranked.emplace(node.rank, n);
        }
        while (!ranked.empty()) {
            const auto [rank, n] = ranked.top();
            ranked.pop();
            for (std::uint32_t i = first_parent[n]; i < first_parent[n + 1]; ++i) {
                Node& parent = nodes_[parents[i]];
                if (--unranked_children[parents[i]] > 0 || parent.rank != infinite) continue;
                parent.rank = rank + 1;  // the last child to be ranked has the largest rank
                ranked.emplace(parent.rank, parents[i]);
            }
        }
    }

    Shared& shared_;
    const G& game_;
    DfPnWorker<G> worker_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    NodeIndex index_;
    std::vector<Candidate> candidates_;  ///< the children of a proved node
};

}  // namespace proofbase
