// Positions that are set up, of games in which stones of two colours, x and o, are put on a board in turn. In ordinary
// positions x begins, so the numbers of stones say who moves. A position that is set up may have any numbers of stones;
// a mark behind its board says who moves: " x" or " o".
//
// What follows from such a position depends on whose stones are whose, and not on their colours. So its key is that of
// the position with the side to move that the number of all stones gives: colours exchanged where that is the other
// side. That it is exchanged is remembered beside the position of the game's own type (virtual_game/rules_of.hpp),
// which searches see without it: only texts and drawings differ.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proofbase::set_up {

/// The text of a board, and the side that the mark behind it names.
struct MarkedBoard {
    std::string_view board;
    std::optional<int> side;
};

/// Drawings, which have several lines, have no mark.
inline MarkedBoard split(std::string_view text) noexcept {
    if (text.find('\n') != std::string_view::npos) return {text, std::nullopt};
    if (text.ends_with(" x")) return {text.substr(0, text.size() - 2), 0};
    if (text.ends_with(" o")) return {text.substr(0, text.size() - 2), 1};
    return {text, std::nullopt};
}

/// Whether the numbers of stones can arise in play, with `side` to move.
constexpr bool numbers_arise(int first, int second, int side) noexcept {
    return first - second == side;
}

inline constexpr const char* wrong_numbers =
    "x must have as many stones as o, or one more; a position that is set up names the side to move behind the board, "
    "' x' or ' o'";

inline std::string mark(int side) {
    return side == 0 ? " x" : " o";
}

}  // namespace proofbase::set_up
