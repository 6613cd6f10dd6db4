// How much work a mate takes, for proof-number search by effort (Effort in concepts.hpp).
//
// Who is to be mated answers with every legal move, so a mate takes at least as many answers as there are replies
// (Breuker et al. 2001: initialisation by mobility); in check there are few. Where the attacker is to move, mates are
// near if the other king has few squares to flee to: each of these flights is one more thing to be done.
#pragma once

#include <bit>
#include <cstdint>

#include "concepts.hpp"
#include "games/chessboard/attacks.hpp"
#include "games/chessboard/board.hpp"
#include "games/chessboard/rules.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

/// How many squares the king of the side that is not to move could go to, if it were to move.
inline std::uint32_t flights_of_other_king(const Board& b) noexcept {
    const Squares occupied = b.occupied();
    const Squares other = occupied ^ b.own;
    const Squares king_at = b.kings & other;
    const Squares without_king = occupied ^ king_at;
    const Squares squares = reach_of(first_square(king_at)).king & ~other & ~attacked_upwards(b.pawns & b.own);
    std::uint32_t flights = 0;
    for_each_square(squares, [&](int to) {
        const Reach& reach = reach_of(to);
        const Squares diagonal = reach.diagonal & b.diagonal & b.own;
        const Squares straight = reach.straight & b.straight & b.own;
        const bool attacked = (reach.knight & b.knights & b.own) != 0 || (reach.king & b.kings & b.own) != 0 ||
                              (diagonal != 0 && (diagonal_attacks(to, without_king) & diagonal) != 0) ||
                              (straight != 0 && (straight_attacks(to, without_king) & straight) != 0);
        flights += !attacked;
    });
    return flights;
}

/// The estimate for a position of chess that is not terminal, and "value >= bound?" with a bound of 0 or 1.
inline Estimate mate_effort(const Board& b, int bound) noexcept {
    const std::uint32_t replies = count_moves(Rules::chess, b);
    return {bound > 0 ? 1 + flights_of_other_king(b) : 1, replies, 0};
}

}  // namespace proofbase::chessboard
