// Othello on boards of 4, 6 or 8 squares a side, 4x6 and 6x4.
//
// Rules (World Othello Federation)
//   1. Black and White put discs in turn; Black begins. The four squares in the middle are taken at first: seen
//      from the top left, White and Black in the upper row, Black and White in the lower one.
//   2. A disc is put on an empty square such that, in some direction, discs of the other side and then one of the
//      mover's follow. All those discs of the other side are turned, in all directions.
//   3. Who has no such square passes; who has one must not.
//   4. The game is over when no side has such a square.
//   5. The result is the difference of discs. Empty squares count for the winner; with the parameter `discs` they count
//      for nobody.
//
// Encoding: the set of black discs, then the set of all discs, bits row by row from a1. The upper left square of the
// middle always has a disc: in the second set its bit says that White is to move. The key is the smallest encoding
// under the symmetries of the board.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/boards/board_size.hpp"
#include "games/othello/board.hpp"
#include "games/othello/endings.hpp"
#include "games/othello/numbering.hpp"
#include "games/othello/selection.hpp"
#include "games/othello/short_searches.hpp"
#include "inline_list.hpp"
#include "table_concepts.hpp"

namespace proofbase {

class Othello {
    using Squares = othello::Squares;

  public:
    static constexpr std::string_view family = "othello";
    static constexpr std::string_view description =
        "discs between discs of the other side are turned; 8x8, :6x6, :4x4, :4x6 or :6x4; the difference of discs, "
        "empty "
        "squares for the winner, or for nobody with ,discs";
    static constexpr std::string_view examples[] = {"othello", "othello:6x6", "othello:4x4", "othello:4x6",
                                                    "othello:8x8,discs"};

    /// The discs of the side to move and of the other side.
    struct Position {
        Squares own = 0;
        Squares other = 0;
        std::uint64_t side = 0;  ///< 0: Black is to move; no bit of a position is padding
        bool operator==(const Position&) const = default;
    };
    using Move = std::uint8_t;  ///< number of a square row by row, or that of a pass
    using Moves = InlineList<Move, 60>;
    using Key = unsigned __int128;

    /// Throws UnknownGame for other boards.
    Othello(int width, int height, bool discs_only) : board_(width, height, discs_only) {}

    /// `parameters`: WIDTHxHEIGHT, WIDTHxHEIGHT,discs or discs; nothing for 8x8.
    static Othello from_parameters(std::string_view parameters) {
        if (parameters.empty() || parameters == "discs") return {8, 8, !parameters.empty()};
        constexpr std::string_view suffix = ",discs";
        const bool discs_only = parameters.ends_with(suffix);
        if (discs_only) parameters.remove_suffix(suffix.size());
        const auto [width, height] = parse_board_size(family, parameters);
        if (!othello::Board::fits(width, height)) {
            throw UnknownGame("othello: " + quoted(parameters, 40) + " is not one of 8x8, 6x6, 4x4, 4x6, 6x4");
        }
        return {width, height, discs_only};
    }

    std::string name() const {
        if (board_.size() == 64 && !board_.discs_only()) return std::string(family);
        return std::string(family) + ":" + std::to_string(board_.width()) + "x" + std::to_string(board_.height()) +
               (board_.discs_only() ? ",discs" : "");
    }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return true; }
    int highest_value() const noexcept { return board_.size(); }
    const othello::Board& board() const noexcept { return board_; }

    /// Rule 1.
    Position initial() const noexcept {
        const Squares corner = board_.first_middle();
        return {corner << 1 | corner << 8, corner | corner << 9, 0};
    }

    /// Rule 4.
    std::optional<int> terminal(const Position& p) const noexcept {
        if (placements(p) != 0 || placements(passed(p)) != 0) return std::nullopt;
        return board_.result(p.own, p.other);  // rule 5
    }

    /// Rule 3; squares in ascending order.
    void moves(const Position& p, Moves& out) const noexcept {
        out.clear();
        Squares open = placements(p);
        if (open == 0 && placements(passed(p)) != 0) out.push_back(pass());
        for (; open != 0; open &= open - 1) {
            out.push_back(static_cast<Move>(board_.number(othello::lowest_square(open))));
        }
    }

    std::uint32_t count_moves(const Position& p) const noexcept {
        const Squares open = placements(p);
        if (open != 0) return static_cast<std::uint32_t>(othello::count(open));
        return placements(passed(p)) != 0 ? 1 : 0;
    }

    /// Rule 2.
    Position play(const Position& p, Move move) const noexcept {
        if (move == pass()) return passed(p);
        const int square = board_.square(move);
        const Squares turned = othello::flips(p.own, p.other, square);
        return {p.other ^ turned, p.own | turned | Squares{1} << square, p.side ^ 1};
    }

    int reward(const Position&, Move) const noexcept { return 0; }
    int side(const Position& p) const noexcept { return static_cast<int>(p.side); }

    Key oriented_key(const Position& p) const noexcept { return packed(black(p), p.own | p.other, p.side); }

    Key key(const Position& p) const noexcept {
        Squares smallest_black = ~Squares{0};
        Squares smallest_taken = ~Squares{0};
        const Squares mark = p.side == 0 ? board_.first_middle() : 0;
        board_.for_each_image(black(p), p.own | p.other, [&](Squares black, Squares taken) {
            taken ^= mark;
            const bool smaller = black < smallest_black || (black == smallest_black && taken < smallest_taken);
            smallest_black = smaller ? black : smallest_black;
            smallest_taken = smaller ? taken : smallest_taken;
        });
        return Key{board_.packed(smallest_black)} << board_.size() | board_.packed(smallest_taken);
    }

    std::size_t key_size() const noexcept { return static_cast<std::size_t>(board_.size()) / 4; }

    std::optional<Position> position(Key key) const noexcept {
        const int size = board_.size();
        if (size < 64 && key >> (2 * size) != 0) return std::nullopt;
        const Squares numbers = size < 64 ? (Squares{1} << size) - 1 : ~Squares{0};
        const Squares black = board_.unpacked(static_cast<Squares>(key >> size));
        Squares taken = board_.unpacked(static_cast<Squares>(key) & numbers);
        const bool white_moves = (taken & board_.first_middle()) != 0;
        taken |= board_.first_middle();
        if ((black & ~taken) != 0 || (board_.middle() & ~taken) != 0) return std::nullopt;
        const Squares white = taken ^ black;
        return white_moves ? Position{white, black, 1} : Position{black, white, 0};
    }

    /// The moves that a search has to try (othello/selection.hpp).
    template <class Expect, class Add>
    SettledMoves<Move> open_moves(const Position& p, int bound, Expect&& expect, Add&& add) const {
        return othello::open_moves(board_, p, bound, std::forward<Expect>(expect), std::forward<Add>(add));
    }

    /// By the discs of both sides that cannot be turned any more.
    ValueBounds static_bounds(const Position& p) const noexcept {
        return {-othello::most_by_stable_discs(board_, p.other, p.own),
                othello::most_by_stable_discs(board_, p.own, p.other)};
    }

    /// Searches the last moves (othello/endings.hpp).
    class Endings {
      public:
        explicit Endings(const Othello& game) : search_(game.board_) {}
        int value(const Position& p, int bound) { return search_.value(p.own, p.other, bound); }
        std::uint64_t nodes() const noexcept { return search_.nodes(); }
        std::uint64_t bytes() const noexcept { return search_.bytes(); }

      private:
        othello::Endings search_;
    };
    bool is_ending(const Position& p) const noexcept {
        return board_.size() - othello::count(p.own | p.other) <= othello::Endings::most_empty;
    }

    /// Small searches of positions with few empty squares (othello/short_searches.hpp).
    std::optional<ShortSearch> short_hold(const Position& p, std::int64_t upper, std::uint32_t depth,
                                          std::uint32_t most, bool to_limits) const noexcept {
        return short_search<true>(p, upper, depth, most, to_limits);
    }
    std::optional<ShortSearch> short_reach(const Position& p, std::int64_t lower, std::uint32_t depth,
                                           std::uint32_t most, bool to_limits) const noexcept {
        return short_search<false>(p, lower, depth, most, to_limits);
    }

    Position parse(std::string_view text) const {
        const auto fail = [&](const std::string& what) {
            return InvalidPosition(name() + ": position " + quoted(text, 80) + ": " + what);
        };
        const auto size = static_cast<std::size_t>(board_.size());
        if (text.size() != size + 2 || text[size] != ' ' || (text[size + 1] != 'X' && text[size + 1] != 'O')) {
            throw fail(std::to_string(size) + " squares row by row from a1, then a space and X or O to move");
        }
        Squares discs[2] = {0, 0};
        for (std::size_t number = 0; number < size; ++number) {
            const char cell = text[number];
            if (cell == '-') continue;
            if (cell != 'X' && cell != 'O') throw fail("a square is 'X', 'O' or '-'");
            discs[cell == 'O'] |= Squares{1} << board_.square(static_cast<int>(number));
        }
        if ((board_.middle() & ~(discs[0] | discs[1])) != 0) {
            throw fail("no disc is on a square of the middle, where the game begins with one");
        }
        const bool white_moves = text[size + 1] == 'O';
        return {discs[white_moves], discs[!white_moves], white_moves};
    }

    std::string text(const Position& p) const {
        std::string out;
        for (int number = 0; number < board_.size(); ++number) out.push_back(cell(p, board_.square(number), '-'));
        return out + (p.side == 0 ? " X" : " O");
    }

    std::string draw(const Position& p) const {
        std::string out = " ";
        for (int column = 0; column < board_.width(); ++column) out += {' ', static_cast<char>('a' + column)};
        for (int row = 0; row < board_.height(); ++row) {
            out += {'\n', static_cast<char>('1' + row)};
            for (int column = 0; column < board_.width(); ++column) out += {' ', cell(p, 8 * row + column, '.')};
        }
        return out;
    }

    Move parse_move(const Position& p, std::string_view text) const {
        const auto fail = [&](const char* what) {
            return InvalidMove(name() + ": move " + quoted(text, 40) + ": " + what);
        };
        const Squares open = placements(p);
        if (open == 0 && placements(passed(p)) == 0) throw fail("the game is over");
        std::string lower(text.substr(0, 5));
        for (char& c : lower) {
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        }
        if (lower == "pass") {
            if (open != 0) throw fail("who can put a disc must not pass");
            return pass();
        }
        const int column = lower.size() == 2 ? lower[0] - 'a' : -1;
        const int row = lower.size() == 2 ? lower[1] - '1' : -1;
        if (column < 0 || column >= board_.width() || row < 0 || row >= board_.height()) {
            throw fail("a move is a square such as a1, or pass");
        }
        if ((open >> (8 * row + column) & 1) == 0) throw fail("a disc there turns none of the other side");
        return static_cast<Move>(row * board_.width() + column);
    }

    std::string move_text(const Position&, Move move) const {
        if (move == pass()) return "pass";
        const int square = board_.square(move);
        return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
    }

    // Tables, of boards of up to 24 squares: a class is the number of discs (othello/numbering.hpp). They have the
    // positions that can arise, seen by the side to move.

    /// All of them, whatever the size: those with more discs first.
    std::vector<std::uint32_t> classes(std::uint32_t) const {
        std::vector<std::uint32_t> all;
        if (!has_tables()) return all;
        for (int discs = board_.size(); discs >= othello::Numbering::first_discs; --discs) {
            all.push_back(static_cast<std::uint32_t>(discs));
        }
        return all;
    }

    std::vector<std::uint32_t> class_needs(std::uint32_t c) const {
        if (c >= static_cast<std::uint32_t>(board_.size())) return {};
        return {c + 1};
    }

    std::uint32_t table_class(const Position& p) const noexcept {
        return has_tables() ? static_cast<std::uint32_t>(othello::count(p.own | p.other)) : no_table_class;
    }
    std::string class_name(std::uint32_t c) const { return std::to_string(c); }
    std::uint64_t class_size(std::uint32_t c) const { return numbering().numbers(c); }
    std::uint64_t table_rank(const Position& p) const { return numbering().number(p.own, p.own | p.other); }

    /// Black is to move.
    std::optional<Position> table_position(std::uint32_t c, std::uint64_t i) const {
        const auto [own, other] = numbering().discs(c, i);
        if (numbering().number(own, own | other) != i) return std::nullopt;
        return Position{own, other, 0};
    }

    int unreached_value() const noexcept { return highest_value() + 1; }

  private:
    static constexpr int most_empty_of_short_searches = 7;

    bool has_tables() const noexcept { return board_.size() <= othello::Numbering::most_squares; }
    const othello::Numbering& numbering() const { return othello::Numbering::of(board_); }

    template <bool holds>
    std::optional<ShortSearch> short_search(const Position& p, std::int64_t bound, std::uint32_t depth,
                                            std::uint32_t most, bool to_limits) const noexcept {
        const int empty = board_.size() - othello::count(p.own | p.other);
        if (to_limits || empty > most_empty_of_short_searches) return std::nullopt;
        return othello::ShortSearches(board_, most).run<holds>(p.own, p.other, bound, depth);
    }

    Move pass() const noexcept { return static_cast<Move>(board_.size()); }
    static Position passed(const Position& p) noexcept { return {p.other, p.own, p.side ^ 1}; }
    Squares placements(const Position& p) const noexcept {
        return othello::placements(p.own, p.other, board_.all() & ~(p.own | p.other));
    }
    static Squares black(const Position& p) noexcept { return p.side == 0 ? p.own : p.other; }

    Key packed(Squares black, Squares taken, std::uint32_t side) const noexcept {
        if (side == 0) taken ^= board_.first_middle();
        return Key{board_.packed(black)} << board_.size() | board_.packed(taken);
    }

    static char cell(const Position& p, int square, char empty) noexcept {
        const bool own = (p.own >> square & 1) != 0;
        if (!own && (p.other >> square & 1) == 0) return empty;
        return own == (p.side == 0) ? 'X' : 'O';
    }

    othello::Board board_;
};

static_assert(Game<Othello> && Described<Othello> && Notated<Othello> && Symmetric<Othello> && CountsMoves<Othello> &&
              OpenMoves<Othello> && StaticBounds<Othello> && SearchesEndings<Othello> && TellsShortSearches<Othello> &&
              IndexedByReach<Othello>);

}  // namespace proofbase
