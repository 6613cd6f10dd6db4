// Which moves of a connect-four position a search has to try for a question, and in which order. Everything is told
// from sets of squares, without a search:
//
//   1. A stone that completes a line wins. A side answers the other side's only such square, and loses if there are two
//      (Pons, "Solving Connect 4", 2015). A move under a square that completes a line of the other side loses as well.
//   2. Limits by the stones that are left: a win comes with the next stone that is not excluded by 1, or later. A side
//      with two stones left in time wins if the first one makes two threats at once, as 1 tells, and not otherwise.
//   3. Follow-up, Allis's claimeven (Allis, "A knowledge-based approach of connect-four", 1988, 3.2.1): count the empty
//      squares of each column from the top in pairs, an upper and a lower square. If every column has pairs only, a
//      side that always answers on the square above gets all upper squares. If it then leaves the mover no line, the
//      mover does not win. Of columns with an odd number of empty squares the lowest is left over; the side that
//      answers gets every other one of these, the mover, to be safe, all of them.
//   4. Zugzwang by an odd threat (Allis 1988, 3.1): the side that answers would complete a line on a lower square of a
//      column with a left-over square. Under it the mover gets that square and every other one. He cannot play the last
//      of them; the answers of 3 fill everything else until he must.
//
// All of these count for boards of any width and height, since pairs are counted from the top.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "concepts.hpp"
#include "games/connect_four_board.hpp"

namespace proofbase::connect_four {

/// Lines of four without a stone of the other side that have exactly two stones of `mine`. `open` are all squares
/// without a stone of the other side.
template <class Word>
[[gnu::always_inline]] inline int lines_with_two(const Board<Word>& board, Word mine, Word open) noexcept {
    if (board.width() < 4) return 0;
    const Lanes step = board.steps();
    const auto free = FourSets<Word>::all(open);
    const auto stones = FourSets<Word>::all(mine);
    const auto free_pairs = free & free.down(step);
    const auto lines = free_pairs & free_pairs.down(step).down(step);
    const auto next = stones.down(step);
    const auto one = stones ^ next;  // of the two lower squares of a line
    const auto two = stones & next;
    const auto one_above = one.down(step).down(step);  // of the two upper ones
    const auto two_above = two.down(step).down(step);
    return (lines & ((one & one_above) | (two ^ two_above)) & ~((one & two_above) | (two & one_above))).count();
}

/// Chooses the moves; the comments above number the reasons.
template <class Word>
class Selection {
  public:
    /// `score`: a win is worth the stones that the winner has left, plus 1.
    Selection(const Board<Word>& board, bool score) noexcept
        : board_(board), squares_(count(board.squares())), score_(score) {
        const int height = board.height();
        for (int row = 0; row < height; ++row) ((height - 1 - row) % 2 == 0 ? upper_ : lower_) |= board.bottom() << row;
        for (int k = 0; k < fill_steps; ++k) {
            for (int row = 1 << k; row < height; ++row) from_row_[k] |= board.bottom() << row;
        }
        for (int column = 0; column < board.width(); ++column) {
            for (int row = 0; row < height; ++row) {
                const int square = column * board.column_bits() + row;
                column_[square] = static_cast<std::uint8_t>(column);
                place_[square] = static_cast<std::uint8_t>(row + 2 * std::min(column, board.width() - 1 - column));
            }
        }
    }

    /// The value of a win with the n-th stone on the board.
    int win(int stones) const noexcept { return score_ ? (squares_ + 2 - stones) / 2 : 1; }

    /// As OpenMoves (concepts.hpp).
    template <class Position, class Expect, class Add>
    [[gnu::always_inline]] SettledMoves<std::uint8_t> open_moves(const Position& p, int bound, Expect&& expect,
                                                                 Add&& add) const {
        const Word opponent = p.current ^ p.mask;
        const Word playable = board_.playable(p.mask);
        const int stones = count(p.mask);
        const Word wins = board_.completing(p.current, p.mask);
        const Word threatened = board_.completing(opponent, p.mask);
        if (const Word now = wins & playable; now != 0) [[unlikely]] {
            return {win(stones + 1), column(lowest_square(now))};
        }
        const Word forced = playable & threatened;
        const Word answers = forced == 0 ? playable : single(forced) ? forced : 0;
        const Word safe = answers & ~(threatened >> 1);
        const bool may_lose = stones + 2 <= squares_;
        const int loss = may_lose ? -win(stones + 2) : 0;
        SettledMoves<std::uint8_t> out{loss, column(lowest_square(playable))};
        if (bound <= loss || safe == 0) return out;
        if (!may_lose) return {0, column(lowest_square(safe))};
        if (safe == playable) out.best = std::numeric_limits<int>::min();
        const int most = value_of(stones + 5);  // 2: if no move wins by its threats at once
        const int left = deciding_stones(stones, bound);
        std::array<decltype(expect(p)), most_columns> expected;
        auto* after_move = expected.data();
        for (Word rest = safe; rest != 0; rest &= rest - 1) {
            const bool without_entry = most < bound || left <= stones_without_entry;
            *after_move++ = without_entry ? decltype(expect(p)){} : expect(Position{opponent, p.mask | (rest & -rest)});
        }
        after_move = expected.data();
        for (Word rest = safe; rest != 0; rest &= rest - 1, ++after_move) {
            const int square = lowest_square(rest);
            const Word stone = Word{1} << square;
            const Position after{opponent, p.mask | stone};
            const Word mine = p.current | stone;
            const Word threats = board_.completing(mine, after.mask);
            const Word next = board_.playable(after.mask);
            const Word answer = next & threats;
            const Word replies = (answer != 0 ? answer : next) & ~(threats >> 1);
            if (!single(answer) || replies == 0) {  // 1
                const int value = stones + 3 <= squares_ ? win(stones + 3) : 0;
                if (value >= bound) return {value, column(square)};
                out = better(out, value, square);
                continue;
            }
            if (most < bound) continue;
            const Word other_threats = threatened & ~stone;
            if (left <= 4) {  // 2: the other side has two stones left to win
                if (!forces(opponent, after.mask, replies, other_threats, next)) {
                    return {-value_of(stones + 6), column(square)};
                }
                out = better(out, -value_of(stones + 4), square);
                continue;
            }
            const ValueBounds known = bounds(after, mine, other_threats, threats, next, stones + 1, 1 - bound);
            if (-known.upper >= bound) return {-known.upper, column(square)};
            if (-known.lower < bound) {
                out = better(out, -known.lower, square);
                continue;
            }
            const int score = 16 * count(threats) + 8 * count(threats & next << 1) + 4 * (answer != 0) +
                              2 * lines_with_two(board_, mine, board_.squares() & ~opponent) + place_[square];
            add(after, *after_move, column(square), score, left <= stones_without_entry || single(replies));
        }
        if (most < bound) return {std::max(most, out.best), out.move};
        return out;
    }

    /// As StaticBounds (concepts.hpp).
    template <class Position>
    ValueBounds static_bounds(const Position& p) const noexcept {
        const Word opponent = p.current ^ p.mask;
        const Word playable = board_.playable(p.mask);
        const int stones = count(p.mask);
        const Word wins = board_.completing(p.current, p.mask);
        if ((wins & playable) != 0) return {win(stones + 1), win(stones + 1)};
        const Word threatened = board_.completing(opponent, p.mask);
        const Word forced = playable & threatened;
        const Word safe = (forced == 0 ? playable : single(forced) ? forced : 0) & ~(threatened >> 1);
        if (safe == 0) return {value_of_loss(stones + 2), value_of_loss(stones + 2)};
        const ValueBounds high = bounds(p, opponent, wins, threatened, playable, stones, 1);
        const ValueBounds low = bounds(p, opponent, wins, threatened, playable, stones, 0);
        const ValueBounds lost = bounds(p, opponent, wins, threatened, playable, stones, -1);
        return {std::max(high.lower, low.lower), std::min({high.upper, low.upper, lost.upper})};
    }

  private:
    static constexpr std::size_t most_columns = 8 * sizeof(Word) / 2;
    static constexpr int stones_without_entry = 5;
    static constexpr int fill_steps = 7;  // up to 2^7 squares above each other

    static bool single(Word squares) noexcept { return (squares & (squares - 1)) == 0; }
    std::uint8_t column(int square) const noexcept { return column_[square]; }

    /// The value of a win with the n-th stone; 0 if there are not so many squares.
    int value_of(int stones) const noexcept { return stones <= squares_ ? win(stones) : 0; }
    int value_of_loss(int stones) const noexcept { return -value_of(stones); }

    SettledMoves<std::uint8_t> better(const SettledMoves<std::uint8_t>& best, int value, int square) const noexcept {
        return value > best.best ? SettledMoves<std::uint8_t>{value, column(square)} : best;
    }

    /// A question asks whether one side wins in time: the mover, or the other side if the bound is not above 0. How
    /// many stones fall until that side's last one in time.
    int deciding_stones(int stones, int bound) const noexcept {
        const int least = bound > 0 ? bound : 1 - bound;
        const int left = squares_ - stones - (score_ ? 2 * (least - 1) : 0);
        return left - ((left & 1) == (bound > 0 ? 0 : 1));
    }

    /// Whether the side to move, with the stones `mine`, has a move out of `moves` after which it wins with its next
    /// stone. `threats` are the squares that complete its lines; it can play on none of them now.
    [[gnu::always_inline]] bool forces(Word mine, Word mask, Word moves, Word threats, Word playable) const noexcept {
        // The move and the next stone are on playable squares or right above; or the move is under a threat; or in the
        // last column, where the other side has one reply.
        const Word near = playable | (playable << 1 & board_.squares());
        if ((threats & near) == 0 && !single(playable) && lines_with_two(board_, mine, mine | near) == 0) return false;
        for (Word rest = moves; rest != 0; rest &= rest - 1) {
            const Word stone = rest & -rest;
            const Word completing = board_.completing(mine | stone, mask | stone);
            const Word next = board_.playable(mask | stone);
            const Word answer = next & completing;
            if (!single(answer) || ((answer != 0 ? answer : next) & ~(completing >> 1)) == 0) return true;
        }
        return false;
    }

    /// The squares themselves and all above them.
    Word with_all_above(Word squares) const noexcept {
        for (int k = 0; 1 << k < board_.height(); ++k) squares |= (squares << (1 << k)) & from_row_[k];
        return squares;
    }

    /// Limits of the value for the side to move, for the question "value >= bound?" (2 to 4). `wins` and `threatened`
    /// are the squares that complete lines of the side to move and of the other side; the side to move can complete
    /// none at once, and has a move after which the other side cannot either.
    template <class Position>
    [[gnu::always_inline]] ValueBounds bounds(const Position& p, Word opponent, Word wins, Word threatened,
                                              Word playable, int stones, int bound) const noexcept {
        ValueBounds known{-value_of(stones + 4), value_of(stones + 3)};
        if (known.upper < bound || known.lower >= bound) return known;
        const Word empty = board_.squares() & ~p.mask;
        const Word left_over = playable & upper_;  // the lowest squares of columns with an odd number of empty ones
        const bool answers = ((squares_ - stones) & 1) != 0;  // the side to move can be the one that answers
        if (bound > 0) {
            if (!answers) {  // 3
                const Word reached = p.current | (empty & lower_ & ~with_all_above(threatened & upper_ & ~playable));
                if (!board_.has_line(reached | left_over)) {
                    known.upper = 0;
                    return known;
                }
            }
        } else {
            if (answers) {
                const Word reached = opponent | (empty & lower_ & ~with_all_above(wins & upper_));
                if (!board_.has_line(single(left_over) ? reached : reached | left_over)) {
                    known.lower = 0;
                    return known;
                }
            }
        }
        if (answers) {
            // 4: the threat needs a column with a left-over square below it.
            for (Word threats = threatened & lower_; threats != 0; threats &= threats - 1) {
                const int square = lowest_square(threats);
                const int value = -win(squares_ - height_above(square));
                if (value >= bound) continue;
                const Word threat = Word{1} << square;
                const Word field = column_squares(column_[square]);
                if ((left_over & field) == 0) continue;
                const Word reached =
                    ((empty & lower_) | left_over) & ~field & ~with_all_above(threatened & upper_ & ~playable);
                const Word below = empty & field & upper_ & (threat - 1);  // there the mover is first
                if (!board_.has_line(p.current | reached | below)) {
                    known.upper = value;
                    return known;
                }
            }
        }
        return known;
    }

    Word column_squares(int column) const noexcept {
        return (board_.column_field() >> 1) << (column * board_.column_bits());
    }
    int height_above(int square) const noexcept {
        return board_.height() - 1 - (square - column_[square] * board_.column_bits());
    }

    Board<Word> board_;
    int squares_;
    bool score_;
    Word upper_ = 0;
    Word lower_ = 0;
    std::array<Word, fill_steps> from_row_{};  ///< the squares with at least 2^k squares below
    std::array<std::uint8_t, 8 * sizeof(Word)> column_{};
    std::array<std::uint8_t, 8 * sizeof(Word)> place_{};  ///< for the order: high squares and central columns first
};

}  // namespace proofbase::connect_four
