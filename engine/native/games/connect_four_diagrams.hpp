// Diagrams (docs/strategies.md) for the two reasons by which connect_four_selection.hpp settles positions without a
// search: follow-up and zugzwang by an odd threat. Taking out a solution asks for them: a claim that rests on a diagram
// needs no claims below it. They are played out against everything here, as the check of such a claim plays them.
//
// The side of the diagram, the one that is not to move, answers on the upper squares of the pairs that are counted from
// the top of each column. Squares that are left over below come after that. For zugzwang it has a threat on a lower
// square of a column with a left-over square; the upper squares below the threat it leaves to the other side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "games/connect_four_board.hpp"
#include "games/connect_four_selection.hpp"
#include "position_set.hpp"
#include "records/claims/strategies.hpp"
#include "records/evidence/strategy/answering_diagram.hpp"

namespace proofbase::connect_four {

/// Diagrams on one board. One thread at a time.
template <class Word>
class Diagrams {
  public:
    Diagrams(const Board<Word>& board, const Selection<Word>& selection) : board_(board), selection_(selection) {
        for (int row = 0; row < board_.height(); ++row) {
            ((board_.height() - 1 - row) % 2 == 0 ? upper_ : lower_) |= board_.bottom() << row;
            if (row % 2 == 1) usual_answers_ |= board_.bottom() << row;
        }
    }

    /// As FindsDiagrams (records/evidence/strategy/answering_diagram.hpp).
    template <class Position>
    std::optional<AnsweringDiagram> find(const Position& p, int bound, bool all) {
        bound_ = std::max(bound, 0);
        const Word own = p.current ^ p.mask;
        const Word empty = board_.squares() & ~p.mask;
        const Word left_over = board_.playable(p.mask) & upper_;
        Marks marks{};
        marks[answer] = upper_ & empty & ~left_over;
        marks[high] = left_over;
        marks[middle] = lower_ & empty;
        std::optional<AnsweringDiagram> best = played(own, p.current, marks, all);
        for (Word threats = board_.completing(own, p.mask) & lower_; threats != 0; threats &= threats - 1) {
            if (best && best->strategy.named.empty()) break;
            const Word threat = threats & -threats;
            const Word below = column_of(threat) & empty & (threat - 1);
            if ((below & left_over) == 0) continue;
            Marks with_threat = marks;
            for (Word& marked : with_threat) marked &= ~below;
            with_threat[low] |= below & upper_;
            with_threat[answer] |= below & lower_;
            auto found = played(own, p.current, with_threat, all);
            if (found && (!best || found->answered > best->answered)) best = std::move(found);
        }
        return best;
    }

  private:
    using Marks = std::array<Word, marks_of_squares>;  ///< by mark, the empty squares that have it
    static constexpr auto answer = static_cast<std::size_t>(Mark::answer);
    static constexpr auto high = static_cast<std::size_t>(Mark::high);
    static constexpr auto middle = static_cast<std::size_t>(Mark::middle);
    static constexpr auto low = static_cast<std::size_t>(Mark::low);

    int column(Word square) const noexcept { return lowest_square(square) / board_.column_bits(); }
    Word column_of(Word square) const noexcept {
        return board_.column_field() << (column(square) * board_.column_bits());
    }

    std::optional<AnsweringDiagram> played(Word own, Word other, const Marks& marks, bool all) {
        AnsweringDiagram found;
        met_.clear();
        std::size_t met = 1;  // with the position itself
        const Word mask = own | other;
        const Word wins = board_.completing(own, mask);
        const Word lost = board_.completing(other, mask);
        for (Word rest = board_.playable(mask); rest != 0; rest &= rest - 1) {
            const Word reply = rest & -rest;
            const std::size_t before = met_.size();
            if ((reply & lost) == 0 && answers(marks, own, other | reply, wins & ~reply) &&
                met + met_.size() - before <= most_strategy_positions) {
                met += met_.size() - before;
                ++found.answered;
                continue;
            }
            if (all) return std::nullopt;
            found.strategy.named.push_back(static_cast<std::uint32_t>(column(reply)));
            met_.clear();  // what has been met on the way is not answered
        }
        if (found.answered == 0) return std::nullopt;
        for (Word rest = board_.squares() & ~mask; rest != 0; rest &= rest - 1) {
            const Word square = rest & -rest;
            std::size_t mark = answer;
            while ((marks[mark] & square) == 0) ++mark;
            if (mark == ((usual_answers_ & square) != 0 ? answer : middle)) continue;
            found.strategy.marks.push_back(
                {static_cast<std::uint32_t>(lowest_square(square)), static_cast<Mark>(mark)});
        }
        return found;
    }

    /// Whether the diagram gets its bound after a reply. `wins`: the empty squares that complete a line of its side.
    bool answers(const Marks& marks, Word own, Word other, Word wins) {
        const Word mask = own | other;
        if (mask == board_.squares()) return bound_ == 0;
        const Word open = board_.playable(mask);
        if ((wins & open) != 0) return selection_.win(count(mask) + 1) >= bound_;
        const Word lost = board_.completing(other, mask);
        const Word forced = open & lost;
        Word holds = open & ~(lost >> 1);  // not below a square on which the other side wins
        if (forced != 0) holds &= (forced & (forced - 1)) != 0 ? 0 : forced;
        if (holds == 0) return false;
        Word chosen = 0;
        for (std::size_t mark = answer; chosen == 0; ++mark) chosen = holds & marks[mark];
        return answers_everything(marks, own | (chosen & -chosen), other, lost);
    }

    /// `lost`: the squares that complete a line of the other side; that of the last stone may be among them.
    bool answers_everything(const Marks& marks, Word own, Word other, Word lost) {
        const Word mask = own | other;
        if (mask == board_.squares()) return bound_ == 0;
        if (!met_.insert(own | (mask + board_.bottom()))) return true;
        if (met_.half_full()) return false;
        const Word open = board_.playable(mask);
        if ((open & lost) != 0) return false;
        const Word wins = board_.completing(own, mask);
        for (Word rest = open; rest != 0; rest &= rest - 1) {
            const Word reply = rest & -rest;
            if (!answers(marks, own, other | reply, wins & ~reply)) return false;
        }
        return true;
    }

    Board<Word> board_;
    Selection<Word> selection_;
    Word upper_ = 0;  ///< squares of the pairs that are counted from the top
    Word lower_ = 0;
    Word usual_answers_ = 0;  ///< squares with the mark `answer` where a diagram says nothing
    int bound_ = 0;
    PositionSet<Word, 12> met_;  ///< with the other side to move
};

}  // namespace proofbase::connect_four
