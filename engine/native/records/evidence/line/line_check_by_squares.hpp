// Evidence `line` (line_check.hpp) for a win in games of lines (line_board.hpp), several hundred times faster than move
// by move. There a stone can only complete a line or block one, so the squares on which each side wins at once tell
// what all replies come to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "concepts.hpp"
#include "records/evidence/line/line_check.hpp"
#include "records/evidence/pairing/line_board.hpp"

namespace proofbase {

/// Checks lines on one board. One thread at a time.
class LineCheckBySquares {
  public:
    using Lines = std::vector<std::vector<std::uint32_t>>;

    virtual ~LineCheckBySquares() = default;

    /// The position that is asked about, which is not terminal: the stones of the side to move, those of the other
    /// side, and the empty squares.
    virtual void set(const LineSquares& own, const LineSquares& other, const LineSquares& empty) = 0;

    /// True if the side to move wins by the line.
    virtual bool wins(std::span<const std::uint32_t> line) const = 0;

    /// The legal moves that do not end the game and after which the other side wins by one of the lines of fewer than
    /// `rank` plies.
    virtual LineSquares answered(const Lines& lines, std::size_t rank) const = 0;
};

/// `squares`: how many squares the board has; numbers of squares are below this.
std::unique_ptr<LineCheckBySquares> line_check_by_squares(const AnyLineBoard& board, std::size_t squares);

/// Checks lines of one game that begin at one position, or after one of its moves: by squares where that can be done.
/// One thread at a time.
template <Game G>
class LinesFromPosition {
  public:
    using Position = typename G::Position;
    using Moves = typename G::Moves;
    using Lines = LineCheckBySquares::Lines;

    explicit LinesFromPosition(const G& game) : game_(&game), by_moves_(game), board_(line_board_of(game)) {
        if (!board_) return;
        const LineSquares all = squares_of_moves(game.initial());
        std::size_t squares = most_line_squares;
        while (squares > 0 && !all[squares - 1]) --squares;
        by_squares_ = line_check_by_squares(*board_, squares);
    }

    /// The position that is asked about, which is not terminal.
    void set(const Position& position) {
        position_ = position;
        if (!by_squares_) return;
        const auto [own, other] = stones_on(*board_, position);
        by_squares_->set(own, other, squares_of_moves(position));
    }

    /// True if the side to move reaches `lower` by the line.
    bool reaches(std::int64_t lower, std::span<const std::uint32_t> line) {
        if (by_squares_ && lower == win) return by_squares_->wins(line);
        return by_moves_.reaches(position_, lower, line);
    }

    /// Marks those of the legal moves that do not end the game and after which the other side reaches, by one of the
    /// lines of fewer than `rank` plies, that the value is at most `upper`.
    void mark_answered(const Moves& moves, std::int64_t upper, const Lines& lines, std::size_t rank,
                       std::vector<bool>& answered) {
        answered.assign(moves.size(), false);
        if (by_squares_ && upper == -win) {
            const LineSquares squares = by_squares_->answered(lines, rank);
            for (std::size_t i = 0; i < moves.size(); ++i) answered[i] = squares[static_cast<std::size_t>(moves[i])];
            return;
        }
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Position next = game_->play(position_, moves[i]);
            if (game_->terminal(next)) continue;
            const std::int64_t lower = game_->reward(position_, moves[i]) - upper;
            answered[i] = std::ranges::any_of(
                lines, [&](const auto& line) { return line.size() < rank && by_moves_.reaches(next, lower, line); });
        }
    }

  private:
    static constexpr int win = 1;  ///< of games of lines

    LineSquares squares_of_moves(const Position& position) {
        game_->moves(position, moves_);
        LineSquares squares;
        for (std::size_t i = 0; i < moves_.size(); ++i) squares.set(static_cast<std::size_t>(moves_[i]));
        return squares;
    }

    const G* game_;
    LineCheck<G> by_moves_;
    std::unique_ptr<AnyLineBoard> board_;  ///< null: the game is none of lines
    std::unique_ptr<LineCheckBySquares> by_squares_;
    Position position_{};
    Moves moves_;
};

}  // namespace proofbase
