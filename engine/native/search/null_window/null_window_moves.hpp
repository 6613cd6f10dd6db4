// The moves of one node of a null-window search: which are worth trying, what the rules say of the positions after
// them, and in which order the others are tried.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "concepts.hpp"
#include "search/null_window/null_window_entry.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/null_window_stack.hpp"

namespace proofbase {

/// The moves of a node at a time; the memory is used again for the next node.
template <Game G>
class NullWindowMoves {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Child = NullWindowChild<G>;
    using Identity = typename NullWindowShared<G>::Identity;

    /// What the rules alone say of a node.
    struct Generated {
        std::uint32_t count;  ///< children that the rules do not settle, in the order in which they are to be tried
        std::int32_t best;    ///< the largest value that a move to another child has, or at most has
        Move best_move;       ///< that move; undefined if there is none
        bool cut_off;         ///< `best` reaches the bound
    };

    static constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();

    /// Generates the children of a node with the question "value >= bound?", on the stack. `table_move`: what the table
    /// says of the best child (NullWindowEntry::child).
    [[gnu::always_inline]] Generated generate(NullWindowShared<G>& shared, NullWindowStack<G>& stack,
                                              const Position& position, int bound, std::uint32_t table_move) {
        if constexpr (OpenMoves<G>) {
            return generate_open(shared, stack, position, bound, table_move);
        } else {
            return generate_all(shared, stack, position, bound, table_move);
        }
    }

    /// A move of the node at this ply has reached the node's bound, after others that did not.
    void note_late_cut_off(Move move, std::size_t ply, std::uint32_t work) noexcept {
        if constexpr (!OpenMoves<G>) {
            std::uint32_t& weight = history_[history_index(move, ply)];
            weight += work;
            if (weight > most_history) {
                for (std::uint32_t& one : history_) one /= 2;
            }
        }
    }

    /// Whether the stored records will be asked of the moves that are generated.
    void ask_records(bool asks) noexcept { asks_records_ = asks; }

    std::uint64_t bytes() const noexcept { return scores_.capacity() * sizeof(scores_[0]); }

  private:
    static constexpr int history_bits = 13;
    static constexpr std::size_t history_size = OpenMoves<G> ? 1 : std::size_t{1} << history_bits;
    static constexpr std::uint32_t most_history = 1u << 28;

    /// The moves of a game that does not tell which ones are open.
    [[gnu::always_inline]] Generated generate_all(NullWindowShared<G>& shared, NullWindowStack<G>& stack,
                                                  const Position& position, int bound, std::uint32_t table_move) {
        const G& game = shared.game;
        const std::size_t ply = stack.size();
        shared.move_order(game, position, moves_);
        Child* const children = stack.free_children(moves_.size());
        if (scores_.size() < moves_.size()) [[unlikely]]
            scores_.resize(2 * moves_.size());
        Generated out{0, lowest, {}, false};
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            Child& child = children[out.count];
            child.position = game.play(position, moves_[i]);
            child.reward = game.reward(position, moves_[i]);
            child.move = moves_[i];
            child.forced = false;
            const int child_bound = child.reward - bound + 1;
            std::int32_t value;
            if (settled_by_rules(game, child.position, child_bound, value)) {
                if (child.reward - value <= out.best) continue;
                out.best = child.reward - value;
                out.best_move = child.move;
                out.cut_off = out.best >= bound;
                if (out.cut_off) return out;
                continue;
            }
            child.identity = shared.expect(child.position, asks_records_);
            scores_[out.count] = score(child, ply, table_move);
            ++out.count;
        }
        sort(children, out.count);
        return out;
    }

    /// The moves of a game that tells which ones are open.
    [[gnu::always_inline]] Generated generate_open(NullWindowShared<G>& shared, NullWindowStack<G>& stack,
                                                   const Position& position, int bound, std::uint32_t table_move) {
        Child* const children = stack.free_children(most_open_moves);
        if (scores_.size() < most_open_moves) [[unlikely]]
            scores_.resize(most_open_moves);
        std::uint32_t count = 0;
        const auto expect = [&](const Position& after) { return shared.expect(after, asks_records_); };
        const auto add = [&](const Position& after, const Identity& identity, Move move, int score, bool forced) {
            Child& child = children[count];
            child.position = after;
            child.identity = identity;
            child.reward = shared.game.reward(position, move);
            child.move = move;
            child.forced = forced;
            scores_[count] = is_table_move(child, table_move)
                                 ? std::numeric_limits<std::int64_t>::max()
                                 : std::int64_t{score} << 32 | shared.move_order.lot(child.identity.hash);
            ++count;
        };
        const auto settled = shared.game.open_moves(position, bound, expect, add);
        const Generated out{count, settled.best, settled.move, settled.best >= bound};
        if (!out.cut_off) sort(children, count);
        return out;
    }

    /// The value of a finished game, or the limit that answers the question.
    [[gnu::always_inline]] static bool settled_by_rules(const G& game, const Position& position, int bound,
                                                        std::int32_t& value) {
        if (const std::optional<int> end = game.terminal(position)) {
            value = *end;
            return true;
        }
        const int limit = value_limit(game, position);
        value = bound > limit ? limit : -limit;
        return bound > limit || bound <= -limit;
    }

    static std::size_t history_index(Move move, std::size_t ply) noexcept {
        const std::uint64_t code = std::uint64_t{move} * 2 + (ply & 1);
        return code < history_size ? code : code * 0x9e3779b97f4a7c15ULL >> (64 - history_bits);
    }

    /// The larger the earlier.
    [[gnu::always_inline]] std::int64_t score(const Child& child, std::size_t ply, std::uint32_t table_move) const {
        if (is_table_move(child, table_move)) return std::numeric_limits<std::int64_t>::max();
        return (std::int64_t{child.reward} << 30) + history_[history_index(child.move, ply)];
    }

    static bool is_table_move(const Child& child, std::uint32_t table_move) noexcept {
        return table_move != 0 && NullWindowEntry::child_of(child.identity.hash) == table_move;
    }

    /// Sorts by the scores, those of equal score in the order of the rules.
    [[gnu::always_inline]] void sort(Child* children, std::uint32_t count) {
        if (count > insertion_limit) return sort_many(children, count);
        for (std::uint32_t i = 1; i < count; ++i) {
            if (scores_[i] <= scores_[i - 1]) continue;
            const std::int64_t score = scores_[i];
            const Child child = children[i];
            std::uint32_t at = i;
            for (; at > 0 && scores_[at - 1] < score; --at) {
                scores_[at] = scores_[at - 1];
                children[at] = children[at - 1];
            }
            scores_[at] = score;
            children[at] = child;
        }
    }

    [[gnu::noinline]] void sort_many(Child* children, std::uint32_t count) {
        std::vector<std::uint32_t> order(count);
        for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return scores_[a] > scores_[b]; });
        std::vector<Child> sorted;
        sorted.reserve(count);
        for (const std::uint32_t i : order) sorted.push_back(children[i]);
        std::copy(sorted.begin(), sorted.end(), children);
    }

    static constexpr std::uint32_t insertion_limit = 64;

    typename G::Moves moves_;
    std::vector<std::int64_t> scores_;
    std::array<std::uint32_t, history_size> history_{};
    bool asks_records_ = false;
};

}  // namespace proofbase
