#include "records/evidence/line/line_check_by_squares.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <vector>

namespace proofbase {

namespace {

/// On boards with at most `size` squares.
template <std::size_t size>
class OnSquares final : public LineCheckBySquares {
    using Squares = std::bitset<size>;

    struct Line {
        Squares squares;
        Squares spoilers;
    };
    struct Side {
        Squares stones;
        Squares wins;  ///< the empty squares on which it completes a line
    };
    struct Board {
        Squares empty;
        std::array<Side, 2> sides;  ///< the side to move in the position that was set, and the other side
    };

  public:
    explicit OnSquares(const std::vector<BoardLine>& lines) : through_(size), spoiled_(size) {
        for (const BoardLine& board_line : lines) {
            const Line line{copy(board_line.squares), copy(board_line.spoilers)};
            lines_.push_back(line);
            spoilers_ |= line.spoilers;
            for_each(line.squares, [&](std::size_t square) { through_[square].push_back(line); });
            for_each(line.spoilers, [&](std::size_t square) { spoiled_[square] |= line.squares; });
        }
    }

    void set(const LineSquares& own, const LineSquares& other, const LineSquares& empty) override {
        board_ = {copy(empty), {{{copy(own), {}}, {copy(other), {}}}}};
        for (Side& side : board_.sides) {
            for (const Line& line : lines_) add_win(board_, side, line);
        }
    }

    bool wins(std::span<const std::uint32_t> line) const override { return wins(board_, 0, line, nullptr); }

    LineSquares answered(const Lines& lines, std::size_t rank) const override {
        const Squares moves = board_.empty & ~board_.sides[0].wins;
        Squares found;
        if (spoilers_.none()) {
            for (const auto& line : lines) {
                Squares won = moves;
                if (line.size() < rank && wins(board_, 1, line, &won)) found |= won;
            }
        } else {
            // A move may spoil lines of its own side: then it may lose where the line alone does not win.
            for_each(moves, [&](std::size_t move) {
                Board after = board_;
                put(after, 0, move);
                found[move] = std::ranges::any_of(
                    lines, [&](const auto& line) { return line.size() < rank && wins(after, 1, line, nullptr); });
            });
        }
        LineSquares out;
        for_each(found, [&](std::size_t move) { out.set(move); });
        return out;
    }

  private:
    /// Whether the side `attacker`, which is to move, wins by the line. `moves`, if given: squares on which the
    /// defender may have put one stone more before. Those are taken out of it where the line does not win against that
    /// stone, and without spoilers it wins against no stone if it does not win without one.
    bool wins(Board board, std::size_t attacker, std::span<const std::uint32_t> line, Squares* moves) const {
        if (line.size() % 2 == 0) return false;
        const std::size_t defender = 1 - attacker;
        const Squares& attacks = board.sides[attacker].wins;
        for (std::size_t i = 0;; i += 2) {
            if (!is_empty(board, line[i])) return false;
            if (moves != nullptr) moves->reset(line[i]);
            if (i + 1 == line.size()) return attacks[line[i]];
            if (attacks[line[i]]) return false;
            put(board, attacker, line[i]);
            // With a single empty square the reply fills the board. Else each reply but the expected one has to lose at
            // once: no reply may win, and after each of them the attacker needs a square that is left to him, which is
            // that of the expected reply, or one of two.
            const std::uint32_t reply = line[i + 1];
            if (!is_empty(board, reply) || board.empty.count() == 1) return false;
            if (board.sides[defender].wins.any() || (!attacks[reply] && attacks.count() < 2)) return false;
            if (moves != nullptr) {
                moves->reset(reply);
                if (!attacks[reply] && attacks.count() == 2) *moves &= ~attacks;
                // One stone more may win at this reply if it leaves one square of a line. The lines that no reply has
                // changed since the last time were seen then.
                for (const Line& other : i == 0 ? lines_ : through_[line[i - 1]]) {
                    *moves &= ~missing(board, board.sides[defender], other, 2);
                }
            }
            put(board, defender, reply);
        }
    }

    static bool is_empty(const Board& board, std::uint32_t square) { return square < size && board.empty[square]; }

    void put(Board& board, std::size_t mover, std::size_t square) const {
        board.empty.reset(square);
        for (Side& side : board.sides) side.wins.reset(square);
        Side& own = board.sides[mover];
        own.stones.set(square);
        for (const Line& line : through_[square]) add_win(board, own, line);
        if (const Squares touched = own.wins & spoiled_[square]; touched.any()) {
            own.wins &= ~touched;
            add_wins(board, own, touched);
        }
    }

    void add_wins(const Board& board, Side& side, const Squares& squares) const {
        for_each(squares, [&](std::size_t square) {
            for (const Line& line : through_[square]) add_win(board, side, line);
        });
    }

    static void add_win(const Board& board, Side& side, const Line& line) {
        side.wins |= missing(board, side, line, 1);
    }

    /// The squares without stones of the side on a line that it can complete by `count` stones; else none. Without
    /// branches, which would be mispredicted.
    static Squares missing(const Board& board, const Side& side, const Line& line, std::size_t count) {
        const Squares squares = line.squares & ~side.stones;
        const bool open =
            (squares.count() == count) & (squares & ~board.empty).none() & (line.spoilers & side.stones).none();
        return open ? squares : Squares{};
    }

    static Squares copy(const LineSquares& squares) {
        Squares out;
        for (std::size_t square = 0; square < size; ++square) out[square] = squares[square];
        return out;
    }

    template <class Visit>
    static void for_each(const Squares& squares, Visit&& visit) {
        for (std::size_t square = 0; square < size; ++square) {
            if (squares[square]) visit(square);
        }
    }

    std::vector<Line> lines_;
    Squares spoilers_;                        ///< of all lines
    std::vector<std::vector<Line>> through_;  ///< by square: the lines that it is on
    std::vector<Squares> spoiled_;            ///< by square: the squares of the lines that it spoils
    Board board_;
};

}  // namespace

std::unique_ptr<LineCheckBySquares> line_check_by_squares(const AnyLineBoard& board, std::size_t squares) {
    if (squares <= 64) return std::make_unique<OnSquares<64>>(board.lines());
    if (squares <= 256) return std::make_unique<OnSquares<256>>(board.lines());
    return std::make_unique<OnSquares<most_line_squares>>(board.lines());
}

}  // namespace proofbase
