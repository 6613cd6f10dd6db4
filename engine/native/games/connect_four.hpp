// Connect-four on a board of any width and height that fits 64 or 128 bits.
//
// Rules (Allis 1994, ch. 6; the game by Milton Bradley, 1974)
//   1. The board has `width` columns of `height` squares, empty at first. Two players move in turn.
//   2. A move drops a stone of the mover into a column that is not full; it falls to the lowest empty square.
//   3. The first player with four of his stones in an unbroken row, column or diagonal wins.
//   4. A full board without such a line is a draw.
//   5. A win is worth 1; with the parameter `score` the stones that the winner has left, plus 1 (P. Pons,
//      "Solving Connect 4", 2015). Stones lie ready for all squares, one more for the first player where their number
//      is odd.
//
// The board's bits are laid out as connect_four_board.hpp says.
// Encoding: `current | (mask + bottom)`: the stones of the side to move, and in every column the lowest empty
// square (no stone can be above it). The key is the smaller of this encoding and that of the left-right mirror image.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/boards/board_size.hpp"
#include "games/connect_four_board.hpp"
#include "games/connect_four_diagrams.hpp"
#include "games/connect_four_selection.hpp"
#include "games/connect_four_short_searches.hpp"
#include "inline_list.hpp"
#include "set_up.hpp"

namespace proofbase {

/// `Word` has a bit for every square and one more for every column: std::uint64_t or connect_four::WideWord.
template <class Word>
class ConnectFourOn {
    using Board = connect_four::Board<Word>;

  public:
    static constexpr std::string_view family = "connect-four";
    static constexpr std::string_view description =
        "four in a row with falling stones; :WIDTHxHEIGHT, 7x6 by default; ,score for wins worth the stones left";
    static constexpr std::string_view examples[] = {"connect-four", "connect-four:5x4", "connect-four:7x6,score"};

    /// Stones of the side to move, and all stones.
    struct Position {
        Word current = 0;
        Word mask = 0;
        bool operator==(const Position&) const = default;
    };
    using Move = std::uint8_t;  ///< column, 0 at the left
    using Moves = InlineList<Move, 64>;
    using Key = Word;

    /// Throws UnknownGame if the board does not fit: 1 <= width, 1 <= height, (height + 1) * width <= bits of Word.
    ConnectFourOn(int width, int height, bool score = false)
        : board_(fitting(width, height)), selection_(board_, score), score_(score) {}

    /// `parameters` is what follows the colon of a game's name: WIDTHxHEIGHT, WIDTHxHEIGHT,score or score; nothing for
    /// the plain game on 7x6.
    static ConnectFourOn from_parameters(std::string_view parameters) {
        if (parameters.empty() || parameters == "score") return {7, 6, !parameters.empty()};
        constexpr std::string_view suffix = ",score";
        const bool score = parameters.ends_with(suffix);
        if (score) parameters.remove_suffix(suffix.size());
        const auto [width, height] = parse_board_size(family, parameters);
        return {width, height, score};
    }

    std::string name() const {
        if (width() == 7 && height() == 6 && !score_) return std::string(family);
        return std::string(family) + ":" + std::to_string(width()) + "x" + std::to_string(height()) +
               (score_ ? ",score" : "");
    }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return true; }
    /// That of a win with the first player's fourth stone.
    int highest_value() const noexcept { return std::max(1, win(7)); }
    int width() const noexcept { return board_.width(); }
    int height() const noexcept { return board_.height(); }
    const Board& board() const noexcept { return board_; }

    Position initial() const noexcept { return {}; }

    /// Rules 3 and 4. Only the side that has just moved can have completed a line.
    [[gnu::always_inline]] std::optional<int> terminal(const Position& p) const noexcept {
        if (board_.has_line(p.current ^ p.mask)) return -win(connect_four::count(p.mask));
        if (p.mask == board_.squares()) return 0;
        return std::nullopt;
    }

    /// That of a win with the next stone.
    int limit(const Position& p) const noexcept {
        if (!score_) return 1;
        const int next = connect_four::count(p.mask) + (board_.has_line(p.current ^ p.mask) ? 0 : 1);
        return std::min(win(next), highest_value());
    }

    /// Rule 2; columns from left to right.
    void moves(const Position& p, Moves& out) const noexcept {
        out.clear();
        Word top = Word{1} << (height() - 1);
        for (int column = 0; column < width(); ++column, top = top << height() << 1) {
            if ((p.mask & top) == 0) out.push_back(static_cast<Move>(column));
        }
    }

    Position play(const Position& p, Move column) const noexcept {
        const Word landed = p.mask + (Word{1} << (column * board_.column_bits()));
        return {p.current ^ p.mask, p.mask | landed};
    }

    /// Squares are numbered by their bits. (records/evidence/strategy/strategy_check.hpp)
    int squares() const noexcept { return board_.column_bits() * width(); }
    int square(const Position& p, Move column) const noexcept {
        int row = 0;
        while ((p.mask & board_.square(column, row)) != 0) ++row;
        return board_.column_bits() * column + row;
    }
    bool answers(int square) const noexcept { return square % board_.column_bits() % 2 == 1; }
    /// The same with sets of squares, a bit each. (records/evidence/strategy/strategy_check_by_sets.hpp)
    Word all_squares() const noexcept { return board_.squares(); }
    Word open_squares(Word taken) const noexcept { return board_.playable(taken); }
    Word completing(Word own, Word taken) const noexcept { return board_.completing(own, taken); }
    Position put(const Position& p, Word square) const noexcept { return {p.current ^ p.mask, p.mask | square}; }
    static std::pair<Word, Word> stones(const Position& p) noexcept { return {p.current, p.current ^ p.mask}; }
    static int count(Word squares) noexcept { return connect_four::count(squares); }
    /// Rule 5: what a win is worth with the n-th stone on the board.
    int win_with(int stones) const noexcept { return win(stones); }

    int reward(const Position&, Move) const noexcept { return 0; }
    int side(const Position& p) const noexcept { return connect_four::count(p.mask) & 1; }

    Key oriented_key(const Position& p) const noexcept { return p.current | (p.mask + board_.bottom()); }

    Key key(const Position& p) const noexcept {
        const Key here = oriented_key(p);
        if (board_.has_fast_mirror()) return std::min(here, board_.mirror(here));
        // The outer columns, the highest bits of both encodings, nearly always decide which encoding is smaller.
        const Key left = here & board_.column_field();
        const Key right = here >> ((width() - 1) * board_.column_bits());
        if (left > right) return here;
        const Key there = board_.mirror(here);
        return here < there ? here : there;
    }

    std::size_t key_size() const noexcept { return static_cast<std::size_t>(board_.column_bits() * width() + 7) / 8; }

    std::optional<Position> position(Key key) const noexcept {
        Position p;
        const int column_bits = board_.column_bits();
        if (column_bits * width() < Board::word_bits && key >> (column_bits * width()) != 0) return std::nullopt;
        for (int c = 0; c < width(); ++c) {
            const Word bits = (key >> (c * column_bits)) & board_.column_field();
            if (bits == 0) return std::nullopt;
            const Word guard = connect_four::highest(bits);
            p.mask |= (guard - 1) << (c * column_bits);
            p.current |= (bits ^ guard) << (c * column_bits);
        }
        if (defect(p) != nullptr) return std::nullopt;
        return p;
    }

    /// A look-ahead of one or two plies settles positions by the squares that complete a line. For all other positions
    /// the effort of a refutation is the number of moves that do not lose at once (Pons, "Anticipate direct losing
    /// moves").
    Estimate effort(const Position& p, int bound) const noexcept {
        const Word opponent = p.current ^ p.mask;
        const Word playable = board_.playable(p.mask);
        const bool wins = (board_.completing(p.current, p.mask) & playable) != 0;
        const Word threatened = board_.completing(opponent, p.mask);
        const Word forced = playable & threatened;
        const Word answers = forced == 0 ? playable : (forced & (forced - 1)) == 0 ? forced : 0;
        const Word safe = answers & ~(threatened >> 1);
        // No branches: the processor could not predict which case it is.
        const int stones = connect_four::count(p.mask);
        const bool reached = bound <= (wins ? win(stones + 1) : -win(stones + 2));
        // That a loss with the opponent's next stone is good enough is seen only by comparing limits: not settled.
        const bool settled = wins | ((safe == 0) & !reached);
        const auto moves = static_cast<std::uint32_t>(connect_four::count(safe) + (safe == 0));
        return {settled ? std::uint32_t{reached} - 1 : 1, settled ? 0 - std::uint32_t{reached} : moves, wins ? 1u : 2u};
    }

    /// The moves that a search has to try (connect_four_selection.hpp).
    template <class Expect, class Add>
    SettledMoves<Move> open_moves(const Position& p, int bound, Expect&& expect, Add&& add) const {
        return selection_.open_moves(p, bound, std::forward<Expect>(expect), std::forward<Add>(add));
    }

    ValueBounds static_bounds(const Position& p) const noexcept { return selection_.static_bounds(p); }

    /// For the reasons of the static bounds (connect_four_diagrams.hpp).
    using Diagrams = connect_four::Diagrams<Word>;
    Diagrams diagrams() const { return Diagrams(board_, selection_); }

    /// Rules 3 and 4: a stone a ply.
    std::uint32_t most_plies(const Position& p) const noexcept {
        return static_cast<std::uint32_t>(most_stones() - connect_four::count(p.mask));
    }

    /// What short searches come to (connect_four_short_searches.hpp).
    std::optional<ShortSearch> short_hold(const Position& p, std::int64_t upper, std::uint32_t depth,
                                          std::uint32_t most, bool to_limits) const noexcept {
        return short_searches().template run<true>(p.current, p.mask, upper, depth, most, to_limits);
    }
    std::optional<ShortSearch> short_reach(const Position& p, std::int64_t lower, std::uint32_t depth,
                                           std::uint32_t most, bool to_limits) const noexcept {
        return short_searches().template run<false>(p.current, p.mask, lower, depth, most, to_limits);
    }
    bool limits_fall() const noexcept { return score_; }
    void ends_first(const Position& p, Moves& moves) const noexcept {
        const Word wins = board_.playable(p.mask) & board_.completing(p.current, p.mask);
        if (wins == 0) return;  // the last move of a board is the only one
        const auto is_win = [&](Move column) { return (wins >> (column * board_.column_bits()) & field()) != 0; };
        Moves ordered;
        for (const bool first : {true, false}) {
            for (std::size_t i = 0; i < moves.size(); ++i) {
                if (is_win(moves[i]) == first) ordered.push_back(moves[i]);
            }
        }
        moves = ordered;
    }
    Position parse(std::string_view text) const {
        const auto fail = [&](const std::string& what) {
            return InvalidPosition(name() + ": position " + quoted(text, 80) + ": " + what);
        };
        Word first = 0;
        Word second = 0;
        int row = height() - 1;
        int column = 0;
        const auto [board, marked_side] = set_up::split(text);
        for (const char c : board) {
            if (c == '/') {
                if (column != width()) break;
                if (--row < 0) break;  // nothing follows the last row
                column = 0;
                continue;
            }
            if (c != '.' && c != 'x' && c != 'o') throw fail("a square is '.', 'x' or 'o', a row ends with '/'");
            if (column < width()) {
                const Word square = board_.square(column, row);
                if (c == 'x') first |= square;
                if (c == 'o') second |= square;
            }
            ++column;
        }
        if (row != 0 || column != width()) {
            throw fail("the board has " + std::to_string(height()) + " rows of " + std::to_string(width()) +
                       " squares");
        }
        Position p{0, first | second};
        const int mover = marked_side.value_or(side(p));
        if (!set_up::numbers_arise(connect_four::count(first), connect_four::count(second), mover)) {
            if (score_) throw fail("with scores, x must have as many stones as o, or one more");
            if (!marked_side) throw fail(set_up::wrong_numbers);
        }
        p.current = mover == 0 ? first : second;
        if (const char* what = defect(p)) throw fail(what);
        return p;
    }

    /// `exchanged`: the colours are (set_up.hpp).
    std::string text(const Position& p, bool exchanged = false) const {
        const int mover = side(p) ^ static_cast<int>(exchanged);
        std::string out;
        for (int row = height() - 1; row >= 0; --row) {
            for (int column = 0; column < width(); ++column) out.push_back(square_text(p, column, row, mover));
            if (row > 0) out.push_back('/');
        }
        const int own = connect_four::count(p.current);
        const int other = connect_four::count(p.mask) - own;
        if (!set_up::numbers_arise(mover == 0 ? own : other, mover == 0 ? other : own, mover)) {
            out += set_up::mark(mover);
        }
        return out;
    }

    std::string draw(const Position& p, bool exchanged = false) const {
        const int mover = side(p) ^ static_cast<int>(exchanged);
        std::string out;
        for (int row = height() - 1; row >= 0; --row) {
            for (int column = 0; column < width(); ++column) {
                out.push_back(square_text(p, column, row, mover));
                out.push_back(column + 1 < width() ? ' ' : '\n');
            }
        }
        for (int column = 0; column < width(); ++column) {
            out += std::to_string((column + 1) % 10);
            if (column + 1 < width()) out.push_back(' ');
        }
        return out;
    }

    Move parse_move(const Position& p, std::string_view text) const {
        int column = 0;
        for (const char c : text) {
            if (c < '0' || c > '9' || column > 64) {
                column = 0;
                break;
            }
            column = 10 * column + (c - '0');
        }
        const auto fail = [&](const std::string& what) {
            return InvalidMove(name() + ": move " + quoted(text, 40) + ": " + what);
        };
        if (column < 1 || column > width() || text.front() == '0') {
            throw fail("a move is a column from 1 to " + std::to_string(width()));
        }
        if (terminal(p)) throw fail("the game is over");
        if ((p.mask & board_.square(column - 1, height() - 1)) != 0) throw fail("the column is full");
        return static_cast<Move>(column - 1);
    }

    std::string move_text(const Position&, Move column) const { return std::to_string(column + 1); }

    /// The position after moves that are written without separators.
    std::optional<Position> after_moves(std::string_view columns) const noexcept {
        if (width() > 9) return std::nullopt;  // a column may have two digits
        Position p;
        for (const char c : columns) {
            const int column = c - '1';
            if (column < 0 || column >= width()) return std::nullopt;
            const bool full = (p.mask & board_.square(column, height() - 1)) != 0;
            if (full || board_.has_line(p.current ^ p.mask)) return std::nullopt;
            p = play(p, static_cast<Move>(column));
        }
        return p;
    }

  private:
    static Board fitting(int width, int height) {
        if (Board::fits(width, height)) return {width, height};
        throw UnknownGame("connect-four:" + std::to_string(width) + "x" + std::to_string(height) +
                          ": the board must have (height + 1) * width <= " + std::to_string(Board::word_bits) +
                          " and at least one square");
    }

    /// Stones of a full board.
    int most_stones() const noexcept { return board_.width() * board_.height(); }

    Word field() const noexcept { return board_.column_field(); }

    /// Rule 5: what a win is worth with the n-th stone on the board.
    int win(int stones) const noexcept { return selection_.win(stones); }

    connect_four::ShortSearches<Word> short_searches() const noexcept { return {board_, selection_, score_}; }

    /// Why play cannot go on from a placement of stones, or nullptr. A finished game must have a last stone without
    /// which the game was not finished. With scores the stones that are left have to be as rule 5 says.
    const char* defect(const Position& p) const noexcept {
        const Word opponent = p.current ^ p.mask;
        const int lead = connect_four::count(opponent) - connect_four::count(p.current);
        if (score_ && lead != side(p)) return "the numbers of stones do not fit the side to move";
        if (((p.mask + board_.bottom()) & p.mask) != 0) return "a stone floats above an empty square";
        if (board_.has_line(p.current)) {
            return board_.has_line(opponent) ? "both sides have four in a row"
                                             : "the side to move has four in a row already";
        }
        if (board_.has_line(opponent)) {
            const Word column = board_.column_field() >> 1;
            for (int c = 0; c < width(); ++c) {
                const Word top = connect_four::highest(p.mask & (column << (c * board_.column_bits())));
                if ((top & opponent) != 0 && !board_.has_line(opponent ^ top)) return nullptr;
            }
            return "no last move can have completed the lines";
        }
        return nullptr;
    }

    char square_text(const Position& p, int column, int row, int mover) const noexcept {
        const Word square = board_.square(column, row);
        if ((p.mask & square) == 0) return '.';
        return ((p.current & square) != 0) == (mover == 0) ? 'x' : 'o';
    }

    Board board_;
    connect_four::Selection<Word> selection_;
    bool score_;
};

using ConnectFour = ConnectFourOn<std::uint64_t>;
using LargeConnectFour = ConnectFourOn<connect_four::WideWord>;

static_assert(Game<LargeConnectFour> && Described<LargeConnectFour> && Notated<LargeConnectFour> &&
              Symmetric<LargeConnectFour> && Limited<LargeConnectFour> && Effort<LargeConnectFour>);
static_assert(Game<ConnectFour> && Described<ConnectFour> && Notated<ConnectFour> && Symmetric<ConnectFour> &&
              Limited<ConnectFour> && Effort<ConnectFour> && MoveLists<ConnectFour> && TellsShortSearches<ConnectFour>);

}  // namespace proofbase
