// How much work a win or a draw takes in checkers, for proof-number search by effort (Effort in concepts.hpp).
//
// Who is ahead in men wins sooner, and who is behind draws later, so the work grows with the square of what is missing:
// a side that is to win is expected to be two men and a king ahead at the end, one that is to hold a man. A side that
// can jump takes a man at once. A man whose way to the last row is free (a runaway man) is nearly a king.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "concepts.hpp"
#include "games/checkers/board.hpp"

namespace proofbase::checkers {

/// The squares that a set of men, which moves down, can come to on an empty board.
constexpr Squares way_down(Squares men) noexcept {
    Squares way = 0;
    for (men = stepped(men, 0) | stepped(men, 1); men != 0; men = stepped(men, 0) | stepped(men, 1)) way |= men;
    return way;
}

/// What the men of a side are worth, which moves down: a man 2, a runaway man or a king 3.
inline int material(Squares own, Squares other, Squares kings) noexcept {
    int worth = 2 * std::popcount(own) + std::popcount(own & kings);
    for (Squares men = own & ~kings; men != 0; men &= men - 1) {
        worth += (way_down(men & (~men + 1)) & other) == 0;
    }
    return worth;
}

/// For a position that is not terminal, and "value >= bound?" with a bound of 0 or 1. `replies`: the number of moves.
inline Estimate effort(const Position& p, int bound, std::uint32_t replies, bool jumps) noexcept {
    const int ahead =
        material(p.own, p.other, p.kings) - material(turned(p.other), turned(p.own), turned(p.kings)) + (jumps ? 2 : 0);
    const auto work = [](int missing) {
        missing = std::max(missing, 0);
        return static_cast<std::uint32_t>(1 + missing * missing / 4);
    };
    const auto to_win = [&](int worth) { return work(7 - worth); };
    const auto to_hold = [&](int worth) { return work(2 - worth); };
    return bound > 0 ? Estimate{to_win(ahead), replies * to_hold(-ahead), 0}
                     : Estimate{to_hold(ahead), replies * to_win(-ahead), 0};
}

}  // namespace proofbase::checkers
