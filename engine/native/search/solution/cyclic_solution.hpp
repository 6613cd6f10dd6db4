// From a solved graph with cycles to claims. The answer that a search in such a graph gives to a node may rest on a
// repetition of a node above it. Then it is no fact by itself, but only together with all that it rests on
// (docs/fact-model.md). So the solution is not taken from the numbers: it is a set of answers that support each other.
//
// The prover is the side that the answer of the root favours: the side to move at the root if the root is proved, else
// the other side.
//
//   * The walk below a node collects the answers that favour the prover, and their options: the moves that may support
//     them. Where the prover moves, one supported option is enough. Where the other side moves, every move is an option
//     and has to be supported. An end node (parent_list_graph.hpp) stands for the position that it repeats.
//   * A progress claim gets as its rank the plies within which it is realised, from the leaves upwards. An answer that
//     gets no rank is not supported.
//   * Safety claims support each other. A safety claim that its children do not support is removed, and with it the
//     answers that rest on it. Then progress claims are ranked again, until nothing is removed.
//
// The answers that are left pass the local check. A progress claim that a small search settles needs no other answers
// (small_search_claims.hpp). If the root is not among them, its answer rests on a mistake (Schijf
// 1993, Fig. 5.7), and nothing is emitted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/check/local_check.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/small_search/small_search_claims.hpp"
#include "records/known_records.hpp"
#include "records/value_tables.hpp"
#include "search/api/search.hpp"
#include "search/graph/search_graph.hpp"
#include "search/policy/leaf.hpp"
#include "search/solution/claim_builder.hpp"

namespace proofbase {

template <Game G, RestsOnRepetition Graph, class Sink>
class CyclicSolution {
  public:
    using Step = typename Graph::Step;

    /// `sink(key, claim)` receives the claims; `records` may be null; `small_searches` replace what is below a progress
    /// claim; `cancelled` ends the calls below.
    CyclicSolution(const G& game, const Graph& graph, const KnownRecords<G>* records,
                   SmallSearchClaims<G>& small_searches, Sink sink, const std::atomic<bool>& cancelled)
        : game_(game),
          graph_(graph),
          records_(records),
          small_searches_(small_searches),
          claims_(game),
          sink_(std::move(sink)),
          cancelled_(cancelled) {}

    /// True if the graph holds all answers that the answer of a solved node rests on. Throws Cancelled.
    bool supports(const Step& solved) {
        collect_answers(solved);
        do rank_progress_claims();
        while (remove_unsupported_safety_claims());
        return supported(answers_[0]);
    }

    /// Emits the claims below a solved node, its own included, each once. Throws Cancelled, and std::logic_error where
    /// supports() is false.
    void emit_below(const Step& solved) {
        if (!supports(solved)) throw std::logic_error("nothing in the graph supports its answer");
        std::vector<bool> visited(answers_.size());
        std::vector<std::uint32_t> to_emit{0};
        visited[0] = true;
        const auto visit = [&](std::uint32_t answer) {
            if (visited[answer]) return;
            visited[answer] = true;
            to_emit.push_back(answer);
        };
        while (!to_emit.empty()) {
            check_cancelled();
            const Answer& answer = answers_[to_emit.back()];
            to_emit.pop_back();
            emit(answer, visit);
        }
    }

  private:
    using Move = typename G::Move;

    enum class Kind : std::uint8_t {
        unsupported,  ///< the search found no answer that favours the prover
        fact,         ///< true by the rules, by the limits of values or by a record: there is nothing to emit
        table,        ///< in a table: the claim names the table
        look_ahead,   ///< shown by the game's look-ahead: the claim is one by small search
        progress,     ///< a progress claim: endless play would break it
        safety,       ///< a safety claim: endless play satisfies it
    };

    /// The answer that favours the prover in one node.
    struct Answer {
        std::uint32_t node;
        std::uint32_t first_option;
        std::uint32_t option_count;
        std::uint32_t rank;  ///< unranked: not supported
        /// For an unranked progress claim: how many more options have to be supported. For a supported safety claim:
        /// how many options can lose their support before the claim loses its own.
        std::uint32_t options_left;
        Kind kind;
        bool prover_moves;  ///< true: the answer is "proved"; false: it is "disproved"
    };

    /// A move that may support an answer, and the answer that it leads to.
    struct Option {
        std::uint32_t answer;
        Move move;
    };

    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr std::uint32_t unranked = 0xffffffff;

    static bool supported(const Answer& answer) noexcept { return answer.rank != unranked; }

    /// Every so many calls, throws Cancelled if the search was cancelled.
    void check_cancelled() {
        if (++checks_ % 256 == 0 && cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
    }

    // First part: which answers may support which.

    void collect_answers(const Step& solved) {
        answers_.clear();
        options_.clear();
        answer_of_.assign(std::size_t{2} * graph_.size(), none);
        find_or_add_answer(graph_.number(solved.node), graph_.numbers(solved.node).proved());
        for (std::uint32_t a = 0; a < answers_.size(); ++a) {
            check_cancelled();
            find_support(a);
        }
        collect_dependents();
    }

    /// Collects the dependents of every answer: the answers that have it as an option.
    void collect_dependents() {
        dependents_.assign(options_.size(), 0);
        first_dependent_.assign(answers_.size() + 1, 0);
        for (const Option& option : options_) ++first_dependent_[option.answer + 1];
        for (std::size_t i = 1; i < first_dependent_.size(); ++i) first_dependent_[i] += first_dependent_[i - 1];
        std::vector<std::uint32_t> next(first_dependent_.begin(), first_dependent_.end() - 1);
        for (std::uint32_t a = 0; a < answers_.size(); ++a) {
            const Answer& answer = answers_[a];
            for (std::uint32_t i = 0; i < answer.option_count; ++i) {
                dependents_[next[options_[answer.first_option + i].answer]++] = a;
            }
        }
    }

    /// The number of the answer in a node. A new answer is added if there is none.
    std::uint32_t find_or_add_answer(std::uint32_t node, bool prover_moves) {
        std::uint32_t& number = answer_of_[std::size_t{2} * node + prover_moves];
        if (number == none) {
            number = static_cast<std::uint32_t>(answers_.size());
            answers_.push_back({node, 0, 0, unranked, 0, Kind::unsupported, prover_moves});
        }
        return number;
    }

    /// Finds out what an answer may rest on: sets its kind, and its options if it may rest on other answers.
    void find_support(std::uint32_t number) {
        const Step step = graph_.step(answers_[number].node);
        const bool prover_moves = answers_[number].prover_moves;
        const auto support_by_leaf = [&](Kind kind, const Leaf& leaf) {
            if (leaf.numbers.proved() != prover_moves) return;
            answers_[number].kind = kind;
            answers_[number].rank = leaf.rank;
        };
        if (const auto leaf = leaf_by_rules(game_, step.position, step.bound))
            return support_by_leaf(Kind::fact, *leaf);
        if (const auto leaf = leaf_from_record(step)) return support_by_leaf(Kind::fact, *leaf);
        if (const auto leaf = leaf_from_table(step)) return support_by_leaf(Kind::table, *leaf);
        const auto rho = repetition_value(game_, step.position);
        const bool is_safety_claim = rho && (prover_moves ? step.bound <= *rho : step.bound - 1 >= *rho);
        if (!graph_.expanded(step.node)) {
            const Numbers numbers = graph_.numbers(step.node);
            // The game's look-ahead (effort()) may have solved the leaf. It leaves a question unsolved whose answer
            // would be a safety claim (leaf_by_effort()).
            if (estimates_effort(game_) && !is_safety_claim && numbers.solved())
                support_by_leaf(Kind::look_ahead, {numbers, graph_.rank(step.node)});
            return;
        }
        const auto first = static_cast<std::uint32_t>(options_.size());
        if (!add_options(step, prover_moves)) return;
        Answer& answer = answers_[number];
        answer.kind = is_safety_claim ? Kind::safety : Kind::progress;
        answer.rank = is_safety_claim ? 0 : unranked;
        answer.first_option = first;
        answer.option_count = static_cast<std::uint32_t>(options_.size()) - first;
    }

    /// Adds the options of an expanded node. Where the prover moves, these are the moves that win for the prover by the
    /// numbers of the search; if there are none, all moves that do not lose. Where the other side moves, these are all
    /// moves. False, without options, if the other side has a move that wins for it.
    bool add_options(const Step& step, bool prover_moves) {
        bool any_winning = false;
        bool any_refutation = false;
        graph_.for_each_child(step, [&](const Step&, Move, const Numbers& numbers) {
            any_winning |= numbers.disproved();
            any_refutation |= !prover_moves && numbers.disproved();
        });
        if (any_refutation) return false;
        graph_.for_each_child(step, [&](const Step& child, Move move, const Numbers& numbers) {
            if (prover_moves && (any_winning ? !numbers.disproved() : numbers.proved())) return;
            options_.push_back({find_or_add_answer(graph_.number(child.node), !prover_moves), move});
        });
        return true;
    }

    std::optional<Leaf> leaf_from_record(const Step& step) const {
        if (records_ == nullptr) return std::nullopt;
        return leaf_by_record(*records_, game_.key(step.position), step.bound);
    }

    std::optional<Leaf> leaf_from_table(const Step& step) const {
        if (records_ == nullptr) return std::nullopt;
        return leaf_by_table(*records_, step.position, step.bound);
    }

    // Second part: which answers are supported.

    template <class Visit>
    void for_each_dependent(std::uint32_t answer, Visit&& visit) {
        for (std::uint32_t i = first_dependent_[answer]; i < first_dependent_[answer + 1]; ++i) visit(dependents_[i]);
    }

    /// Ranks the progress claims, the quickest first.
    void rank_progress_claims() {
        using Ranked = std::pair<std::uint32_t, std::uint32_t>;
        std::priority_queue<Ranked, std::vector<Ranked>, std::greater<>> by_rank;
        for (std::uint32_t a = 0; a < answers_.size(); ++a) {
            Answer& answer = answers_[a];
            if (answer.kind == Kind::progress) {
                answer.rank = unranked;
                answer.options_left = answer.prover_moves ? 1 : answer.option_count;
            } else if (supported(answer)) {
                by_rank.emplace(answer.rank, a);
            }
        }
        while (!by_rank.empty()) {
            check_cancelled();
            const auto [rank, ranked] = by_rank.top();
            by_rank.pop();
            for_each_dependent(ranked, [&, rank = rank](std::uint32_t a) {
                Answer& answer = answers_[a];
                if (answer.kind != Kind::progress || answer.options_left == 0 || --answer.options_left > 0) return;
                answer.rank = rank + 1;
                by_rank.emplace(answer.rank, a);
            });
        }
    }

    /// Removes the safety claims that are not supported, and those that rest on them; true if there were any.
    bool remove_unsupported_safety_claims() {
        std::vector<std::uint32_t> removed;
        for (std::uint32_t a = 0; a < answers_.size(); ++a) {
            Answer& answer = answers_[a];
            if (answer.kind != Kind::safety || !supported(answer)) continue;
            std::uint32_t supporting = 0;
            for (std::uint32_t i = 0; i < answer.option_count; ++i) {
                supporting += supported(answers_[options_[answer.first_option + i].answer]);
            }
            // Where the prover moves, an answer loses its support with its last supported option; where the other side
            // moves, with the first.
            if (answer.prover_moves) {
                answer.options_left = supporting;
            } else {
                answer.options_left = supporting == answer.option_count ? 1 : 0;
            }
            if (answer.options_left == 0) removed.push_back(a);
        }
        const bool any = !removed.empty();
        for (const std::uint32_t a : removed) answers_[a].rank = unranked;
        while (!removed.empty()) {
            check_cancelled();
            const std::uint32_t below = removed.back();
            removed.pop_back();
            for_each_dependent(below, [&](std::uint32_t a) {
                Answer& answer = answers_[a];
                if (answer.kind != Kind::safety || !supported(answer) || --answer.options_left > 0) return;
                answer.rank = unranked;
                removed.push_back(a);
            });
        }
        return any;
    }

    /// Emits the claim of a supported answer; visit(answer) is called for the answers that it rests on.
    template <class Visit>
    void emit(const Answer& answer, Visit&& visit) {
        if (answer.kind == Kind::fact) return;
        const Step step = graph_.step(answer.node);
        const auto key = game_.key(step.position);
        if (answer.kind == Kind::table) {
            const Side side = answer.prover_moves ? Side::lower : Side::upper;
            // The claim is made for the canonical position, since its witness is a move of that position. Without the
            // tables of the children there is no witness and no claim: answers that rest on this one rest on the table.
            if (const auto claim = table_claim(game_, *records_->tables(), position_of_key(game_, key), side)) {
                sink_(key, *claim);
            }
            return;
        }
        if (answer.kind == Kind::look_ahead) {
            sink_(key, claims_.by_small_search(step.position, step.bound, answer.prover_moves, answer.rank));
            return;
        }
        if (!answer.prover_moves) {
            if (const auto claim = small_searches_.upper(key, step.bound - 1, answer.rank)) return sink_(key, *claim);
            for (std::uint32_t i = 0; i < answer.option_count; ++i) visit(options_[answer.first_option + i].answer);
            return sink_(key, Claim::upper(step.bound - 1, answer.rank));
        }
        const Option* best = nullptr;
        for (std::uint32_t i = 0; i < answer.option_count; ++i) {
            const Option& option = options_[answer.first_option + i];
            if (best == nullptr || answers_[option.answer].rank < answers_[best->answer].rank) best = &option;
        }
        const Move witness = claims_.canonical_move(step.position, best->move);
        if (const auto claim = small_searches_.lower(key, step.bound, answer.rank, witness)) return sink_(key, *claim);
        visit(best->answer);
        sink_(key, Claim::lower(step.bound, answer.rank, witness));
    }

    const G& game_;
    const Graph& graph_;
    const KnownRecords<G>* records_;
    SmallSearchClaims<G>& small_searches_;
    ClaimBuilder<G> claims_;
    Sink sink_;
    const std::atomic<bool>& cancelled_;
    std::vector<std::uint32_t> answer_of_;  ///< by node and whether the prover moves
    std::vector<Answer> answers_;           ///< that of the root first
    std::vector<Option> options_;
    std::vector<std::uint32_t> first_dependent_;  ///< by answer: where its dependents begin in dependents_
    std::vector<std::uint32_t> dependents_;
    std::uint32_t checks_ = 0;
};

}  // namespace proofbase
