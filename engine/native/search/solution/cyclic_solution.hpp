// From a solved graph with cycles to claims. What a search in such a graph believes of a node may rest on a repetition
// of something above it, and then it is no fact by itself: it becomes one only together with all that it rests on
// (docs/fact-model.md). So the solution is not what the numbers say, but what supports itself:
//
//   * below a node, what favours the prover is collected: one move or more where the prover moves, all moves elsewhere;
//     an end node stands for the position that it repeats;
//   * progress claims get the plies within which they are realised as ranks, from the leaves upwards; what gets no rank
//     is not supported;
//   * safety claims are supported by each other, but for those that a child does not support: these fall, and with them
//     what rests on them. Progress claims are then ranked again, until nothing falls.
//
// What is left passes the local check. If the root is not among it, the answer rests on a mistake (Schijf 1993,
// Fig. 5.7), and nothing is emitted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claim.hpp"
#include "records/local_check.hpp"
#include "records/record_table.hpp"
#include "records/value_tables.hpp"
#include "search/api/any_search.hpp"
#include "search/policy/leaf.hpp"
#include "search/solution/claim_builder.hpp"

namespace proofbase {

template <Game G, class Graph, class Sink>
class SupportedSolution {
  public:
    using Step = typename Graph::Step;

    /// `sink(key, claim)` receives the claims; `known` may be null; `cancelled` ends what is under way.
    SupportedSolution(const G& game, const Graph& graph, const RecordTable<G>* known, Sink sink,
                      const std::atomic<bool>& cancelled)
        : game_(game), graph_(graph), known_(known), claims_(game), sink_(std::move(sink)), cancelled_(cancelled) {}

    /// Whether the graph holds what the answer of a solved node rests on. Throws Cancelled.
    bool supports(const Step& solved) {
        collect(solved);
        do rank();
        while (fell());
        return supported(entries_[0]);
    }

    /// Emits the claims below a solved node, its own included, each once. Throws Cancelled, and std::logic_error where
    /// supports() is false.
    void below(const Step& solved) {
        if (!supports(solved)) throw std::logic_error("nothing in the graph supports its answer");
        std::vector<bool> entered(entries_.size());
        std::vector<std::uint32_t> open{0};
        entered[0] = true;
        const auto enter = [&](std::uint32_t entry) {
            if (entered[entry]) return;
            entered[entry] = true;
            open.push_back(entry);
        };
        while (!open.empty()) {
            tick();
            const std::uint32_t here = open.back();
            open.pop_back();
            emit(entries_[here], enter);
        }
    }

  private:
    using Move = typename G::Move;

    enum class Kind : std::uint8_t {
        open,      ///< nothing favours the prover
        fact,      ///< true by the rules, by the range of values or by a record: there is nothing to emit
        table,     ///< what a table has: the claim names it
        search,    ///< shown by the game's look-ahead
        progress,  ///< repetition would break it
        safety,    ///< repetition satisfies it
    };

    /// The answer that favours the prover in one node.
    struct Entry {
        std::uint32_t node;
        std::uint32_t first;  ///< of the children that may support it
        std::uint32_t count;
        std::uint32_t rank;  ///< unranked: not supported
        std::uint32_t left;  ///< children: to wait for, or that support it
        Kind kind;
        bool moves;  ///< the prover is to move: the bound is reached, else it is not
    };

    struct Option {
        std::uint32_t entry;
        Move move;
    };

    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr std::uint32_t unranked = 0xffffffff;

    static bool supported(const Entry& entry) noexcept { return entry.rank != unranked; }

    void tick() {
        if (++ticks_ % 256 == 0 && cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
    }

    // What may support what.

    void collect(const Step& solved) {
        entries_.clear();
        options_.clear();
        entry_of_.assign(std::size_t{2} * graph_.size(), none);
        entry_of(graph_.number(solved.node), graph_.numbers(solved.node).proved());
        for (std::uint32_t here = 0; here < entries_.size(); ++here) {
            tick();
            look_at(here);
        }
        above_.assign(options_.size(), 0);
        first_above_.assign(entries_.size() + 1, 0);
        for (const Option& option : options_) ++first_above_[option.entry + 1];
        for (std::size_t i = 1; i < first_above_.size(); ++i) first_above_[i] += first_above_[i - 1];
        std::vector<std::uint32_t> next(first_above_.begin(), first_above_.end() - 1);
        for (std::uint32_t e = 0; e < entries_.size(); ++e) {
            for (std::uint32_t i = 0; i < entries_[e].count; ++i) {
                above_[next[options_[entries_[e].first + i].entry]++] = e;
            }
        }
    }

    std::uint32_t entry_of(std::uint32_t node, bool moves) {
        std::uint32_t& entry = entry_of_[std::size_t{2} * node + moves];
        if (entry == none) {
            entry = static_cast<std::uint32_t>(entries_.size());
            entries_.push_back({node, 0, 0, unranked, 0, Kind::open, moves});
        }
        return entry;
    }

    void look_at(std::uint32_t here) {
        const Step step = graph_.step(entries_[here].node);
        const bool moves = entries_[here].moves;
        const auto settle = [&](Kind kind, const Leaf& leaf) {
            if (leaf.numbers.proved() != moves) return;
            entries_[here].kind = kind;
            entries_[here].rank = leaf.rank;
        };
        if (const auto leaf = leaf_by_rules(game_, step.position, step.bound)) return settle(Kind::fact, *leaf);
        if (const auto leaf = recorded(step)) return settle(Kind::fact, *leaf);
        if (const auto leaf = tabled(step)) return settle(Kind::table, *leaf);
        const auto rho = repetition_value(game_, step.position);
        const bool safe = rho && (moves ? step.bound <= *rho : step.bound - 1 >= *rho);
        if (!graph_.expanded(step.node)) {
            const Numbers numbers = graph_.numbers(step.node);
            // A claim by search has a rank, which a safety claim must not have.
            if (Effort<G> && !safe && numbers.solved()) settle(Kind::search, {numbers, graph_.rank(step.node)});
            return;
        }
        // Of the prover's moves those that the search trusts; if it trusts none, all that are not refuted.
        bool trusted = false;
        bool refuted = false;
        graph_.for_each_option(step, [&](const Step&, Move, Numbers seen) {
            trusted |= seen.disproved();
            refuted |= moves ? false : seen.disproved();
        });
        if (refuted) return;
        const auto first = static_cast<std::uint32_t>(options_.size());
        graph_.for_each_option(step, [&](const Step& child, Move move, Numbers seen) {
            if (moves && (trusted ? !seen.disproved() : seen.proved())) return;
            options_.push_back({entry_of(graph_.number(child.node), !moves), move});
        });
        Entry& entry = entries_[here];
        entry.kind = safe ? Kind::safety : Kind::progress;
        entry.rank = safe ? 0 : unranked;
        entry.first = first;
        entry.count = static_cast<std::uint32_t>(options_.size()) - first;
    }

    std::optional<Leaf> recorded(const Step& step) const {
        if (known_ == nullptr) return std::nullopt;
        return leaf_by_record(*known_, game_.key(step.position), step.bound);
    }

    std::optional<Leaf> tabled(const Step& step) const {
        if (known_ == nullptr) return std::nullopt;
        return leaf_by_table(*known_, step.position, step.bound);
    }

    // What does support what.

    template <class Visit>
    void for_each_above(std::uint32_t entry, Visit&& visit) {
        for (std::uint32_t i = first_above_[entry]; i < first_above_[entry + 1]; ++i) visit(above_[i]);
    }

    /// Ranks the progress claims, the quickest first.
    void rank() {
        using Ranked = std::pair<std::uint32_t, std::uint32_t>;
        std::priority_queue<Ranked, std::vector<Ranked>, std::greater<>> waiting;
        for (std::uint32_t e = 0; e < entries_.size(); ++e) {
            Entry& entry = entries_[e];
            if (entry.kind == Kind::progress) {
                entry.rank = unranked;
                entry.left = entry.moves ? 1 : entry.count;
            } else if (supported(entry)) {
                waiting.emplace(entry.rank, e);
            }
        }
        while (!waiting.empty()) {
            tick();
            const auto [rank, below] = waiting.top();
            waiting.pop();
            for_each_above(below, [&, rank = rank](std::uint32_t e) {
                Entry& entry = entries_[e];
                if (entry.kind != Kind::progress || entry.left == 0 || --entry.left > 0) return;
                entry.rank = rank + 1;
                waiting.emplace(entry.rank, e);
            });
        }
    }

    /// Takes away the safety claims that are not supported; true if there were any.
    bool fell() {
        std::vector<std::uint32_t> falling;
        for (std::uint32_t e = 0; e < entries_.size(); ++e) {
            Entry& entry = entries_[e];
            if (entry.kind != Kind::safety || !supported(entry)) continue;
            std::uint32_t by = 0;
            for (std::uint32_t i = 0; i < entry.count; ++i) by += supported(entries_[options_[entry.first + i].entry]);
            // Falls when the last one falls where the prover moves, else with the first one.
            entry.left = entry.moves ? by : by - entry.count + 1;
            if (static_cast<std::int32_t>(entry.left) <= 0) falling.push_back(e);
        }
        const bool any = !falling.empty();
        for (const std::uint32_t e : falling) entries_[e].rank = unranked;
        while (!falling.empty()) {
            tick();
            const std::uint32_t below = falling.back();
            falling.pop_back();
            for_each_above(below, [&](std::uint32_t e) {
                Entry& entry = entries_[e];
                if (entry.kind != Kind::safety || !supported(entry) || --entry.left > 0) return;
                entry.rank = unranked;
                falling.push_back(e);
            });
        }
        return any;
    }

    template <class Enter>
    void emit(const Entry& entry, Enter&& enter) {
        if (entry.kind == Kind::fact) return;
        const Step step = graph_.step(entry.node);
        const auto key = game_.key(step.position);
        if (entry.kind == Kind::table) {
            // In the canonical position: its moves are what a witness is one of.
            const Side side = entry.moves ? Side::lower : Side::upper;
            // Without the children's tables there is no witness; what rests on the entry rests on the table itself.
            if (const auto claim = table_claim(game_, *known_->tables(), *game_.position(key), side)) {
                sink_(key, *claim);
            }
            return;
        }
        if (entry.kind == Kind::search) {
            sink_(key, claims_.by_small_search(step.position, step.bound, entry.moves, entry.rank));
            return;
        }
        const Option* best = nullptr;
        for (std::uint32_t i = 0; i < entry.count; ++i) {
            const Option& option = options_[entry.first + i];
            if (!entry.moves) enter(option.entry);
            if (best == nullptr || entries_[option.entry].rank < entries_[best->entry].rank) best = &option;
        }
        if (!entry.moves) {
            sink_(key, Claim::upper(step.bound - 1, entry.rank));
            return;
        }
        enter(best->entry);
        sink_(key, Claim::lower(step.bound, entry.rank, claims_.canonical_move(step.position, best->move)));
    }

    const G& game_;
    const Graph& graph_;
    const RecordTable<G>* known_;
    ClaimBuilder<G> claims_;
    Sink sink_;
    const std::atomic<bool>& cancelled_;
    std::vector<std::uint32_t> entry_of_;  ///< by node and whether the prover moves
    std::vector<Entry> entries_;           ///< the root first
    std::vector<Option> options_;
    std::vector<std::uint32_t> first_above_;  ///< by entry: where its parents begin in above_
    std::vector<std::uint32_t> above_;
    std::uint32_t ticks_ = 0;
};

}  // namespace proofbase
