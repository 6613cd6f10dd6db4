// From a solved search graph to claims: walks down from a node and emits what its answer rests on, one move where
// the side to move reaches its bound (the quickest), all moves where it does not. Leaves that the game's look-ahead
// settled become claims by small search, what winning threats settled become claims by lines; leaves known from records
// are left to those records.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "concepts.hpp"
#include "records/claim.hpp"
#include "search/api/any_search.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/leaf.hpp"
#include "search/solution/claim_builder.hpp"

namespace proofbase {

template <Game G, class Graph, class Sink>
class Extraction {
  public:
    using Step = typename Graph::Step;

    /// `sink(key, claim)` receives the claims; `known` may be null; `cancelled` ends below().
    Extraction(const G& game, const Graph& graph, const RecordTable<G>* known, Sink sink,
               const std::atomic<bool>& cancelled)
        : game_(game),
          graph_(graph),
          known_(known),
          claims_(game),
          sink_(std::move(sink)),
          cancelled_(cancelled),
          marks_(graph) {}

    /// Emits the claims below a solved node, its own included, that were not emitted before. Throws Cancelled.
    void below(const Step& solved) {
        enter(solved);
        while (!open_.empty()) {
            if (cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
            const Step step = std::move(open_.back());
            open_.pop_back();
            if (leaf_by_rules(game_, step.position, step.bound)) continue;
            if (emitted(step) || on_record(step) || on_table(step)) continue;
            if (graph_.expanded(step.node)) {
                inner(step);
            } else {
                leaf(step);
            }
        }
    }

  private:
    using Move = typename G::Move;

    /// True where the graph leaves moves to lines of winning threats (initialisation policy `threats`).
    bool leaves_moves_to_lines() const {
        if constexpr (requires { graph_.leaves_moves_to_lines(); }) return graph_.leaves_moves_to_lines();
        return false;
    }

    /// True for a node below which a memory policy has deleted what it had emitted, and for one that repeats an
    /// ancestor: the claim of that one stands for both.
    bool emitted(const Step& step) const {
        if constexpr (requires { graph_.released(step.node); }) {
            if (graph_.released(step.node)) return true;
        }
        if constexpr (requires { graph_.repeats(step.node); }) return graph_.repeats(step.node);
        return false;
    }

    /// True if a known record settles the node, at least as soon as the graph has it: its parent counts on the rank.
    bool on_record(const Step& step) const {
        if (known_ == nullptr) return false;
        const auto leaf = leaf_by_record(*known_, game_.key(step.position), step.bound);
        return leaf && leaf->numbers == graph_.numbers(step.node) && leaf->rank <= graph_.rank(step.node);
    }

    /// True if a table has the node: then a claim that names the table is emitted.
    bool on_table(const Step& step) {
        if (known_ == nullptr || known_->tables() == nullptr || graph_.rank(step.node) != 0) return false;
        const auto key = game_.key(step.position);
        const Side side = graph_.numbers(step.node).disproved() ? Side::upper : Side::lower;
        // In the canonical position: its moves are what a witness is one of.
        const auto claim = table_claim(game_, *known_->tables(), *game_.position(key), side);
        if (claim) sink_(key, *claim);
        return claim.has_value();
    }

    void enter(const Step& step) {
        if (marks_.mark(step.node)) open_.push_back(step);
    }

    void inner(const Step& step) {
        const Numbers numbers = graph_.numbers(step.node);
        if (numbers.disproved()) {
            sink_(game_.key(step.position), refuted(step));
            graph_.for_each_child(step, [&](const Step& child, Move) { enter(child); });
            return;
        }
        Step best{};
        Move witness{};
        bool found = false;
        graph_.for_each_child(step, [&](const Step& child, Move move) {
            if (!graph_.numbers(child.node).disproved()) return;
            if (!found || better(child.node, best.node)) {
                best = child;
                witness = move;
                found = true;
            }
        });
        if (!found) throw std::logic_error("a proved node has no move that proves it");
        enter(best);
        // The child may have been solved sooner than the graph noticed; the rank of a safety claim stays 0.
        const std::uint32_t rank = std::min(graph_.rank(step.node), graph_.rank(best.node) + 1);
        sink_(game_.key(step.position), Claim::lower(step.bound, rank, claims_.canonical_move(step.position, witness)));
    }

    /// True if a proved node rests rather on child `a` than on child `b`: as the graph has it where it has a say.
    template <class Node>
    bool better(Node a, Node b) const {
        if constexpr (requires { graph_.better(a, b); }) return graph_.better(a, b);
        return graph_.rank(a) < graph_.rank(b);
    }

    /// The claim of a refuted node. Its children in the graph are those that no line answers.
    Claim refuted(const Step& step) const {
        Claim claim = Claim::upper(step.bound - 1, graph_.rank(step.node));
        if constexpr (Threats<G>) {
            if (leaves_moves_to_lines()) {
                const auto& analysis = analyse_threats(game_, step.position);
                if (!analysis.lines().empty()) return std::move(claim).by_lines(analysis.lines());
            }
        }
        return claim;
    }

    /// What winning threats settled. Graphs that search for threats hold canonical positions.
    void leaf_by_lines(const Step& step)
        requires Threats<G>
    {
        const auto& analysis = analyse_threats(game_, step.position);
        const auto key = game_.key(step.position);
        if (graph_.numbers(step.node).disproved()) return sink_(key, refuted(step));
        const auto& line = analysis.line();
        Claim claim = Claim::lower(step.bound, graph_.rank(step.node), line[0]);
        sink_(key, line.size() == 1 ? claim : std::move(claim).by_line(line));
    }

    void leaf(const Step& step) {
        if constexpr (Threats<G>) {
            if (leaves_moves_to_lines()) return leaf_by_lines(step);
        }
        const bool reached = graph_.numbers(step.node).proved();
        sink_(game_.key(step.position), claims_.claim(step.position, step.bound, reached, graph_.rank(step.node)));
    }

    const G& game_;
    const Graph& graph_;
    const RecordTable<G>* known_;
    LeafClaims<G> claims_;
    Sink sink_;
    const std::atomic<bool>& cancelled_;
    typename Graph::Marks marks_;
    std::vector<Step> open_;
};

}  // namespace proofbase
