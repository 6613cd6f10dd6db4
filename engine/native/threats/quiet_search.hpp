// Which of the attacker's moves without a threat win, by df-pn over positions that are kept in memory.
//
// Proof numbers hardly change with the work where a proof is out of reach, and df-pn would stay there for ever. So the
// attacker's moves are chosen by a price: the proof number times the square root of the work, in units of
// `QuietSettings::price_work`. A child is left when its price exceeds that of the second best one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "threats/move_history.hpp"
#include "threats/quiet_evaluation.hpp"

namespace proofbase {

/// `Attack` is a class such as gomoku::QuietAttack. The nodes last from call to call: a search that has used up its
/// budget begins at its root again when it is called again, with the numbers that were found.
template <class Attack>
class QuietSearch {
  public:
    using Stones = typename Attack::Stones;
    using Node = QuietNode<Attack>;
    using Nodes = QuietNodes<Attack>;

    QuietSearch(const Attack& attack, const QuietSettings& settings)
        : attack_(attack), settings_(settings), nodes_(attack), evaluation_(attack, settings, nodes_) {}
    QuietSearch(const QuietSearch&) = delete;

    /// Whether the attacker, to move, is proved to win; `budget` limits the work of this call.
    bool prove(Node& node, std::uint64_t budget) {
        const std::uint64_t end = evaluation_.work() + budget;
        while (node.numbers.proof != 0 && node.numbers.disproof != 0 && !over(end)) {
            search(node, {ProofNumbers::infinite, ProofNumbers::infinite}, end);
        }
        return node.proved();
    }

    /// Looks for a smaller proof of a node with the attacker to move that is proved: each other candidate may take
    /// `budget`.
    void shorten(Node& node, std::uint64_t budget) {
        if (!node.trees.empty() || node.stored) return;
        typename Node::Child best = node.answer();
        std::size_t least = nodes_.size_of_proof(*best.node, ~std::size_t{0});
        for (std::vector<int> moves = evaluation_.candidates(node.stones, settings_.candidates);
             !moves.empty() && least > 1; moves.pop_back()) {
            Node& child = nodes_.at(attack_.attacked(node.stones, moves.back()), false);
            if (!prove(child, budget)) continue;
            const std::size_t size = nodes_.size_of_proof(child, least);
            if (size < least) {
                least = size;
                best = {moves.back(), &child};
            }
        }
        node.children = {best};
        node.candidates.clear();
    }

    /// Called after every step, which takes about a millisecond.
    std::function<void()> step_done;

    Nodes& nodes() noexcept { return nodes_; }
    QuietEvaluation<Attack>& evaluation() noexcept { return evaluation_; }
    std::uint64_t expansions() const noexcept { return expansions_; }

  private:
    /// A limit of all work so far.
    using End = std::uint64_t;

    bool over(End end) const {
        if (step_done) step_done();
        return evaluation_.work() >= end;
    }

    /// What a proof of a node with the defender to move is expected to cost, to be compared with its siblings'.
    double price(const Node& node) const {
        if (node.numbers.proof == ProofNumbers::infinite) return never;
        return node.numbers.proof * tenacity(node);
    }
    double tenacity(const Node& node) const {
        return std::sqrt(1 + static_cast<double>(node.work) / static_cast<double>(settings_.price_work));
    }

    void search(Node& node, ProofNumbers limit, End end) {
        const std::uint64_t before = evaluation_.work();
        if (!node.evaluated || node.pass_open) open(node);
        while (!node.proved() && !node.failed()) {
            if (node.pass_open) break;
            if (node.attacker_moves ? !attacker_step(node, limit, end) : !defender_step(node, limit, end)) break;
        }
        node.work += evaluation_.work() - before;
        if (node.attacker_moves && node.proved() && node.trees.empty()) history_.note(node.answer().move);
        if (node.attacker_moves && !node.proved() && node.level < settings_.most_levels &&
            node.work > settings_.return_share * most_nodes(node)) {
            ++node.level;
            evaluation_.wins_by_threats(node, most_nodes(node));
        }
    }

    std::uint64_t most_nodes(const Node& node) const { return settings_.expand_nodes << 2 * node.level; }

    void open(Node& node) {
        ++expansions_;
        if (!node.attacker_moves) {
            evaluation_.evaluate(node);
            if (!node.pass_open && !node.failed()) defender_numbers(node);
            return;
        }
        node.evaluated = true;
        if (evaluation_.wins_by_threats(node, settings_.expand_nodes)) return;
        node.candidates = evaluation_.candidates(node.stones, settings_.candidates);
        for (const int move : killers_) {
            if (std::erase(node.candidates, move) > 0) node.candidates.push_back(move);
        }
        if (node.candidates.size() > 1) add_frequent_answers(node);
        attacker_numbers(node);
    }

    /// The moves that have won most often lately become the best candidates.
    void add_frequent_answers(Node& node) const {
        for (const int move : history_.most_frequent(attack_.empty(node.stones))) {
            std::erase(node.candidates, move);
            node.candidates.push_back(move);
        }
    }

    /// One child further. False: a limit is reached.
    bool attacker_step(Node& node, ProofNumbers limit, End end) {
        attacker_numbers(node);
        if (node.proved() || node.failed()) return false;
        if (node.numbers.proof >= limit.proof || node.numbers.disproof >= limit.disproof || over(end)) return false;
        Node* best = nullptr;
        double least = never;
        double second = never;
        for (const auto& child : node.children) {
            const double proof = price(*child.node);
            if (best == nullptr || proof < least) {
                second = least;
                least = proof;
                best = child.node;
            } else {
                second = std::min(second, proof);
            }
        }
        if (!node.candidates.empty()) {
            const double next = estimate(node);
            if (next < least) {
                const int move = node.candidates.back();
                node.candidates.pop_back();
                Node& child = nodes_.at(attack_.attacked(node.stones, move), false);
                node.children.push_back({move, &child});
                if (!child.evaluated) open(child);
                return true;
            }
            second = std::min(second, next);
        }
        const std::uint32_t room = limit.disproof - node.numbers.disproof + best->numbers.disproof;
        const std::uint32_t most_proof = proof_at(*best, second);
        search(*best, {std::min(limit.proof, most_proof), std::min(room, ProofNumbers::infinite)},
               std::min(end, evaluation_.work() + work_to(*best, second)));
        return true;
    }

    /// The proof number with which a node, with the work done for it so far, would cost more than `limit`.
    std::uint32_t proof_at(const Node& node, double limit) const {
        const double proof = limit / tenacity(node);
        if (proof >= ProofNumbers::infinite - 1) return ProofNumbers::infinite;
        return std::max(node.numbers.proof, static_cast<std::uint32_t>(proof)) + 1;
    }

    /// The work after which a node, with the proof number that it has now, would cost more than `limit`.
    std::uint64_t work_to(const Node& node, double limit) const {
        constexpr double longest = 1e15;
        const double ratio = limit / node.numbers.proof;
        const double all = static_cast<double>(settings_.price_work) * (ratio * ratio - 1);
        const double more = std::min(all - static_cast<double>(node.work), longest);
        return static_cast<std::uint64_t>(std::max(more, static_cast<double>(settings_.least_turn)));
    }

    /// The moves that answer other replies, to be tried against the next one first.
    void note_killers(const Node& node) {
        killers_.clear();
        for (const auto& child : node.children) {
            if (!child.node->proved() || !child.node->trees.empty()) continue;
            const auto* image = nodes_.keys().between(child.node->stones, attack_.defended(node.stones, child.move));
            if (image == nullptr) continue;
            for (const auto& answer : child.node->children) {
                if (answer.node->proved()) killers_.push_back((*image)[static_cast<std::size_t>(answer.move)]);
            }
        }
    }

    /// The proof number that is expected of the next candidate.
    std::uint32_t estimate(const Node& node) const {
        return static_cast<std::uint32_t>(1 + node.children.size() / settings_.estimate_divisor);
    }

    /// The proof number is that of the move with the least price.
    void attacker_numbers(Node& node) {
        std::uint64_t disproof = node.candidates.size();
        std::uint32_t proof = node.candidates.empty() ? ProofNumbers::infinite : estimate(node);
        double least = node.candidates.empty() ? never : proof;
        for (const auto& child : node.children) {
            const double cost = price(*child.node);
            if (cost < least) {
                least = cost;
                proof = child.node->numbers.proof;
            }
            disproof += child.node->numbers.disproof;
        }
        node.numbers = proof == 0                        ? ProofNumbers::proved()
                       : proof == ProofNumbers::infinite ? ProofNumbers::disproved()
                                                         : ProofNumbers{proof, clamped(disproof)};
    }

    bool defender_step(Node& node, ProofNumbers limit, End end) {
        defender_numbers(node);
        if (node.proved() || node.failed()) return false;
        if (node.numbers.proof >= limit.proof || node.numbers.disproof >= limit.disproof || over(end)) return false;
        typename Node::Child best{Node::pass, nullptr};
        std::uint32_t least = ProofNumbers::infinite;
        std::uint32_t second = ProofNumbers::infinite;
        for (const auto& child : node.children) {
            if (child.node->proved()) continue;
            const std::uint32_t disproof = child.node->numbers.disproof;
            if (disproof < least) {
                second = least;
                least = disproof;
                best = child;
            } else {
                second = std::min(second, disproof);
            }
        }
        const std::uint32_t room = limit.proof - node.numbers.proof + best.node->numbers.proof;
        if (!best.node->evaluated) note_killers(node);
        search(*best.node, {std::min(room, ProofNumbers::infinite), std::min(limit.disproof, second + 1)}, end);
        if (best.node->proved() && !best.node->trees.empty()) evaluation_.cover_by_child(node, best);
        return true;
    }

    void defender_numbers(Node& node) {
        while (true) {
            std::uint64_t proof = 0;
            std::uint32_t disproof = ProofNumbers::infinite;
            for (const auto& child : node.children) {
                proof += child.node->numbers.proof;
                disproof = std::min(disproof, child.node->numbers.disproof);
            }
            if (disproof == 0) {
                node.numbers = ProofNumbers::disproved();
                return;
            }
            if (proof == 0 && !node.open.empty()) {
                evaluation_.sweep(node);
                continue;
            }
            if (proof == 0) {
                node.numbers = ProofNumbers::proved();
                return;
            }
            node.numbers = {clamped(proof + static_cast<std::uint64_t>(node.open.count()) / 8), disproof};
            return;
        }
    }

    static std::uint32_t clamped(std::uint64_t sum) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, ProofNumbers::infinite - 1));
    }

    static constexpr double never = std::numeric_limits<double>::infinity();

    Attack attack_;
    QuietSettings settings_;
    Nodes nodes_;
    QuietEvaluation<Attack> evaluation_;
    MoveHistory history_;
    std::uint64_t expansions_ = 0;
    std::vector<int> killers_;
};

}  // namespace proofbase
