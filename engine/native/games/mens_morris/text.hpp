// Positions and moves of the morris games, and how they are written.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "games/mens_morris/board.hpp"

namespace proofbase::mens_morris {

struct Position {
    Men own = 0;               ///< of the side to move, on the board
    Men other = 0;             ///< of the other side
    std::uint8_t in_hand = 0;  ///< of both sides together; the side to move has half of them, rounded up
    std::uint8_t side = 0;     ///< 0: x is to move
    bool operator==(const Position&) const = default;

    /// Men of the side to move, those in hand included.
    int men() const noexcept { return std::popcount(own) + (in_hand + 1) / 2; }
};

/// From the high bits: where the man comes from, where he goes to, where a man is taken; five bits each.
using Move = std::uint16_t;
inline constexpr int nowhere = 31;

struct MoveParts {
    int from, to, taken;
};

constexpr Move code(int from, int to, int taken) noexcept {
    return static_cast<Move>(from << 10 | to << 5 | taken);
}
constexpr MoveParts parts(Move move) noexcept {
    return {move >> 10, move >> 5 & 31, move & 31};
}

struct MenOnBoard {
    int own, other;
};

/// Why no position of a game with `men` men a side has so many men, or nullptr.
inline const char* men_defect(int men, const MenOnBoard& on_board, int in_hand) noexcept {
    const int own_hand = (in_hand + 1) / 2;
    const int other_hand = in_hand / 2;
    const int own_lost = men - own_hand - on_board.own;
    const int other_lost = men - other_hand - on_board.other;
    if (in_hand > 2 * men || own_lost < 0 || other_lost < 0) return "a side has too many men";
    if (men - other_lost < 3) return "the side that has just moved has fewer than three men";
    if (men - own_lost < 2) return "the side to move has fewer than two men";
    // A man is taken by the third man that the other side puts on the board, at the earliest.
    if (in_hand > 0 && own_lost > std::max(0, men - other_hand - 2)) return "the side to move has too few men";
    if (in_hand > 0 && other_lost > std::max(0, men - own_hand - 2)) return "the other side has too few men";
    return nullptr;
}

/// Why there is no such position, or nullptr.
inline const char* defect(const Board& board, int men, const Position& p) noexcept {
    if ((p.own & p.other) != 0 || ((p.own | p.other) & ~board.all()) != 0) return "the men do not stand on the board";
    return men_defect(men, {std::popcount(p.own), std::popcount(p.other)}, p.in_hand);
}

/// The points in the order of the text: row by row from the top, -1 behind each row.
inline std::vector<int> reading_order(const Board& board) {
    std::vector<int> order;
    for (int row = board.size(); row-- > 0;) {
        for (int column = 0; column < board.size(); ++column) {
            if (const int point = board.point_at(column, row); point >= 0) order.push_back(point);
        }
        order.push_back(-1);
    }
    order.pop_back();
    return order;
}

/// The mark of a point: x, o or a dot.
inline char mark(const Position& p, int point) noexcept {
    const Men x = p.side == 0 ? p.own : p.other;
    const Men o = p.side == 0 ? p.other : p.own;
    return (x >> point & 1) != 0 ? 'x' : (o >> point & 1) != 0 ? 'o' : '.';
}

/// Men in hand of x (0) or o (1).
inline int hand(const Position& p, int side) noexcept {
    return side == p.side ? (p.in_hand + 1) / 2 : p.in_hand / 2;
}

/// `x.o/.../...:x:2,1`: the rows of points from the top, the side to move, the men in hand of x and of o if there are
/// any.
inline std::string text(const Board& board, const Position& p) {
    std::string out;
    for (const int point : reading_order(board)) out.push_back(point < 0 ? '/' : mark(p, point));
    out += p.side == 0 ? ":x" : ":o";
    if (p.in_hand > 0) {
        out.append(":").append(std::to_string(hand(p, 0)));
        out.append(",").append(std::to_string(hand(p, 1)));
    }
    return out;
}

/// Inverse of `text`. Throws InvalidPosition.
inline Position parse(const Board& board, int men, std::string_view text) {
    const auto fail = [&](const std::string& what) {
        return InvalidPosition("mens-morris: position " + quoted(text, 60) + ": " + what);
    };
    const auto form = [&] {
        std::string rows;
        for (const int point : reading_order(board)) rows.push_back(point < 0 ? '/' : '.');
        return fail(
            "rows of points from the top, the side to move, and the men in hand of x and o if there are any, "
            "such as " +
            rows + ":x:" + std::to_string(men) + "," + std::to_string(men));
    };
    std::string_view rest = text;
    Men x = 0;
    Men o = 0;
    for (const int point : reading_order(board)) {
        const char c = rest.empty() ? ' ' : rest.front();
        if (point < 0 ? c != '/' : c != '.' && c != 'x' && c != 'o') throw form();
        if (c == 'x') x |= man_on(point);
        if (c == 'o') o |= man_on(point);
        rest.remove_prefix(1);
    }
    if (!rest.starts_with(":x") && !rest.starts_with(":o")) throw form();
    const bool o_moves = rest[1] == 'o';
    rest.remove_prefix(2);
    int x_hand = 0;
    int o_hand = 0;
    if (!rest.empty()) {
        const auto digit = [&](std::size_t i) { return rest[i] >= '0' && rest[i] <= '9'; };
        if (rest.size() != 4 || rest[0] != ':' || !digit(1) || rest[2] != ',' || !digit(3)) throw form();
        x_hand = rest[1] - '0';
        o_hand = rest[3] - '0';
        if (x_hand + o_hand == 0) throw form();
    }
    if (x_hand + o_hand > 0 && (o_moves ? o_hand != x_hand + 1 : o_hand != x_hand)) {
        throw fail("the sides put their men in turn: x is to move with as many men in hand as o, o with one more");
    }
    const auto in_hand = static_cast<std::uint8_t>(x_hand + o_hand);
    const Position p = o_moves ? Position{o, x, in_hand, 1} : Position{x, o, in_hand, 0};
    if (const char* what = defect(board, men, p)) throw fail(what);
    return p;
}

/// The board with its lines, rows and columns named as in chess.
inline std::string draw(const Board& board, const Position& p) {
    const auto size = static_cast<std::size_t>(2 * board.size() - 1);
    std::vector<std::string> canvas(size, std::string(size, ' '));
    const auto cell = [&](int column, int row) -> char& {  // both in halves of a step
        return canvas[size - 1 - static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    };
    for (int a = 0; a < board.points(); ++a) {
        const auto [column, row] = board.place(a);
        for_each_point(board.neighbours(a), [&](int b) {
            const auto [to_column, to_row] = board.place(b);
            const int right = (to_column > column) - (to_column < column);
            const int up = (to_row > row) - (to_row < row);
            const char line = up == 0 ? '-' : right == 0 ? '|' : right == up ? '/' : '\\';
            for (int c = 2 * column + right, r = 2 * row + up; c != 2 * to_column || r != 2 * to_row;
                 c += right, r += up) {
                cell(c, r) = line;
            }
        });
    }
    for (int point = 0; point < board.points(); ++point) {
        const auto [column, row] = board.place(point);
        cell(2 * column, 2 * row) = mark(p, point);
    }
    std::string out;
    for (std::size_t line = 0; line < size; ++line) {
        std::string shown = (line % 2 == 0 ? std::to_string(board.size() - static_cast<int>(line / 2)) : " ") + " ";
        shown += canvas[line];
        out += shown.substr(0, shown.find_last_not_of(' ') + 1) + "\n";
    }
    for (int column = 0; column < board.size(); ++column) {
        out += column == 0 ? "  " : " ";
        out.push_back(static_cast<char>('a' + column));
    }
    if (p.in_hand > 0) out += "\nin hand: x " + std::to_string(hand(p, 0)) + ", o " + std::to_string(hand(p, 1));
    return out;
}

/// `d6`, `d6-d5`, with `x` and the point of the man that is taken behind it.
inline std::string move_text(const Board& board, Move move) {
    const auto [from, to, taken] = parts(move);
    std::string out = from == nowhere ? "" : board.point_text(from) + "-";
    out += board.point_text(to);
    return taken == nowhere ? out : out + "x" + board.point_text(taken);
}

}  // namespace proofbase::mens_morris
