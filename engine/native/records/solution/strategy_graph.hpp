// The nodes of a search for a solution with strategies (strategy_solution.hpp), with their costs: how many claims the
// cheapest solution below a node has, as far as it is known.
//
//   * There are nodes where the prover moves and nodes where the other side moves, by key. A node of the other side has
//     the best diagram that was found. Its cost is 1 and the costs of the replies that the diagram does not answer;
//     nothing where it answers all of them: the claim after the prover's move then rests on the diagram itself.
//   * The cost of a node of the prover is 1 and that of the cheapest of the moves that keep the bound. As long as the
//     node is not expanded, its cost is estimated: the mean of those that were, by the number of empty squares.
//   * What several nodes of a solution share counts a share of its cost for each of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "records/evidence/strategy/strategy_finder.hpp"

namespace proofbase {

template <Game G>
class StrategyGraph {
  public:
    using Key = typename G::Key;
    using Position = typename G::Position;
    using Move = typename G::Move;

    static constexpr std::uint32_t none = 0xffffffff;

    /// The number of a node, among those where the prover moves or the others.
    struct Node {
        std::uint32_t number;
        bool prover;
    };

    /// A move of the prover; without a node it ends the game.
    struct Option {
        Move move;
        std::uint32_t node;
    };

    struct ProverNode {
        Key key;
        std::uint32_t empty;
        bool expanded = false;
        bool solved = false;
        std::uint32_t best = 0;  ///< of the options
        std::vector<Option> options;
        double cost = 0;
        double share = 1;  ///< of the cost that each node above counts
    };

    struct OtherNode {
        Key key;
        std::uint32_t empty;
        int attempts = -1;  ///< of the searches for a diagram so far
        bool full = false;  ///< the diagram answers everything
        bool solved = false;
        FoundStrategy found;
        std::vector<std::uint32_t> replies;  ///< nodes after the named ones
        double cost = 0;
        double share = 1;
    };

    StrategyGraph(const G& game, const AnyStrategyFinder& finder) : game_(game), finder_(finder) {}

    /// Estimates before anything was measured; `empty` squares at the root.
    void begin(std::uint32_t empty) {
        for (std::size_t e = 0; e < estimates_.size(); ++e) {
            const double more = static_cast<double>(e) - first_diagrams * empty;
            estimates_[e] = {std::max(least_estimate, std::pow(growth, more)), first_weight};
        }
    }

    static const void* memory(const Position& p) {
        if constexpr (requires { p.memory(); }) {
            return p.memory();
        } else {
            return &p;
        }
    }

    /// A list of empties starts with 0 squares; larger numbers count as the last one.
    static constexpr std::size_t empties = 65;
    static std::size_t place(std::uint32_t empty) { return std::min<std::size_t>(empty, empties - 1); }

    std::deque<ProverNode>& provers() noexcept { return provers_; }
    std::deque<OtherNode>& others() noexcept { return others_; }
    ProverNode& prover(std::uint32_t number) { return provers_[number]; }
    OtherNode& other(std::uint32_t number) { return others_[number]; }
    bool solved(Node node) const { return node.prover ? provers_[node.number].solved : others_[node.number].solved; }

    /// The node of a position; it is made where there is none.
    std::uint32_t prover_node(const Position& p) {
        const Key key = game_.key(p);
        const auto [at, is_new] = prover_index_.try_emplace(key, static_cast<std::uint32_t>(provers_.size()));
        if (is_new) {
            const std::uint32_t empty = finder_.empty_squares(memory(p));
            provers_.push_back({.key = key, .empty = empty, .options = {}, .cost = estimate(empty)});
        }
        return at->second;
    }

    std::uint32_t other_node(const Position& p) {
        const Key key = game_.key(p);
        const auto [at, is_new] = other_index_.try_emplace(key, static_cast<std::uint32_t>(others_.size()));
        if (is_new) {
            others_.push_back({.key = key, .empty = finder_.empty_squares(memory(p)), .found = {}, .replies = {}});
        }
        return at->second;
    }

    /// Gives a node what a search of so many attempts has found, if its cost is smaller.
    void improve(std::uint32_t number, const Position& p, FoundStrategy found, int attempts) {
        OtherNode& node = others_[number];
        std::vector<std::uint32_t> replies;
        double cost = 1;
        for (const std::uint32_t reply : found.strategy.named) {
            replies.push_back(prover_node(game_.play(p, static_cast<Move>(reply))));
            cost += provers_[replies.back()].cost * provers_[replies.back()].share;
        }
        const bool first = std::exchange(node.attempts, attempts) < 0;
        if (!first) {
            update(node);
            if (cost >= node.cost && !found.answers_all()) return;
        }
        node.full = found.answers_all();
        node.found = std::move(found);
        node.replies = std::move(replies);
        update(node);
    }

    /// The mean cost of positions with so many empty squares, as far as they were expanded.
    double mean_cost(std::uint32_t empty) const { return estimates_[place(empty)].mean; }

    /// A node of the prover has its options now.
    void expanded(ProverNode& node) {
        node.expanded = true;
        update(node);
        Estimate& estimate = estimates_[place(node.empty)];
        estimate.weight = std::min(estimate.weight + 1, most_weight);
        estimate.mean += (node.cost - estimate.mean) / estimate.weight;
    }

    double cost(const Option& option) const {
        return 1 + (option.node == none ? 0 : others_[option.node].cost * others_[option.node].share);
    }

    /// Works out the cost of a node by those below.
    void update(OtherNode& node) {
        node.solved = true;
        node.cost = node.full ? 0 : 1;
        if (node.full) return;
        for (const std::uint32_t reply : node.replies) {
            ProverNode& below = provers_[reply];
            if (!below.expanded) below.cost = estimate(below.empty);
            node.cost += below.cost * below.share;
            node.solved = node.solved && below.solved;
        }
    }

    void update(ProverNode& node) {
        if (!node.expanded) {
            node.cost = estimate(node.empty);
            return;
        }
        node.cost = std::numeric_limits<double>::infinity();
        node.solved = false;
        if (node.options.empty()) return;  // the records were wrong
        for (std::uint32_t i = 0; i < node.options.size(); ++i) {
            const double its = cost(node.options[i]);
            if (its < node.cost) node.cost = its, node.best = i;
        }
        const Option& best = node.options[node.best];
        node.solved = best.node == none || others_[best.node].solved;
    }

    /// The same for all nodes, where what is estimated counts `factor` times as much as before.
    void update_all(double factor) {
        factor_ *= factor;
        upwards([&](Node node) { node.prover ? update(provers_[node.number]) : update(others_[node.number]); });
    }
    double factor() const noexcept { return factor_; }

    /// Calls visit(node) for all nodes, those with few empty squares first.
    template <class Visit>
    void upwards(Visit&& visit) const {
        std::vector<std::pair<std::uint32_t, Node>> order;
        for (std::uint32_t i = 0; i < provers_.size(); ++i) order.push_back({provers_[i].empty, {i, true}});
        for (std::uint32_t i = 0; i < others_.size(); ++i) order.push_back({others_[i].empty, {i, false}});
        std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [empty, node] : order) visit(node);
    }

  private:
    // Before anything was measured: positions with this part of the empty squares are proved by a diagram, and a proof
    // grows by this factor with each square more.
    static constexpr double first_diagrams = 0.42;
    static constexpr double growth = 1.35;
    static constexpr double least_estimate = 1.5;
    static constexpr double first_weight = 30;
    static constexpr double most_weight = 300;

    struct Estimate {
        double mean;
        double weight;
    };
    struct HashKey {
        std::size_t operator()(const Key& key) const { return hash_key(key); }
    };

    double estimate(std::uint32_t empty) const { return std::max(1.0, factor_ * mean_cost(empty)); }

    const G& game_;
    const AnyStrategyFinder& finder_;
    std::deque<ProverNode> provers_;
    std::deque<OtherNode> others_;
    std::unordered_map<Key, std::uint32_t, HashKey> prover_index_;
    std::unordered_map<Key, std::uint32_t, HashKey> other_index_;
    std::array<Estimate, empties> estimates_{};  ///< by empty squares
    double factor_ = 1;
};

}  // namespace proofbase
