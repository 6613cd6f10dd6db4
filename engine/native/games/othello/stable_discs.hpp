// Discs of Othello that can never be turned, and what they say of the value.
#pragma once

#include "games/othello/board.hpp"

namespace proofbase::othello {

/// For each of the four kinds of lines (rows, rising diagonals, columns, falling diagonals): the squares of lines
/// without an empty square. `outside` are the squares that do not belong to the board.
[[gnu::always_inline]] inline Lanes full_lines(Squares taken_or_outside) noexcept {
    // A line is full unless an empty square lies on it: empty squares spread along their lines, in both ways.
    constexpr Lanes step{1, 7, 8, 9};
    constexpr Lanes after{not_first, not_last, ~Squares{0}, not_first};  // where a step up may end
    constexpr Lanes before{not_last, not_first, ~Squares{0}, not_last};  // where a step down may end
    Lanes up = Lanes{} + ~taken_or_outside;
    Lanes down = up;
    Lanes may_rise = after;
    Lanes may_fall = before;
    Lanes distance = step;
    for (int doubling = 0; doubling < 3; ++doubling) {
        up |= may_rise & (up << distance);
        down |= may_fall & (down >> distance);
        may_rise &= may_rise << distance;
        may_fall &= may_fall >> distance;
        distance += distance;
    }
    return ~(up | down);
}

/// Discs of `own` that cannot be turned any more: in each of the four kinds of lines the line is full, or it ends at
/// the disc, or the next disc in one of both ways is one of these.
[[gnu::always_inline]] inline Squares stable_discs(const Board& board, Squares own, Squares other) noexcept {
    constexpr Lanes step{1, 7, 8, 9};
    constexpr Lanes after{not_first, not_last, ~Squares{0}, not_first};
    constexpr Lanes before{not_last, not_first, ~Squares{0}, not_last};
    const Lanes full = full_lines(own | other | ~board.all()) | board.ends_of_lines();
    Squares stable = own & common(full);
    while (stable != 0) {
        const Lanes known = Lanes{} + stable;
        const Lanes safe = full | (after & (known << step)) | (before & (known >> step));
        const Squares more = own & common(safe);
        if ((more & ~stable) == 0) break;
        stable |= more;
    }
    return stable;
}

/// A limit of the value for `own`: the stable discs of the other side stay.
[[gnu::always_inline]] inline int most_by_stable_discs(const Board& board, Squares own, Squares other) noexcept {
    return board.size() - 2 * count(stable_discs(board, other, own));
}

}  // namespace proofbase::othello
