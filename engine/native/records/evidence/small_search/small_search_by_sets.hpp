// Small searches (small_search.hpp) in games that answer with sets of squares (SetsOfSquares), for the check: several
// times faster than move by move. The outcomes are the same, to the visit.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "keys.hpp"
#include "records/evidence/small_search/small_search.hpp"
#include "records/evidence/strategy/strategy_check_by_sets.hpp"

namespace proofbase {

/// Runs small searches of one game. One thread at a time.
///
/// What a part of a search comes to, its answer and its visits, follows from its position, the bound that is asked
/// there, the plies that are left, and whether the search is one to limits. So a part is remembered, and counted again
/// where it comes again.
template <SetsOfSquares G>
class SmallSearchBySets {
    using Set = typename G::Key;

  public:
    explicit SmallSearchBySets(const G& game)
        : game_(game), squares_(game.count(game.all_squares())), parts_(std::size_t{1} << part_bits) {}

    /// As SmallSearch::hold.
    SmallSearchOutcome hold(const typename G::Position& p, std::int64_t upper, std::uint32_t depth, std::uint32_t limit,
                            bool to_limits) {
        if (const auto value = game_.terminal(p)) {
            visits_ = 1;
            return outcome(*value <= upper, 0, limit);
        }
        if (to_limits != to_limits_) std::ranges::fill(parts_, Part{});
        to_limits_ = to_limits;
        visits_ = 0;
        most_ = limit;
        const auto [own, other] = game_.stones(p);
        return outcome(answer<true>(own, other, game_.completing(own, own | other), upper, depth), depth, limit);
    }

  private:
    static constexpr unsigned part_bits = 12;
    static constexpr std::uint32_t least_plies = 4;  ///< left to a part that is remembered

    /// A part of a search with `hold` at its top that has come to its end.
    struct Part {
        Set own{};
        Set other{};
        std::int64_t bound = 0;
        std::uint32_t left = 0;
        std::uint32_t visits = 0;  ///< 0: none
        bool answer = false;
    };

    SmallSearchOutcome outcome(bool answer, std::uint32_t deepest, std::uint32_t limit) const {
        if (visits_ > limit) return {SmallSearchStatus::out_of_visits, visits_, deepest};
        return {answer ? SmallSearchStatus::settled : SmallSearchStatus::open, visits_, deepest};
    }

    Part& part_of(Set own, Set other, std::int64_t bound, std::uint32_t left) {
        const std::uint64_t place = hash_key(own) ^ std::rotl(hash_key(other), 32) ^ static_cast<std::uint64_t>(bound);
        return parts_[((place + left) * 0x9e3779b97f4a7c15u) >> (64 - part_bits)];
    }

    /// hold() or reach() of a position that is not terminal; any answer where the visits are used up. `completing`: the
    /// squares on which the side to move completes a line; that of the last stone may be among them.
    template <bool holds>
    bool answer(Set own, Set other, Set completing, std::int64_t bound, std::uint32_t left) {
        if constexpr (holds) {
            if (left >= least_plies) {
                Part& part = part_of(own, other, bound, left);
                if (part.visits != 0 && part.own == own && part.other == other && part.bound == bound &&
                    part.left == left) {
                    visits_ += part.visits;
                    return part.answer;
                }
                const std::uint32_t before = visits_;
                const bool found = searched<holds>(own, other, completing, bound, left);
                if (visits_ <= most_) part = {own, other, bound, left, visits_ - before, found};
                return found;
            }
        }
        return searched<holds>(own, other, completing, bound, left);
    }

    template <bool holds>
    bool searched(Set own, Set other, Set completing, std::int64_t bound, std::uint32_t left) {
        if (++visits_ > most_) return false;
        const Set taken = own | other;
        const int stone = game_.count(taken) + 1;  // the number of the next stone
        if (const auto found = answer_at_once(holds ? bound : -bound, stone, left)) return *found;
        const Set open = game_.open_squares(taken);
        const Set wins = open & completing;
        const Set ends = stone == squares_ ? open : wins;
        // A move that ends the game is worth the same whichever it is: a win, or a draw by the last stone.
        const int value = wins != 0 ? game_.win_with(stone) : 0;
        const bool end_answers = holds ? value <= bound : value >= bound;
        const auto end = [&] {
            ++visits_;
            return end_answers == holds;
        };
        const std::optional<bool> after = answer_at_once(holds ? bound : -bound, stone + 1, left - 1);
        Set rest = open;
        if (to_limits_) {
            for (Set some = ends; some != 0; some &= some - 1) {
                if (!end()) return !holds;
            }
            rest &= ~ends;
            if (after) {
                if (rest == 0) return holds;
                visits_ += *after == holds ? static_cast<std::uint32_t>(game_.count(rest)) : 1;
                return *after;
            }
        }
        // The same after every move, as none of them is a stone of the other side.
        const Set others = after || (rest & ~ends) == 0 ? Set{0} : game_.completing(other, taken);
        for (; rest != 0; rest &= rest - 1) {
            const Set square = rest & -rest;
            if ((ends & square) != 0) {
                if (!end()) return !holds;
            } else if (after) {
                ++visits_;
                if (*after != holds) return !holds;
            } else if (answer<!holds>(other, own | square, others, -bound, left - 1) != holds) {
                return !holds;
            }
            if (visits_ > most_) return false;
        }
        return holds;
    }

    /// The answer that the limit of values, or the end of the plies, gives: to all positions that are not terminal and
    /// have as many stones. `upper`: the question is whether the value is at most this, for the side that moves where
    /// `hold` is asked; `stone`: the number of the next stone.
    std::optional<bool> answer_at_once(std::int64_t upper, int stone, std::uint32_t left) const {
        if (to_limits_) {
            const std::int64_t limit = std::min(game_.win_with(stone), game_.highest_value());
            if (limit <= upper) return true;
            if (-limit > upper) return false;
        }
        return left == 0 ? std::optional(false) : std::nullopt;
    }

    G game_;
    int squares_;
    bool to_limits_ = false;
    std::uint32_t visits_ = 0;
    std::uint32_t most_ = 0;
    std::vector<Part> parts_;
};

}  // namespace proofbase
