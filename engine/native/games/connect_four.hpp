// Connect-four on a board of any width and height that fits 64 bits.
//
// Rules (Allis 1994, ch. 6; the game by Milton Bradley, 1974)
//   1. The board has `width` columns of `height` squares, empty at first. Two players move in turn.
//   2. A move drops a stone of the mover into a column that is not full; it falls to the lowest empty square.
//   3. The first player with four of his stones in an unbroken row, column or diagonal wins.
//   4. A full board without such a line is a draw.
//
// Bit layout: column-major with one spare bit on top of every column, column 0 at the low end:
//
//      6 13 20 27 34 41 48     spare row
//      5 12 19 26 33 40 47
//      4 11 18 25 32 39 46
//      3 10 17 24 31 38 45     7x6
//      2  9 16 23 30 37 44
//      1  8 15 22 29 36 43
//      0  7 14 21 28 35 42
//
// Lines are then found by shifts of 1 (column), height (falling), height+1 (row), height+2 (rising).
// Encoding: `current | (mask + bottom)`: the stones of the side to move, and in every column the lowest empty
// square (no stone can be above it). The key is the smaller of this encoding and that of the left-right mirror image.
#pragma once

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/board_size.hpp"
#include "inline_list.hpp"

namespace proofbase {

class ConnectFour {
  public:
    static constexpr std::string_view family = "connect-four";
    static constexpr std::string_view description = "four in a row with falling stones; :WIDTHxHEIGHT, 7x6 by default";
    static constexpr std::string_view examples[] = {"connect-four", "connect-four:5x4"};

    /// Stones of the side to move, and all stones.
    struct Position {
        std::uint64_t current = 0;
        std::uint64_t mask = 0;
        bool operator==(const Position&) const = default;
    };
    using Move = std::uint8_t;  ///< column, 0 at the left
    using Moves = InlineList<Move, 64>;
    using Key = std::uint64_t;

    /// Throws UnknownGame if the board does not fit: 1 <= width, 1 <= height, (height + 1) * width <= 64.
    ConnectFour(int width, int height) : width_(width), height_(height) {
        if (width < 1 || height < 1 || static_cast<std::int64_t>(height + 1) * width > 64) {
            throw UnknownGame("connect-four:" + std::to_string(width) + "x" + std::to_string(height) +
                              ": the board must have (height + 1) * width <= 64 and at least one square");
        }
        for (int c = 0; c < width; ++c) bottom_ |= std::uint64_t{1} << (c * (height + 1));
        column_ = (std::uint64_t{1} << height) - 1;
        board_ = bottom_ * column_;
        const auto high = static_cast<std::uint64_t>(height);
        const std::uint64_t steps[4] = {1, high, high + 1, high + 2};
        std::copy(steps, steps + 4, steps_);
        if (width <= 8 && height <= 7) {
            for (int c = 0; c < width; ++c) bytes_ |= ((std::uint64_t{2} << height) - 1) << (8 * c);
        }
    }

    /// `parameters` is what follows the colon of a game's name; empty for 7x6.
    static ConnectFour from_parameters(std::string_view parameters) {
        if (parameters.empty()) return {7, 6};
        const auto [width, height] = parse_board_size(family, parameters);
        return {width, height};
    }

    std::string name() const {
        if (width_ == 7 && height_ == 6) return std::string(family);
        return std::string(family) + ":" + std::to_string(width_) + "x" + std::to_string(height_);
    }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return true; }
    int highest_value() const noexcept { return 1; }
    int width() const noexcept { return width_; }
    int height() const noexcept { return height_; }

    Position initial() const noexcept { return {}; }

    /// Rules 3 and 4. Only the side that has just moved can have completed a line.
    std::optional<int> terminal(const Position& p) const noexcept {
        if (has_line(p.current ^ p.mask)) return -1;
        if (p.mask == board_) return 0;
        return std::nullopt;
    }

    /// Rule 2; columns from left to right.
    void moves(const Position& p, Moves& out) const noexcept {
        out.clear();
        std::uint64_t top = std::uint64_t{1} << (height_ - 1);
        for (int column = 0; column < width_; ++column, top = top << height_ << 1) {
            if ((p.mask & top) == 0) out.push_back(static_cast<Move>(column));
        }
    }

    Position play(const Position& p, Move column) const noexcept {
        const std::uint64_t landed = p.mask + (std::uint64_t{1} << (column * (height_ + 1)));
        return {p.current ^ p.mask, p.mask | landed};
    }

    int reward(const Position&, Move) const noexcept { return 0; }
    int side(const Position& p) const noexcept { return std::popcount(p.mask) & 1; }

    Key oriented_key(const Position& p) const noexcept { return p.current | (p.mask + bottom_); }

    Key key(const Position& p) const noexcept {
        const Key here = oriented_key(p);
#if defined(__BMI2__)
        if (bytes_ != 0) return std::min(here, mirror(here));
#endif
        // The outer columns, the highest bits of both encodings, nearly always decide which encoding is smaller.
        const Key left = here & ((std::uint64_t{2} << height_) - 1);
        const Key right = here >> ((width_ - 1) * (height_ + 1));
        if (left > right) return here;
        const Key there = mirror(here);
        return here < there ? here : there;
    }

    std::size_t key_size() const noexcept { return static_cast<std::size_t>((height_ + 1) * width_ + 7) / 8; }

    std::optional<Position> position(Key key) const noexcept {
        Position p;
        const int column_bits = height_ + 1;
        if (column_bits * width_ < 64 && key >> (column_bits * width_) != 0) return std::nullopt;
        for (int c = 0; c < width_; ++c) {
            const std::uint64_t bits = (key >> (c * column_bits)) & ((std::uint64_t{2} << height_) - 1);
            if (bits == 0) return std::nullopt;
            const std::uint64_t guard = std::bit_floor(bits);
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
        const std::uint64_t opponent = p.current ^ p.mask;
        const std::uint64_t playable = (p.mask + bottom_) & board_;
        const bool wins = (completing(p.current, p.mask) & playable) != 0;
        const std::uint64_t threatened = completing(opponent, p.mask);
        const std::uint64_t forced = playable & threatened;
        const std::uint64_t answers = forced == 0 ? playable : (forced & (forced - 1)) == 0 ? forced : 0;
        const std::uint64_t safe = answers & ~(threatened >> 1);
        // No branches: the processor could not predict which case it is.
        const bool settled = wins | (safe == 0);
        const bool reached = bound <= (wins ? 1 : -1);
        const auto moves = static_cast<std::uint32_t>(std::popcount(safe));
        return {settled ? std::uint32_t{reached} - 1 : 1, settled ? 0 - std::uint32_t{reached} : moves, wins ? 1u : 2u};
    }

    Position parse(std::string_view text) const {
        const auto fail = [&](const std::string& what) {
            return InvalidPosition(name() + ": position " + quoted(text, 80) + ": " + what);
        };
        std::uint64_t first = 0;
        std::uint64_t second = 0;
        int row = height_ - 1;
        int column = 0;
        for (const char c : text) {
            if (c == '/') {
                if (column != width_) break;
                if (--row < 0) break;  // nothing follows the last row
                column = 0;
                continue;
            }
            if (c != '.' && c != 'x' && c != 'o') throw fail("a square is '.', 'x' or 'o', a row ends with '/'");
            if (column < width_) {
                const std::uint64_t square = std::uint64_t{1} << (column * (height_ + 1) + row);
                if (c == 'x') first |= square;
                if (c == 'o') second |= square;
            }
            ++column;
        }
        if (row != 0 || column != width_) {
            throw fail("the board has " + std::to_string(height_) + " rows of " + std::to_string(width_) + " squares");
        }
        const int lead = std::popcount(first) - std::popcount(second);
        if (lead != 0 && lead != 1) throw fail("x must have as many stones as o, or one more");
        const Position p{lead == 0 ? first : second, first | second};
        if (const char* what = defect(p)) throw fail(what);
        return p;
    }

    std::string text(const Position& p) const {
        std::string out;
        for (int row = height_ - 1; row >= 0; --row) {
            for (int column = 0; column < width_; ++column) out.push_back(square_text(p, column, row));
            if (row > 0) out.push_back('/');
        }
        return out;
    }

    std::string draw(const Position& p) const {
        std::string out;
        for (int row = height_ - 1; row >= 0; --row) {
            for (int column = 0; column < width_; ++column) {
                out.push_back(square_text(p, column, row));
                out.push_back(column + 1 < width_ ? ' ' : '\n');
            }
        }
        for (int column = 0; column < width_; ++column) {
            out += std::to_string((column + 1) % 10);
            if (column + 1 < width_) out.push_back(' ');
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
        if (column < 1 || column > width_ || text.front() == '0') {
            throw fail("a move is a column from 1 to " + std::to_string(width_));
        }
        if (terminal(p)) throw fail("the game is over");
        if ((p.mask >> ((column - 1) * (height_ + 1) + height_ - 1) & 1) != 0) throw fail("the column is full");
        return static_cast<Move>(column - 1);
    }

    std::string move_text(const Position&, Move column) const { return std::to_string(column + 1); }

  private:
    /// A word for each direction of a line: column, falling, row, rising.
    using Lanes = std::uint64_t __attribute__((vector_size(32)));

    /// The distance of the next square of a line, in each direction. Precondition: the width is at least 4.
    Lanes steps() const noexcept {
        Lanes steps;
        std::memcpy(&steps, steps_, sizeof(steps));
        return steps;
    }

    /// Rule 3.
    bool has_line(std::uint64_t stones) const noexcept {
        if (width_ < 4) {
            const std::uint64_t pairs = stones & (stones >> 1);
            return (pairs & (pairs >> 2)) != 0;
        }
        const Lanes step = steps();
        const Lanes all = Lanes{} + stones;
        const Lanes pairs = all & (all >> step);
        return united(pairs & (pairs >> (step + step))) != 0;
    }

    /// The empty squares that complete a line of `stones`.
    std::uint64_t completing(std::uint64_t stones, std::uint64_t mask) const noexcept {
        std::uint64_t squares = (stones << 1) & (stones << 2) & (stones << 3);
        if (width_ >= 4) {  // in a column only squares above the stones can be empty
            const Lanes step = steps();
            const Lanes all = Lanes{} + stones;
            const Lanes up = all << step;
            const Lanes down = all >> step;
            const Lanes two_up = up & (up << step);
            const Lanes two_down = down & (down >> step);
            squares = united((two_up & ((up << step << step) | down)) | (two_down & ((down >> step >> step) | up)));
        }
        return squares & board_ & ~mask;
    }

    static std::uint64_t united(const Lanes& lanes) noexcept { return (lanes[0] | lanes[1]) | (lanes[2] | lanes[3]); }

    Key mirror(Key key) const noexcept {
#if defined(__BMI2__)  // each column into a byte, the bytes in reverse order, and back
        if (bytes_ != 0) return _pext_u64(__builtin_bswap64(_pdep_u64(key, bytes_)) >> (64 - 8 * width_), bytes_);
#endif
        const int column_bits = height_ + 1;
        const std::uint64_t column = (std::uint64_t{2} << height_) - 1;
        Key out = 0;
        for (int low = 0, high = (width_ - 1) * column_bits; low <= high; low += column_bits, high -= column_bits) {
            out |= (key >> low & column) << high | (key >> high & column) << low;
        }
        return out;
    }

    /// Why a placement of stones cannot occur in play, or nullptr. A finished game must have a last stone without
    /// which the game was not finished.
    const char* defect(const Position& p) const noexcept {
        const std::uint64_t opponent = p.current ^ p.mask;
        const int lead = std::popcount(opponent) - std::popcount(p.current);
        if (lead != 0 && lead != 1) return "the numbers of stones do not fit the side to move";
        if (((p.mask + bottom_) & p.mask) != 0) return "a stone floats above an empty square";
        if (has_line(p.current)) {
            return has_line(opponent) ? "both sides have four in a row" : "the side to move has four in a row already";
        }
        if (has_line(opponent)) {
            for (int c = 0; c < width_; ++c) {
                const std::uint64_t stones = p.mask & (column_ << (c * (height_ + 1)));
                const std::uint64_t top = std::bit_floor(stones);
                if ((top & opponent) != 0 && !has_line(opponent ^ top)) return nullptr;
            }
            return "no last move can have completed the lines";
        }
        return nullptr;
    }

    char square_text(const Position& p, int column, int row) const noexcept {
        const std::uint64_t square = std::uint64_t{1} << (column * (height_ + 1) + row);
        if ((p.mask & square) == 0) return '.';
        return ((p.current & square) != 0) == (side(p) == 0) ? 'x' : 'o';
    }

    int width_;
    int height_;
    std::uint64_t bottom_ = 0;  ///< lowest square of every column
    std::uint64_t column_ = 0;  ///< all squares of column 0
    std::uint64_t board_ = 0;   ///< all squares
    std::uint64_t bytes_ = 0;   ///< each column with its spare bit in a byte of its own; 0 if the columns do not fit
    std::uint64_t steps_[4];    ///< distance of the next square of a line: column, falling, row, rising
};

static_assert(Game<ConnectFour> && Described<ConnectFour> && Notated<ConnectFour> && Symmetric<ConnectFour> &&
              Effort<ConnectFour>);

}  // namespace proofbase
