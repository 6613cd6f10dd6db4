// What becomes of generated moves: a list, their number, or whether there is one. A sink takes the moves of one man,
// or those of all pawns in one direction, at once, and says whether it needs no more of them.
#pragma once

#include <bit>
#include <cstdint>

#include "games/chessboard/board.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

/// What a pawn may become, `kinds` of them. Kings only in giveaway.
inline constexpr Kind promotions[] = {queen, rook, bishop, knight, king};

class MoveList {
  public:
    MoveList(Moves& out, int kinds) noexcept : out_(&out), kinds_(kinds) { out.clear(); }

    bool man(int from, Squares targets) noexcept {
        for_each_square(targets, [&](int to) { out_->push_back(move_of(from, to)); });
        return false;
    }

    /// Each target is reached from the square `step` below it.
    bool pawns(Squares targets, int step) noexcept {
        for_each_square(targets, [&](int to) {
            if (to < 56) {
                out_->push_back(move_of(to - step, to));
            } else {
                for (int i = 0; i < kinds_; ++i) out_->push_back(move_of(to - step, to, promotions[i]));
            }
        });
        return false;
    }

  private:
    Moves* out_;
    int kinds_;
};

class MoveCount {
  public:
    explicit MoveCount(int kinds) noexcept : more_kinds_(static_cast<unsigned>(kinds - 1)) {}

    bool man(int, Squares targets) noexcept {
        count_ += count(targets);
        return false;
    }
    bool pawns(Squares targets, int) noexcept {
        count_ += count(targets) + more_kinds_ * count(targets & rank_8);
        return false;
    }

    unsigned total() const noexcept { return count_; }

  private:
    static unsigned count(Squares set) noexcept { return static_cast<unsigned>(std::popcount(set)); }

    unsigned more_kinds_;
    unsigned count_ = 0;
};

struct AnyMove {
    static bool man(int, Squares targets) noexcept { return targets != 0; }
    static bool pawns(Squares targets, int) noexcept { return targets != 0; }
};

}  // namespace proofbase::chessboard
