// The solution of a question that depth-first search has answered: walks down from the position, one move where the
// side to move reaches its bound, all moves where it does not, and searches each position on the way again for its
// answer.
//
// Ranks. A progress claim (docs/fact-model.md) rests on claims that a search to a smaller depth settles: the smallest
// depth that settles a position, by the rules alone, falls along the walk. Safety claims have rank 0 and may come back
// to a position on the way: their search takes those that the walk has come to for settled. All of them are in the
// solution when the walk is over, so it is closed.
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
#include "records/claim.hpp"
#include "records/local_check.hpp"
#include "search/alpha_beta/depth_first.hpp"
#include "search/api/any_search.hpp"
#include "search/policy/leaf.hpp"

namespace proofbase {

template <Game G, class Sink>
class WalkedSolution {
  public:
    using Position = typename G::Position;
    using Key = typename G::Key;
    using Move = typename G::Move;

    /// `known` may be null; `cancelled` ends below().
    WalkedSolution(const G& game, const RecordTable<G>* known, BoundsTable<Key>& table, Sink sink,
                   const std::atomic<bool>& cancelled)
        : game_(game),
          known_(known),
          sink_(std::move(sink)),
          cancelled_(cancelled),
          search_(game, known, &table, MoveOrder(), 1u << 31) {}

    /// Emits the claims that the answer to "value(position) >= bound?" rests on. Throws Cancelled.
    void below(const Position& position, int bound, bool proved) {
        visit({*game_.position(game_.key(position)), bound, proved, 0});
        while (!open_.empty()) {
            Node& node = open_.back();
            if (node.next == node.children.size()) {
                close();
            } else {
                visit(node.children[node.next]);  // may put a node on top
            }
        }
    }

  private:
    /// "Is the value at least the bound?", with its answer; `move` is the one that leads there.
    struct Step {
        Position position;
        int bound;
        bool proved;
        Move move;
    };
    struct Node {
        Step step;
        Key key;
        bool safety;
        std::vector<Step> children;  ///< that the answer rests on
        std::size_t next = 0;
        std::uint32_t rank = 0;  ///< of the children so far
    };
    struct Question {
        Key key;
        int bound;
        bool operator==(const Question&) const = default;
    };
    struct HashQuestion {
        std::size_t operator()(const Question& question) const noexcept {
            return static_cast<std::size_t>(mix(hash_key(question.key) + static_cast<std::uint64_t>(question.bound)));
        }
    };
    struct Seen {
        bool proved;
        bool safety;
        bool closed = false;
        std::uint32_t depth = 0;  ///< the smallest that settles it
        std::uint32_t rank = 0;
    };

    /// Hands the rank of a settled question to the node above it; puts it on top of the walk if it must be walked.
    void visit(const Step& step) {
        if (leaf_by_rules(game_, step.position, step.bound)) return rest_on(0);
        Key key = game_.key(step.position);
        if (const auto seen = seen_.find({key, step.bound}); seen != seen_.end()) {
            if (!seen->second.closed && !seen->second.safety)
                throw std::logic_error("a claim of progress rests on itself");
            return rest_on(seen->second.rank);
        }
        if (known_ != nullptr && known_->tables() != nullptr) {
            const Side side = step.proved ? Side::lower : Side::upper;
            if (const auto claim = table_claim(game_, *known_->tables(), step.position, side)) {
                sink_(key, *claim);
                seen_.emplace(Question{std::move(key), step.bound}, Seen{step.proved, false, true});
                return rest_on(0);
            }
        }
        if (known_ != nullptr) {
            const auto leaf = leaf_by_record(*known_, key, step.bound);
            if (leaf && leaf->numbers.proved() == step.proved) return rest_on(leaf->rank);
        }
        const std::optional<int> rho = repetition_value(game_, step.position);
        const bool safety = rho && step.proved == (step.bound <= *rho);
        Node node{step, std::move(key), safety, {}};
        const std::uint32_t depth = settle(node);
        seen_.emplace(Question{node.key, step.bound}, Seen{step.proved, safety, false, depth, 0});
        open_.push_back(std::move(node));
    }

    /// Finds the children that the answer rests on; the smallest depth that settles it.
    std::uint32_t settle(Node& node) {
        const Step& step = node.step;
        const typename DepthFirst<G>::Outside outside = [&](const Key& key, int bound, std::uint32_t depth) {
            return remembered(key, bound, depth, node.safety);
        };
        for (std::uint32_t depth = 1;; ++depth) {
            search_.start(step.position, step.bound - 1, step.bound, depth, {}, {true, &outside});
            while (!search_.run(64)) {
                if (cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
            }
            const Bounds& found = search_.result();
            if (found.lower < step.bound && found.upper >= step.bound) continue;
            if ((found.lower >= step.bound) != step.proved) throw std::logic_error("a solution is not what was found");
            if (step.proved) {
                add_child(node, search_.witness());
            } else {
                typename G::Moves moves;
                game_.moves(step.position, moves);
                for (std::size_t i = 0; i < moves.size(); ++i) add_child(node, moves[i]);
            }
            return depth;
        }
    }

    void add_child(Node& node, Move move) const {
        const Step& step = node.step;
        const Position child = *game_.position(game_.key(game_.play(step.position, move)));
        node.children.push_back({child, game_.reward(step.position, move) - step.bound + 1, !step.proved, move});
    }

    /// What the walk knows of a position that a search comes to. Claims of progress take no settled claim of safety for
    /// granted: the depths that settle them are to be the same whenever they are asked for.
    std::optional<Bounds> remembered(const Key& key, int bound, std::uint32_t depth, bool safety) const {
        const auto found = seen_.find({key, bound});
        if (found == seen_.end()) return std::nullopt;
        const Seen& seen = found->second;
        if (seen.safety && !safety) return std::nullopt;
        const int highest = game_.highest_value();
        Bounds bounds{-highest, highest};
        if (!seen.safety && (!seen.closed || seen.depth > depth)) return bounds;  // not to be settled at this depth
        const std::uint32_t leans = seen.safety ? 0 : Bounds::nothing;
        if (seen.proved) {
            bounds.lower = bound;
            bounds.lower_height = seen.depth;
            bounds.lower_leans = leans;
        } else {
            bounds.upper = bound - 1;
            bounds.upper_height = seen.depth;
            bounds.upper_leans = leans;
        }
        return bounds;
    }

    /// The claim of the node on top, all of whose children are done.
    void close() {
        const Node node = std::move(open_.back());
        open_.pop_back();
        const std::uint32_t rank = node.safety ? 0 : node.rank + 1;
        Seen& seen = seen_.at({node.key, node.step.bound});
        seen.closed = true;
        seen.rank = rank;
        if (node.step.proved) {
            sink_(node.key, Claim::lower(node.step.bound, rank, node.children.front().move));
        } else {
            sink_(node.key, Claim::upper(node.step.bound - 1, rank));
        }
        rest_on(rank);
    }

    void rest_on(std::uint32_t rank) {
        if (open_.empty()) return;
        Node& node = open_.back();
        node.rank = std::max(node.rank, rank);
        ++node.next;
    }

    const G& game_;
    const RecordTable<G>* known_;
    Sink sink_;
    const std::atomic<bool>& cancelled_;
    DepthFirst<G> search_;
    std::vector<Node> open_;
    std::unordered_map<Question, Seen, HashQuestion> seen_;
};

}  // namespace proofbase
