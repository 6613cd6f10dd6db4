// The last plies of small searches of Othello (records/evidence/small_search/small_search.hpp), made on sets of
// squares: the same visits in the same order, without lists of moves. Taking out a solution asks for them, and so does
// the check.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "concepts.hpp"
#include "games/othello/board.hpp"
#include "games/othello/endings.hpp"

namespace proofbase::othello {

/// Makes one search.
class ShortSearches {
  public:
    /// `most`: visits after which the search is broken off.
    ShortSearches(const Board& board, std::uint32_t most) noexcept : board_(board), most_(most) {}

    /// hold(p, bound, depth) if `holds`, else reach(p, bound, depth), for `own` to move.
    template <bool holds>
    ShortSearch run(Squares own, Squares other, std::int64_t bound, std::uint32_t depth) noexcept {
        least_left_ = depth;
        const Squares empty = board_.all() & ~(own | other);
        // Whatever is beyond the largest value is answered as that is.
        const int highest = board_.size() + 1;
        const int asked = static_cast<int>(std::clamp<std::int64_t>(bound, -highest, highest));
        const bool found = answer<holds>(own, other, empty, asked, depth);
        return {found, visits_, depth - least_left_, met_horizon_};
    }

  private:
    /// Up to so many empty squares are tried one by one: that is quicker than to look for those that are open.
    static constexpr int few = 3;

    /// Any answer where the visits are used up.
    template <bool holds>
    bool answer(Squares own, Squares other, Squares empty, int bound, std::uint32_t left) noexcept {
        if (const int squares = count(empty); squares <= few) {
            if (squares == 1) return last_square<holds>(own, other, lowest_square(empty), bound, left);
            return few_squares<holds>(own, other, empty, bound, left);
        }
        ++visits_;
        least_left_ = std::min(least_left_, left);
        const Squares open = placements(own, other, empty);
        const bool is_pass = open == 0;
        if (is_pass && placements(other, own, empty) == 0) return enough<holds>(board_.result(own, other), bound);
        if (left == 0) return horizon();
        if (is_pass) return answer<!holds>(other, own, empty, -bound, left - 1);
        for (Squares rest = open; rest != 0; rest &= rest - 1) {
            const Squares disc = rest & -rest;
            const Squares turned = flips(own, other, lowest_square(disc));
            if (answer<!holds>(other ^ turned, own | turned | disc, empty ^ disc, -bound, left - 1) != holds) {
                return !holds;
            }
            if (visits_ > most_) return false;
        }
        return holds;
    }

    /// Of a position with few empty squares, which are tried one by one.
    template <bool holds>
    bool few_squares(Squares own, Squares other, Squares empty, int bound, std::uint32_t left) noexcept {
        ++visits_;
        least_left_ = std::min(least_left_, left);
        bool is_pass = true;
        for (Squares rest = empty; rest != 0; rest &= rest - 1) {
            const Squares disc = rest & -rest;
            const Squares turned = turned_by(own, other, disc);
            if (turned == 0) continue;
            if (left == 0) return horizon();
            is_pass = false;
            if (answer<!holds>(other ^ turned, own | turned | disc, empty ^ disc, -bound, left - 1) != holds) {
                return !holds;
            }
            if (visits_ > most_) return false;
        }
        if (!is_pass) return holds;
        Squares rest = empty;
        while (rest != 0 && turned_by(other, own, rest & -rest) == 0) rest &= rest - 1;
        if (rest == 0) return enough<holds>(board_.result(own, other), bound);
        return left == 0 ? horizon() : answer<!holds>(other, own, empty, -bound, left - 1);
    }

    static Squares turned_by(Squares own, Squares other, Squares disc) noexcept {
        const int square = lowest_square(disc);
        return (next_to[static_cast<std::size_t>(square)] & other) == 0 ? 0 : flips(own, other, square);
    }

    /// Of a position with one empty square.
    template <bool holds>
    bool last_square(Squares own, Squares other, int square, int bound, std::uint32_t left) noexcept {
        std::uint32_t plies = 1;
        int lead = 2 * count(own) - board_.size();
        if (const int turned = turned_at_last(own, square); turned != 0) {
            lead += 2 * (turned + 1);
        } else if (const int lost = turned_at_last(other, square); lost != 0) {
            lead -= 2 * lost;
            plies = 2;
        } else {
            plies = 0;
            lead = board_.result(own, other);
        }
        const std::uint32_t made = std::min(plies, left);
        visits_ += made + 1;
        least_left_ = std::min(least_left_, left - made);
        return made == plies ? enough<holds>(lead, bound) : horizon();
    }

    template <bool holds>
    static bool enough(int value, int bound) noexcept {
        return holds ? value <= bound : value >= bound;
    }

    bool horizon() noexcept {
        met_horizon_ = true;
        return false;
    }

    const Board& board_;
    std::uint32_t most_;
    std::uint32_t visits_ = 0;
    std::uint32_t least_left_ = 0;  ///< plies that were left at the deepest visit
    bool met_horizon_ = false;
};

}  // namespace proofbase::othello
