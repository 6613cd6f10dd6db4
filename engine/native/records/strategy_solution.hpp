// A solution that rests on strategies (docs/strategies.md), as small as a search for it finds in its time. The moves of
// the prover are chosen freely: the values of positions are asked by search, and what is told is proved below.
//
//   * The graph has nodes where the prover moves and nodes where the other side moves, by key. In a node of the other
//     side a diagram is looked for. Its cost is 1 and the costs of the replies that the diagram does not answer; nothing
//     where it answers all of them: the claim after the prover's move then rests on the diagram itself.
//   * The cost of a node of the prover is 1 and that of the cheapest of the moves that keep the bound. As long as the
//     node is not expanded, its cost is estimated: the mean of those that were, by the number of empty squares.
//   * The search is best-first (AO*, Nilsson 1980): it expands a node of the cheapest solution, until that has no open
//     node. Then costs are estimated lower, so that other moves are tried, and diagrams are looked for with more
//     patience. What several nodes of the last solution share counts a share of its cost for each of them.
//
// All claims have the number of empty squares as their rank: no line of play is longer. Open nodes may be proved by
// records that are known.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "records/claim.hpp"
#include "records/record_graph.hpp"
#include "records/strategy_finder.hpp"

namespace proofbase {

/// Adds the records of `known` that the record of a key rests on, with its own.
template <Game G, class Records>
void add_records_below(const Records& known, const typename G::Key& key, Records& out) {
    const auto keys = records_below<G>(known, key);
    Claims claims;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        known.claims(keys[i], known.hash(keys[i]), claims);
        for (const Claim& claim : claims) out.add(keys[i], claim);
    }
}

/// Makes the solution of one claim. For one use.
template <Game G, class Records>
class StrategySolution {
  public:
    using Key = typename G::Key;
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Clock = std::chrono::steady_clock;

    /// `known`: records that are believed. `check_stop` is called now and then, and may throw.
    StrategySolution(const Records& known, AnyStrategyFinder& finder, Clock::time_point until,
                     std::function<void()> check_stop)
        : known_(known), game_(known.game()), finder_(finder), until_(until), check_stop_(std::move(check_stop)) {}

    /// Adds a claim of the known record of a key, and what it rests on, by strategies where they are found.
    /// False, and adds nothing, if the bound says that the prover loses by little, or if nothing was found in time.
    bool collect(const Key& root, const Claim& claim, Records& out) {
        const bool lower = claim.side == Side::lower;
        bound_ = lower ? claim.bound : -claim.bound;
        if (bound_ < 0) return false;
        const Position p = position_of_key(game_, root);
        const std::uint32_t squares = empty_squares(p);
        for (std::size_t e = 0; e < estimates_.size(); ++e) {
            const double more = static_cast<double>(e) - first_diagrams * squares;
            estimates_[e] = {std::max(least_estimate, std::pow(growth, more)), first_weight};
        }
        root_ = lower ? Node{prover_node(p), true} : Node{other_node(p), false};
        if (!lower) look(root_.number, attempts_);
        search();
        if (choose_solution() >= not_solved) return false;
        emit(out);
        return true;
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr double not_solved = 1e12;
    static constexpr double cost_of_records = 1e5;  ///< of a node that is proved by known records
    // Before anything was measured: positions with this part of the empty squares are proved by a diagram, and a proof
    // grows by this factor with each square more.
    static constexpr double first_diagrams = 0.42;
    static constexpr double growth = 1.35;
    static constexpr double least_estimate = 1.5;
    static constexpr double first_weight = 30;
    static constexpr double most_weight = 300;
    // The patience of searches for diagrams. Where they seldom succeed there is little of it.
    static constexpr int first_attempts = 200;
    static constexpr int most_attempts = 6'400;
    static constexpr std::uint32_t seldom = 20;  ///< one of so many
    static constexpr double lower_estimates = 0.7;
    static constexpr double least_factor = 0.05;
    static constexpr std::uint64_t first_nodes = 100'000;  ///< of a question for a value
    static constexpr int rounds_of_shares = 6;

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

    struct Estimate {
        double mean;
        double weight;
    };

    struct HashKey {
        std::size_t operator()(const Key& key) const { return hash_key(key); }
    };

    static const void* memory(const Position& p) {
        if constexpr (requires { p.memory(); }) {
            return p.memory();
        } else {
            return &p;
        }
    }

    std::uint32_t empty_squares(const Position& p) const { return finder_.empty_squares(memory(p)); }
    bool out_of_time() const { return Clock::now() >= until_; }

    double estimate(std::uint32_t empty) const { return std::max(1.0, factor_ * estimates_[place(empty)].mean); }
    static std::size_t place(std::uint32_t empty) { return std::min<std::size_t>(empty, empties - 1); }

    // --- Nodes ---

    std::uint32_t prover_node(const Position& p) {
        const Key key = game_.key(p);
        const auto [at, is_new] = prover_index_.try_emplace(key, static_cast<std::uint32_t>(provers_.size()));
        if (is_new) {
            const std::uint32_t empty = empty_squares(p);
            provers_.push_back({.key = key, .empty = empty, .options = {}, .cost = estimate(empty)});
        }
        return at->second;
    }

    std::uint32_t other_node(const Position& p) {
        const Key key = game_.key(p);
        const auto [at, is_new] = other_index_.try_emplace(key, static_cast<std::uint32_t>(others_.size()));
        if (is_new) others_.push_back({.key = key, .empty = empty_squares(p), .found = {}, .replies = {}});
        return at->second;
    }

    /// Looks for a diagram, unless that was done as patiently before. A new one is taken if its costs are smaller.
    void look(std::uint32_t number, int attempts) {
        OtherNode& node = others_[number];
        if (node.full || node.attempts >= attempts) return;
        check_stop_();
        const Position p = position_of_key(game_, node.key);
        FoundStrategy found = finder_.find(memory(p), bound_, attempts);
        const bool first = node.attempts < 0;
        node.attempts = attempts;
        if (attempts >= first_attempts) {
            ++looked_for_[place(node.empty)];
            found_[place(node.empty)] += found.answers_all();
        }
        std::vector<std::uint32_t> replies;
        double cost = 1;
        for (const std::uint32_t reply : found.strategy.named) {
            replies.push_back(prover_node(game_.play(p, static_cast<Move>(reply))));
            cost += provers_[replies.back()].cost * provers_[replies.back()].share;
        }
        if (!first) {
            update(node);
            if (cost >= node.cost && !found.answers_all()) return;
        }
        node.full = found.answers_all();
        node.found = std::move(found);
        node.replies = std::move(replies);
        update(node);
    }

    /// The patience at a number of empty squares, where diagrams may be hopeless.
    int patience(std::uint32_t empty) const {
        const std::size_t e = place(empty);
        return looked_for_[e] >= seldom && found_[e] * seldom < looked_for_[e] ? attempts_ / 8 : attempts_;
    }

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

    double cost(const Option& option) const {
        return 1 + (option.node == none ? 0 : others_[option.node].cost * others_[option.node].share);
    }

    void update(ProverNode& node) {
        if (!node.expanded) {
            node.cost = estimate(node.empty);
            return;
        }
        node.cost = std::numeric_limits<double>::infinity();
        for (std::uint32_t i = 0; i < node.options.size(); ++i) {
            const double its = cost(node.options[i]);
            if (its < node.cost) node.cost = its, node.best = i;
        }
        const Option& best = node.options[node.best];
        node.solved = best.node == none || others_[best.node].solved;
    }

    /// All nodes from the leaves upwards: calls visit(node) for those with few empty squares first.
    template <class Visit>
    void upwards(Visit&& visit) {
        std::vector<std::pair<std::uint32_t, Node>> order;
        for (std::uint32_t i = 0; i < provers_.size(); ++i) order.push_back({provers_[i].empty, {i, true}});
        for (std::uint32_t i = 0; i < others_.size(); ++i) order.push_back({others_[i].empty, {i, false}});
        std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [empty, node] : order) visit(node);
    }

    void update_all() {
        upwards([&](Node node) { node.prover ? update(provers_[node.number]) : update(others_[node.number]); });
    }

    // --- Search ---

    void search() {
        while (!out_of_time()) {
            step(root_);
            if (!solved(root_)) continue;
            if (factor_ < least_factor && attempts_ >= most_attempts) return;
            improve();
        }
    }

    bool solved(Node node) const { return node.prover ? provers_[node.number].solved : others_[node.number].solved; }

    /// After a solution: other moves look cheaper, and diagrams are looked for more patiently.
    void improve() {
        choose_solution();
        if (attempts_ < most_attempts) attempts_ *= 2;
        for (const std::uint32_t number : chosen_others_) {
            if (out_of_time()) break;
            look(number, attempts_);
        }
        factor_ *= lower_estimates;
        update_all();
    }

    /// Expands a node of the cheapest solution below a node.
    void step(Node node) {
        if (!node.prover) return step_other(node.number);
        ProverNode& at = provers_[node.number];
        if (!at.expanded) return expand(node.number);
        for (const Option& option : at.options) {
            if (option.node != none) update(others_[option.node]);  // they may have changed by way of other nodes
        }
        update(at);
        if (at.solved) return;
        step_other(at.options[at.best].node);
        update(at);
    }

    void step_other(std::uint32_t number) {
        OtherNode& node = others_[number];
        std::uint32_t most = none;
        for (const std::uint32_t reply : node.replies) {
            if (provers_[reply].solved) continue;
            if (most == none || provers_[reply].cost > provers_[most].cost) most = reply;
        }
        if (most != none) step({most, true});
        update(node);
    }

    void expand(std::uint32_t number) {
        ProverNode& node = provers_[number];
        const Position p = position_of_key(game_, node.key);
        for (const Move move : moves_that_keep_the_bound(node, p)) {
            const Position child = game_.play(p, move);
            node.options.push_back({move, game_.terminal(child) ? none : other_node(child)});
        }
        // Diagrams that were found before are tried after all moves first.
        for (const int attempts : {0, patience(node.empty - 1)}) {
            for (const Option& option : node.options) {
                if (option.node != none) look(option.node, attempts);
                if (option.node == none || others_[option.node].full) {
                    node.options = {Option(option)};
                    break;
                }
            }
        }
        node.expanded = true;
        update(node);
        Estimate& estimate = estimates_[place(node.empty)];
        estimate.weight = std::min(estimate.weight + 1, most_weight);
        estimate.mean += (node.cost - estimate.mean) / estimate.weight;
    }

    /// A move that ends the game in time is the only one.
    std::vector<Move> moves_that_keep_the_bound(const ProverNode& node, const Position& p) {
        typename G::Moves moves;
        game_.moves(p, moves);
        std::vector<Move> out;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (const auto value = game_.terminal(game_.play(p, moves[i])); value && -*value >= bound_) {
                return {moves[i]};
            }
        }
        std::optional<Move> witness;
        Claims claims;
        known_.claims(node.key, known_.hash(node.key), claims);
        for (const Claim& claim : claims) {
            if (claim.side == Side::lower && claim.bound >= bound_) witness = static_cast<Move>(claim.witness);
        }
        for (std::uint64_t nodes = first_nodes; out.empty(); nodes *= 8) {
            for (std::size_t i = 0; i < moves.size(); ++i) {
                const Position child = game_.play(p, moves[i]);
                check_stop_();
                if (game_.terminal(child)) continue;
                if (moves[i] == witness || finder_.at_least(memory(child), 1 - bound_, nodes) == false) {
                    out.push_back(moves[i]);
                }
            }
        }
        return out;
    }

    // --- The solution ---

    /// Chooses options, so that few nodes are needed: a node that is shared counts a share for each node above. Returns
    /// the number of claims; `not_solved` or more if open nodes are left.
    double choose_solution() {
        double least = std::numeric_limits<double>::infinity();
        std::vector<std::pair<double, double>> shares;
        std::vector<std::uint32_t> choices;
        for (int round = 0; round < rounds_of_shares; ++round) {
            upwards([&](Node node) { node.prover ? settle(provers_[node.number]) : settle(others_[node.number]); });
            const double records = count();
            if (records < least) {
                least = records;
                chosen_ = needed_provers_;
                chosen_others_ = needed_others_;
                choices.clear();
                for (const ProverNode& node : provers_) choices.push_back(node.best);
            }
        }
        for (std::size_t i = 0; i < choices.size(); ++i) provers_[i].best = choices[i];
        return least;
    }

    bool has_records(const Key& key, Side side) const {
        return known_.smallest_rank(key, known_.hash(key), side, side == Side::lower ? bound_ : -bound_).has_value();
    }

    /// The costs as far as nodes are proved.
    void settle(ProverNode& node) {
        node.cost = not_solved;
        for (std::uint32_t i = 0; i < node.options.size(); ++i) {
            const double its = cost(node.options[i]);
            if (its < node.cost) node.cost = its, node.best = i;
        }
        if (node.cost >= cost_of_records && !is_root(node) && has_records(node.key, Side::lower)) {
            node.cost = cost_of_records;
            node.best = none;
        }
    }

    void settle(OtherNode& node) {
        node.cost = node.full ? 0 : 1;
        if (node.attempts < 0) node.cost = not_solved;
        if (node.full) return;
        for (const std::uint32_t reply : node.replies) node.cost += provers_[reply].cost * provers_[reply].share;
    }

    bool is_root(const ProverNode& node) const { return root_.prover && &node == &provers_[root_.number]; }

    /// Counts the claims that are chosen; sets the shares anew.
    double count() {
        std::vector<std::uint32_t> above(provers_.size());
        std::vector<std::uint32_t> above_others(others_.size());
        needed_provers_.clear();
        needed_others_.clear();
        std::vector<std::uint32_t> open;
        double records = 0;
        const auto need = [&](std::uint32_t number) {
            if (++above[number] > 1) return;
            needed_provers_.push_back(number);
            open.push_back(number);
        };
        const auto need_other = [&](std::uint32_t number) {
            if (++above_others[number] > 1) return;
            needed_others_.push_back(number);
            ++records;
            for (const std::uint32_t reply : others_[number].replies) need(reply);
        };
        root_.prover ? need(root_.number) : need_other(root_.number);
        while (!open.empty()) {
            const ProverNode& node = provers_[open.back()];
            open.pop_back();
            ++records;
            if (node.best == none) {
                records += cost_of_records;
            } else if (node.cost >= not_solved) {
                records += not_solved;
            } else if (const std::uint32_t other = node.options[node.best].node; other != none && !others_[other].full) {
                need_other(other);
            }
        }
        for (std::size_t i = 0; i < provers_.size(); ++i) provers_[i].share = 1.0 / std::max(above[i], 1u);
        for (std::size_t i = 0; i < others_.size(); ++i) others_[i].share = 1.0 / std::max(above_others[i], 1u);
        return records;
    }

    void emit(Records& out) {
        for (const std::uint32_t number : chosen_others_) emit_upper(others_[number], out);
        for (const std::uint32_t number : chosen_) {
            check_stop_();
            const ProverNode& node = provers_[number];
            if (node.best == none) {
                add_records_below<G>(known_, node.key, out);
                continue;
            }
            const Option& option = node.options[node.best];
            Claim claim = Claim::lower(bound_, node.empty, static_cast<std::uint32_t>(option.move));
            if (option.node != none && others_[option.node].full) {
                const OtherNode& other = others_[option.node];
                const Position child = game_.play(position_of_key(game_, node.key), option.move);
                const Position canonical = position_of_key(game_, other.key);
                const auto image =
                    finder_.turned(other.found.strategy, memory(canonical), memory(child), bound_);
                if (image) {
                    claim = std::move(claim).by_strategy(*image);
                } else {
                    emit_upper(other, out);
                }
            }
            out.add(node.key, claim);
        }
    }

    void emit_upper(const OtherNode& node, Records& out) {
        Claim claim = Claim::upper(-bound_, node.empty);
        if (node.found.answers_some()) claim = std::move(claim).by_strategy(node.found.strategy);
        out.add(node.key, claim);
    }

    static constexpr std::size_t empties = 65;

    const Records& known_;
    const G& game_;
    AnyStrategyFinder& finder_;
    Clock::time_point until_;
    std::function<void()> check_stop_;
    int bound_ = 0;
    Node root_{0, true};
    int attempts_ = first_attempts;
    double factor_ = 1;
    std::deque<ProverNode> provers_;
    std::deque<OtherNode> others_;
    std::unordered_map<Key, std::uint32_t, HashKey> prover_index_;
    std::unordered_map<Key, std::uint32_t, HashKey> other_index_;
    std::array<Estimate, empties> estimates_{};          ///< by empty squares
    std::array<std::uint32_t, empties> looked_for_{};    ///< diagrams, likewise
    std::array<std::uint32_t, empties> found_{};
    std::vector<std::uint32_t> chosen_;  ///< nodes of the smallest solution
    std::vector<std::uint32_t> chosen_others_;
    std::vector<std::uint32_t> needed_provers_;
    std::vector<std::uint32_t> needed_others_;
};

/// Adds the strongest claims of a record of `known` to an empty table, and what they rest on: by strategies where they
/// are found within so many seconds. False, and adds nothing, if there is no search for strategies of the game, or no
/// record.
template <Game G, class Records>
bool collect_with_strategies(const Records& known, const typename G::Key& root, double seconds,
                             const std::function<void()>& check_stop, Records& out) {
    if constexpr (!requires { known.game().strategy_finder(); }) {
        return false;
    } else {
        const std::unique_ptr<AnyStrategyFinder> finder = known.game().strategy_finder();
        Claims claims;
        known.claims(root, known.hash(root), claims);
        std::erase_if(claims, [&, before = std::optional<Side>()](const Claim& claim) mutable {
            return std::exchange(before, claim.side) == claim.side;
        });
        if (finder == nullptr || claims.empty()) return false;
        using Clock = std::chrono::steady_clock;
        const Clock::time_point begin = Clock::now();
        for (std::size_t i = 0; i < claims.size(); ++i) {
            const double part = seconds * static_cast<double>(i + 1) / static_cast<double>(claims.size());
            const auto until = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(part));
            StrategySolution<G, Records> solution(known, *finder, until, check_stop);
            if (!solution.collect(root, claims[i], out)) add_records_below<G>(known, root, out);
        }
        return true;
    }
}

}  // namespace proofbase
