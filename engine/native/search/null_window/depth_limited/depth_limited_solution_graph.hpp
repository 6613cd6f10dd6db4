// The graph that the solution of a null-window search in a game with cycles is taken from (CyclicSolution,
// cyclic_solution.hpp). The table holds most of it; where an entry was lost, the position is searched again.
//
// Collecting starts at the answered root. Of a node that reaches its bound one child is collected, of one that does not
// all children. All answers are true on every path, so a safety claim may rest on any choice of children. A progress
// claim needs children with smaller ranks: it rests on a child with a stronger bound than it needs itself, or else on
// one of a smaller height (depth_limited_entry.hpp). If the progress claims rest on each other in a circle all the
// same, since the table has lost entries, CyclicSolution notices. Then all children that are known to do are collected,
// and it chooses among them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/api/search.hpp"
#include "search/null_window/depth_limited/depth_limited_worker.hpp"
#include "search/null_window/depth_limited/safety_region.hpp"
#include "search/null_window/node_identity.hpp"
#include "search/null_window/null_window_question_index.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G>
class DepthLimitedSolutionGraph {
  public:
    using Worker = DepthLimitedWorker<G>;
    using Shared = typename Worker::Shared;
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Identity = typename Shared::Identity;

    struct Step {
        std::uint32_t node;
        int bound;
        Position position;
    };

    /// `all_moves`: of a progress claim, all children are collected that are known to support it.
    DepthLimitedSolutionGraph(Shared& shared, bool all_moves)
        : shared_(shared), game_(shared.game), all_moves_(all_moves), worker_(shared) {
        worker_.listen_to_regions([this](const typename Worker::Region& region) { remember(region); });
    }

    /// Collects what the answer to "value(root) >= bound?" rests on. The caller holds the mutex of the stored records.
    /// Throws Cancelled.
    void collect(const Position& root, int bound, bool proved) {
        find_or_add(root, shared_.identity(root), bound, proved);
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) expand(n);
    }

    // What CyclicSolution asks of a graph.

    Step root() const { return step(0); }
    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
    std::uint32_t number(std::uint32_t n) const noexcept { return n; }
    Step step(std::uint32_t n) const { return {n, nodes_[n].bound, nodes_[n].position}; }
    Numbers numbers(std::uint32_t n) const noexcept { return nodes_[n].proved ? proved_numbers : disproved_numbers; }
    std::uint32_t rank(std::uint32_t) const noexcept { return 0; }  // leaves are those of the rules, records and tables
    bool expanded(std::uint32_t n) const noexcept { return nodes_[n].edge_count > 0; }

    template <class Visit>
    void for_each_child(const Step& parent, Visit&& visit) const {
        const Node& node = nodes_[parent.node];
        for (std::uint32_t i = node.first_edge; i < node.first_edge + node.edge_count; ++i) {
            visit(step(edges_[i].child), edges_[i].move, numbers(edges_[i].child));
        }
    }

  private:
    static constexpr std::uint64_t nodes_between_checks = Unproven<G> ? 64 : 4096;  // for cancel()

    struct Node {
        Position position;
        Identity identity;
        int bound;
        bool proved;
        std::uint32_t first_edge = 0;
        std::uint32_t edge_count = 0;  ///< 0: a leaf
    };
    struct Edge {
        std::uint32_t child;
        Move move;
    };
    /// A move with the question after it.
    struct Candidate {
        Position position;
        Identity identity;
        int bound;
        Move move;
        bool supports = false;  ///< a progress claim may rest on it
    };

    void stop_if_cancelled() const {
        if (shared_.cancelled.load(std::memory_order_relaxed)) throw Cancelled();
    }

    std::uint32_t find(const Identity& identity, int bound) const { return index_.find(identity, bound, nodes_); }

    /// The number of the node that asks this question. A new node is added if there is none.
    std::uint32_t find_or_add(const Position& position, const Identity& identity, int bound, bool proved) {
        if (const std::uint32_t n = find(identity, bound); n != NullWindowQuestionIndex::none) {
            if (nodes_[n].proved != proved) throw std::logic_error("null-window: a question has two answers");
            return n;
        }
        Node node{position_of_key(game_, game_.key(position)), identity, bound, proved};
        return index_.add(std::move(node), nodes_, shared_.cancelled);
    }

    std::optional<Leaf> leaf(const Position& position, int bound) const {
        return settled_leaf(game_, shared_.records, position, bound, [&] { return game_.key(position); });
    }

    /// Adds the edges of a node, unless it is a leaf.
    void expand(std::uint32_t n) {
        stop_if_cancelled();
        const Position position = nodes_[n].position;
        const int bound = nodes_[n].bound;
        if (leaf(position, bound)) return;
        candidates_.clear();
        shared_.move_order(game_, position, moves_);
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const Position child = game_.play(position, moves_[i]);
            candidates_.push_back(
                {child, shared_.identity(child), game_.reward(position, moves_[i]) - bound + 1, moves_[i]});
        }
        const auto first_edge = static_cast<std::uint32_t>(edges_.size());
        if (nodes_[n].proved) {
            add_proving_edges(n);
        } else {
            for (const Candidate& candidate : candidates_) add_edge(candidate, true);
        }
        nodes_[n].first_edge = first_edge;
        nodes_[n].edge_count = static_cast<std::uint32_t>(edges_.size()) - first_edge;
    }

    void add_edge(const Candidate& candidate, bool proved) {
        edges_.push_back(
            {find_or_add(candidate.position, candidate.identity, candidate.bound, proved), candidate.move});
    }

    /// Adds a move after which the other side does not reach its bound, so that the node reaches its own.
    void add_proving_edges(std::uint32_t n) {
        const Position position = nodes_[n].position;
        const int bound = nodes_[n].bound;
        const Candidate* known;
        if (is_safety_claim(game_, position, bound, true)) {
            known = supporting_candidate(nodes_[n]);
        } else {
            known = nearest_candidate(nodes_[n]);
            if (all_moves_ && known != nullptr) {
                for (const Candidate& candidate : candidates_) {
                    if (candidate.supports) add_edge(candidate, false);
                }
                return;
            }
        }
        if (known != nullptr) return add_edge(*known, false);
        worker_.start(position, bound);
        while (!worker_.done()) {
            stop_if_cancelled();
            worker_.search(nodes_between_checks);
        }
        if (worker_.value() < bound) throw std::logic_error("null-window: a second search gives another answer");
        add_edge(*std::find_if(candidates_.begin(), candidates_.end(),
                               [&](const Candidate& candidate) { return candidate.move == worker_.best_move(); }),
                 false);
    }

    /// For a safety claim: of the moves that are known to do, preferably one that needs no more claims.
    const Candidate* supporting_candidate(const Node& node) const {
        const Candidate* best = nullptr;
        int best_class = 0;
        const auto chosen = choices_.find(hash_of_question(node.identity, node.bound));
        for (const Candidate& candidate : candidates_) {
            int preference = 0;
            if (const auto found = leaf(candidate.position, candidate.bound)) {
                preference = found->numbers.disproved() ? 4 : 0;
            } else if (const std::uint32_t n = find(candidate.identity, candidate.bound);
                       n != NullWindowQuestionIndex::none) {
                preference = nodes_[n].proved ? 0 : 3;
            } else if (chosen != choices_.end() && chosen->second == candidate.identity.hash) {
                preference = 2;
            } else {
                DepthLimitedEntry entry;
                shared_.table.find(candidate.identity, entry);
                preference = entry.stays_below(candidate.bound);
            }
            if (preference > best_class) {
                best_class = preference;
                best = &candidate;
            }
        }
        return best;
    }

    /// How near a claim is to the end: by how much its bound is stronger than asked for, then the height.
    struct Nearness {
        std::int64_t surplus = -1;
        std::uint32_t height = 0;

        bool operator>(const Nearness& other) const noexcept {
            return surplus > other.surplus || (surplus == other.surplus && height < other.height);
        }
    };

    /// For a progress claim: of the moves that are known to do, the one to the nearest claim. Notes which ones do.
    const Candidate* nearest_candidate(const Node& node) {
        DepthLimitedEntry own;
        shared_.table.find(node.identity, own);
        const Nearness needed{std::int64_t{own.lower} - node.bound, own.lower_height};
        Nearness nearest;
        const Candidate* best = nullptr;
        const auto consider = [&](Candidate& candidate, std::int64_t upper, std::uint32_t height) {
            const Nearness nearness{candidate.bound - 1 - upper, height};
            candidate.supports = nearness.surplus >= 0;
            if (!candidate.supports || !(nearness > nearest)) return;
            nearest = nearness;
            best = &candidate;
        };
        for (Candidate& candidate : candidates_) {
            DepthLimitedEntry entry;
            if (const auto found = leaf(candidate.position, candidate.bound)) {
                if (found->numbers.disproved()) consider(candidate, std::numeric_limits<std::int32_t>::min(), 0);
            } else if (shared_.table.find(candidate.identity, entry) && entry.stays_below(candidate.bound)) {
                const bool safe = is_safety_claim(game_, candidate.position, candidate.bound, false);
                consider(candidate, safe ? std::numeric_limits<std::int32_t>::min() : entry.upper, entry.upper_height);
            }
        }
        if (best != nullptr && needed.surplus >= 0 && nearest > needed && !all_moves_) return best;
        // What the children of a child settle is not in the table.
        for (Candidate& candidate : candidates_) {
            std::int64_t upper;
            std::uint32_t height;
            if (!candidate.supports && settled_by_children(candidate, upper, height))
                consider(candidate, upper, height);
        }
        return best;
    }

    /// Whether the rules, the table and records tell of all children of the candidate that they reach their bounds.
    bool settled_by_children(const Candidate& candidate, std::int64_t& upper, std::uint32_t& height) {
        if (leaf(candidate.position, candidate.bound)) return false;
        upper = std::numeric_limits<std::int32_t>::min();
        height = 0;
        shared_.move_order(game_, candidate.position, moves_);
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const Position child = game_.play(candidate.position, moves_[i]);
            const int reward = game_.reward(candidate.position, moves_[i]);
            const int bound = reward - candidate.bound + 1;
            DepthLimitedEntry entry;
            if (const auto found = leaf(child, bound)) {
                if (found->numbers.disproved()) return false;
                const auto end = game_.terminal(child);
                const int limit = value_limit(game_, child);
                entry.lower = end ? *end : bound <= -limit ? -limit : bound;
            } else if (!shared_.table.find(shared_.identity(child), entry) || !entry.reaches(bound)) {
                return false;
            }
            upper = std::max<std::int64_t>(upper, reward - entry.lower);
            height = std::max(height, entry.lower_height + 1);
        }
        return true;
    }

    /// Keeps the moves of a region, which the table may lose.
    void remember(const typename Worker::Region& region) {
        region.for_each([&](const auto& question, bool reached, Move move) {
            if (!reached) return;
            choices_.insert_or_assign(hash_of_question(question.identity, question.bound),
                                      shared_.identity(game_.play(question.position, move)).hash);
        });
    }

    Shared& shared_;
    const G& game_;
    bool all_moves_;
    Worker worker_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    NullWindowQuestionIndex index_;
    std::unordered_map<std::uint64_t, std::uint64_t> choices_;  ///< hash of a question -> hash of the position to go to
    typename G::Moves moves_;
    std::vector<Candidate> candidates_;  ///< the moves of the node that is expanded
};

}  // namespace proofbase
