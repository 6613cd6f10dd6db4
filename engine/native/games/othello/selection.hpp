// Which moves of an Othello position a search has to try for a question, and in which order: those first that leave the
// other side few replies, fewer still if it is a corner that they take, and few discs next to empty squares.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "concepts.hpp"
#include "games/othello/board.hpp"
#include "games/othello/endings.hpp"
#include "games/othello/stable_discs.hpp"

namespace proofbase::othello {

/// What a position looks like for `own`, to move, without a search: the larger the better.
inline int appearance(const Board& board, Squares own, Squares other) noexcept {
    const Squares empty = board.all() & ~(own | other);
    const Squares open = placements(own, other, empty);
    const Squares replies = placements(other, own, empty);
    const Squares near_empty = neighbours(empty);
    const int mobility =
        count(open) - count(replies) + count(open & board.corners()) - count(replies & board.corners());
    const int frontier = count(other & near_empty) - count(own & near_empty);
    const int stable = count(stable_discs(board, own, other)) - count(stable_discs(board, other, own));
    const int corners = count(own & board.corners()) - count(other & board.corners());
    return 8 * mobility + 3 * frontier + 4 * stable + 20 * corners;
}

/// The best that `own`, to move, can reach in so many plies, by appearance.
inline int look_ahead(const Board& board, Squares own, Squares other, int plies, int alpha, int beta) noexcept {
    if (plies == 0) return appearance(board, own, other);
    const Squares empty = board.all() & ~(own | other);
    Squares open = placements(own, other, empty);
    if (open == 0) {
        if (placements(other, own, empty) == 0) return 100 * (count(own) - count(other));
        return -look_ahead(board, other, own, plies, -beta, -alpha);
    }
    int best = -1'000'000;
    for (; open != 0; open &= open - 1) {
        const int square = lowest_square(open);
        const Squares turned = flips(own, other, square);
        const Squares disc = Squares{1} << square;
        const int value = -look_ahead(board, other ^ turned, own | turned | disc, plies - 1, -beta, -alpha);
        best = std::max(best, value);
        alpha = std::max(alpha, value);
        if (alpha >= beta) break;
    }
    return best;
}

/// How far the order of moves looks ahead.
inline int plies_of_look_ahead(int empties) noexcept {
    return empties >= 16 ? 2 : empties >= 13 ? 1 : 0;
}

/// As OpenMoves (concepts.hpp), for a class of positions {own, other, side}.
template <class Position, class Expect, class Add>
SettledMoves<std::uint8_t> open_moves(const Board& board, const Position& p, int bound, Expect&& expect, Add&& add) {
    using Expected = decltype(expect(p));
    struct After {
        Position position;
        Expected expected;
        int square;
    };
    SettledMoves<std::uint8_t> out{std::numeric_limits<int>::min(), {}};
    if (const int most = most_by_stable_discs(board, p.own, p.other); most < bound) return {most, {}};
    const Squares empty = board.all() & ~(p.own | p.other);
    const int empties = count(empty);
    Squares open = placements(p.own, p.other, empty);
    if (open == 0) {
        const Position passed{p.other, p.own, p.side ^ 1};
        const bool ending = empties <= Endings::most_empty;
        add(passed, ending ? Expected{} : expect(passed), static_cast<std::uint8_t>(board.size()), 0, ending);
        return out;
    }
    const bool ending = empties - 1 <= Endings::most_empty;
    std::array<After, most_open_moves> children;
    std::size_t filled = 0;
    for (; open != 0; open &= open - 1) {
        const int square = lowest_square(open);
        const Squares turned = flips(p.own, p.other, square);
        const Position after{p.other ^ turned, p.own | turned | Squares{1} << square, p.side ^ 1};
        children[filled++] = {after, ending ? Expected{} : expect(after), square};
    }
    const int plies = plies_of_look_ahead(empties);
    for (std::size_t i = 0; i < filled; ++i) {
        const auto& [after, expected, square] = children[i];
        const auto move = static_cast<std::uint8_t>(board.number(square));
        const Squares left = empty & ~(Squares{1} << square);
        if (placements(after.own, after.other, left) == 0 && placements(after.other, after.own, left) == 0) {
            const int value = -board.result(after.own, after.other);
            if (value > out.best) out = {value, move};
            if (value >= bound) return out;
            continue;
        }
        const int score = -look_ahead(board, after.own, after.other, plies, -1'000'000, 1'000'000);
        add(after, expected, move, score, ending);
    }
    return out;
}

}  // namespace proofbase::othello
