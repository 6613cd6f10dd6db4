// Qubic: tic-tac-toe on a board of 4x4x4 (Allis 1994, ch. 4; his words and numbers).
//
// Rules (4.2.1)
//   1. The board is a cube of 4x4x4 small cubes, empty at first. Two players, the first (White) with x, move in turn.
//   2. A move occupies an empty cube.
//   3. The first player with four cubes of his own in a straight line, in one, two or three dimensions, wins.
//   4. A full board without such a line is a draw.
//
// Bit layout: cube (x, y, z) is bit x + 4 y + 16 z of a 64-bit set (Fig. 4.4), the layers z side by side:
//
//       0  1  2  3   16 17 18 19   32 33 34 35   48 49 50 51
//       4  5  6  7   20 21 22 23   36 37 38 39   52 53 54 55
//       8  9 10 11   24 25 26 27   40 41 42 43   56 57 58 59
//      12 13 14 15   28 29 30 31   44 45 46 47   60 61 62 63
//
// Encoding: 16 bytes, the set of x and then the set of o, each big-endian. The key is the smallest one under the 192
// automorphisms: of two images the one with the smaller set of x.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/qubic/lines.hpp"
#include "games/qubic/symmetry.hpp"
#include "games/qubic/threats.hpp"
#include "inline_list.hpp"
#include "records/evidence/pairing/line_board.hpp"
#include "set_up.hpp"

namespace proofbase {

class Qubic {
  public:
    static constexpr std::string_view family = "qubic";
    static constexpr std::string_view description = "four in a line on a cube of 4x4x4";
    static constexpr std::string_view examples[] = {"qubic"};

    /// The cubes of the first player and of the second: whose turn it is the number of stones says.
    struct Position {
        std::uint64_t first = 0;
        std::uint64_t second = 0;
        bool operator==(const Position&) const = default;
    };
    using Move = std::uint8_t;  ///< the number of a cube
    using Moves = InlineList<Move, 64>;
    using Key = std::array<std::uint8_t, 16>;

    static Qubic from_parameters(std::string_view parameters) {
        if (!parameters.empty()) throw UnknownGame("qubic takes no parameters");
        return {};
    }

    std::string name() const { return std::string(family); }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return true; }
    int highest_value() const noexcept { return 1; }

    Position initial() const noexcept { return {}; }

    /// Rules 3 and 4. Only the side that has just moved can have completed a line.
    std::optional<int> terminal(const Position& p) const noexcept {
        if (qubic_lines::has_line(parity(p) == 0 ? p.second : p.first)) return -1;
        if (empty(p) == 0) return 0;
        return std::nullopt;
    }

    /// Rule 2; cubes in the order of their numbers.
    void moves(const Position& p, Moves& out) const noexcept {
        out.clear();
        for (std::uint64_t open = empty(p); open != 0; open &= open - 1) {
            out.push_back(static_cast<Move>(std::countr_zero(open)));
        }
    }

    Position play(const Position& p, Move cube) const noexcept {
        const std::uint64_t stone = std::uint64_t{1} << cube;
        if (parity(p) == 0) return {p.first | stone, p.second};
        return {p.first, p.second | stone};
    }

    std::vector<BoardLine> board_lines() const {
        std::vector<BoardLine> lines;
        for (const auto [step, starts] : qubic_lines::directions) {
            for (std::uint64_t rest = starts; rest != 0; rest &= rest - 1) {
                lines.push_back({LineSquares(qubic_lines::cubes_of(rest & -rest, step)), {}});
            }
        }
        return lines;
    }
    std::pair<LineSquares, LineSquares> board_stones(const Position& p) const {
        const std::pair stones{LineSquares(p.first), LineSquares(p.second)};
        return parity(p) == 0 ? stones : std::pair{stones.second, stones.first};
    }

    int reward(const Position&, Move) const noexcept { return 0; }
    int side(const Position& p) const noexcept { return parity(p); }

    Key oriented_key(const Position& p) const noexcept { return encode(p.first, p.second); }

    /// Measured: 0.3 us with AVX2 or AVX-512, 0.9 us without.
    Key key(const Position& p) const noexcept {
        const auto [first, second] = qubic_symmetry::smallest_image(p.first, p.second);
        return encode(first, second);
    }

    std::size_t key_size() const noexcept { return 16; }

    std::optional<Position> position(const Key& key) const noexcept {
        Position p;
        for (std::size_t i = 0; i < 8; ++i) {
            p.first = p.first << 8 | key[i];
            p.second = p.second << 8 | key[8 + i];
        }
        if ((p.first & p.second) != 0 || defect(p) != nullptr) return std::nullopt;
        return p;
    }

    /// A look-ahead of at most three plies settles positions by completed lines, forced replies and double threats. For
    /// all other positions the initialisation of Allis 1994, 4.4.2.
    Estimate effort(const Position& p, int bound) const noexcept {
        constexpr std::uint32_t never = 0xffffffff;
        const auto settled = [bound](int value, std::uint32_t plies) {
            return bound <= value ? Estimate{0, never, plies} : Estimate{never, 0, plies};
        };
        const auto [current, opponent] = mover_attacks(p);
        const Prospects own = prospects(current, opponent);
        if (own.completing != 0) return settled(1, 1);
        const Prospects other = prospects(opponent, current);
        if ((other.completing & (other.completing - 1)) != 0) return settled(-1, 2);
        const std::uint64_t playable = other.completing != 0 ? other.completing : empty(p);
        if ((own.threatening_twice & playable) != 0) return settled(1, 3);
        if (other.completing != 0) return {1, 1, 0};
        // A side that needs a win tries the positional moves, a side that needs a draw the threatening ones.
        const std::uint64_t tries = bound > 0 ? own.positional : own.threatening;
        return {1, static_cast<std::uint32_t>(std::max(1, std::popcount(tries))), 0};
    }

    using ThreatSpace = QubicThreats;
    /// Measured on four-ply positions: 1 makes the search 3 to 8 times longer; 5 to 30 make no difference.
    static constexpr std::uint32_t forced_reply_effort = 10;
    QubicThreats::Stones mover_attacks(const Position& p) const noexcept {
        return parity(p) == 0 ? QubicThreats::Stones{p.first, p.second} : QubicThreats::Stones{p.second, p.first};
    }
    QubicThreats::Stones opponent_attacks(const Position& p) const noexcept {
        return parity(p) == 0 ? QubicThreats::Stones{p.second, p.first} : QubicThreats::Stones{p.first, p.second};
    }

    Position parse(std::string_view text) const {
        const auto fail = [&](const std::string& what) {
            return InvalidPosition("qubic: position " + quoted(text, 90) + ": " + what);
        };
        const std::string pattern = this->text(Position{});
        const auto [board, marked_side] = set_up::split(text);
        const auto is_separator = [&](std::size_t i) { return pattern[i] == '/'; };
        bool in_shape = board.size() == pattern.size();
        for (std::size_t i = 0; in_shape && i < board.size(); ++i) in_shape = (board[i] == '/') == is_separator(i);
        if (!in_shape) throw fail("4 layers, separated by '//', of 4 rows of 4 cubes, separated by '/'");
        Position p;
        std::uint64_t stone = 1;
        for (std::size_t i = 0; i < board.size(); ++i) {
            if (is_separator(i)) continue;
            if (board[i] == 'x') {
                p.first |= stone;
            } else if (board[i] == 'o') {
                p.second |= stone;
            } else if (board[i] != '.') {
                throw fail("a cube is '.', 'x' or 'o'");
            }
            stone <<= 1;
        }
        const int side = marked_side.value_or(parity(p));
        if (!marked_side && !set_up::numbers_arise(std::popcount(p.first), std::popcount(p.second), side)) {
            throw fail(set_up::wrong_numbers);
        }
        if (side != parity(p)) p = {p.second, p.first};
        if (const char* what = defect(p)) throw fail(what);
        return p;
    }

    /// `exchanged`: the colours are, and `p.first` has o (set_up.hpp).
    std::string text(const Position& p, bool exchanged = false) const {
        const int mover = side(p) ^ static_cast<int>(exchanged);
        const auto [x, o] = by_colour(p, exchanged);
        std::string out;
        for (int cube = 0; cube < 64; ++cube) {
            if (cube != 0 && cube % 4 == 0) out += cube % 16 == 0 ? "//" : "/";
            out.push_back(cube_text(x, o, cube));
        }
        if (!set_up::numbers_arise(std::popcount(x), std::popcount(o), mover)) out += set_up::mark(mover);
        return out;
    }

    /// The four layers side by side. The number of a cube is the sum of the numbers above, left of and below it.
    std::string draw(const Position& p, bool exchanged = false) const {
        const auto [x, o] = by_colour(p, exchanged);
        std::string out = "    0         16        32        48\n";
        for (int row = 0; row < 16; row += 4) {
            if (row < 10) out.push_back(' ');
            out.append(std::to_string(row)).append(" ");
            for (int cube = row; cube < 64; cube += 16) {
                out += cube == row ? " " : "   ";
                for (int place = 0; place < 4; ++place) {
                    if (place != 0) out.push_back(' ');
                    out.push_back(cube_text(x, o, cube + place));
                }
            }
            out.push_back('\n');
        }
        return out + "    0 1 2 3   0 1 2 3   0 1 2 3   0 1 2 3";
    }

    Move parse_move(const Position& p, std::string_view text) const {
        const auto fail = [&](const std::string& what) {
            return InvalidMove("qubic: move " + quoted(text, 40) + ": " + what);
        };
        const auto digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
        int cube = 64;
        if (text.size() == 1 && digit(0)) cube = text[0] - '0';
        if (text.size() == 2 && digit(0) && digit(1) && text[0] != '0') cube = 10 * (text[0] - '0') + (text[1] - '0');
        if (cube > 63) throw fail("a move is a cube from 0 to 63");
        if (terminal(p)) throw fail("the game is over");
        if ((empty(p) >> cube & 1) == 0) throw fail("the cube is taken");
        return static_cast<Move>(cube);
    }

    std::string move_text(const Position&, Move cube) const { return std::to_string(cube); }

  private:
    static std::uint64_t empty(const Position& p) noexcept { return ~(p.first | p.second); }

    /// 0: the number of stones says that the first player moves.
    static int parity(const Position& p) noexcept { return std::popcount(p.first | p.second) & 1; }

    /// The cubes of x and of o, as they are shown.
    static std::pair<std::uint64_t, std::uint64_t> by_colour(const Position& p, bool exchanged) noexcept {
        if (exchanged) return {p.second, p.first};
        return {p.first, p.second};
    }

    /// Sets of empty cubes, by what a stone of one side there does.
    struct Prospects {
        std::uint64_t completing = 0;         ///< completes a line
        std::uint64_t threatening = 0;        ///< makes three of a line whose fourth cube is empty
        std::uint64_t threatening_twice = 0;  ///< does so in two lines (which have no other cube in common)
        std::uint64_t positional = 0;         ///< Allis 1994, 4.4.2: in two open lines with an own stone, or three with
                                              ///< at most one
    };

    static Prospects prospects(std::uint64_t own, std::uint64_t other) noexcept {
        Prospects cubes;
        std::uint64_t occupied = 0;  // lies in an open line that has an own stone
        std::uint64_t occupied_twice = 0;
        std::uint64_t sparse = 0;  // lies in an open line that has at most one own stone
        std::uint64_t sparse_twice = 0;
        std::uint64_t sparse_thrice = 0;
        for (const auto [step, starts] : qubic_lines::directions) {
            // Lines are bits at their starts. Open lines have no stone of the other side.
            const auto cubes_of = [step = step](std::uint64_t lines) { return qubic_lines::cubes_of(lines, step); };
            const std::uint64_t open = starts & ~qubic_lines::lines_with(other, step);
            const auto [odd, two_or_three] = qubic_lines::count(own, step);  // of own stones
            const std::uint64_t some = odd | two_or_three;

            cubes.completing |= cubes_of(open & odd & two_or_three);
            const std::uint64_t twos = cubes_of(open & ~odd & two_or_three);
            cubes.threatening_twice |= cubes.threatening & twos;
            cubes.threatening |= twos;
            const std::uint64_t some_own = cubes_of(open & some);
            occupied_twice |= occupied & some_own;
            occupied |= some_own;
            const std::uint64_t at_most_one_own = cubes_of(open & ~two_or_three);
            sparse_thrice |= sparse_twice & at_most_one_own;
            sparse_twice |= sparse & at_most_one_own;
            sparse |= at_most_one_own;
        }
        const std::uint64_t empty = ~(own | other);
        cubes.completing &= empty;
        cubes.threatening &= empty;
        cubes.threatening_twice &= empty;
        cubes.positional = (occupied_twice | sparse_thrice) & empty;
        return cubes;
    }

    static Key encode(std::uint64_t first, std::uint64_t second) noexcept {
        Key key;
        for (std::size_t i = 0; i < 8; ++i) {
            key[i] = static_cast<std::uint8_t>(first >> (56 - 8 * i));
            key[8 + i] = static_cast<std::uint8_t>(second >> (56 - 8 * i));
        }
        return key;
    }

    /// Why play cannot go on from a placement of stones, or nullptr. A finished game must have a last stone without
    /// which the game was not finished.
    static const char* defect(const Position& p) noexcept {
        const std::uint64_t mover = parity(p) == 0 ? p.first : p.second;
        const std::uint64_t last = parity(p) == 0 ? p.second : p.first;
        if (qubic_lines::has_line(mover)) {
            return qubic_lines::has_line(last) ? "both sides have four in a line"
                                               : "the side to move has four in a line already";
        }
        if (!qubic_lines::has_line(last)) return nullptr;
        for (std::uint64_t stones = last; stones != 0; stones &= stones - 1) {
            if (!qubic_lines::has_line(last ^ (stones & -stones))) return nullptr;
        }
        return "no last move can have completed the lines";
    }

    static char cube_text(std::uint64_t x, std::uint64_t o, int cube) noexcept {
        if ((x >> cube & 1) != 0) return 'x';
        return (o >> cube & 1) != 0 ? 'o' : '.';
    }
};

static_assert(Game<Qubic> && Described<Qubic> && Notated<Qubic> && Symmetric<Qubic> && Effort<Qubic> &&
              Threats<Qubic> && LineGame<Qubic>);

}  // namespace proofbase
