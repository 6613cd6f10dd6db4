#include "records/evidence/line/line_check_by_squares.hpp"

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
    static constexpr std::uint32_t none = 0xffffffff;

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
            for_each(line.squares, [&](std::size_t square) { through_[square].push_back(line); });
            for_each(line.spoilers, [&](std::size_t square) { spoiled_[square] |= line.squares; });
        }
    }

    void set(const LineSquares& own, const LineSquares& other, const LineSquares& empty) override {
        board_ = {copy(empty), {{{copy(own), {}}, {copy(other), {}}}}};
        for (Side& side : board_.sides) add_wins(board_, side, board_.empty);
        move_ = none;
    }

    bool wins(std::span<const std::uint32_t> line) const override { return wins(board_, 0, line); }

    bool wins_after(std::uint32_t move, std::span<const std::uint32_t> line) const override {
        if (move_ != move) {
            after_ = board_;
            put(after_, 0, move);
            move_ = move;
        }
        return wins(after_, 1, line);
    }

  private:
    /// Whether the side `attacker`, which is to move, wins by the line.
    bool wins(Board board, std::size_t attacker, std::span<const std::uint32_t> line) const {
        if (line.size() % 2 == 0) return false;
        const std::size_t defender = 1 - attacker;
        const Squares& attacks = board.sides[attacker].wins;
        for (std::size_t i = 0;; i += 2) {
            if (!is_empty(board, line[i])) return false;
            if (i + 1 == line.size()) return attacks[line[i]];
            if (attacks[line[i]]) return false;
            put(board, attacker, line[i]);
            // With a single empty square the reply fills the board. Else each reply but the expected one has to lose at
            // once: no reply may win, and after each of them the attacker needs a square that is left to him, which is
            // that of the expected reply, or one of two.
            const std::uint32_t reply = line[i + 1];
            if (!is_empty(board, reply) || board.empty.count() == 1) return false;
            if (board.sides[defender].wins.any() || (!attacks[reply] && attacks.count() < 2)) return false;
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
        const Squares missing = line.squares & ~side.stones;
        if (missing.count() != 1 || (missing & board.empty).none() || (line.spoilers & side.stones).any()) return;
        side.wins |= missing;
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

    std::vector<std::vector<Line>> through_;  ///< by square: the lines that it is on
    std::vector<Squares> spoiled_;            ///< by square: the squares of the lines that it spoils
    Board board_;
    mutable Board after_;  ///< after the move that was asked about last: several lines are
    mutable std::uint32_t move_ = none;
};

}  // namespace

std::unique_ptr<LineCheckBySquares> line_check_by_squares(const AnyLineBoard& board, std::size_t squares) {
    if (squares <= 64) return std::make_unique<OnSquares<64>>(board.lines());
    if (squares <= 256) return std::make_unique<OnSquares<256>>(board.lines());
    return std::make_unique<OnSquares<most_line_squares>>(board.lines());
}

}  // namespace proofbase
