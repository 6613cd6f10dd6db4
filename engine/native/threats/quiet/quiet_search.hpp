// Which of the attacker's moves without a threat win, by df-pn over positions that are kept in memory.
//
// The attacker's moves are chosen by a price (move_price.hpp). A child is left when its price exceeds that of the
// second best one.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "threats/board/threat_concepts.hpp"
#include "threats/quiet/guards.hpp"
#include "threats/quiet/move_price.hpp"
#include "threats/quiet/quiet_evaluation.hpp"
#include "threats/quiet/shared_search.hpp"

namespace proofbase {

/// The nodes last from call to call: a search that has used up its
/// budget begins at its root again when it is called again, with the numbers that were found.
///
/// One object for each thread. One of the threads calls `prove`, the others `help`: they search the same node. Each
/// one goes where the others are not, if it can: in front of replies, which have to be answered all, to another reply;
/// in front of the attacker's moves, of which one is enough, only where another move is nearly as good.
template <QuietThreatBoard Attack>
class QuietSearch {
  public:
    using Stones = typename Attack::Stones;
    using Node = QuietNode<Attack>;
    using Nodes = QuietNodes<Attack>;
    using Price = MovePrice<Node>;

    QuietSearch(const Attack& attack, SharedSearch<Attack>& shared)
        : attack_(attack),
          shared_(shared),
          settings_(shared.settings),
          nodes_(shared.nodes),
          lock_(shared.mutex, std::defer_lock),
          evaluation_(attack, shared, lock_),
          price_(shared.settings) {}
    QuietSearch(const QuietSearch&) = delete;

    /// Whether the attacker, to move, is proved to win; `budget` limits the work of this call, by all threads together.
    bool prove(Node& node, std::uint64_t budget) {
        const Locked locked(lock_);
        shared_.root = &node;
        shared_.end = shared_.work + budget;
        task_ = ++shared_.task;
        shared_.changed.notify_all();
        std::exception_ptr error;
        try {
            search_root();
        } catch (...) {
            error = std::current_exception();
        }
        shared_.root = nullptr;
        while (shared_.helpers > 0) {
            try {
                wait();
            } catch (const std::bad_alloc&) {  // of a report; the nodes are the helpers' still
            }
        }
        if (error) std::rethrow_exception(error);
        return node.proved();
    }

    /// Searches what another thread has called `prove` for, if it has done so or does so within a millisecond; once for
    /// each call.
    void help() {
        const Locked locked(lock_);
        const auto given = [&] { return shared_.root != nullptr && shared_.task != task_; };
        if (!shared_.changed.wait_for(lock_, longest_wait, given)) return;
        task_ = shared_.task;
        evaluation_.set_analogies(shared_.analogies);
        const Counted helping(shared_.helpers, shared_.changed);
        try {
            search_root();
        } catch (...) {
            task_ = 0;  // so that it helps again
            throw;
        }
    }

    /// See Analogy; of the nodes that are proved from now on.
    void set_analogies(const std::vector<Analogy>& analogies) {
        shared_.analogies = analogies;
        evaluation_.set_analogies(analogies);
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

    /// Called before every step, which takes about a tenth of a millisecond.
    std::function<void()> before_step;

    Nodes& nodes() noexcept { return nodes_; }
    QuietEvaluation<Attack>& evaluation() noexcept { return evaluation_; }
    /// Positions that the searches by threats of all threads looked at.
    std::uint64_t work() const noexcept { return shared_.work; }

  private:
    /// A limit of all work of this thread so far.
    using End = std::uint64_t;
    static constexpr End no_end = ~End{0};
    static constexpr std::chrono::milliseconds longest_wait{1};

    void search_root() {
        Node& root = *shared_.root;
        while (!root.proved() && !root.failed() && !over(no_end)) {
            search(root, {ProofNumbers::infinite, ProofNumbers::infinite}, no_end);
        }
    }

    /// Whether this thread has to leave the node that it searches.
    bool over(End end) const {
        return evaluation_.work() >= end || shared_.work >= shared_.end || is_ended() || is_settled_above();
    }

    /// Whether nobody waits for this thread's work any more.
    bool is_ended() const { return shared_.root == nullptr || shared_.task != task_; }

    /// Whether another thread has settled a node on the path.
    bool is_settled_above() const {
        return std::ranges::any_of(path_, [](const Node* node) { return node->proved() || node->failed(); });
    }

    void pause() {
        if (!before_step) return;
        const Unlocked others_go_on(lock_);
        before_step();
    }

    /// Waits for other threads, about a millisecond at most.
    void wait() {
        shared_.changed.wait_for(lock_, longest_wait);
        pause();
    }
    void wait_for(const Node& node) {
        while (node.in_evaluation) wait();
    }

    void search(Node& node, ProofNumbers limit, End end) {
        if (node.in_evaluation) return wait_for(node);
        const std::uint64_t before = evaluation_.work();
        {
            const OnPath<Node> on_path(path_, node);
            if (!node.evaluated || node.pass_open) open(node);
            while (!node.proved() && !node.failed()) {
                if (node.pass_open) break;
                if (node.attacker_moves ? !attacker_step(node, limit, end) : !defender_step(node, limit, end)) break;
            }
        }
        node.work += evaluation_.work() - before;
        if (node.attacker_moves && node.proved() && node.trees.empty()) shared_.history.note(node.answer().move);
        if (node.attacker_moves && !node.proved() && node.level < settings_.most_levels &&
            node.work > settings_.return_share * most_nodes(node) && !node.in_evaluation && !is_ended() &&
            !is_settled_above()) {
            search_by_threats_again(node);
        }
    }

    /// The larger search by threats.
    void search_by_threats_again(Node& node) {
        const InEvaluation<Node> alone(node, shared_.changed);
        const bool failed = node.failed();
        if (failed) node.numbers = {ProofNumbers::infinite - 1, 1};  // other threads do not give it up yet
        ++node.level;
        if (!evaluation_.prove_by_threats(node, most_nodes(node)) && failed) node.numbers = ProofNumbers::disproved();
    }

    std::uint64_t most_nodes(const Node& node) const { return settings_.expand_nodes << 2 * node.level; }

    void open(Node& node) {
        ++shared_.expansions;
        const InEvaluation<Node> alone(node, shared_.changed);
        if (!node.attacker_moves) {
            evaluation_.evaluate(node);
            if (!node.pass_open && !node.failed()) defender_numbers(node);
            return;
        }
        node.evaluated = true;
        if (evaluation_.prove_by_threats(node, settings_.expand_nodes)) return;
        node.candidates = evaluation_.candidates(node.stones, settings_.candidates + settings_.spare_candidates);
        const auto usual = std::min(node.candidates.size(), static_cast<std::size_t>(settings_.candidates));
        const std::vector<int> best(node.candidates.end() - static_cast<std::ptrdiff_t>(usual), node.candidates.end());
        for (const int move : killers_) {
            if (std::ranges::find(best, move) == best.end()) continue;
            std::erase(node.candidates, move);
            node.candidates.push_back(move);
        }
        if (node.candidates.size() > 1) add_frequent_answers(node);
        attacker_numbers(node);
    }

    /// The moves that have won most often lately become the best candidates.
    void add_frequent_answers(Node& node) const {
        for (const int move : shared_.history.most_frequent(attack_.empty(node.stones))) {
            std::erase(node.candidates, move);
            node.candidates.push_back(move);
        }
    }

    /// One child further. False: a limit is reached.
    bool attacker_step(Node& node, ProofNumbers limit, End end) {
        pause();
        if (node.in_evaluation) {
            wait_for(node);
            return true;
        }
        if (node.proved() || node.failed()) return false;
        attacker_numbers(node);
        if (node.proved() || node.failed()) return false;
        if (node.numbers.proof >= limit.proof || node.numbers.disproof >= limit.disproof || over(end)) return false;
        Node* best = nullptr;
        double least = Price::never;
        double second = Price::never;
        for (const auto& child : node.children) {
            const double proof = price_.with_others(*child.node);
            if (best == nullptr || proof < least) {
                second = least;
                least = proof;
                best = child.node;
            } else {
                second = std::min(second, proof);
            }
        }
        if (untried(node) > 0) {
            const double next = estimate(node);
            if (next < least) {
                const int move = node.candidates.back();
                node.candidates.pop_back();
                Node& child = nodes_.at(attack_.attacked(node.stones, move), false);
                node.children.push_back({move, &child});
                if (child.evaluated) {
                    wait_for(child);
                } else {
                    open(child);
                }
                // A move that fails when it is first evaluated leaves its place to another one.
                if (settings_.spare_candidates > 0 && child.failed() && child.work == 0) {
                    std::erase_if(node.children, [&](const auto& other) { return other.node == &child; });
                }
                return true;
            }
            second = std::min(second, next);
        }
        const std::uint32_t room = limit.disproof - node.numbers.disproof + best->numbers.disproof;
        // Where other threads search the cheapest move, this one may be beyond the limit.
        const std::uint32_t most_proof =
            std::max(std::min(limit.proof, price_.proof_at(*best, second)), ProofNumbers::next_to(best->numbers.proof));
        search(*best, {most_proof, std::min(room, ProofNumbers::infinite)},
               std::min(end, evaluation_.work() + price_.work_to(*best, second)));
        return true;
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

    /// How many candidates may be tried yet.
    std::size_t untried(const Node& node) const {
        if (settings_.spare_candidates == 0) return node.candidates.size();
        const auto most = static_cast<std::size_t>(settings_.candidates);
        return std::min(node.candidates.size(), most - std::min(node.children.size(), most));
    }

    /// The proof number that is expected of the next candidate.
    std::uint32_t estimate(const Node& node) const {
        return static_cast<std::uint32_t>(1 + node.children.size() / settings_.estimate_divisor);
    }

    /// The proof number is that of the move with the least price.
    void attacker_numbers(Node& node) {
        std::uint64_t disproof = untried(node);
        std::uint32_t proof = disproof == 0 ? ProofNumbers::infinite : estimate(node);
        double least = disproof == 0 ? Price::never : proof;
        for (const auto& child : node.children) {
            const double cost = price_.of(*child.node);
            if (cost < least) {
                least = cost;
                proof = child.node->numbers.proof;
            }
            disproof += child.node->numbers.disproof;
        }
        node.numbers = proof == 0                        ? ProofNumbers::proved()
                       : proof == ProofNumbers::infinite ? ProofNumbers::disproved()
                                                         : ProofNumbers{proof, ProofNumbers::clamped(disproof)};
    }

    bool defender_step(Node& node, ProofNumbers limit, End end) {
        pause();
        if (node.in_evaluation) {
            wait_for(node);
            return true;
        }
        defender_numbers(node);
        if (node.proved() || node.failed()) return false;
        if (node.numbers.proof >= limit.proof || node.numbers.disproof >= limit.disproof || over(end)) return false;
        typename Node::Child best{Node::pass, nullptr};
        std::uint32_t second = ProofNumbers::infinite;
        const auto comes_before = [](const Node& a, const Node& b) {
            return std::pair(is_taken(a), a.numbers.disproof) < std::pair(is_taken(b), b.numbers.disproof);
        };
        for (const auto& child : node.children) {
            if (child.node->proved()) continue;
            if (best.node == nullptr || comes_before(*child.node, *best.node)) {
                if (best.node != nullptr) second = std::min(second, best.node->numbers.disproof);
                best = child;
            } else {
                second = std::min(second, child.node->numbers.disproof);
            }
        }
        const ProofNumbers numbers = best.node->numbers;
        const std::uint32_t room = limit.proof - node.numbers.proof + numbers.proof;
        // Where other threads search the reply with the least number, this one may be beyond the limit.
        const std::uint32_t most_disproof =
            std::max(std::min(limit.disproof, second + 1), ProofNumbers::next_to(numbers.disproof));
        if (!best.node->evaluated) note_killers(node);
        search(*best.node, {std::min(room, ProofNumbers::infinite), most_disproof}, end);
        if (best.node->proved() && !best.node->trees.empty()) evaluation_.cover_by_child(node, best);
        return true;
    }

    /// Whether another thread searches a node.
    static bool is_taken(const Node& node) { return node.searchers > 0 || node.in_evaluation; }

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
                const InEvaluation<Node> alone(node, shared_.changed);
                evaluation_.sweep(node);
                continue;
            }
            if (proof == 0) {
                node.numbers = ProofNumbers::proved();
                return;
            }
            node.numbers = {ProofNumbers::clamped(proof + static_cast<std::uint64_t>(node.open.count()) / 8), disproof};
            return;
        }
    }

    Attack attack_;
    SharedSearch<Attack>& shared_;
    const QuietSettings& settings_;
    Nodes& nodes_;
    std::unique_lock<std::mutex> lock_;
    QuietEvaluation<Attack> evaluation_;
    Price price_;
    std::uint64_t task_ = 0;   ///< that this thread has helped with last
    std::vector<Node*> path_;  ///< from the root to the node that is being searched
    std::vector<int> killers_;
};

}  // namespace proofbase
