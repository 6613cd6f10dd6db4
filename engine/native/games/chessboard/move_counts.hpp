// How many legal moves there are, for all men of a kind at once (directions.hpp). The same moves as those of
// games/chessboard/chess_moves.hpp and giveaway_moves.hpp, which list them.
#pragma once

#include <bit>

#include "games/chessboard/attacks.hpp"
#include "games/chessboard/board.hpp"
#include "games/chessboard/chess_moves.hpp"
#include "games/chessboard/directions.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

/// Which moves the safety of a king leaves.
struct KingSafety {
    Squares checkers = 0;   ///< the men that give check
    Squares answers = 0;    ///< where a man that is not the king may go: everywhere, or to end a single check
    Squares pinned = 0;     ///< own men that must stay on a line with the king
    FourSets on_axis = {};  ///< those of each axis
};

/// What the men of a side attack, but for its king and its pawns.
struct Attacks {
    FourSets up;  ///< of sliders, by their axes
    FourSets down;
    Squares all;
};

/// `empty` is what does not stand in the way.
inline Attacks attacks_of_men(Squares knights, Squares straight, Squares diagonal, Squares empty) noexcept {
    const FourSets open = on_all_axes(empty);
    const FourSets sliders = by_axis(straight, diagonal);
    const FourSets up = attacks_up(sliders, open);
    const FourSets down = attacks_down(sliders, open);
    return {up, down, united(up | down | knight_steps_up(knights) | knight_steps_down(knights))};
}

/// `by_other`: what the other side attacks through the king. A slider and the king look at each other along an axis:
/// where both looks arrive there is the man that is pinned between them, or every square between them if the slider
/// gives check.
inline KingSafety king_safety(const Board& b, const MoverView& view, const Attacks& by_other) noexcept {
    const auto& [occupied, own, other, king_at, king_square, reach] = view;
    KingSafety out;
    Squares between = 0;
    out.checkers = ((reach.knight & b.knights) | (attacked_upwards(king_at) & b.pawns)) & other;
    const Squares aligned = ((reach.diagonal & b.diagonal) | (reach.straight & b.straight)) & other;
    if (aligned != 0) {
        const FourSets king = on_all_axes(king_at);
        const FourSets empty = on_all_axes(~occupied);
        const FourSets up = attacks_up(king, empty);
        const FourSets down = attacks_down(king, empty);
        const FourSets meeting = (up & by_other.down) | (down & by_other.up);
        out.on_axis = meeting & on_all_axes(own);
        out.pinned = united(out.on_axis);
        out.checkers |= united((up | down) & by_axis(b.straight & other, b.diagonal & other));
        between = united(meeting & empty);
    }
    out.answers = out.checkers == 0 ? ~Squares{0} : out.checkers | between;
    return out;
}

/// `attacked`: by the other side, which gives no check.
inline unsigned count_castlings(const Board& b, Squares occupied, Squares attacked) noexcept {
    unsigned count = (b.castling & own_king_side) != 0 && ((occupied | attacked) & 0x60) == 0;
    count += (b.castling & own_queen_side) != 0 && (occupied & 0x0e) == 0 && (attacked & 0x0c) == 0;
    return count;
}

/// The number of moves of pawns, with `kinds` kinds of men that a pawn may become.
inline unsigned count_pawn_targets(Squares targets, unsigned kinds) noexcept {
    return static_cast<unsigned>(std::popcount(targets)) +
           (kinds - 1) * static_cast<unsigned>(std::popcount(targets & rank_8));
}

inline unsigned count_chess_moves(const Board& b) noexcept {
    const MoverView view(b);
    const auto& [occupied, own, other, king_at, king_square, reach] = view;

    const Attacks by_other =
        attacks_of_men(b.knights & other, b.straight & other, b.diagonal & other, ~occupied | king_at);
    const Squares attacked =
        by_other.all | attacked_downwards(b.pawns & other) | reach_of(first_square(b.kings & other)).king;
    unsigned count = static_cast<unsigned>(std::popcount(reach.king & ~own & ~attacked));

    const KingSafety safety = king_safety(b, view, by_other);
    if ((safety.checkers & (safety.checkers - 1)) != 0) return count;

    const Squares allowed = safety.answers & ~own;
    const FourSets targets = on_all_axes(allowed);
    const Squares free = own & ~safety.pinned;
    const FourSets sliders = by_axis(b.straight & own, b.diagonal & own) & (on_all_axes(free) | safety.on_axis);
    const FourSets empty = on_all_axes(~occupied);
    count += count_squares(attacks_up(sliders, empty) & targets, attacks_down(sliders, empty) & targets);
    const Squares knights = b.knights & free;
    if (knights != 0) count += count_squares(knight_steps_up(knights) & targets, knight_steps_down(knights) & targets);

    const Squares pawns = b.pawns & own;
    const Squares captures = allowed & other;
    const Squares one_step = (pawns & (free | reach.file)) << 8 & ~occupied;
    count += count_pawn_targets((pawns & ~file_a & (free | reach.falling)) << 7 & captures, 4);
    count += count_pawn_targets((pawns & ~file_h & (free | reach.rising)) << 9 & captures, 4);
    count += count_pawn_targets(one_step & allowed, 4);
    count += static_cast<unsigned>(std::popcount((one_step & rank_3) << 8 & ~occupied & allowed));
    if (b.en_passant != 0) {
        for_each_square(pass_capturers(b, b.en_passant),
                        [&](int from) { count += may_pass_capture(b, from, b.en_passant); });
    }
    if (b.castling != 0 && safety.checkers == 0) count += count_castlings(b, occupied, attacked);
    return count;
}

/// The number of moves of giveaway to the squares `allowed`: `captures`, or all others.
inline unsigned count_giveaway_moves(const Board& b, Squares occupied, Squares allowed, bool captures) noexcept {
    const FourSets targets = on_all_axes(allowed);
    const FourSets empty = on_all_axes(~occupied);
    const FourSets sliders = by_axis(b.straight & b.own, b.diagonal & b.own);
    unsigned count = count_squares(attacks_up(sliders, empty) & targets, attacks_down(sliders, empty) & targets);
    const Squares knights = b.knights & b.own;
    count += count_squares(knight_steps_up(knights) & targets, knight_steps_down(knights) & targets);
    const Squares kings = b.kings & b.own;
    count += count_squares(king_steps_up(kings) & targets, king_steps_down(kings) & targets);
    const Squares pawns = b.pawns & b.own;
    if (captures) {
        count += count_pawn_targets((pawns & ~file_a) << 7 & allowed, 5);
        count += count_pawn_targets((pawns & ~file_h) << 9 & allowed, 5);
        if (b.en_passant != 0) count += static_cast<unsigned>(std::popcount(pass_capturers(b, b.en_passant)));
    } else {
        const Squares one_step = pawns << 8 & allowed;
        count += count_pawn_targets(one_step, 5);
        count += static_cast<unsigned>(std::popcount((one_step & rank_3) << 8 & allowed));
    }
    return count;
}

inline unsigned count_giveaway_moves(const Board& b) noexcept {
    const Squares occupied = b.occupied();
    const unsigned captures = count_giveaway_moves(b, occupied, occupied ^ b.own, true);
    return captures != 0 ? captures : count_giveaway_moves(b, occupied, ~occupied, false);
}

}  // namespace proofbase::chessboard
