// What men attack on a board with few others, for the builder of endgame tables: a slider attacks its lines less what
// lies beyond each man on them. No code is shared with the moves of the games (games/chessboard/attacks.hpp), as the
// verification of the tables goes by those.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "games/chessboard/board.hpp"
#include "games/chessboard/endgames/classes.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

struct FewMenTables {
    std::array<std::array<Squares, 64>, 6> empty_board{};  ///< by kind and square: what it attacks; pawns move up
    std::array<Squares, 64> attacked_from_above{};         ///< what a pawn attacks that moves down
    std::array<std::array<Squares, 64>, 64> beyond{};      ///< of two squares on a line: what lies behind the second
    std::array<std::array<Squares, 64>, 64> connecting{};  ///< of two squares on a line: those strictly between
};
extern const FewMenTables few_men;

/// What a man of this kind attacks from a square, with men on the `count` squares of `men` (its own may be among them):
/// no more than a table has.
inline Squares attacks_among(Kind kind, unsigned square, const std::uint8_t* men, std::size_t count) noexcept {
    Squares out = few_men.empty_board[kind][square];
    if (kind < bishop || kind == king) return out;
    if (count > most_table_men) __builtin_unreachable();  // g++ warns of places of the array that nothing was put into
    for (std::size_t i = 0; i < count; ++i) out &= ~few_men.beyond[square][men[i]];
    return out;
}

}  // namespace proofbase::chessboard
