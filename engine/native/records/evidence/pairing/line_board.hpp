// The lines of a board, as pairings need them (docs/strategies.md): for their check
// (records/evidence/pairing/pairing_check.hpp) and for the search for them
// (records/evidence/pairing/pairing_finder.hpp).
#pragma once

#include <bitset>
#include <concepts>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "concepts.hpp"

namespace proofbase {

inline constexpr std::size_t most_line_squares = 19 * 19;
/// Square s is the one that move s takes.
using LineSquares = std::bitset<most_line_squares>;

/// A line wins when a side has stones on all its squares and on none of its spoilers: the rows would be too long.
struct BoardLine {
    LineSquares squares;
    LineSquares spoilers;
};

/// Games in which each move puts a stone on any empty square, and a side wins by nothing but filling a line. A full
/// board is a draw; there are no rewards.
///
///   board_lines()    all lines; none where a stone may not be put on every empty square.
///   board_stones(p)  the stones of the side to move, and those of the other side.
template <class G>
concept LineGame = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.board_lines() } -> std::same_as<std::vector<BoardLine>>;
    { game.board_stones(p) } -> std::same_as<std::pair<LineSquares, LineSquares>>;
};

/// The lines of one game. A position is memory that holds one of the game's own type.
class AnyLineBoard {
  public:
    virtual ~AnyLineBoard() = default;
    virtual std::pair<LineSquares, LineSquares> stones(const void* position) const = 0;
    const std::vector<BoardLine>& lines() const noexcept { return lines_; }

  protected:
    explicit AnyLineBoard(std::vector<BoardLine> lines) : lines_(std::move(lines)) {}

  private:
    std::vector<BoardLine> lines_;
};

template <LineGame G>
class LineBoard final : public AnyLineBoard {
  public:
    explicit LineBoard(const G& game) : AnyLineBoard(game.board_lines()), game_(game) {}
    std::pair<LineSquares, LineSquares> stones(const void* position) const override {
        return game_.board_stones(*static_cast<const typename G::Position*>(position));
    }

  private:
    G game_;
};

/// Games that may be ones of lines: by their own type, or by a function of the game (VirtualGame).
template <class G>
concept MayHaveLines = LineGame<G> || requires(const G& game) { game.line_board(); };

/// The lines of a game; null if it is not one of lines.
template <Game G>
std::unique_ptr<AnyLineBoard> line_board_of(const G& game) {
    if constexpr (LineGame<G>) {
        auto board = std::make_unique<LineBoard<G>>(game);
        return board->lines().empty() ? nullptr : std::unique_ptr<AnyLineBoard>(std::move(board));
    } else if constexpr (requires { game.line_board(); }) {
        return game.line_board();
    } else {
        return nullptr;
    }
}

/// The stones of a position, of the side to move and of the other side.
template <class Position>
std::pair<LineSquares, LineSquares> stones_on(const AnyLineBoard& board, const Position& position) {
    if constexpr (requires { position.memory(); }) {
        return board.stones(position.memory());
    } else {
        return board.stones(&position);
    }
}

}  // namespace proofbase
