// Small searches of `within:N:GAME` that ask who wins in time, by GAME's own type. Positions are visited as
// records/evidence/small_search/small_search.hpp says, one by one in the order of the moves; where the winner makes the
// last move, all positions after it are counted at once (TellsWinningMoves).
#pragma once

#include <algorithm>
#include <cstdint>

#include "records/evidence/small_search/small_search.hpp"
#include "search/plies/inner_game.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

template <TellsWinningMoves I>
class SmallSearchOfWins final : public AnySmallSearch<VirtualGame::Position> {
  public:
    explicit SmallSearchOfWins(const VirtualGame& game) : game_(game), inner_(game_), plain_(game_) {}

    SmallSearchOutcome hold(const VirtualGame::Position& p, std::int64_t upper, std::uint32_t depth,
                            std::uint32_t limit, bool to_limits) override {
        if (to_limits || (upper != 0 && upper != -1)) return plain_.hold(p, upper, depth, limit, to_limits);
        refutes_ = upper == 0;
        visits_ = 0;
        limit_ = limit;
        deepest_ = 0;
        const bool answer = visit(inner_.position(p), true, inner_.plies(p), depth, 0);
        if (visits_ > limit_) return {SmallSearchStatus::out_of_visits, limit_ + 1, deepest_};
        return {answer ? SmallSearchStatus::settled : SmallSearchStatus::open, visits_, deepest_};
    }

  private:
    using Position = typename I::Position;

    /// `hold` or `reach` of a position, as the value 0 or a win is asked for: whether the question's attacker does not
    /// win (`refutes_`), or does. The attacker is to move where these two are the same.
    bool visit(const Position& p, bool holds, std::uint32_t plies, std::uint32_t depth, std::uint32_t ply) {
        deepest_ = std::max(deepest_, ply);
        if (++visits_ > limit_) return false;
        const I& rules = inner_.rules();
        const bool attacks = holds == refutes_;
        const bool last_ply = plies == 1 || (!refutes_ && depth == 1);
        if (attacks && last_ply && depth > 0) {
            const MovesToWin moves = rules.moves_to_win(p);
            if (moves.moves > 0) {
                visits_ += moves.moves;
                deepest_ = std::max(deepest_, ply + 1);
                return moves.wins != refutes_;
            }
        }
        if (const std::optional<int> value = rules.terminal(p)) return satisfies(*value, holds);
        if (plies == 0) return satisfies(0, holds);
        if (depth == 0) return false;
        typename I::Moves moves;
        rules.moves(p, moves);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const bool answer = visit(rules.play(p, moves[i]), !holds, plies - 1, depth - 1, ply + 1);
            if (visits_ > limit_) return false;
            if (answer != holds) return answer;
        }
        return holds;
    }

    /// The bounds of `hold` are 0 and -1 where a win is refuted and shown, those of `reach` 0 and 1.
    bool satisfies(int value, bool holds) const noexcept {
        if (holds) return value <= (refutes_ ? 0 : -1);
        return value >= (refutes_ ? 0 : 1);
    }

    VirtualGame game_;
    InnerGame<I> inner_;
    SmallSearch<VirtualGame> plain_;
    bool refutes_ = false;
    std::uint32_t visits_ = 0;
    std::uint32_t limit_ = 0;
    std::uint32_t deepest_ = 0;
};

}  // namespace proofbase
