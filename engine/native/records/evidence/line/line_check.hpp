// Evidence `line` (docs/fact-model.md): a forcing sequence m1, r1, m2, r2, ..., mk of the side to move (the attacker),
// checked by playing it against every legal reply, by the rules alone:
//
//   The last move ends the game with the bound reached. After each earlier move of the attacker the game goes on, ri is
//   legal, and every other reply either ends the game with the bound reached, or leaves the attacker a move that ends
//   the game at once with the bound reached. All rewards on the way count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "concepts.hpp"

namespace proofbase {

/// Checks lines of one game. An object keeps the memory of its move lists, so use one object for many lines. One thread
/// at a time.
template <Game G>
class LineCheck {
  public:
    using Position = typename G::Position;

    explicit LineCheck(const G& game) : game_(&game) {}

    /// True if the side to move at `position`, which is not terminal, reaches `lower` by the line.
    bool reaches(Position position, std::int64_t lower, std::span<const std::uint32_t> line) {
        if (line.size() % 2 == 0) return false;
        for (std::size_t i = 0;; i += 2) {
            game_->moves(position, moves_);
            const auto move = legal(moves_, line[i]);
            if (!move) return false;
            const std::int64_t upper = game_->reward(position, *move) - lower;
            position = game_->play(position, *move);
            const std::optional<int> value = game_->terminal(position);
            if (i + 1 == line.size()) return value && *value <= upper;
            if (value || !only_reply(position, upper, line[i + 1], lower)) return false;
        }
    }

  private:
    /// True if every reply but `reply` loses at once. Then `position` becomes the position after `reply`, and `lower`
    /// the bound that the attacker has to reach there.
    bool only_reply(Position& position, std::int64_t upper, std::uint32_t reply, std::int64_t& lower) {
        game_->moves(position, replies_);
        const auto expected = legal(replies_, reply);
        if (!expected) return false;
        for (std::size_t i = 0; i < replies_.size(); ++i) {
            const auto other = replies_[i];
            if (other == *expected) continue;
            const Position next = game_->play(position, other);
            const std::int64_t bound = game_->reward(position, other) - upper;
            const std::optional<int> value = game_->terminal(next);
            if (value ? *value < bound : !wins_at_once(next, bound, reply)) return false;
        }
        lower = game_->reward(position, *expected) - upper;
        position = game_->play(position, *expected);
        return !game_->terminal(position);
    }

    /// True if the attacker has a move that ends the game at once with the bound reached. The move `first` is tried
    /// first: callers give the code of the defender's best reply, since in games of placement the winning move is often
    /// on the cell that the defender did not take.
    bool wins_at_once(const Position& position, std::int64_t lower, std::uint32_t first) {
        const auto ends = [&](const auto move) {
            const std::optional<int> value = game_->terminal(game_->play(position, move));
            return value && game_->reward(position, move) - *value >= lower;
        };
        game_->moves(position, moves_);
        if (const auto move = legal(moves_, first); move && ends(*move)) return true;
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            if (moves_[i] != first && ends(moves_[i])) return true;
        }
        return false;
    }

    static std::optional<typename G::Move> legal(const typename G::Moves& moves, std::uint32_t move) {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (moves[i] == move) return moves[i];
        }
        return std::nullopt;
    }

    const G* game_;
    typename G::Moves moves_;
    typename G::Moves replies_;
};

}  // namespace proofbase
