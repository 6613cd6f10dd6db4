// How a diagram plays in connect-four (docs/strategies.md), for the search that looks for one
// (connect_four_finder.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "games/connect_four.hpp"
#include "position_set.hpp"
#include "records/claims/strategies.hpp"
#include "records/evidence/strategy/strategy_finder.hpp"

namespace proofbase::connect_four {

using Set = std::uint64_t;

/// By mark, the squares that have it.
using Diagram = std::array<Set, marks_of_squares>;
constexpr auto pair_level = static_cast<std::size_t>(Mark::pair);

/// The stones of the side of the strategy, and those of the other side.
struct Stones {
    Set own;
    Set other;
};

/// Plays diagrams on one board, for one bound at a time.
class DiagramPlay {
  public:
    static constexpr std::size_t longest = 64;            ///< plies of a line
    static constexpr std::size_t most_positions = 3'000;  ///< that one diagram meets
    using Line = std::array<std::uint8_t, longest>;

    explicit DiagramPlay(const ConnectFour& game) : game_(game), board_(game.board()) {
        for (int s = 0; s < game_.squares(); ++s) {
            if (game_.answers(s)) answers_ |= Set{1} << s;
        }
        answers_ &= board_.squares();
    }

    const Board<Set>& board() const noexcept { return board_; }
    int width() const noexcept { return game_.width(); }
    int bound() const noexcept { return bound_; }
    void set_bound(int bound) { bound_ = bound; }

    Set empty(const Stones& stones) const { return board_.squares() & ~(stones.own | stones.other); }

    Diagram mirrored(const Diagram& diagram) const {
        Diagram out;
        for (std::size_t mark = 0; mark < diagram.size(); ++mark) out[mark] = board_.mirror(diagram[mark]);
        return out;
    }

    Diagram usual_marks() const {
        Diagram marks{};
        marks[static_cast<std::size_t>(Mark::answer)] = answers_;
        marks[static_cast<std::size_t>(Mark::middle)] = board_.squares() & ~answers_;
        return marks;
    }

    static std::size_t mark_of(const Diagram& diagram, Set square) {
        for (std::size_t mark = 0; mark < diagram.size(); ++mark) {
            if ((diagram[mark] & square) != 0) return mark;
        }
        return static_cast<std::size_t>(Mark::middle);
    }

    static void set_mark(Diagram& diagram, Set square, std::size_t mark) {
        for (Set& marked : diagram) marked &= ~square;
        diagram[mark] |= square;
    }

    /// Replaces marks by the usual ones where the diagram, which answers everything, still does.
    Diagram with_usual_marks(Diagram diagram, const Stones& start) {
        const Diagram usual = usual_marks();
        for (Set rest = empty(start); rest != 0; rest &= rest - 1) {
            const Set square = rest & -rest;
            const std::size_t mark = mark_of(usual, square);
            if (mark_of(diagram, square) == mark) continue;
            Diagram changed = diagram;
            set_mark(changed, square, mark);
            if (settles(changed, start)) diagram = changed;
        }
        return diagram;
    }

    // --- How a diagram plays (docs/strategies.md) ---

    bool enough(int value) const { return value >= bound_; }
    /// What a win is worth that comes with this stone.
    int win(int stones) const { return game_.win_with(stones); }

    /// The squares that hold, and of these the one that the diagram takes; 0 if none holds.
    Set choose(const Diagram& diagram, const Stones& stones, Set& holds) const {
        const Set mask = stones.own | stones.other;
        const Set open = board_.playable(mask);
        const Set lost = board_.completing(stones.other, mask);
        const Set forced = open & lost;
        holds = open & ~(lost >> 1);  // not below a square on which the other side wins
        if (forced != 0) holds &= (forced & (forced - 1)) != 0 ? 0 : forced;
        for (std::size_t mark = 0; mark < diagram.size(); ++mark) {
            const Set marked = open & diagram[mark];
            if (mark == pair_level && (marked & (marked - 1)) != 0) continue;
            if (const Set found = marked & holds) return found & -found;
        }
        return holds & -holds;
    }

    /// What follows a reply: an end (whether it is enough), or the stones after the answer.
    std::optional<bool> follow(const Diagram& diagram, Stones& stones, Set reply, Set wins, Set& holds,
                               Set& chosen) const {
        holds = chosen = 0;
        stones.other |= reply;
        const Set mask = stones.own | stones.other;
        if (mask == board_.squares()) return enough(0);
        if ((wins & ~reply & board_.playable(mask)) != 0) return enough(win(std::popcount(mask) + 1));
        chosen = choose(diagram, stones, holds);
        if (chosen == 0) return false;
        stones.own |= chosen;
        if ((mask | chosen) == board_.squares()) return enough(0);
        return std::nullopt;
    }

    // --- Playing out everything ---

    /// Whether the diagram answers everything. If not, too_many() tells whether there were too many positions; else
    /// beaten_by() is a line of the other side.
    bool settles(const Diagram& diagram, const Stones& start) {
        met_.clear();
        too_many_ = false;
        return answers_everything(diagram, start, 0);
    }

    bool too_many() const noexcept { return too_many_; }
    const Line& beaten_by() const noexcept { return beaten_by_; }
    std::size_t beaten_in() const noexcept { return beaten_in_; }

    /// A diagram as a strategy, with few marks, and with the replies named that it does not answer.
    FoundStrategy found(const Diagram& best, const Stones& start) {
        FoundStrategy found;
        const Diagram usual = usual_marks();
        const Diagram shown = settles(best, start) ? with_usual_marks(best, start) : best;
        std::size_t met = 0;
        for (int column = 0; column < game_.width(); ++column) {
            const Set field = board_.column_field() << (column * board_.column_bits());
            const Set reply = board_.playable(start.own | start.other) & field;
            if (reply == 0) continue;
            ++found.replies;
            met_.clear();
            too_many_ = false;
            const bool answered = answers_reply(shown, start, reply, 0);
            if (!answered || met + met_.size() > most_positions) {
                found.strategy.named.push_back(static_cast<std::uint32_t>(column));
            } else {
                met += met_.size();
            }
        }
        if (!found.answers_some()) return found;
        for (Set rest = empty(start); rest != 0; rest &= rest - 1) {
            const Set square = rest & -rest;
            const std::size_t mark = mark_of(shown, square);
            if (mark == mark_of(usual, square)) continue;
            found.strategy.marks.push_back(
                {static_cast<std::uint32_t>(std::countr_zero(square)), static_cast<Mark>(mark)});
        }
        return found;
    }

  private:
    bool answers_everything(const Diagram& diagram, const Stones& stones, std::size_t ply) {
        if (met_.size() >= most_positions) too_many_ = true;
        if (too_many_) return false;
        const Set mask = stones.own | stones.other;
        if (!met_.insert(stones.own | (mask + board_.bottom()))) return true;
        for (Set rest = board_.playable(mask); rest != 0; rest &= rest - 1) {
            if (!answers_reply(diagram, stones, rest & -rest, ply)) return false;  // what was met is of no use then
        }
        return true;
    }

    bool answers_reply(const Diagram& diagram, Stones stones, Set reply, std::size_t ply) {
        const Set mask = stones.own | stones.other;
        beaten_by_[ply] = static_cast<std::uint8_t>(std::countr_zero(reply) / board_.column_bits());
        beaten_in_ = ply + 1;
        if ((reply & board_.completing(stones.other, mask)) != 0) return false;
        Set holds = 0;
        Set chosen = 0;
        const auto end = follow(diagram, stones, reply, board_.completing(stones.own, mask), holds, chosen);
        return end ? *end : answers_everything(diagram, stones, ply + 1);
    }

    ConnectFour game_;
    Board<Set> board_;
    Set answers_ = 0;  ///< squares with the usual mark `answer`
    int bound_ = 0;
    PositionSet<Set, 13> met_;  ///< that are answered, or on the way to it
    bool too_many_ = false;
    Line beaten_by_{};
    std::size_t beaten_in_ = 0;
};

}  // namespace proofbase::connect_four
