// One side of renju for searches of wins by fours (games/gomoku/fours.hpp). Black's moves are checked by the rules:
// none is on a forbidden square, and his rows are of exactly five. A square that is forbidden to Black stops no four of
// White's.
#pragma once

#include "games/gomoku/board.hpp"
#include "games/gomoku/fours.hpp"
#include "games/renju/forbidden.hpp"

namespace proofbase::renju {

/// What one side can do against the other one.
class Attack {
  public:
    using Stones = gomoku::Stones;

    Attack(const Forbidden& forbidden, const Stones& board, int stride, bool by_black)
        : forbidden_(&forbidden), board_(&board), stride_(stride), by_black_(by_black) {}

    Stones empty(const Stones& attacker, const Stones& defender) const noexcept {
        return *board_ - attacker - defender;
    }
    /// The squares on which the attacker wins at once.
    Stones fives(const Stones& attacker, const Stones& defender) const noexcept {
        return gomoku::completing(attacker, empty(attacker, defender), stride_, 5, by_black_);
    }
    /// Those on which the defender does.
    Stones counters(const Stones& attacker, const Stones& defender) const noexcept {
        return gomoku::completing(defender, empty(attacker, defender), stride_, 5, !by_black_);
    }
    bool may_move(const Stones& attacker, const Stones& defender, int bit) const noexcept {
        return !by_black_ || forbidden_->fault(attacker, defender, bit) == Fault::none;
    }
    bool may_reply(const Stones& attacker, const Stones& defender, int bit) const noexcept {
        return by_black_ || forbidden_->fault(defender, attacker, bit) == Fault::none;
    }

    /// Squares of a row that wins.
    static constexpr int length() noexcept { return 5; }
    Stones extending(const Stones& attacker, const Stones& defender, int least) const noexcept {
        return gomoku::extending_rows(attacker, empty(attacker, defender), stride_, length(), least);
    }

  private:
    const Forbidden* forbidden_;
    const Stones* board_;
    int stride_;
    bool by_black_;
};

}  // namespace proofbase::renju
