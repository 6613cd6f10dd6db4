// The check of claims by a strategy (docs/strategies.md): the diagram plays against every reply but the named ones, by
// the rules of the game alone. Positions that come about twice are played on once.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "records/claims/claim.hpp"
#include "records/claims/strategies.hpp"

namespace proofbase {

/// Games in which each move puts a stone on an empty square, and a side wins by filling a line with its stones. There
/// are no rewards, and a later win is worth no more than an earlier one of the same side.
///
///   squares()      numbers of squares are below this.
///   square(p, m)   the square that the move takes.
///   answers(s)     whether the square has the mark `answer` where a diagram does not say otherwise.
template <class G>
concept SquareGame = Game<G> && requires(const G& game, const typename G::Position& p, typename G::Move move, int s) {
    { game.squares() } -> std::convertible_to<std::uint32_t>;
    { game.square(p, move) } -> std::convertible_to<std::uint32_t>;
    { game.answers(s) } -> std::convertible_to<bool>;
    { game.oriented_key(p) };
};

/// Checks strategies of one game. One thread at a time. A position is memory that holds one of the game's own type.
class AnyStrategyCheck {
  public:
    virtual ~AnyStrategyCheck() = default;

    /// What is wrong with the diagram of a claim about a position. The claims of named replies are not looked at.
    virtual std::optional<std::string> fault(const void* position, const Claim& claim) = 0;
};

template <SquareGame G>
class StrategyCheck final : public AnyStrategyCheck {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;

    explicit StrategyCheck(const G& game) : game_(game) {}

    std::optional<std::string> fault(const void* memory, const Claim& claim) override {
        return fault(*static_cast<const Position*>(memory), claim);
    }

    std::optional<std::string> fault(const Position& p, const Claim& claim) {
        const bool lower = claim.side == Side::lower;
        const Strategy strategy = claim.strategy();
        set_marks(strategy);
        bound_ = std::max(0, lower ? claim.bound : -claim.bound);
        met_.clear();
        reason_.clear();
        if (lower) {
            const auto move = static_cast<Move>(claim.witness);
            const Position child = game_.play(p, move);
            if (const auto value = game_.terminal(child)) {
                ends(-*value, claim.rank, 1);
            } else {
                met_.insert(child);
                other_side_moves(child, {}, std::int64_t{claim.rank} - 1);
            }
        } else {
            typename G::Moves moves;
            game_.moves(p, moves);
            for (const std::uint32_t reply : strategy.named) {
                if (!legal(moves, reply)) return "reply " + std::to_string(reply) + " is not legal";
            }
            if (strategy.named.empty()) met_.insert(p);
            other_side_moves(p, strategy.named, claim.rank);
        }
        if (reason_.empty()) return std::nullopt;
        return reason_;
    }

    /// Positions with the other side to move that the last check has met.
    std::size_t met() const noexcept { return met_.size(); }

  private:
    struct Hash {
        const G* game;
        std::size_t operator()(const Position& p) const { return hash_key(game->oriented_key(p)); }
    };

    static bool legal(const typename G::Moves& moves, std::uint32_t move) {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (moves[i] == move) return true;
        }
        return false;
    }

    void set_marks(const Strategy& strategy) {
        marks_.resize(static_cast<std::size_t>(game_.squares()));
        for (std::size_t s = 0; s < marks_.size(); ++s) {
            marks_[s] = game_.answers(static_cast<int>(s)) ? Mark::answer : Mark::middle;
        }
        for (const Strategy::Marked& marked : strategy.marks) {
            if (marked.square < marks_.size()) marks_[marked.square] = marked.mark;
        }
    }

    bool fails(std::string reason) {
        reason_ = std::move(reason);
        return false;
    }

    /// An end that is worth `value` to the side of the strategy, `more` plies further on.
    bool ends(int value, std::int64_t plies, int more) {
        if (value >= bound_ && plies >= more) return true;
        return fails(value < 0 ? "the other side wins"
                               : "the game may end with less than the bound, or after more plies than the rank");
    }

    /// Plays all replies but the named ones.
    bool other_side_moves(const Position& p, const std::vector<std::uint32_t>& named, std::int64_t plies) {
        if (met_.size() > most_strategy_positions) {
            return fails("more than " + std::to_string(most_strategy_positions) + " positions come about");
        }
        typename G::Moves replies;
        game_.moves(p, replies);
        for (std::size_t i = 0; i < replies.size(); ++i) {
            if (std::ranges::binary_search(named, std::uint32_t{replies[i]})) continue;
            const Position child = game_.play(p, replies[i]);
            const std::optional<int> value = game_.terminal(child);
            if (value ? !ends(*value, plies, 1) : !answers(child, plies - 1)) return false;
        }
        return true;
    }

    /// Plays the move of the strategy: one that ends the game, else the one that the diagram chooses among those that
    /// no reply refutes at once.
    bool answers(const Position& p, std::int64_t plies) {
        typename G::Moves moves;
        game_.moves(p, moves);
        std::uint32_t pairs = 0;
        std::optional<int> end;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            pairs += mark_of(p, moves[i]) == Mark::pair;
            if (const auto value = game_.terminal(game_.play(p, moves[i])))
                end = std::max(end.value_or(-*value), -*value);
        }
        if (end) return ends(*end, plies, 1);
        std::optional<Move> best;
        std::uint32_t least = 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const auto square = static_cast<std::uint32_t>(game_.square(p, moves[i]));
            Mark mark = marks_[square];
            std::uint32_t order = static_cast<std::uint32_t>(mark);
            if (mark == Mark::pair && pairs > 1) order = marks_of_squares;
            order = order << 16 | square;
            if (best && order > least) continue;
            if (!holds(game_.play(p, moves[i]))) continue;
            best = moves[i];
            least = order;
        }
        if (!best) return fails("no move holds");
        const Position child = game_.play(p, *best);
        if (!met_.insert(child).second) return true;
        return other_side_moves(child, {}, plies - 1);
    }

    Mark mark_of(const Position& p, Move move) const { return marks_[static_cast<std::size_t>(game_.square(p, move))]; }

    /// False if a reply wins for the other side.
    bool holds(const Position& p) const {
        typename G::Moves replies;
        game_.moves(p, replies);
        for (std::size_t i = 0; i < replies.size(); ++i) {
            const std::optional<int> value = game_.terminal(game_.play(p, replies[i]));
            if (value && *value < 0) return false;
        }
        return true;
    }

    G game_;
    std::vector<Mark> marks_;  ///< by square
    int bound_ = 0;            ///< what every end has to be worth to the side of the strategy
    std::unordered_set<Position, Hash> met_{64, Hash{&game_}};
    std::string reason_;
};

}  // namespace proofbase
