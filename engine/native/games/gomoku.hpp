// Go-moku (Allis 1994, ch. 5), with the names and rules of the two variants that he solved.
//
// Rules
//   1. The board has `width` columns and `height` rows of squares, empty at first. Two players, the first (Black)
//      with x, move in turn.
//   2. A move puts a stone of the mover on an empty square.
//   3. The first player with `length` or more of his stones in an unbroken row, column or diagonal wins. In the variant
//      `standard` the row has to be of exactly that length: longer ones mean nothing.
//   4. A full board without such a row is a draw.
//   5. In the variant `professional` Black begins in the centre, White replies next to it, and Black's second stone is
//      outside the 5x5 squares around the centre (Allis 1994, 5.2.1).
//
// Moves are numbered from the centre outwards: by the larger of |2 column - (width - 1)| and |2 row - (height - 1)|,
// then by the row, then by the column, columns from a and rows from 1. So the moves that are played most have small
// numbers, and searches without an order of their own try them first. gomoku/key.hpp says what keys are.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/gomoku/attack.hpp"
#include "games/gomoku/board.hpp"
#include "games/gomoku/fours.hpp"
#include "games/gomoku/key.hpp"
#include "games/gomoku/parameters.hpp"
#include "games/gomoku/rows.hpp"
#include "games/gomoku/text.hpp"
#include "games/gomoku/winning_lines.hpp"
#include "inline_list.hpp"
#include "records/evidence/pairing/line_board.hpp"
#include "set_up.hpp"
#include "threats/sequences/threat_findings.hpp"

namespace proofbase {

class Gomoku {
    using Stones = gomoku::Stones;
    static constexpr std::size_t most_squares = 19 * 19;

  public:
    static constexpr std::string_view family = "gomoku";
    static constexpr std::string_view description =
        "five or more in a row; :WIDTHxHEIGHT or :WIDTHxHEIGHT-LENGTH for other boards and rows, 15x15-5 by default; "
        "standard, or ,standard behind it, for rows of exactly that length; professional, or ,professional behind all, "
        "for the opening rule";
    static constexpr std::string_view examples[] = {"gomoku", "gomoku:standard", "gomoku:9x9", "gomoku:6x6-4",
                                                    "gomoku:professional"};

    /// The stones of the side to move, and those of the other side.
    struct Position {
        Stones current;
        Stones other;
        bool operator==(const Position&) const = default;
    };
    using Move = std::uint16_t;
    using Moves = InlineList<Move, most_squares>;
    using Key = gomoku::Encoding::Key;

    explicit Gomoku(const gomoku::Parameters& parameters)
        : parameters_(parameters),
          encoding_(parameters.width, parameters.height),
          stride_(gomoku::stride_of(parameters.width, parameters.height)) {
        std::vector<std::tuple<int, int, int>> squares;
        for (int row = 0; row < height(); ++row) {
            for (int column = 0; column < width(); ++column) {
                const int from_centre =
                    std::max(std::abs(2 * column - (width() - 1)), std::abs(2 * row - (height() - 1)));
                squares.emplace_back(from_centre, row, column);
            }
        }
        std::ranges::sort(squares);
        for (std::size_t move = 0; move < squares.size(); ++move) {
            const auto [from_centre, row, column] = squares[move];
            const int bit = column + stride_ * row;
            bit_[move] = static_cast<std::uint16_t>(bit);
            line_bit_[move] = static_cast<std::uint16_t>(has_narrow_lines() ? bit : column + 32 * row);
            move_[static_cast<std::size_t>(bit)] = static_cast<Move>(move);
            board_.add(bit);
            const int away = std::max(std::abs(column - width() / 2), std::abs(row - height() / 2));
            if (away != 2) opening_[static_cast<std::size_t>(std::min(away, 2))].add(bit);
        }
        squares_ = static_cast<int>(squares.size());
    }

    static Gomoku from_parameters(std::string_view parameters) { return Gomoku(gomoku::Parameters::read(parameters)); }

    std::string name() const { return parameters_.name(); }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return true; }
    int highest_value() const noexcept { return 1; }
    int width() const noexcept { return parameters_.width; }
    int height() const noexcept { return parameters_.height; }
    const gomoku::Parameters& parameters() const noexcept { return parameters_; }

    /// The bit of a move's square in the sets of a position, and back.
    int bit(Move move) const noexcept { return bit_[move]; }
    Move move(int bit) const noexcept { return move_[static_cast<std::size_t>(bit)]; }

    Position initial() const noexcept { return {}; }

    /// Rules 3 and 4. Only the side that has just moved can have completed a row.
    std::optional<int> terminal(const Position& p) const noexcept {
        if (has_line(p.other)) return -1;
        if ((p.current | p.other) == board_) return 0;
        return std::nullopt;
    }

    /// Rules 2 and 5; by their numbers.
    [[gnu::noinline]] void moves(const Position& p, Moves& out) const noexcept {
        out.clear();
        const Stones taken = in_opening(p) ? board_ - free(p) : p.current | p.other;
        for (int move = 0; move < squares_; ++move) {
            if (!taken.has(bit_[static_cast<std::size_t>(move)])) out.push_back(static_cast<Move>(move));
        }
    }

    Position play(const Position& p, Move move) const noexcept {
        Position after{p.other, p.current};
        after.other.add(bit_[move]);
        return after;
    }

    /// Rule 3: all rows of the length. In the variant `standard` a stone behind an end of a row spoils it. None where
    /// rule 5 restricts moves.
    std::vector<BoardLine> board_lines() const {
        std::vector<BoardLine> found;
        if (parameters_.professional) return found;
        const auto on_board = [&](int column, int row) {
            return 0 <= column && column < width() && 0 <= row && row < height();
        };
        constexpr std::array<std::array<int, 2>, 4> directions{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
        for (const auto [right, up] : directions) {
            for (int square = 0; square < squares_; ++square) {
                const int column = square % width();
                const int row = square / width();
                if (!on_board(column + (parameters_.length - 1) * right, row + (parameters_.length - 1) * up)) continue;
                BoardLine& line = found.emplace_back();
                for (int i = -1; i <= parameters_.length; ++i) {
                    const int c = column + i * right;
                    const int r = row + i * up;
                    if (!on_board(c, r)) continue;
                    const bool behind = i < 0 || i == parameters_.length;
                    if (!behind || parameters_.exact) {
                        (behind ? line.spoilers : line.squares).set(move_on(c + width() * r));
                    }
                }
            }
        }
        return found;
    }
    std::pair<LineSquares, LineSquares> board_stones(const Position& p) const {
        std::pair<LineSquares, LineSquares> stones;
        p.current.for_each([&](int bit) { stones.first.set(move(bit)); });
        p.other.for_each([&](int bit) { stones.second.set(move(bit)); });
        return stones;
    }

    int reward(const Position&, Move) const noexcept { return 0; }
    int side(const Position& p) const noexcept { return (p.current | p.other).count() & 1; }

    Key oriented_key(const Position& p) const noexcept {
        const auto [first, second] = by_player(p);
        return encoding_.encode(encoding_.rows_of(first, second));
    }
    Key key(const Position& p) const noexcept {
        const auto [first, second] = by_player(p);
        return encoding_.smallest(first, second);
    }
    std::size_t key_size() const noexcept { return encoding_.size(); }

    std::optional<Position> position(const Key& key) const noexcept {
        const auto stones = encoding_.decode(key);
        if (!stones) return std::nullopt;
        return legal(stones->first, stones->second).first;
    }

    /// The lines for the check of threat trees: vectors for five in a row on boards that fit them.
    using Five = std::integral_constant<int, 5>;
    using Lines =
        std::variant<gomoku::WinningLines<gomoku::NarrowRows, Five>, gomoku::WinningLines<gomoku::WideRows, int>>;
    Lines winning_lines() const {
        const auto [width, height, length, exact, professional] = parameters_;
        if (has_narrow_lines()) return gomoku::WinningLines<gomoku::NarrowRows, Five>(width, height, Five{}, exact);
        return gomoku::WinningLines<gomoku::WideRows, int>(width, height, length, exact);
    }
    std::span<const std::uint16_t> square_bits() const noexcept {
        return {line_bit_.data(), static_cast<std::size_t>(squares_)};
    }
    template <class Set>
    std::pair<Set, Set> stones(const Position& p) const noexcept {
        return {gomoku::rows_of<Set>(p.current, stride_), gomoku::rows_of<Set>(p.other, stride_)};
    }

    /// A look-ahead of one or two plies settles positions by the squares that complete a row. Of the others, those with
    /// one such square of the other side have one reply.
    Estimate effort(const Position& p, int) const noexcept {
        constexpr std::uint32_t never = 0xffffffff;
        const Stones empty = board_ - p.current - p.other;
        if (!completing(p.current, empty).empty()) return {0, never, 1};
        const int threats = completing(p.other, empty).count();
        const int moves = empty.count();
        if (threats == 1) return {1, 1, 0};
        if (threats == 0) return {1, static_cast<std::uint32_t>(moves), 0};
        // Lost. A small search enters each move and some of the replies, all of them in the worst case.
        if (moves * moves < 10'000) return {never, 0, 2};
        return {static_cast<std::uint32_t>(moves), 1, 0};
    }

    /// What wins by fours tell of a position of `within:N:GAME`: in lines, whose length is a proof. Searches of the
    /// game itself look for trees of threats.
    void find_threats(const Position& p, std::uint32_t most_plies, ThreatFindings<Move>& out) const {
        const gomoku::FoursAttack attack(board_, stride_, parameters_.length, parameters_.exact);
        Moves all;
        moves(p, all);
        gomoku::find_threats_by_fours(*this, attack, attack, p.current, p.other, all, most_plies, out);
    }

    /// The move on a square, numbered column + width * row.
    Move move_on(int square) const noexcept { return move(square % width() + stride_ * (square / width())); }

    /// The boards of narrow rows are vectors, for five in a row on boards of rows of 16 bits; all others are arrays.
    template <class Visit>
    auto visit_attack(const Position& p, bool mover_attacks, const Visit& visit) const {
        const auto visit_board = [&]<class Set, class Length>(std::type_identity<Set>, Length length) {
            const gomoku::Attack<Set, Length> attack(width(), height(), length, parameters_.exact,
                                                     parameters_.professional);
            const auto& [own, other] = mover_attacks ? std::tie(p.current, p.other) : std::tie(p.other, p.current);
            return visit(attack,
                         attack.stones(gomoku::rows_of<Set>(own, stride_), gomoku::rows_of<Set>(other, stride_)));
        };
        if (has_narrow_lines()) {
            return visit_board(std::type_identity<gomoku::NarrowRows>{}, gomoku::lines::Constant<5>{});
        }
        return visit_board(std::type_identity<gomoku::WideRows>{}, parameters_.length);
    }

    Position with_stones(const std::vector<int>& own, const std::vector<int>& other) const noexcept {
        Position p;
        for (const int square : own) p.current.add(square % width() + stride_ * (square / width()));
        for (const int square : other) p.other.add(square % width() + stride_ * (square / width()));
        return p;
    }
    int square_of_first_move() const noexcept { return width() / 2 + width() * (height() / 2); }

    Position parse(std::string_view text) const {
        return parse(text, name(), !parameters_.professional,
                     [this](const Stones& first, const Stones& second) { return legal(first, second); });
    }

    /// `exchanged`: the colours are (set_up.hpp).
    std::string text(const Position& p, bool exchanged = false) const {
        std::string out;
        const int mover = side(p) ^ static_cast<int>(exchanged);
        const auto [first, second] = by_colour(p, mover);
        for (int row = height() - 1; row >= 0; --row) {
            for (int column = 0; column < width(); ++column) {
                out.push_back(cell_text(first, second, column + stride_ * row));
            }
            if (row > 0) out.push_back('/');
        }
        if (!set_up::numbers_arise(first.count(), second.count(), mover)) out += set_up::mark(mover);
        return out;
    }

    /// The rows from the top with their numbers, and under them the letters of the columns.
    std::string draw(const Position& p, bool exchanged = false) const {
        std::string out;
        const auto [first, second] = by_colour(p, side(p) ^ static_cast<int>(exchanged));
        for (int row = height() - 1; row >= 0; --row) {
            if (row < 9) out.push_back(' ');
            out += std::to_string(row + 1);
            for (int column = 0; column < width(); ++column) {
                out.push_back(' ');
                out.push_back(cell_text(first, second, column + stride_ * row));
            }
            out.push_back('\n');
        }
        out += "  ";
        for (const char letter : gomoku::column_letters(width())) out += {' ', letter};
        return out;
    }

    Move parse_move(const Position& p, std::string_view text) const {
        return parse_move(p, text, name(), terminal(p).has_value());
    }

    std::string move_text(const Position&, Move move) const {
        return gomoku::square_text(bit_[move] % stride_, bit_[move] / stride_);
    }

  protected:
    /// `game`: its name, for messages. `any_stones`: positions with any numbers of stones are taken (set_up.hpp).
    /// `legal(first, second)`: the position of these stones, or what is wrong.
    template <class Legal>
    Position parse(std::string_view text, const std::string& game, bool any_stones, const Legal& legal) const {
        const auto fail = [&](const std::string& what) {
            return InvalidPosition(game + ": position " + quoted(text, 80) + ": " + what);
        };
        const auto [board, marked_side] = set_up::split(text);
        const auto rows = gomoku::read_rows(board, width(), height());
        if (!rows) throw fail("the number before a row of the drawing is not that of the row");
        const auto is_cell = [](char c) { return c == '.' || c == 'x' || c == 'o'; };
        for (const std::string& row : *rows) {
            if (!std::ranges::all_of(row, is_cell))
                throw fail("a square is '.', 'x' or 'o', rows are separated by '/'");
        }
        const auto is_full = [&](const std::string& row) { return std::ssize(row) == width(); };
        if (std::ssize(*rows) != height() || !std::ranges::all_of(*rows, is_full)) {
            throw fail("the board has " + std::to_string(height()) + " rows of " + std::to_string(width()) +
                       " squares");
        }
        Stones first;
        Stones second;
        for (int row = 0; row < height(); ++row) {
            const std::string& cells = (*rows)[static_cast<std::size_t>(height() - 1 - row)];
            for (int column = 0; column < width(); ++column) {
                const char cell = cells[static_cast<std::size_t>(column)];
                if (cell != '.') (cell == 'x' ? first : second).add(column + stride_ * row);
            }
        }
        const int number = first.count() + second.count();
        const int side = marked_side.value_or(number % 2);
        if (any_stones && !marked_side && !set_up::numbers_arise(first.count(), second.count(), side)) {
            throw fail(set_up::wrong_numbers);
        }
        const bool exchanged = side != number % 2;
        if (exchanged && !any_stones) throw fail("the number of stones says who moves");
        auto [position, defect] = exchanged ? legal(second, first) : legal(first, second);
        if (!position) throw fail(defect);
        return *position;
    }

    Move parse_move(const Position& p, std::string_view text, const std::string& game, bool over) const {
        const auto fail = [&](const std::string& what) {
            return InvalidMove(game + ": move " + quoted(text, 40) + ": " + what);
        };
        const auto square = gomoku::read_square(text, width(), height());
        if (!square) throw fail("a move is a square from a1 to " + gomoku::square_text(width() - 1, height() - 1));
        if (over) throw fail("the game is over");
        const int bit = square->first + stride_ * square->second;
        if ((p.current | p.other).has(bit)) throw fail("the square is taken");
        if (!free(p).has(bit)) throw fail(opening_rule[static_cast<std::size_t>((p.current | p.other).count())]);
        return move(bit);
    }

    /// The position whose side to move the number of stones gives, or why play cannot go on from there. A finished game
    /// must have a last stone without which the game was not finished. `any_stones`: of both sides together.
    /// `wins(stones, player)`; `fault(first, second)`: what is wrong apart from that, or null.
    template <class Wins, class FaultOf>
    static std::pair<std::optional<Position>, const char*> legal(const Stones& first, const Stones& second,
                                                                 bool any_stones, const Wins& wins,
                                                                 const FaultOf& fault) noexcept {
        const int mover = (first.count() + second.count()) % 2;
        if (!any_stones && !set_up::numbers_arise(first.count(), second.count(), mover)) {
            return {std::nullopt, "x must have as many stones as o, or one more"};
        }
        if (const char* found = fault(first, second)) return {std::nullopt, found};
        const Position p = mover == 0 ? Position{first, second} : Position{second, first};
        const bool won = wins(p.other, 1 - mover);
        if (wins(p.current, mover)) {
            return {std::nullopt, won ? "both sides have a winning row" : "the side to move has a winning row already"};
        }
        if (!won) return {p, nullptr};
        bool possible = false;
        p.other.for_each([&](int bit) {
            Stones before = p.other;
            before.remove(bit);
            possible = possible || (!wins(before, 1 - mover) &&
                                    (mover == 0 ? fault(first, before) : fault(before, second)) == nullptr);
        });
        if (!possible) return {std::nullopt, "no last move can have completed the winning rows"};
        return {p, nullptr};
    }

    /// The stones of the first player and of the second, as keys have them.
    std::pair<Stones, Stones> by_player(const Position& p) const noexcept { return by_colour(p, side(p)); }

    /// The stones of x and of o, as they are shown where this side is to move.
    static std::pair<Stones, Stones> by_colour(const Position& p, int mover) noexcept {
        if (mover == 0) return {p.current, p.other};
        return {p.other, p.current};
    }

    const gomoku::Encoding& encoding() const noexcept { return encoding_; }
    int stride() const noexcept { return stride_; }
    const Stones& board() const noexcept { return board_; }

  private:
    static constexpr std::array<const char*, 3> opening_rule = {
        "x begins in the centre", "o replies on a square next to the centre",
        "the second x is outside the 5x5 squares around the centre"};

    /// Whether rule 5 restricts the next move.
    bool in_opening(const Position& p) const noexcept {
        return parameters_.professional && (p.current | p.other).count() < std::ssize(opening_);
    }
    /// The squares that rules 2 and 5 allow.
    Stones free(const Position& p) const noexcept {
        const Stones taken = p.current | p.other;
        return (in_opening(p) ? opening_[static_cast<std::size_t>(taken.count())] : board_) - taken;
    }

    /// Rule 5: whether the stones of the first and of the second player can begin with its moves.
    bool fits_opening_rule(const Stones& first, const Stones& second) const noexcept {
        if (!parameters_.professional) return true;
        const int stones = (first | second).count();
        return (stones < 1 || !(first & opening_[0]).empty()) && (stones < 2 || !(second & opening_[1]).empty()) &&
               (stones < 3 || !(first & opening_[2]).empty());
    }

    bool has_narrow_lines() const noexcept { return stride_ == 16 && parameters_.length == 5; }

    bool has_line(const Stones& stones) const noexcept {
        return gomoku::has_line(stones, stride_, parameters_.length, parameters_.exact);
    }

    Stones completing(const Stones& own, const Stones& empty) const noexcept {
        return gomoku::completing(own, empty, stride_, parameters_.length, parameters_.exact);
    }

    std::pair<std::optional<Position>, const char*> legal(const Stones& first, const Stones& second) const noexcept {
        return legal(
            first, second, !parameters_.professional, [this](const Stones& stones, int) { return has_line(stones); },
            [this](const Stones& x, const Stones& o) {
                return fits_opening_rule(x, o) ? nullptr : "the first three stones do not fit the opening rule";
            });
    }

    static char cell_text(const Stones& first, const Stones& second, int bit) noexcept {
        return first.has(bit) ? 'x' : second.has(bit) ? 'o' : '.';
    }

    gomoku::Parameters parameters_;
    gomoku::Encoding encoding_;
    int stride_;    ///< bits of a row
    Stones board_;  ///< all squares
    int squares_ = 0;
    std::array<Stones, 3> opening_;  ///< rule 5: the centre, the squares next to it, those outside the 5x5 squares
    std::array<std::uint16_t, most_squares> bit_{};       ///< by move
    std::array<std::uint16_t, most_squares> line_bit_{};  ///< by move, in the sets of winning_lines()
    std::array<Move, 64 * Stones::words> move_{};         ///< by bit
};

static_assert(Game<Gomoku> && Described<Gomoku> && Notated<Gomoku> && Symmetric<Gomoku> && Effort<Gomoku> &&
              QuietThreatGame<Gomoku> && LineGame<Gomoku>);

}  // namespace proofbase
