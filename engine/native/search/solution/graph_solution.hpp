// From a solved search graph to claims: walks down from a node and emits the claims that its answer rests on. Below a
// proved node the walk takes one disproved child, the preferred one; below a disproved node it takes all children. It
// does not go below a node whose claim a small search settles (small_search_claims.hpp). A leaf that the game's
// look-ahead settled becomes a claim by small search; a node that winning threats settled becomes a claim by lines. A
// leaf that a stored record settled gets no claim: the record has it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/small_search/small_search_claims.hpp"
#include "search/api/search.hpp"
#include "search/graph/search_graph.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/leaf.hpp"
#include "search/solution/claim_builder.hpp"

namespace proofbase {

template <Game G, SolvedGraph Graph, class Sink>
class GraphSolution {
  public:
    using Step = typename Graph::Step;

    /// `sink(key, claim)` receives the claims; `records` may be null; `small_searches` replace what is below a claim;
    /// `cancelled` ends emit_below().
    GraphSolution(const G& game, const Graph& graph, const KnownRecords<G>* records,
                  SmallSearchClaims<G>& small_searches, Sink sink, const std::atomic<bool>& cancelled)
        : game_(game),
          graph_(graph),
          records_(records),
          small_searches_(small_searches),
          claims_(game),
          sink_(std::move(sink)),
          cancelled_(cancelled),
          marks_(graph) {}

    /// Emits the claims below a solved node, its own included, that were not emitted before. Throws Cancelled.
    void emit_below(const Step& solved) {
        visit(solved);
        while (!to_emit_.empty()) {
            if (cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
            const Step step = std::move(to_emit_.back());
            to_emit_.pop_back();
            if (leaf_by_rules(game_, step.position, step.bound)) continue;
            if (graph_.claimed_elsewhere(step.node) || is_recorded(step) || emit_table_claim(step)) continue;
            if (graph_.expanded(step.node)) {
                emit_inner_node(step);
            } else {
                emit_leaf(step);
            }
        }
    }

  private:
    using Move = typename G::Move;

    /// Adds a node to the list of nodes whose claims are to be emitted, unless it was added before.
    void visit(const Step& step) {
        if (marks_.mark(step.node)) to_emit_.push_back(step);
    }

    /// True if a stored record settles the node with the graph's rank or a smaller one. (A larger rank would not do:
    /// the rank of the parent's claim was computed from the graph's rank.)
    bool is_recorded(const Step& step) const {
        if (records_ == nullptr) return false;
        const auto leaf = leaf_by_record(*records_, game_.key(step.position), step.bound);
        return leaf && leaf->numbers == graph_.numbers(step.node) && leaf->rank <= graph_.rank(step.node);
    }

    /// Emits a claim that rests on a table. False if no table gives such a claim.
    bool emit_table_claim(const Step& step) {
        if (records_ == nullptr || graph_.expanded(step.node)) return false;
        const auto leaf = leaf_by_table(*records_, step.position, step.bound);
        if (!leaf || leaf->rank > graph_.rank(step.node)) return false;
        const auto key = game_.key(step.position);
        const Side side = graph_.numbers(step.node).disproved() ? Side::upper : Side::lower;
        // The claim is made for the canonical position, since its witness is a move of that position.
        const auto claim = table_claim(game_, *records_->tables(), position_of_key(game_, key), side);
        if (claim) sink_(key, *claim);
        return claim.has_value();
    }

    void emit_inner_node(const Step& step) {
        const auto key = game_.key(step.position);
        if (graph_.numbers(step.node).disproved()) {
            const std::uint32_t rank = graph_.rank(step.node);
            if (const auto claim = small_searches_.upper(key, step.bound - 1, rank)) return sink_(key, *claim);
            sink_(key, upper_claim(step));
            graph_.for_each_child(step, [&](const Step& child, Move, const Numbers&) { visit(child); });
            return;
        }
        Step best{};
        Move witness{};
        bool found = false;
        graph_.for_each_child(step, [&](const Step& child, Move move, const Numbers& numbers) {
            if (!numbers.disproved()) return;
            if (!found || graph_.preferred(child.node, best.node)) {
                best = child;
                witness = move;
                found = true;
            }
        });
        if (!found) throw std::logic_error("a proved node has no move that proves it");
        // Since the node was solved, a child with a smaller rank may have been solved. The rank of a safety claim is 0
        // in any case.
        const std::uint32_t rank = std::min(graph_.rank(step.node), graph_.rank(best.node) + 1);
        const Move canonical_witness = claims_.canonical_move(step.position, witness);
        if (const auto claim = small_searches_.lower(key, step.bound, rank, canonical_witness)) {
            return sink_(key, *claim);
        }
        visit(best);
        sink_(key, Claim::lower(step.bound, rank, canonical_witness));
    }

    void emit_leaf(const Step& step) {
        if constexpr (TellsThreats<G>) {
            if (graph_.omits_refuted_moves() && emit_leaf_by_lines(step)) return;
        }
        const bool reached = graph_.numbers(step.node).proved();
        sink_(game_.key(step.position),
              claims_.by_small_search(step.position, step.bound, reached, graph_.rank(step.node)));
    }

    /// Emits the claim of a leaf that winning threats settled; false if it was settled since nobody wins in time. The
    /// positions of a graph that omits refuted moves are canonical.
    bool emit_leaf_by_lines(const Step& step)
        requires TellsThreats<G>
    {
        const auto& found = analyse_threats(game_, step.position);
        if (found.verdict == ThreatVerdict::nobody_in_time) return false;
        const auto key = game_.key(step.position);
        if (graph_.numbers(step.node).disproved()) {
            sink_(key, upper_claim(step));
            return true;
        }
        const auto& line = found.line;
        Claim claim = Claim::lower(step.bound, graph_.rank(step.node), line[0]);
        sink_(key, line.size() == 1 ? claim : std::move(claim).by_line(line));
        return true;
    }

    /// The claim of a disproved node. The moves that the graph omits get the lines that refute them as evidence.
    Claim upper_claim(const Step& step) const {
        Claim claim = Claim::upper(step.bound - 1, graph_.rank(step.node));
        if constexpr (TellsThreats<G>) {
            if (graph_.omits_refuted_moves()) {
                const auto& found = analyse_threats(game_, step.position);
                if (!found.lines.empty()) return std::move(claim).by_lines(found.lines);
            }
        }
        return claim;
    }

    const G& game_;
    const Graph& graph_;
    const KnownRecords<G>* records_;
    SmallSearchClaims<G>& small_searches_;
    ClaimBuilder<G> claims_;
    Sink sink_;
    const std::atomic<bool>& cancelled_;
    typename Graph::Marks marks_;
    std::vector<Step> to_emit_;
};

}  // namespace proofbase
