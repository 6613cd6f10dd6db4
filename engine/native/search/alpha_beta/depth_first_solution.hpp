// The solution of a question that depth-first search has answered. A walk goes down from the position: by one move
// where the side to move reaches its bound, by all moves where it does not. Every position of the walk is searched
// again, for the answer of its own question.
//
// Ranks. Let the depth of a question be the smallest depth to which a search by the rules alone answers it. A progress
// claim (docs/fact-model.md) rests on claims with a smaller depth, so its rank can be larger than theirs; or it rests
// on a small search to its own depth (small_search_claims.hpp), and the walk does not go on below it. A safety claim
// has rank 0, and may rest on a position that the walk has already come to: the search for a safety claim takes the
// questions of the walk as answered. All their claims are in the solution when the walk ends, so the solution is
// closed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/check/local_check.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/small_search/small_search_claims.hpp"
#include "search/alpha_beta/bounds.hpp"
#include "search/alpha_beta/fixed_depth_search.hpp"
#include "search/api/search.hpp"
#include "search/policy/leaf.hpp"

namespace proofbase {

template <Game G, class Sink>
class DepthFirstSolution {
  public:
    using Position = typename G::Position;
    using Key = typename G::Key;
    using Move = typename G::Move;

    /// `records` may be null; `small_searches` replace what is below a progress claim; `cancelled` ends emit().
    DepthFirstSolution(const G& game, const KnownRecords<G>* records, BoundsTable<Key>& table,
                       SmallSearchClaims<G>& small_searches, Sink sink, const std::atomic<bool>& cancelled)
        : game_(game),
          records_(records),
          small_searches_(small_searches),
          sink_(std::move(sink)),
          cancelled_(cancelled),
          search_(game, records, &table, MoveOrder(), first_search_id) {}

    /// Emits the claims that the answer to "value(position) >= bound?" rests on. Throws Cancelled.
    void emit(const Position& position, int bound, bool proved) {
        visit({position_of_key(game_, game_.key(position)), bound, proved, 0});
        while (!stack_.empty()) {
            Node& node = stack_.back();
            if (node.next_child == node.children.size()) {
                emit_claim_of_top();
            } else {
                visit(node.children[node.next_child]);  // may push a node
            }
        }
    }

  private:
    /// The searches of the walk have other numbers than those that filled the table.
    static constexpr std::uint32_t first_search_id = 1u << 31;

    /// "Is the value of the position at least the bound?", with the answer.
    struct AnsweredQuestion {
        Position position;
        int bound;
        bool proved;
        Move move;  ///< the move that led to the position
    };
    /// A question whose claim is emitted when the walk has visited its children.
    struct Node {
        AnsweredQuestion question;
        Key key;
        bool is_safety_claim;
        std::vector<AnsweredQuestion> children;  ///< what the answer rests on
        std::size_t next_child = 0;
        std::uint32_t largest_child_rank = 0;  ///< of the children that were visited
    };
    struct QuestionKey {
        Key key;
        int bound;
        bool operator==(const QuestionKey&) const = default;
    };
    struct HashOfQuestionKey {
        std::size_t operator()(const QuestionKey& question) const noexcept {
            return static_cast<std::size_t>(mix(hash_key(question.key) + static_cast<std::uint64_t>(question.bound)));
        }
    };
    /// What the walk knows of a question that it has come to.
    struct Visited {
        bool proved;
        bool is_safety_claim;
        bool emitted = false;     ///< the claim, and with it all that it rests on
        std::uint32_t depth = 0;  ///< the smallest depth of a search that answers the question
        std::uint32_t rank = 0;   ///< of the emitted claim
    };

    /// Gives the rank of the answer to the node on top, or pushes a node for the question if the walk has to visit its
    /// children.
    void visit(const AnsweredQuestion& question) {
        const auto& [position, bound, proved, move] = question;
        if (leaf_by_rules(game_, position, bound)) return add_child_rank(0);
        Key key = game_.key(position);
        if (const auto found = visited_.find({key, bound}); found != visited_.end()) {
            const Visited& visited = found->second;
            if (!visited.emitted && !visited.is_safety_claim)
                throw std::logic_error("a progress claim rests on itself");
            return add_child_rank(visited.rank);
        }
        if (records_ != nullptr && records_->tables() != nullptr) {
            const Side side = proved ? Side::lower : Side::upper;
            if (const auto claim = table_claim(game_, *records_->tables(), position, side)) {
                sink_(key, *claim);
                visited_.emplace(QuestionKey{std::move(key), bound}, Visited{proved, false, true, 0, claim->rank});
                return add_child_rank(claim->rank);
            }
        }
        if (records_ != nullptr) {
            const auto leaf = leaf_by_record(*records_, key, bound);
            if (leaf && leaf->numbers.proved() == proved) return add_child_rank(leaf->rank);
        }
        const std::optional<int> rho = repetition_value(game_, position);
        const bool is_safety_claim = rho && proved == (bound <= *rho);
        Node node{question, std::move(key), is_safety_claim, {}};
        const std::uint32_t depth = search_children(node);
        if (const auto claim = is_safety_claim ? std::nullopt : claim_by_small_search(node, depth)) {
            sink_(node.key, *claim);
            visited_.emplace(QuestionKey{node.key, bound}, Visited{proved, false, true, depth, depth});
            return add_child_rank(depth);
        }
        visited_.emplace(QuestionKey{node.key, bound}, Visited{proved, is_safety_claim, false, depth, 0});
        stack_.push_back(std::move(node));
    }

    std::optional<Claim> claim_by_small_search(const Node& node, std::uint32_t depth) {
        const int bound = node.question.bound;
        if (!node.question.proved) return small_searches_.upper(node.key, bound - 1, depth);
        return small_searches_.lower(node.key, bound, depth, node.children.front().move);
    }

    /// Searches a question again and adds the children that its answer rests on. Returns the smallest depth of a search
    /// that answers it.
    std::uint32_t search_children(Node& node) {
        const AnsweredQuestion& question = node.question;
        const typename FixedDepthSearch<G>::AssumedBounds assumed_bounds = [&](const Key& key, int bound,
                                                                               std::uint32_t depth) {
            return bounds_from_walk(key, bound, depth, node.is_safety_claim);
        };
        for (std::uint32_t depth = 1;; ++depth) {
            search_.start(question.position, question.bound - 1, question.bound, depth, {}, {true, &assumed_bounds});
            while (!search_.run(64)) {
                if (cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
            }
            const Bounds& found = search_.bounds();
            if (found.lower < question.bound && found.upper >= question.bound) continue;
            const bool proved = found.lower >= question.bound;
            if (proved != question.proved) throw std::logic_error("a second search gives another answer");
            if (proved) {
                add_child(node, search_.witness());
            } else {
                typename G::Moves moves;
                game_.moves(question.position, moves);
                for (std::size_t i = 0; i < moves.size(); ++i) add_child(node, moves[i]);
            }
            return depth;
        }
    }

    void add_child(Node& node, Move move) const {
        const AnsweredQuestion& parent = node.question;
        const Position child = position_of_key(game_, game_.key(game_.play(parent.position, move)));
        node.children.push_back({child, game_.reward(parent.position, move) - parent.bound + 1, !parent.proved, move});
    }

    /// The bounds that a search may take from the walk, for a question that the walk has come to.
    ///
    /// A search for a progress claim takes nothing from safety claims: the depth of a question must be the same
    /// whenever it is searched.
    std::optional<Bounds> bounds_from_walk(const Key& key, int bound, std::uint32_t depth,
                                           bool for_safety_claim) const {
        const auto found = visited_.find({key, bound});
        if (found == visited_.end()) return std::nullopt;
        const Visited& visited = found->second;
        if (visited.is_safety_claim && !for_safety_claim) return std::nullopt;
        const int highest = game_.highest_value();
        Bounds bounds{-highest, highest};
        const bool usable = visited.is_safety_claim || (visited.emitted && visited.depth <= depth);
        if (!usable) return bounds;  // the search leaves the question open
        const std::uint32_t depends_on = visited.is_safety_claim ? Bounds::assumption : Bounds::no_node;
        if (visited.proved) {
            bounds.lower = bound;
            bounds.lower_proof_depth = visited.depth;
            bounds.lower_depends_on = depends_on;
        } else {
            bounds.upper = bound - 1;
            bounds.upper_proof_depth = visited.depth;
            bounds.upper_depends_on = depends_on;
        }
        return bounds;
    }

    /// Removes the node on top, whose children were all visited, and gives its rank to the node below.
    void emit_claim_of_top() {
        const Node node = std::move(stack_.back());
        stack_.pop_back();
        const int bound = node.question.bound;
        const std::uint32_t rank = node.is_safety_claim ? 0 : node.largest_child_rank + 1;
        Visited& visited = visited_.at({node.key, bound});
        visited.emitted = true;
        visited.rank = rank;
        if (node.question.proved) {
            sink_(node.key, Claim::lower(bound, rank, node.children.front().move));
        } else {
            sink_(node.key, Claim::upper(bound - 1, rank));
        }
        add_child_rank(rank);
    }

    /// The node on top has a child with this rank, and goes on to its next child.
    void add_child_rank(std::uint32_t rank) {
        if (stack_.empty()) return;
        Node& node = stack_.back();
        node.largest_child_rank = std::max(node.largest_child_rank, rank);
        ++node.next_child;
    }

    const G& game_;
    const KnownRecords<G>* records_;
    SmallSearchClaims<G>& small_searches_;
    Sink sink_;
    const std::atomic<bool>& cancelled_;
    FixedDepthSearch<G> search_;
    std::vector<Node> stack_;
    std::unordered_map<QuestionKey, Visited, HashOfQuestionKey> visited_;
};

}  // namespace proofbase
