// Alpha-beta search of one position to one depth. Positions beyond the depth are not estimated: a node has a lower and
// an upper bound of its value, and at the depth these are the bounds of all values. Moves are tried in the order of
// their rewards, the largest first (Allis, van der Meulen, van den Herik, Proof-number search, Artificial Intelligence
// 66 (1994), 6.3); before them the move of a given line, which is the best line of the last iteration.
//
// The window (alpha, beta) says what is asked: whether the value is above alpha, and whether it reaches beta. With
// beta = alpha + 1 that is one question. Inside, the search has a dual window (dual_window.hpp).
//
// In a game with cycles a line that comes back to a position of the path, with the same side to move, gets the game's
// repetition value. Bounds that use this value may hold on this path only. Every bound therefore names the node of the
// path that it depends on (bounds.hpp), and the table gets only bounds that depend on no node above their own.
//
// The stack is explicit, so the search can stop at any node and go on later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/check/local_check.hpp"
#include "search/alpha_beta/alpha_beta_frame.hpp"
#include "search/alpha_beta/bounds.hpp"
#include "search/alpha_beta/bounds_table.hpp"
#include "search/alpha_beta/dual_window.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/move_order.hpp"

namespace proofbase {

template <Game G>
class FixedDepthSearch {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Key = typename G::Key;
    using Line = std::vector<Move>;

    /// Bounds that the caller assumes for the question "value >= bound?" of a position, which would otherwise be
    /// searched to `depth` plies.
    using AssumedBounds = std::function<std::optional<Bounds>(const Key& key, int bound, std::uint32_t depth)>;

    struct Options {
        /// Ignores table bounds with a proof depth that is larger than the depth still to be searched.
        bool ignores_deeper_proofs = false;
        /// Asked for every node below the root; may be null.
        const AssumedBounds* assumed_bounds = nullptr;
    };

    /// `records` and `table` may be null; all references are kept. Searches are numbered from `first_id` + 1 on.
    /// Searches that share a table must have different numbers.
    FixedDepthSearch(const G& game, const KnownRecords<G>* records, BoundsTable<Key>* table, MoveOrder order,
                     std::uint32_t first_id = 0)
        : game_(game),
          records_(records),
          table_(table),
          move_order_(order),
          highest_(game.highest_value()),
          search_id_(first_id) {}

    /// Starts a search. At depth 0 only the root itself is looked at. Otherwise the moves of the root are tried, even
    /// if its value is known.
    void start(const Position& root, int alpha, int beta, std::uint32_t depth, Line previous_line = {},
               Options options = {}) {
        stack_size_ = 0;
        ++search_id_;
        done_ = false;
        depth_limit_reached_ = false;
        max_depth_ = depth;
        previous_line_ = std::move(previous_line);
        best_line_.clear();
        options_ = options;
        root_ = root;
        root_window_ = {alpha, beta};
    }

    /// Visits at most so many nodes. True if the search is done.
    bool run(std::uint32_t max_visits) {
        if (stack_size_ == 0 && !done_) {
            const auto bounds = look_up_or_push(root_, 0, {root_window_, root_window_}, max_depth_, true);
            if (bounds) finish_search(*bounds, {});
            if (max_depth_ == 0) ++nodes_at_depth_;
        }
        for (std::uint32_t i = 0; i < max_visits && !done_; ++i) try_next_move();
        return done_;
    }

    bool done() const noexcept { return done_; }

    // The result of a search that is done.

    const Bounds& bounds() const noexcept { return bounds_; }
    const Line& best_line() const noexcept { return best_line_; }
    /// The move that the lower bound rests on.
    Move witness() const noexcept { return witness_; }
    /// True if a deeper search may find better bounds.
    bool depth_limit_reached() const noexcept { return depth_limit_reached_; }

    // Totals of all searches.

    /// Nodes at the largest depth of their search.
    std::uint64_t nodes_at_depth() const noexcept { return nodes_at_depth_; }
    /// Nodes whose moves were tried.
    std::uint64_t expansions() const noexcept { return expansions_; }
    void set_totals(std::uint64_t nodes_at_depth, std::uint64_t expansions) noexcept {
        nodes_at_depth_ = nodes_at_depth;
        expansions_ = expansions;
    }
    std::uint64_t bytes() const noexcept { return frames_.size() * sizeof(Frame); }

  private:
    using Frame = AlphaBetaFrame<G>;

    bool needs_keys() const noexcept {
        return table_ != nullptr || records_ != nullptr || options_.assumed_bounds || !game_.acyclic();
    }

    /// The bounds of a node that needs no search. Any other node is pushed, and nothing is returned.
    std::optional<Bounds> look_up_or_push(const Position& position, int incoming_reward, DualWindow window,
                                          std::uint32_t depth, bool on_previous_line) {
        const bool is_root = stack_size_ == 0;
        if (const auto value = game_.terminal(position)) return Bounds{*value, *value};
        const int limit = value_limit(game_, position);
        Bounds known{-limit, limit};
        window.narrow(known);
        if (window.closed()) return known;
        Key key{};
        if (needs_keys()) key = game_.key(position);
        if (!is_root || depth == 0) {
            if (const auto bounds = look_up(position, key, incoming_reward, depth, window, known)) return bounds;
        }
        push(position, key, incoming_reward, window, depth, on_previous_line, known);
        return std::nullopt;
    }

    /// The bounds of a node that a repetition, the caller, a table of values, the records or the transposition table
    /// settles, or that lies at the depth. For any other node `window` and `known` are narrowed, and nothing is
    /// returned. (settled_leaf() in leaf.hpp has the same order, but answers one question and gives no bounds.)
    std::optional<Bounds> look_up(const Position& position, const Key& key, int incoming_reward, std::uint32_t depth,
                                  DualWindow& window, Bounds& known) {
        if (!game_.acyclic()) {
            if (const auto node = repeated_node(key, incoming_reward)) {
                const int rho = *repetition_value(game_, position);
                return Bounds{rho, rho, 0, 0, *node, *node};
            }
        }
        if (options_.assumed_bounds != nullptr) {
            if (const auto assumed = (*options_.assumed_bounds)(key, window.bound(), depth)) {
                depth_limit_reached_ = true;
                return *assumed;
            }
        }
        if (records_ != nullptr) {
            if (const auto* const tables = records_->tables()) {
                if (const auto value = tables->value(position)) return Bounds{*value, *value};
            }
            look_up_records(key, window, known);
            if (window.closed()) return known;
        }
        if (table_ != nullptr) {
            look_up_table(key, depth, window, known);
            if (window.closed()) return known;
        }
        if (depth > 0) return std::nullopt;
        depth_limit_reached_ = true;
        return known;
    }

    /// The node of the path, counted from 1 at the root, that a move with this reward comes back to.
    std::optional<std::uint32_t> repeated_node(const Key& key, int incoming_reward) const {
        if (incoming_reward != 0) return std::nullopt;
        for (std::size_t i = stack_size_; i-- > 0;) {
            const bool same_side_to_move = (stack_size_ - i) % 2 == 0;
            if (same_side_to_move && frames_[i].key == key) return static_cast<std::uint32_t>(i + 1);
            if (i > 0 && frames_[i].incoming_reward != 0) return std::nullopt;  // no cycle contains a reward
        }
        return std::nullopt;
    }

    /// Asks stored records for the bounds at both ends of each window.
    void look_up_records(const Key& key, DualWindow& window, Bounds& known) const {
        if (records_->size() == 0) return;
        const auto ask = [&](int bound) {
            if (bound <= known.lower || bound > known.upper) return;
            const auto leaf = leaf_by_record(*records_, key, bound);
            if (!leaf) return;
            if (leaf->numbers.proved()) known.lower = std::max(known.lower, bound);
            if (leaf->numbers.disproved()) known.upper = std::min(known.upper, bound - 1);
        };
        for (const Window& one : {window.for_lower, window.for_upper}) {
            if (one.closed()) continue;
            ask(one.beta);
            ask(one.alpha + 1);
        }
        window.narrow(known);
    }

    /// Takes the bounds of the transposition table. Closes a window if the table tells that a search to this depth
    /// would find nothing in it.
    void look_up_table(const Key& key, std::uint32_t depth, DualWindow& window, Bounds& known) {
        const auto* entry = table_->find(key);
        if (entry == nullptr) return;
        const auto ignored = [&](std::uint32_t proof_depth) {
            return options_.ignores_deeper_proofs && proof_depth > depth;
        };
        if (entry->lower > known.lower && !ignored(entry->lower_proof_depth)) {
            known.lower = entry->lower;
            known.lower_proof_depth = entry->lower_proof_depth;
        }
        if (entry->upper < known.upper && !ignored(entry->upper_proof_depth)) {
            known.upper = entry->upper;
            known.upper_proof_depth = entry->upper_proof_depth;
        }
        window.narrow(known);
        if (window.closed() || entry->depth < depth) return;
        // In a game with cycles a question that stays open on one path may be settled on another. An entry of an
        // earlier search must not keep it open: deeper searches would then never settle it.
        if (!game_.acyclic() && entry->search_id != search_id_) return;
        if (ignored(entry->lower_proof_depth) || ignored(entry->upper_proof_depth)) return;
        if (entry->largest_lower_in_depth <= window.for_lower.alpha && !window.for_lower.closed()) {
            window.for_lower.close();
            depth_limit_reached_ = true;
        }
        if (entry->smallest_upper_in_depth >= window.for_upper.beta && !window.for_upper.closed()) {
            window.for_upper.close();
            depth_limit_reached_ = true;
        }
    }

    void push(const Position& position, const Key& key, int incoming_reward, const DualWindow& window,
              std::uint32_t depth, bool on_previous_line, const Bounds& known) {
        if (frames_.size() == stack_size_) frames_.emplace_back();
        Frame& frame = frames_[stack_size_];
        frame.reset(highest_);
        frame.position = position;
        frame.key = key;
        frame.incoming_reward = incoming_reward;
        frame.window = window;
        frame.depth = depth;
        frame.known = known;
        frame.on_previous_line = on_previous_line && stack_size_ < previous_line_.size();
        list_moves(frame);
        ++stack_size_;
        ++expansions_;
    }

    /// Moves by their rewards, the largest first; before them the move of the previous line.
    void list_moves(Frame& frame) {
        move_order_(game_, frame.position, moves_);
        frame.moves.clear();
        bool has_reward = false;
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const int reward = game_.reward(frame.position, moves_[i]);
            has_reward = has_reward || reward != 0;
            frame.moves.push_back({moves_[i], reward});
        }
        if (has_reward) {
            std::stable_sort(frame.moves.begin(), frame.moves.end(),
                             [](const auto& a, const auto& b) { return a.reward > b.reward; });
        }
        if (frame.on_previous_line) {
            const auto first = std::find_if(frame.moves.begin(), frame.moves.end(),
                                            [&](const auto& move) { return move.move == previous_line_[stack_size_]; });
            if (first != frame.moves.end()) std::rotate(frame.moves.begin(), first, first + 1);
        }
    }

    /// Tries the next move of the node on top of the stack, or finishes the node. If the rules of a user's game throw
    /// an exception, the move has not been tried.
    void try_next_move() {
        const std::size_t top = stack_size_ - 1;
        const Frame& frame = frames_[top];
        const DualWindow window = frame.open_window();
        if (frame.all_moves_tried() || window.closed()) return finish_node();
        const auto [move, reward] = frame.moves[frame.next_move];
        const bool on_previous_line = frame.on_previous_line && frame.next_move == 0 && move == previous_line_[top];
        const Position child = game_.play(frame.position, move);
        const auto bounds =
            look_up_or_push(child, reward, window.after_move(reward), frame.depth - 1, on_previous_line);
        ++frames_[top].next_move;
        if (top + 1 == max_depth_) ++nodes_at_depth_;
        if (bounds) frames_[top].back_up(*bounds, {});
    }

    /// Removes the node on top of the stack and gives its bounds to the table and to its parent.
    void finish_node() {
        Frame& frame = frames_[stack_size_ - 1];
        const auto node = static_cast<std::uint32_t>(stack_size_);  // counted from 1 at the root
        Bounds found = frame.found;
        const bool moves_hold_everywhere = found.upper_depends_on >= node;
        if (!frame.all_moves_tried() || found.upper >= frame.known.upper) {
            found.upper = frame.known.upper;
            found.upper_proof_depth = 0;
            found.upper_depends_on = Bounds::no_node;
        }
        // A repetition of the node itself is part of the node's own proof.
        if (found.lower_depends_on >= node) found.lower_depends_on = Bounds::no_node;
        if (found.upper_depends_on >= node) found.upper_depends_on = Bounds::no_node;
        Bounds bounds = frame.known;
        if (found.lower_holds_everywhere()) bounds.improve_lower(found);
        if (found.upper_holds_everywhere()) bounds.improve_upper(found);
        if (table_ != nullptr) store(frame, bounds, found.lower_holds_everywhere() && moves_hold_everywhere);
        bounds.improve_lower(found);
        bounds.improve_upper(found);
        --stack_size_;
        if (stack_size_ == 0) {
            witness_ = frame.witness;
            return finish_search(bounds, frame.best_line);
        }
        frames_[stack_size_ - 1].back_up(bounds, frame.best_line);
    }

    /// `bounds` hold on every path. `moves_hold_everywhere`: what the moves have left open does not depend on the path
    /// either.
    void store(const Frame& frame, const Bounds& bounds, bool moves_hold_everywhere) {
        const auto [largest_lower, smallest_upper] = frame.bounds_in_depth(highest_);
        table_->store({frame.key, bounds.lower, bounds.upper, bounds.lower_proof_depth, bounds.upper_proof_depth,
                       largest_lower, smallest_upper, moves_hold_everywhere ? frame.depth : 0, search_id_});
    }

    void finish_search(const Bounds& bounds, const Line& best_line) {
        bounds_ = bounds;
        best_line_ = best_line;
        done_ = true;
    }

    const G& game_;
    const KnownRecords<G>* records_;
    BoundsTable<Key>* table_;
    MoveOrder move_order_;
    int highest_;  ///< value of the game
    std::uint32_t search_id_;
    Position root_{};
    Window root_window_{};
    std::uint32_t max_depth_ = 0;
    Line previous_line_;
    Options options_;
    std::deque<Frame> frames_;  ///< the stack, and behind it frames that are kept for their memory
    std::size_t stack_size_ = 0;
    typename G::Moves moves_;  ///< of the node that is pushed
    bool done_ = true;
    bool depth_limit_reached_ = false;
    Bounds bounds_{};
    Line best_line_;
    Move witness_{};
    std::uint64_t nodes_at_depth_ = 0;
    std::uint64_t expansions_ = 0;
};

}  // namespace proofbase
