// Tic-tac-toe.
//
// Rules
//   1. Two players, x first, put their marks in turn on an empty cell of a 3x3 board.
//   2. The first player with three marks of his own in a row, column or diagonal wins.
//   3. A full board without such a line is a draw.
//
// Cells are numbered row by row from the top left: 0 1 2 / 3 4 5 / 6 7 8; bit i of a set is cell i.
// Encoding: the base-3 number of the cells, cell 0 the most significant digit, 0 empty, 1 x, 2 o. The key is the
// smallest one under the eight symmetries of the square.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "inline_list.hpp"
#include "records/evidence/pairing/line_board.hpp"

namespace proofbase {

class TicTacToe {
  public:
    static constexpr std::string_view family = "tic-tac-toe";
    static constexpr std::string_view description = "three in a row on a board of 3x3";
    static constexpr std::string_view examples[] = {"tic-tac-toe"};

    /// The marks of x and of o, as sets of cells.
    struct Position {
        std::uint16_t x = 0;
        std::uint16_t o = 0;
        bool operator==(const Position&) const = default;
    };
    using Move = std::uint8_t;
    using Moves = InlineList<Move, 9>;
    using Key = std::uint16_t;

    static TicTacToe from_parameters(std::string_view parameters) {
        if (!parameters.empty()) throw UnknownGame("tic-tac-toe takes no parameters");
        return {};
    }

    std::string name() const { return std::string(family); }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return true; }
    int highest_value() const noexcept { return 1; }

    Position initial() const noexcept { return {}; }

    std::optional<int> terminal(const Position& p) const noexcept {
        if (has_line(side(p) == 0 ? p.o : p.x)) return -1;
        if ((p.x | p.o) == full) return 0;
        return std::nullopt;
    }

    void moves(const Position& p, Moves& out) const noexcept {
        out.clear();
        for (unsigned open = full & ~(p.x | p.o); open != 0; open &= open - 1) {
            out.push_back(static_cast<Move>(std::countr_zero(open)));
        }
    }

    Position play(const Position& p, Move cell) const noexcept {
        const auto mark = static_cast<std::uint16_t>(1 << cell);
        if (side(p) == 0) return {static_cast<std::uint16_t>(p.x | mark), p.o};
        return {p.x, static_cast<std::uint16_t>(p.o | mark)};
    }

    int squares() const noexcept { return 9; }
    int square(const Position&, Move cell) const noexcept { return cell; }
    bool answers(int) const noexcept { return false; }

    std::vector<BoardLine> board_lines() const {
        std::vector<BoardLine> found;
        for (const unsigned line : lines) found.push_back({LineSquares(line), {}});
        return found;
    }
    std::pair<LineSquares, LineSquares> board_stones(const Position& p) const {
        const std::pair stones{LineSquares(p.x), LineSquares(p.o)};
        return side(p) == 0 ? stones : std::pair{stones.second, stones.first};
    }

    int reward(const Position&, Move) const noexcept { return 0; }
    int side(const Position& p) const noexcept { return std::popcount(static_cast<unsigned>(p.x | p.o)) & 1; }

    Key oriented_key(const Position& p) const noexcept { return encode(p, symmetries[0]); }

    Key key(const Position& p) const noexcept {
        Key smallest = encode(p, symmetries[0]);
        for (std::size_t s = 1; s < symmetries.size(); ++s) smallest = std::min(smallest, encode(p, symmetries[s]));
        return smallest;
    }

    std::size_t key_size() const noexcept { return 2; }

    std::optional<Position> position(Key key) const noexcept {
        if (key >= 19683) return std::nullopt;  // 3^9
        Position p;
        for (int cell = 8; cell >= 0; --cell, key = static_cast<Key>(key / 3)) {
            if (key % 3 == 1) p.x = static_cast<std::uint16_t>(p.x | 1 << cell);
            if (key % 3 == 2) p.o = static_cast<std::uint16_t>(p.o | 1 << cell);
        }
        if (defect(p) != nullptr) return std::nullopt;
        return p;
    }

    Position parse(std::string_view text) const {
        const auto fail = [&](const char* what) {
            return InvalidPosition("tic-tac-toe: position " + quoted(text, 40) + ": " + what);
        };
        if (text.size() != 11 || text[3] != '/' || text[7] != '/')
            throw fail("three rows of three cells, such as xo./.x./..o");
        Position p;
        for (int cell = 0; cell < 9; ++cell) {
            const char c = text[static_cast<std::size_t>(cell + cell / 3)];
            if (c == 'x') {
                p.x = static_cast<std::uint16_t>(p.x | 1 << cell);
            } else if (c == 'o') {
                p.o = static_cast<std::uint16_t>(p.o | 1 << cell);
            } else if (c != '.') {
                throw fail("a cell is '.', 'x' or 'o'");
            }
        }
        if (const char* what = defect(p)) throw fail(what);
        return p;
    }

    std::string text(const Position& p) const {
        std::string out;
        for (int cell = 0; cell < 9; ++cell) {
            if (cell == 3 || cell == 6) out.push_back('/');
            out.push_back(cell_text(p, cell));
        }
        return out;
    }

    std::string draw(const Position& p) const {
        std::string out;
        for (int cell = 0; cell < 9; ++cell) {
            out.push_back(cell_text(p, cell));
            if (cell < 8) out.push_back(cell % 3 == 2 ? '\n' : ' ');
        }
        return out;
    }

    Move parse_move(const Position& p, std::string_view text) const {
        const auto fail = [&](const char* what) {
            return InvalidMove("tic-tac-toe: move " + quoted(text, 40) + ": " + what);
        };
        if (text.size() != 1 || text[0] < '1' || text[0] > '9') throw fail("a move is a cell from 1 to 9");
        const int cell = text[0] - '1';
        if (terminal(p)) throw fail("the game is over");
        if (((p.x | p.o) >> cell & 1) != 0) throw fail("the cell is taken");
        return static_cast<Move>(cell);
    }

    std::string move_text(const Position&, Move cell) const { return std::string(1, static_cast<char>('1' + cell)); }

  private:
    static constexpr unsigned full = 0x1ff;

    /// symmetries[s][i]: the cell that symmetry s maps to cell i; the rotations and reflections of the square.
    static constexpr std::array<std::array<std::uint8_t, 9>, 8> symmetries{{
        {0, 1, 2, 3, 4, 5, 6, 7, 8},
        {2, 1, 0, 5, 4, 3, 8, 7, 6},
        {6, 7, 8, 3, 4, 5, 0, 1, 2},
        {8, 7, 6, 5, 4, 3, 2, 1, 0},
        {0, 3, 6, 1, 4, 7, 2, 5, 8},
        {6, 3, 0, 7, 4, 1, 8, 5, 2},
        {2, 5, 8, 1, 4, 7, 0, 3, 6},
        {8, 5, 2, 7, 4, 1, 6, 3, 0},
    }};

    static Key encode(const Position& p, const std::array<std::uint8_t, 9>& symmetry) noexcept {
        unsigned key = 0;
        for (const std::uint8_t cell : symmetry) {
            key = 3 * key + (p.x >> cell & 1U) + 2 * (p.o >> cell & 1U);
        }
        return static_cast<Key>(key);
    }

    /// Rule 2: rows, columns, diagonals.
    static constexpr std::array lines{0x007U, 0x038U, 0x1c0U, 0x049U, 0x092U, 0x124U, 0x111U, 0x054U};

    static bool has_line(unsigned marks) noexcept {
        for (const unsigned line : lines) {
            if ((marks & line) == line) return true;
        }
        return false;
    }

    /// Why the marks cannot occur in play, or nullptr.
    const char* defect(const Position& p) const noexcept {
        const int lead = std::popcount(static_cast<unsigned>(p.x)) - std::popcount(static_cast<unsigned>(p.o));
        if (lead != 0 && lead != 1) return "x must have as many marks as o, or one more";
        if (has_line(p.x) && has_line(p.o)) return "both sides have three in a row";
        if (has_line(lead == 0 ? p.x : p.o)) return "the side to move has three in a row already";
        return nullptr;
    }

    static char cell_text(const Position& p, int cell) noexcept {
        if ((p.x >> cell & 1) != 0) return 'x';
        return (p.o >> cell & 1) != 0 ? 'o' : '.';
    }
};

static_assert(Game<TicTacToe> && Described<TicTacToe> && Notated<TicTacToe> && Symmetric<TicTacToe> &&
              LineGame<TicTacToe>);

}  // namespace proofbase
