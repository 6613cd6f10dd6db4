#include "games/chessboard/mates.hpp"

#include <algorithm>

#include "games/chessboard/attacks.hpp"
#include "games/chessboard/chess_moves.hpp"
#include "games/chessboard/move_sinks.hpp"
#include "games/chessboard/rules.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {
namespace {

/// A sink of moves that keeps those that may give check: all moves that do, and a few others (of men that stand between
/// the king and a man with a line to it, castlings, promotions, captures in passing).
class MayCheck {
  public:
    MayCheck(const Board& b, Moves& out) noexcept : b_(b), all_(out, kinds_of_promotion(Rules::chess)) {
        const Squares own = b.own;
        const Squares occupied = b.occupied();
        const int king = first_square(b.kings & (occupied ^ own));
        const Reach& reach = reach_of(king);
        knight_ = reach.knight;
        diagonal_ = diagonal_attacks(king, occupied);
        straight_ = straight_attacks(king, occupied);
        pawn_ = attacked_downwards(square_set(king));
        for_each_square(((reach.diagonal & b.diagonal) | (reach.straight & b.straight)) & own, [&](int sniper) {
            const Squares blockers = between(king, sniper) & occupied;
            if ((blockers & (blockers - 1)) == 0) uncovering_ |= blockers & own;
        });
    }

    bool man(int from, Squares targets) noexcept {
        const Squares at = square_set(from);
        if ((uncovering_ & at) == 0 && (b_.pawns & at) == 0) {
            Squares checks = 0;
            if ((b_.knights & at) != 0) checks |= knight_;
            if ((b_.diagonal & at) != 0) checks |= diagonal_;
            if ((b_.straight & at) != 0) checks |= straight_;
            if ((b_.kings & at) != 0 && from == 4) checks |= square_set(6) | square_set(2);
            targets &= checks;
        }
        return all_.man(from, targets);
    }

    bool pawns(Squares targets, int step) noexcept {
        return all_.pawns(targets & (pawn_ | uncovering_ << step | rank_8), step);
    }

  private:
    const Board& b_;
    MoveList all_;
    Squares knight_, diagonal_, straight_, pawn_;
    Squares uncovering_ = 0;
};

/// The first move that mates.
std::optional<Move> mating_move(const Board& b) noexcept {
    Moves moves;
    MayCheck checks(b, moves);
    chess_moves(b, checks);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const Board after = play(Rules::chess, b, moves[i]);
        if (in_check(after) && !has_move(Rules::chess, after)) return moves[i];
    }
    return std::nullopt;
}

}  // namespace

bool mates_at_once(const Board& b) noexcept {
    return mating_move(b).has_value();
}

MovesToWin moves_to_mate(const Board& b) noexcept {
    const std::optional<Move> mates = mating_move(b);
    if (!mates) return {count_moves(Rules::chess, b), false};
    Moves moves;
    legal_moves(Rules::chess, b, moves);
    const auto place = std::find(moves.begin(), moves.end(), *mates) - moves.begin();
    return {static_cast<std::uint32_t>(place) + 1, true};
}

}  // namespace proofbase::chessboard
