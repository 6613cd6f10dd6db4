// Small searches of connect-four (records/evidence/small_search/small_search.hpp) by sets of squares: what the last
// plies of one visit and answer, as TellsShortSearches in concepts.hpp asks for it. Taking out a solution asks; the
// check makes the searches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "games/connect_four_board.hpp"
#include "games/connect_four_selection.hpp"

namespace proofbase::connect_four {

/// Positions are the stones of the side to move and all stones, and are not terminal.
template <class Word>
class ShortSearches {
  public:
    /// Both outlive the object. `score`: wins are worth the stones that are left.
    ShortSearches(const Board<Word>& board, const Selection<Word>& selection, bool score) noexcept
        : board_(board), selection_(selection), score_(score) {}

    /// hold(p, bound, depth) if `holds`, else reach(p, bound, depth), of at most `most` visits.
    template <bool holds>
    std::optional<ShortSearch> run(Word current, Word mask, std::int64_t bound, std::uint32_t depth, std::uint32_t most,
                                   bool to_limits) const noexcept {
        const int stones = count(mask);
        if (to_limits) {
            const std::uint32_t left = plies_to_limit(stones, holds ? bound : -bound);
            if (std::min(depth, left) > most_plies_to_limits) return std::nullopt;
            // The limits answer what is true of them: "at most" of a bound from 0 on, "at least" of one up to 0.
            if (left == 0) return ShortSearch{holds ? bound >= 0 : bound <= 0, 1, 0, false};
            if (depth == 0) return ShortSearch{false, 1, 0, true};
            const Word completing = board_.completing(current, mask);
            return search_to_limits<holds>(current, mask, completing, stones, bound, left, depth, most);
        }
        const auto plies_left = static_cast<std::uint32_t>(most_stones() - stones);
        if (depth == plies_left && depth <= most_last_plies) {
            return last_plies<holds>(current, mask, board_.completing(current, mask), stones, bound);
        }
        if (depth != (holds ? 2 : 3) || depth >= plies_left) return std::nullopt;
        if constexpr (holds) {
            ShortSearch search{true, 1, 1, false};
            hold_two_plies(search, board_.playable(mask), board_.completing(current, mask),
                           board_.completing(current ^ mask, mask), stones, bound);
            return search;
        } else {
            return reach_three_plies(current, mask, stones, bound);
        }
    }

  private:
    static constexpr std::uint32_t most_plies_to_limits = 6;
    static constexpr std::uint32_t most_last_plies = 8;

    int most_stones() const noexcept { return board_.width() * board_.height(); }
    int win(int stones) const noexcept { return selection_.win(stones); }

    /// The plies after which the limits answer "value <= upper?", whatever is played.
    std::uint32_t plies_to_limit(int stones, std::int64_t upper) const noexcept {
        // The limit with s stones is that of a win with the next one, (squares + 1 - s) / 2. It answers as soon as it
        // is at most `upper` (yes) or below -upper (no).
        const std::int64_t most = std::max(upper, -upper - 1);
        if (most >= std::max(1, win(7))) return 0;
        const std::int64_t plies = most_stones() - (score_ ? 2 * most : 0) - stones;
        return static_cast<std::uint32_t>(std::max<std::int64_t>(plies, 0));
    }

    /// `completing`: the squares on which the side to move completes a line; that of the last stone may be among them.
    /// `left`: plies until the limits answer; neither it nor `depth` is 0.
    template <bool holds>
    ShortSearch search_to_limits(Word current, Word mask, Word completing, int stones, std::int64_t bound,
                                 std::uint32_t left, std::uint32_t depth, std::uint32_t most) const noexcept {
        const Word playable = board_.playable(mask);
        const Word wins = playable & completing;
        const Word ends = stones + 1 == most_stones() ? playable : wins;
        ShortSearch search{holds, 1, 1, false};
        if (ends != 0) {
            const int value = wins != 0 ? win(stones + 1) : 0;
            search.answer = holds ? value <= bound : value >= bound;
            if (search.answer != holds) {
                search.visits = 2;
                return search;
            }
            search.visits += static_cast<std::uint32_t>(count(ends));
        }
        const Word others = playable & ~ends;
        if (left == 1 || depth == 1) {  // each of the others has the same answer, at once
            if (others == 0) return search;
            search.answer = left == 1 && (holds ? bound >= 0 : bound <= 0);
            search.met_horizon = left != 1;
            search.visits += search.answer == holds ? static_cast<std::uint32_t>(count(others)) : 1;
            return search;
        }
        if (others == 0) return search;
        const Word next_completing = board_.completing(current ^ mask, mask);  // the same after every move
        if (left == 2 || depth == 2) {
            add_last_replies<holds>(search, playable, others, next_completing, stones + 1, bound, left == 2, most);
            return search;
        }
        for (Word rest = others; rest != 0 && search.answer == holds && search.visits <= most; rest &= rest - 1) {
            add_below(search, search_to_limits<!holds>(current ^ mask, mask | (rest & -rest), next_completing,
                                                       stones + 1, -bound, left - 1, depth - 1, most - search.visits));
        }
        return search;
    }

    /// Adds what is below the moves `others`, where the limits (`to_limit`) or the depth answer one ply later.
    /// `completing`: the squares on which a reply completes a line; `stones`: those after the move.
    template <bool holds>
    [[gnu::always_inline]] void add_last_replies(ShortSearch& search, Word playable, Word others, Word completing,
                                                 int stones, std::int64_t bound, bool to_limit,
                                                 std::uint32_t most) const noexcept {
        const auto answer_of = [&](int value) { return holds ? value >= -bound : value <= -bound; };  // a reply's
        const bool is_last = stones + 1 == most_stones();
        const bool win_suffices = answer_of(win(stones + 1)) == holds;
        const bool draw_suffices = answer_of(0) == holds;
        const bool answer_after = to_limit && answer_of(0);
        search.deepest = 2;
        for (Word rest = others; rest != 0 && search.answer == holds && search.visits <= most; rest &= rest - 1) {
            const Word square = rest & -rest;
            const Word replies = (playable ^ square) | (square << 1 & board_.squares());
            const Word wins = replies & completing;
            const Word ends = is_last ? replies : wins;
            if (ends != 0 && (wins != 0 ? win_suffices : draw_suffices)) {
                search.visits += 2;
                continue;
            }
            search.visits += 1 + static_cast<std::uint32_t>(count(ends));
            search.answer = !holds;
            const Word after = replies & ~ends;
            if (after == 0) continue;
            search.answer = answer_after;
            search.met_horizon |= !to_limit;
            search.visits += answer_after == holds ? 1 : static_cast<std::uint32_t>(count(after));
        }
    }

    /// To the end of the game. `completing` as above.
    template <bool holds>
    ShortSearch last_plies(Word current, Word mask, Word completing, int stones, std::int64_t bound) const noexcept {
        const Word playable = board_.playable(mask);
        const Word wins = playable & completing;
        const bool is_last = stones + 1 == most_stones();
        const Word next_completing = is_last || playable == wins ? Word{0} : board_.completing(current ^ mask, mask);
        ShortSearch search{holds, 1, 1, false};
        for (Word rest = playable; rest != 0; rest &= rest - 1) {
            const Word square = rest & -rest;
            const bool is_win = (wins & square) != 0;
            if (is_win || is_last) {
                ++search.visits;
                const int value = is_win ? win(stones + 1) : 0;
                search.answer = holds ? value <= bound : value >= bound;
            } else {
                add_below(search,
                          last_plies<!holds>(current ^ mask, mask | square, next_completing, stones + 1, -bound));
            }
            if (search.answer != holds) break;
        }
        return search;
    }

    ShortSearch reach_three_plies(Word current, Word mask, int stones, std::int64_t lower) const noexcept {
        const Word playable = board_.playable(mask);
        const Word wins = playable & board_.completing(current, mask);
        const Word threatened = board_.completing(current ^ mask, mask);
        ShortSearch search{false, 1, 1, false};
        for (Word rest = playable; rest != 0 && !search.answer; rest &= rest - 1) {
            const Word square = rest & -rest;
            if ((wins & square) != 0) {
                ++search.visits;
                search.answer = win(stones + 1) >= lower;
                continue;
            }
            ShortSearch below{true, 1, 1, false};
            hold_two_plies(below, (playable ^ square) | (square << 1 & board_.squares()), threatened & ~square,
                           board_.completing(current | square, mask | square), stones + 1, -lower);
            add_below(search, below);
        }
        return search;
    }

    /// Adds the replies to each move. `wins` and `threatened` are the squares that complete a line of the side to move
    /// and of the other side.
    [[gnu::always_inline]] void hold_two_plies(ShortSearch& search, Word playable, Word wins, Word threatened,
                                               int stones, std::int64_t upper) const noexcept {
        const bool win_suffices = win(stones + 1) <= upper;
        if (-win(stones + 2) > upper) threatened = 0;
        for (Word rest = playable; rest != 0; rest &= rest - 1) {
            const Word square = rest & -rest;
            ++search.visits;
            if ((wins & square) != 0) {
                if (win_suffices) continue;
                search.answer = false;
                return;
            }
            const Word replies = (playable ^ square) | (square << 1 & board_.squares());
            const Word winning = replies & threatened;
            search.deepest = 2;
            search.visits +=
                static_cast<std::uint32_t>(count(winning == 0 ? replies : replies & (winning ^ (winning - 1))));
            search.met_horizon |= (replies & -replies & winning) == 0;
            if (winning == 0) {
                search.answer = false;
                return;
            }
        }
    }

    static void add_below(ShortSearch& search, const ShortSearch& below) noexcept {
        search.answer = below.answer;
        search.visits += below.visits;
        search.deepest = std::max(search.deepest, below.deepest + 1);
        search.met_horizon |= below.met_horizon;
    }

    const Board<Word>& board_;
    const Selection<Word>& selection_;
    bool score_;
};

}  // namespace proofbase::connect_four
