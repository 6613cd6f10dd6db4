// Alpha-beta search of one position to one depth, in which what lies beyond the depth is not guessed: a node has a
// lower and an upper limit of its value, and at the depth these are the game's. Moves are tried by what they pay, the
// largest reward first (Allis, van der Meulen, van den Herik, Proof-number search, Artificial Intelligence 66
// (1994), 6.3), behind the move of the line that is given.
//
// A window (alpha, beta) says what is asked: whether the value is above alpha, and whether it reaches beta. With
// beta = alpha + 1 that is one question. The search is two in one (windows.hpp).
//
// Where lines come back to a position (with the same side to move), the search counts repetition. What a node has from
// that holds on its path only: limits say which place on the path they lean on, and only those that lean on none above
// their node are put into the table.
//
// The stack is explicit, so that a search can be left at any node and taken up again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "records/local_check.hpp"
#include "search/alpha_beta/bounds_table.hpp"
#include "search/alpha_beta/dual_window.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/move_order.hpp"

namespace proofbase {

template <Game G>
class DepthFirst {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Key = typename G::Key;
    using Line = std::vector<Move>;

    /// What is known from outside about "value >= bound?" of a position that is to be searched to `depth` plies.
    using Outside = std::function<std::optional<Bounds>(const Key& key, int bound, std::uint32_t depth)>;

    /// What a search is to do besides finding limits.
    struct Setting {
        bool by_height = false;  ///< uses what the table has only as far as a search to that depth would see it
        const Outside* outside = nullptr;  ///< asked for every node below the root
    };

    /// `known` and `table` may be null; all are kept by reference. Searches that share a table are to have different
    /// numbers: they count from `number`.
    DepthFirst(const G& game, const RecordTable<G>* known, BoundsTable<Key>* table, MoveOrder order,
               std::uint32_t number = 0)
        : game_(game), known_(known), table_(table), order_(order), highest_(game.highest_value()), number_(number) {}

    /// Begins a search. At depth 0 the root is only looked at; otherwise its moves are tried whatever is known of it.
    void start(const Position& root, int alpha, int beta, std::uint32_t depth, Line line = {}, Setting setting = {}) {
        size_ = 0;
        ++number_;
        done_ = false;
        cut_off_ = false;
        limit_ = depth;
        line_ = std::move(line);
        best_.clear();
        setting_ = setting;
        root_ = root;
        root_alpha_ = alpha;
        root_beta_ = beta;
    }

    /// Goes on for so many visits of nodes at the most; true at the end.
    bool run(std::uint32_t visits) {
        if (size_ == 0 && !done_) {
            const Window window{root_alpha_, root_beta_};
            if (const auto found = enter(root_, 0, {window, window}, limit_, true)) finish_root(*found, {});
            if (limit_ == 0) ++at_depth_;
        }
        for (std::uint32_t i = 0; i < visits && !done_; ++i) step();
        return done_;
    }

    bool done() const noexcept { return done_; }
    const Bounds& result() const noexcept { return result_; }
    /// The best line found, and the move that the lower limit rests on.
    const Line& best() const noexcept { return best_; }
    Move witness() const noexcept { return witness_; }
    /// True if something was left unknown because of the depth.
    bool cut_off() const noexcept { return cut_off_; }

    /// Totals of all searches: nodes at the depth of their search, and nodes whose moves were tried.
    std::uint64_t at_depth() const noexcept { return at_depth_; }
    std::uint64_t expansions() const noexcept { return expansions_; }
    void set_totals(std::uint64_t at_depth, std::uint64_t expansions) noexcept {
        at_depth_ = at_depth;
        expansions_ = expansions;
    }
    std::uint64_t bytes() const noexcept { return frames_.size() * sizeof(Frame); }

  private:
    struct Frame {
        Position position{};
        Key key{};
        int paid = 0;  ///< by the move that led here
        Asked asked{};
        std::uint32_t depth = 0;
        bool on_line = false;
        Bounds facts{};  ///< from the table and the records
        Bounds found{};  ///< from the moves tried; upper: the largest of theirs
        std::vector<std::pair<Move, int>> moves;
        std::size_t next = 0;
        Move witness{};
        int best_lower = 0;
        int best_upper = 0;
        Line best;
    };

    bool keyed() const noexcept {
        return table_ != nullptr || known_ != nullptr || setting_.outside || !game_.acyclic();
    }

    /// The limits of a node that needs no search; else it is put on the stack.
    std::optional<Bounds> enter(const Position& position, int paid, Asked asked, std::uint32_t depth, bool on_line) {
        const bool is_root = size_ == 0;
        if (const auto value = game_.terminal(position)) return Bounds{*value, *value};
        const int limit = value_limit(game_, position);
        Bounds facts{-limit, limit};
        asked.close_by(facts);
        if (asked.closed()) return facts;
        Key key{};
        if (keyed()) key = game_.key(position);
        if (!is_root || depth == 0) {
            if (!game_.acyclic()) {
                if (const auto place = repeated(key, paid)) {
                    const int rho = *repetition_value(game_, position);
                    return Bounds{rho, rho, 0, 0, *place, *place};
                }
            }
            if (setting_.outside != nullptr) {
                if (const auto bounds = (*setting_.outside)(key, asked.bound(), depth)) {
                    cut_off_ = true;
                    return *bounds;
                }
            }
            if (known_ != nullptr) {
                if (const auto* const tables = known_->tables()) {
                    if (const auto value = tables->value(position)) return Bounds{*value, *value};
                }
                look_up(key, asked, facts);
                if (asked.closed()) return facts;
            }
            if (table_ != nullptr) {
                probe(key, asked, depth, facts);
                if (asked.closed()) return facts;
            }
            if (depth == 0) {
                cut_off_ = true;
                return facts;
            }
        }
        push(position, key, paid, asked, depth, on_line, facts);
        return std::nullopt;
    }

    /// The place of a position on the path that a move paying `paid` comes back to.
    std::optional<std::uint32_t> repeated(const Key& key, int paid) const {
        if (paid != 0) return std::nullopt;
        for (std::size_t i = size_; i-- > 0;) {
            if ((size_ - i) % 2 == 0 && frames_[i].key == key) return static_cast<std::uint32_t>(i + 1);
            if (i > 0 && frames_[i].paid != 0) return std::nullopt;  // rewards are in no cycle
        }
        return std::nullopt;
    }

    /// What stored records say about the ends of the windows.
    void look_up(const Key& key, Asked& asked, Bounds& facts) const {
        if (known_->size() == 0) return;
        const auto ask = [&](int bound) {
            if (bound <= facts.lower || bound > facts.upper) return;
            const auto leaf = leaf_by_record(*known_, key, bound);
            if (!leaf) return;
            if (leaf->numbers.proved()) facts.lower = std::max(facts.lower, bound);
            if (leaf->numbers.disproved()) facts.upper = std::min(facts.upper, bound - 1);
        };
        for (const Window& window : {asked.lower, asked.upper}) {
            if (window.closed()) continue;
            ask(window.beta);
            ask(window.alpha + 1);
        }
        asked.close_by(facts);
    }

    /// Adds what the table has, and takes out what that answers.
    void probe(const Key& key, Asked& asked, std::uint32_t depth, Bounds& facts) {
        const auto* entry = table_->find(key);
        if (entry == nullptr) return;
        const auto too_high = [&](std::uint32_t height) { return setting_.by_height && height > depth; };
        if (entry->lower > facts.lower && !too_high(entry->lower_height)) {
            facts.lower = entry->lower;
            facts.lower_height = entry->lower_height;
        }
        if (entry->upper < facts.upper && !too_high(entry->upper_height)) {
            facts.upper = entry->upper;
            facts.upper_height = entry->upper_height;
        }
        asked.close_by(facts);
        if (asked.closed() || entry->depth < depth) return;
        // In a cycle, what one path leaves unknown another may settle: from depth to depth the wait would have no end.
        if (!game_.acyclic() && entry->search != number_) return;
        if (too_high(entry->lower_height) || too_high(entry->upper_height)) return;
        if (entry->most_lower <= asked.lower.alpha && !asked.lower.closed()) {
            asked.lower.close();
            cut_off_ = true;
        }
        if (entry->least_upper >= asked.upper.beta && !asked.upper.closed()) {
            asked.upper.close();
            cut_off_ = true;
        }
    }

    void push(const Position& position, const Key& key, int paid, const Asked& asked, std::uint32_t depth, bool on_line,
              const Bounds& facts) {
        if (frames_.size() == size_) frames_.emplace_back();
        Frame& frame = frames_[size_];
        order_(game_, position, moves_);
        frame.moves.clear();
        bool pays = false;
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const int reward = game_.reward(position, moves_[i]);
            pays = pays || reward != 0;
            frame.moves.emplace_back(moves_[i], reward);
        }
        if (pays) {
            std::stable_sort(frame.moves.begin(), frame.moves.end(),
                             [](const auto& a, const auto& b) { return a.second > b.second; });
        }
        frame.on_line = on_line && size_ < line_.size();
        if (frame.on_line) {
            const auto first = std::find_if(frame.moves.begin(), frame.moves.end(),
                                            [&](const auto& move) { return move.first == line_[size_]; });
            if (first != frame.moves.end()) std::rotate(frame.moves.begin(), first, first + 1);
        }
        frame.position = position;
        frame.key = key;
        frame.paid = paid;
        frame.asked = asked;
        frame.depth = depth;
        frame.facts = facts;
        frame.found = {-highest_, std::numeric_limits<int>::min()};
        frame.next = 0;
        frame.best.clear();
        ++size_;
        ++expansions_;
    }

    /// Tries the next move of the node at the end of the path, or leaves the node. When the rules of a user's game
    /// fail, nothing has happened.
    void step() {
        const std::size_t at = size_ - 1;
        const Frame& frame = frames_[at];
        Asked asked = frame.asked;
        asked.lower.alpha = std::max(asked.lower.alpha, frame.found.lower);
        asked.upper.alpha = std::max(asked.upper.alpha, frame.found.upper);
        if (frame.next == frame.moves.size() || asked.closed()) return leave();
        const auto [move, reward] = frame.moves[frame.next];
        const bool on_line = frame.on_line && frame.next == 0 && move == line_[at];
        const Position child = game_.play(frame.position, move);
        const auto found = enter(child, reward, asked.behind(reward), frame.depth - 1, on_line);
        ++frames_[at].next;
        if (at + 1 == limit_) ++at_depth_;
        if (found) take(frames_[at], *found, {});
    }

    /// Gives a node the limits of the child by the last move tried.
    void take(Frame& frame, const Bounds& child, const Line& below) {
        const auto [move, reward] = frame.moves[frame.next - 1];
        const int lower = reward - child.upper;
        const int upper = reward - child.lower;
        if (frame.best.empty() || lower > frame.best_lower || (lower == frame.best_lower && upper > frame.best_upper)) {
            frame.best_lower = lower;
            frame.best_upper = upper;
            frame.best.assign(1, move);
            frame.best.insert(frame.best.end(), below.begin(), below.end());
        }
        if (lower > frame.found.lower) {
            frame.found.lower = lower;
            frame.found.lower_height = child.upper_height + 1;
            frame.found.lower_leans = child.upper_leans;
            frame.witness = move;
        }
        frame.found.upper = std::max(frame.found.upper, upper);
        frame.found.upper_height = std::max(frame.found.upper_height, child.lower_height + 1);
        frame.found.upper_leans = std::min(frame.found.upper_leans, child.lower_leans);
    }

    void leave() {
        Frame& frame = frames_[size_ - 1];
        Bounds found = frame.found;
        const std::uint32_t leans = found.upper_leans;  // of anything below
        if (frame.next < frame.moves.size() || found.upper >= frame.facts.upper) {
            found.upper = frame.facts.upper;
            found.upper_height = 0;
            found.upper_leans = Bounds::nothing;
        }
        // A repetition of the node itself is part of its own proof.
        const auto place = static_cast<std::uint32_t>(size_);
        if (found.lower_leans >= place) found.lower_leans = Bounds::nothing;
        if (found.upper_leans >= place) found.upper_leans = Bounds::nothing;
        const bool free = found.lower_leans == Bounds::nothing && leans >= place;
        const bool free_lower = found.lower_leans == Bounds::nothing;
        const bool free_upper = found.upper_leans == Bounds::nothing;
        Bounds facts = frame.facts;  // free of the path
        if (free_lower) raise(facts, found);
        if (free_upper) lower(facts, found);
        if (table_ != nullptr) {
            const auto [most_lower, least_upper] = searched(frame);
            table_->put({frame.key, facts.lower, facts.upper, facts.lower_height, facts.upper_height, most_lower,
                         least_upper, free ? frame.depth : 0, number_});
        }
        raise(facts, found);
        lower(facts, found);
        --size_;
        if (size_ == 0) {
            witness_ = frame.witness;
            return finish_root(facts, frame.best);
        }
        take(frames_[size_ - 1], facts, frame.best);
    }

    /// What a search to its depth can find of a node whose moves were tried: the most that its lower limit can be, and
    /// the least that its upper one can be, as far as its windows tell.
    std::pair<int, int> searched(const Frame& frame) const noexcept {
        const auto& [lower, upper] = frame.asked;
        const int found_lower = frame.found.lower;
        const int found_upper = frame.found.upper;
        return {lower.closed() || found_lower >= lower.beta ? highest_ : std::max(lower.alpha, found_lower),
                upper.closed() || found_upper <= upper.alpha ? -highest_ : std::min(upper.beta, found_upper)};
    }

    static void raise(Bounds& to, const Bounds& from) noexcept {
        if (from.lower <= to.lower) return;
        to.lower = from.lower;
        to.lower_height = from.lower_height;
        to.lower_leans = from.lower_leans;
    }

    static void lower(Bounds& to, const Bounds& from) noexcept {
        if (from.upper >= to.upper) return;
        to.upper = from.upper;
        to.upper_height = from.upper_height;
        to.upper_leans = from.upper_leans;
    }

    void finish_root(const Bounds& bounds, const Line& best) {
        result_ = bounds;
        best_ = best;
        done_ = true;
    }

    const G& game_;
    const RecordTable<G>* known_;
    BoundsTable<Key>* table_;
    MoveOrder order_;
    int highest_;
    std::uint32_t number_;  ///< of the search
    Position root_{};
    int root_alpha_ = 0;
    int root_beta_ = 0;
    std::uint32_t limit_ = 0;
    Line line_;
    Setting setting_;
    std::deque<Frame> frames_;  ///< those on the stack, and behind them old ones with their memory
    std::size_t size_ = 0;
    typename G::Moves moves_;
    bool done_ = true;
    bool cut_off_ = false;
    Bounds result_{};
    Line best_;
    Move witness_{};
    std::uint64_t at_depth_ = 0;
    std::uint64_t expansions_ = 0;
};

}  // namespace proofbase
