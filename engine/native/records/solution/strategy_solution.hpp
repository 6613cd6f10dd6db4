// A solution that rests on strategies (docs/strategies.md), as small as a search for it finds in its time. The moves of
// the prover are chosen freely: which of them keep the bound is asked by search, and what is told is proved below.
//
//   * The search is best-first (AO*, Nilsson 1980) in a graph with costs (strategy_graph.hpp): it expands a node of the
//     cheapest solution, until that has no open node.
//   * Then costs are estimated lower, so that other moves are tried, and diagrams are looked for with more patience.
//
// All claims have the number of empty squares as their rank: no line of play is longer. Nodes that are still open at
// the end may be proved by records that are known.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/strategy/strategy_finder.hpp"
#include "records/solution/record_graph.hpp"
#include "records/solution/strategy_graph.hpp"

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
    using Graph = StrategyGraph<G>;
    using Node = typename Graph::Node;
    using Option = typename Graph::Option;
    using ProverNode = typename Graph::ProverNode;
    using OtherNode = typename Graph::OtherNode;

  public:
    using Key = typename G::Key;
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Clock = std::chrono::steady_clock;

    /// `known`: records that are believed. `check_stop` is called now and then, and may throw.
    StrategySolution(const Records& known, AnyStrategyFinder& finder, Clock::time_point until,
                     std::function<void()> check_stop)
        : known_(known),
          game_(known.game()),
          finder_(finder),
          until_(until),
          check_stop_(std::move(check_stop)),
          graph_(game_, finder) {}

    /// Adds a claim of the known record of a key, and what it rests on, by strategies where they are found.
    /// False, and adds nothing, if the bound says that the prover loses by little, or if nothing was found in time.
    bool collect(const Key& root, const Claim& claim, Records& out) {
        const bool lower = claim.side == Side::lower;
        bound_ = lower ? claim.bound : -claim.bound;
        if (bound_ < 0) return false;
        const Position p = position_of_key(game_, root);
        graph_.begin(finder_.empty_squares(memory(p)));
        root_ = lower ? Node{graph_.prover_node(p), true} : Node{graph_.other_node(p), false};
        if (!lower) look(root_.number, attempts_);
        search();
        if (choose_solution() == not_solved) return false;
        emit(out);
        return true;
    }

  private:
    static constexpr std::uint32_t none = Graph::none;
    static constexpr double not_solved = std::numeric_limits<double>::infinity();  ///< the cost of open nodes
    static constexpr double cost_of_records = 250;  ///< how much larger known records are than strategies, about
    // The patience of searches for diagrams. Where they seldom succeed there is little of it.
    static constexpr int first_attempts = 200;
    static constexpr int most_attempts = 6'400;
    static constexpr std::uint32_t seldom = 20;  ///< one of so many
    static constexpr double lower_estimates = 0.7;
    static constexpr double least_factor = 0.05;
    static constexpr std::uint64_t first_nodes = 100'000;  ///< of a question for a value
    static constexpr std::uint64_t most_nodes = std::uint64_t{1} << 40;
    static constexpr int rounds_of_shares = 6;

    static const void* memory(const Position& p) { return Graph::memory(p); }
    bool out_of_time() const { return Clock::now() >= until_; }

    // --- Search ---

    void search() {
        while (!out_of_time()) {
            step(root_);
            if (!graph_.solved(root_)) continue;
            if (graph_.factor() < least_factor && attempts_ >= most_attempts) return;
            improve();
        }
    }

    /// After a solution: other moves look cheaper, and diagrams are looked for more patiently.
    void improve() {
        choose_solution();
        if (attempts_ < most_attempts) attempts_ *= 2;
        for (const std::uint32_t number : chosen_others_) {
            if (out_of_time()) break;
            look(number, attempts_);
        }
        graph_.update_all(lower_estimates);
    }

    /// Looks for a diagram, unless that was done as patiently before.
    void look(std::uint32_t number, int attempts) {
        const OtherNode& node = graph_.other(number);
        if (node.full || node.attempts >= attempts) return;
        check_stop_();
        const Position p = position_of_key(game_, node.key);
        FoundStrategy found = finder_.find(memory(p), bound_, attempts);
        if (attempts > 0) {
            ++looked_for_[Graph::place(node.empty)];
            found_[Graph::place(node.empty)] += found.answers_all();
        }
        graph_.improve(number, p, std::move(found), attempts);
    }

    /// The patience at a number of empty squares, where diagrams may be hopeless.
    int patience(std::uint32_t empty) const {
        const std::size_t e = Graph::place(empty);
        return looked_for_[e] >= seldom && found_[e] * seldom < looked_for_[e] ? attempts_ / 8 : attempts_;
    }

    /// Expands a node of the cheapest solution below a node.
    void step(Node node) {
        if (!node.prover) return step_other(node.number);
        ProverNode& at = graph_.prover(node.number);
        if (!at.expanded) return expand(node.number);
        for (const Option& option : at.options) {
            if (option.node != none) graph_.update(graph_.other(option.node));  // it may have changed by other ways
        }
        graph_.update(at);
        if (at.solved || at.options.empty()) return;
        step_other(at.options[at.best].node);
        graph_.update(at);
    }

    void step_other(std::uint32_t number) {
        OtherNode& node = graph_.other(number);
        std::uint32_t most = none;
        for (const std::uint32_t reply : node.replies) {
            if (graph_.prover(reply).solved) continue;
            if (most == none || graph_.prover(reply).cost > graph_.prover(most).cost) most = reply;
        }
        if (most != none) step({most, true});
        graph_.update(node);
    }

    void expand(std::uint32_t number) {
        ProverNode& node = graph_.prover(number);
        const Position p = position_of_key(game_, node.key);
        for (const Move move : moves_that_keep_the_bound(node, p)) {
            const Position child = game_.play(p, move);
            node.options.push_back({move, game_.terminal(child) ? none : graph_.other_node(child)});
        }
        // Diagrams that were found before are tried after all moves first.
        for (const int attempts : {0, patience(node.empty - 1)}) {
            for (const Option option : node.options) {
                if (option.node != none) look(option.node, attempts);
                if (option.node == none || graph_.other(option.node).full) {
                    node.options = {option};
                    break;
                }
            }
        }
        graph_.expanded(node);
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
        for (std::uint64_t nodes = first_nodes; out.empty() && nodes < most_nodes; nodes *= 8) {
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
    /// the number of claims; `not_solved` if open nodes are left. Known records count as their cost.
    double choose_solution() {
        double least = not_solved;
        std::vector<std::uint32_t> choices;
        for (int round = 0; round < rounds_of_shares; ++round) {
            graph_.upwards([&](Node node) {
                node.prover ? settle(graph_.prover(node.number)) : settle(graph_.other(node.number));
            });
            const double records = count();
            if (records < least) {
                least = records;
                chosen_ = needed_provers_;
                chosen_others_ = needed_others_;
                choices.clear();
                for (const ProverNode& node : graph_.provers()) choices.push_back(node.best);
            }
        }
        for (std::size_t i = 0; i < choices.size(); ++i) graph_.prover(i).best = choices[i];
        return least;
    }

    bool has_records(const Key& key) const {
        return known_.smallest_rank(key, known_.hash(key), Side::lower, bound_).has_value();
    }

    /// The costs as far as nodes are proved.
    void settle(ProverNode& node) {
        node.cost = not_solved;
        for (std::uint32_t i = 0; i < node.options.size(); ++i) {
            const double its = graph_.cost(node.options[i]);
            if (its < node.cost) node.cost = its, node.best = i;
        }
        const double records = cost_of_records * graph_.mean_cost(node.empty);
        if (node.cost > records && !is_root(node) && has_records(node.key)) node.cost = records, node.best = none;
    }

    void settle(OtherNode& node) {
        node.cost = node.full ? 0 : 1;
        if (node.attempts < 0) node.cost = not_solved;
        if (node.full) return;
        for (const std::uint32_t reply : node.replies)
            node.cost += graph_.prover(reply).cost * graph_.prover(reply).share;
    }

    bool is_root(const ProverNode& node) { return root_.prover && &node == &graph_.prover(root_.number); }

    /// Counts the claims that are chosen; sets the shares anew.
    double count() {
        std::vector<std::uint32_t> above(graph_.provers().size());
        std::vector<std::uint32_t> above_others(graph_.others().size());
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
            for (const std::uint32_t reply : graph_.other(number).replies) need(reply);
        };
        root_.prover ? need(root_.number) : need_other(root_.number);
        while (!open.empty()) {
            const ProverNode& node = graph_.prover(open.back());
            open.pop_back();
            ++records;
            if (node.cost == not_solved || node.best == none) {
                records += node.cost;
            } else if (const std::uint32_t other = node.options[node.best].node;
                       other != none && !graph_.other(other).full) {
                need_other(other);
            }
        }
        for (std::size_t i = 0; i < graph_.provers().size(); ++i) graph_.prover(i).share = 1.0 / std::max(above[i], 1u);
        for (std::size_t i = 0; i < graph_.others().size(); ++i)
            graph_.other(i).share = 1.0 / std::max(above_others[i], 1u);
        return records;
    }

    void emit(Records& out) {
        for (const std::uint32_t number : chosen_others_) emit_upper(graph_.other(number), out);
        for (const std::uint32_t number : chosen_) {
            check_stop_();
            const ProverNode& node = graph_.prover(number);
            if (node.best == none) {
                add_records_below<G>(known_, node.key, out);
                continue;
            }
            const Option& option = node.options[node.best];
            Claim claim = Claim::lower(bound_, node.empty, static_cast<std::uint32_t>(option.move));
            if (option.node != none && graph_.other(option.node).full) {
                const OtherNode& other = graph_.other(option.node);
                const Position child = game_.play(position_of_key(game_, node.key), option.move);
                const Position canonical = position_of_key(game_, other.key);
                const auto image = finder_.turned(other.found.strategy, memory(canonical), memory(child), bound_);
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

    const Records& known_;
    const G& game_;
    AnyStrategyFinder& finder_;
    Clock::time_point until_;
    std::function<void()> check_stop_;
    Graph graph_;
    int bound_ = 0;
    Node root_{0, true};
    int attempts_ = first_attempts;
    std::array<std::uint32_t, Graph::empties> looked_for_{};  ///< diagrams, by empty squares
    std::array<std::uint32_t, Graph::empties> found_{};
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
