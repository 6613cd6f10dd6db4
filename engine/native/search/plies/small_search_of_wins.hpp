// Small searches of `within:N:GAME` that ask who wins in time, by GAME's own type. Positions are visited as
// records/evidence/small_search/small_search.hpp says, one by one in the order of the moves; where the winner makes the
// last move, all positions after it are counted at once (TellsWinningMoves). What a position was visited for is kept
// for the next time, with the number of the visits: the same moves in another order lead to it again, in this search
// and in those of other claims.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "records/evidence/small_search/small_search.hpp"
#include "search/plies/inner_game.hpp"
#include "search/plies/plies_table.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

template <TellsWinningMoves I>
class SmallSearchOfWins final : public AnySmallSearch<VirtualGame::Position> {
  public:
    explicit SmallSearchOfWins(const VirtualGame& game) : game_(game), inner_(game_), plain_(game_) {}

    SmallSearchOutcome hold(const VirtualGame::Position& p, std::int64_t upper, std::uint32_t depth,
                            std::uint32_t limit, bool to_limits) override {
        if (to_limits || (upper != 0 && upper != -1)) return plain_.hold(p, upper, depth, limit, to_limits);
        refutes_ = upper == 0;
        visits_ = 0;
        limit_ = limit;
        deepest_ = 0;
        const bool answer = visit(inner_.position(p), true, inner_.plies(p), depth, 0);
        if (visits_ > limit_) return {SmallSearchStatus::out_of_visits, limit_ + 1, deepest_};
        return {answer ? SmallSearchStatus::settled : SmallSearchStatus::open, visits_, deepest_};
    }

  private:
    using Position = typename I::Position;

    /// `hold` or `reach` of a position, as the value 0 or a win is asked for: whether the question's attacker does not
    /// win (`refutes_`), or does. The attacker is to move where these two are the same.
    bool visit(const Position& p, bool holds, std::uint32_t plies, std::uint32_t depth, std::uint32_t ply) {
        deepest_ = std::max(deepest_, ply);
        if (++visits_ > limit_) return false;
        const I& rules = inner_.rules();
        const bool attacks = holds == refutes_;
        const bool last_ply = plies == 1 || (!refutes_ && depth == 1);
        if (attacks && last_ply && depth > 0) {
            const MovesToWin moves = rules.moves_to_win(p);
            if (moves.moves > 0) {
                visits_ += moves.moves;
                deepest_ = std::max(deepest_, ply + 1);
                return moves.wins != refutes_;
            }
        }
        if (plies < least_plies_to_keep || depth == 0) return visit_children(p, holds, plies, depth, ply);
        const Question question{p, plies, depth, holds, refutes_};
        Kept& kept = kept_of(question);
        if (kept.question == question) {
            visits_ += kept.visits;
            deepest_ = std::max(deepest_, ply + kept.plies_down);
            return kept.answer && visits_ <= limit_;
        }
        const std::uint32_t visits_before = visits_, deepest_before = std::exchange(deepest_, ply);
        const bool answer = visit_children(p, holds, plies, depth, ply);
        if (visits_ <= limit_) keep({question, visits_ - visits_before, deepest_ - ply, answer});
        deepest_ = std::max(deepest_, deepest_before);
        return answer;
    }

    bool visit_children(const Position& p, bool holds, std::uint32_t plies, std::uint32_t depth, std::uint32_t ply) {
        const I& rules = inner_.rules();
        if (const std::optional<int> value = rules.terminal(p)) return satisfies(*value, holds);
        if (plies == 0) return satisfies(0, holds);
        if (depth == 0) return false;
        typename I::Moves moves;
        rules.moves(p, moves);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const bool answer = visit(rules.play(p, moves[i]), !holds, plies - 1, depth - 1, ply + 1);
            if (visits_ > limit_) return false;
            if (answer != holds) return answer;
        }
        return holds;
    }

    /// The bounds of `hold` are 0 and -1 where a win is refuted and shown, those of `reach` 0 and 1.
    bool satisfies(int value, bool holds) const noexcept {
        if (holds) return value <= (refutes_ ? 0 : -1);
        return value >= (refutes_ ? 0 : 1);
    }

    /// What a visit was about, besides the plies from the root.
    struct Question {
        Position position;
        std::uint32_t plies = 0;  ///< 0: none
        std::uint32_t depth = 0;
        bool holds = false;
        bool refutes = false;

        bool operator==(const Question&) const = default;
    };
    struct Kept {
        Question question;
        std::uint32_t visits = 0;  ///< below the position
        std::uint32_t plies_down = 0;
        bool answer = false;
    };
    static constexpr std::uint32_t least_plies_to_keep = 3;
    static constexpr std::size_t least_places = std::size_t{1} << 10, most_places = std::size_t{1} << 18;

    Kept& kept_of(const Question& question) {
        if (kept_.empty()) kept_.resize(least_places);
        const auto hash = PliesTable<typename I::Key>::hash(inner_.rules().key(question.position), question.plies);
        return kept_[(hash + question.plies) % kept_.size()];
    }

    /// Few searches need few places, and these are near.
    void keep(const Kept& kept) {
        if (kept_.size() < most_places && ++times_kept_ > kept_.size()) {
            kept_.assign(2 * kept_.size(), {});
            times_kept_ = 0;
        }
        kept_of(kept.question) = kept;
    }

    VirtualGame game_;
    InnerGame<I> inner_;
    SmallSearch<VirtualGame> plain_;
    bool refutes_ = false;
    std::uint32_t visits_ = 0;
    std::uint32_t limit_ = 0;
    std::uint32_t deepest_ = 0;
    std::vector<Kept> kept_;
    std::size_t times_kept_ = 0;  ///< since there are so many places
};

}  // namespace proofbase
