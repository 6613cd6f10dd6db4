// Evidence `search` (docs/fact-model.md): a plain depth-first search by the rules alone, without a table, limited to
// `depth` plies, settles a bound within a number of visited positions. The check repeats the search, so which positions
// are visited, and in which order, is part of the record format:
//
//   reach(p, L, d): visit p; terminal: value >= L; d = 0: no; some move m (in the order of moves(p), stopping at
//                   the first) with hold(play(p, m), reward - L, d - 1)
//   hold(p, U, d):  visit p; terminal: value <= U; d = 0: no; every move m (stopping at the first failure) with
//                   reach(play(p, m), reward - U, d - 1)
//
// A search *to limits* tries moves that end the game before the others. It settles a position that is not terminal by
// the limit of its value, where that tells: `hold` answers yes if limit(p) <= U and no if -limit(p) > U, `reach` yes if
// -limit(p) >= L and no if limit(p) < L, d = 0 or not.
//
// A claim `lower = L`, rank k >= 1, witness m passes if hold(play(p, m), reward(p, m) - L, k - 1) does, a claim
// `upper = U`, rank k >= 1 if hold(p, U, k) does, with at most n visits; n is stored with the claim.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"

namespace proofbase {

/// How a small search ended: the bound is settled; it is not settled within the depth; the visits are used up.
enum class SmallSearchStatus : std::uint8_t { settled, open, out_of_visits };

struct SmallSearchOutcome {
    SmallSearchStatus status;
    std::uint32_t visits;   ///< positions visited; more than the limit if they are used up
    std::uint32_t deepest;  ///< plies down to the deepest of them; the depth limit of a settled bound need be no larger
};

/// Small searches of one game, whatever its type.
template <class Position>
class AnySmallSearch {
  public:
    virtual ~AnySmallSearch() = default;
    /// As SmallSearch::hold.
    virtual SmallSearchOutcome hold(const Position& position, std::int64_t upper, std::uint32_t depth,
                                    std::uint32_t limit, bool to_limits) = 0;
};

/// What the limit of its value tells of a position that is not terminal: whether its value is at most the bound
/// (`holds`), or at least the bound. Nothing where it does not tell.
template <Game G>
std::optional<bool> settled_by_limit(const G& game, const typename G::Position& position, std::int64_t bound,
                                     bool holds) {
    const std::int64_t upper = holds ? bound : -bound;  // a value v >= b is -v <= -b, and limits are symmetric
    const std::int64_t limit = value_limit(game, position);
    if (limit <= upper) return true;
    if (-limit > upper) return false;
    return std::nullopt;
}

/// Puts the moves that end the game before the others.
template <Game G>
void put_ends_first(const G& game, const typename G::Position& position, typename G::Moves& moves) {
    if constexpr (requires { game.ends_first(position, moves); }) {
        game.ends_first(position, moves);
    } else {
        typename G::Moves ordered, others;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            (game.terminal(game.play(position, moves[i])) ? ordered : others).push_back(moves[i]);
        }
        for (std::size_t i = 0; i < others.size(); ++i) ordered.push_back(others[i]);
        moves = std::move(ordered);
    }
}

/// Games whose positions have limits that fall in play, so that small searches end at them:
/// `limits_fall()` says whether those of this board do.
template <Game G>
bool limits_fall(const G& game) noexcept {
    if constexpr (requires { game.limits_fall(); }) return game.limits_fall();
    return false;
}

/// Runs small searches of one game. The stack is explicit, because a line of a user's game may be thousands of plies
/// long. An object keeps the memory of its stack, so use one object for many searches. One thread at a time.
template <Game G>
class SmallSearch {
  public:
    explicit SmallSearch(const G& game) : game_(&game) {}

    /// Positions visited by hold(position, upper, depth) if it succeeds within `limit` visits; else nothing.
    std::optional<std::uint32_t> holds(const typename G::Position& position, std::int64_t upper, std::uint32_t depth,
                                       std::uint32_t limit) {
        return visits_if_settled(run(position, upper, true, depth, limit));
    }

    /// hold(position, upper, depth) with its reason, if it does not succeed. `to_limits`: the search is one to limits.
    SmallSearchOutcome hold(const typename G::Position& position, std::int64_t upper, std::uint32_t depth,
                            std::uint32_t limit, bool to_limits = false) {
        return run(position, upper, true, depth, limit, to_limits);
    }

  private:
    struct Frame {
        typename G::Position position;
        typename G::Moves moves;
        std::size_t next;
        std::int64_t bound;  // rewards of a long line may add up beyond 32 bits
    };

    static std::optional<std::uint32_t> visits_if_settled(const SmallSearchOutcome& outcome) {
        return outcome.status == SmallSearchStatus::settled ? std::optional(outcome.visits) : std::nullopt;
    }

    static SmallSearchOutcome outcome(SmallSearchStatus status, std::uint32_t visits, std::size_t deepest) {
        return {status, visits, static_cast<std::uint32_t>(deepest)};
    }

    // The questions of the frames alternate. Frame i asks `hold` if i is even and first_holds is true, or if i is odd
    // and first_holds is false; otherwise it asks `reach`.
    SmallSearchOutcome run(const typename G::Position& root, std::int64_t bound, bool first_holds, std::uint32_t depth,
                           std::uint32_t limit, bool to_limits = false) {
        std::uint32_t visits = 0;
        std::size_t deepest = 0;
        std::size_t top = 0;  // frames in use; frames above are kept for their memory
        typename G::Position position = root;
        while (true) {
            deepest = std::max(deepest, top);
            if (++visits > limit) return outcome(SmallSearchStatus::out_of_visits, visits, deepest);
            const bool holds = first_holds == (top % 2 == 0);
            bool answer;
            std::optional<bool> settled;
            if (const std::optional<int> value = game_->terminal(position)) {
                answer = holds ? *value <= bound : *value >= bound;
            } else if (to_limits && (settled = settled_by_limit(*game_, position, bound, holds))) {
                answer = *settled;
            } else if (top == depth) {
                answer = false;
            } else {
                if (frames_.size() == top) frames_.push_back({position, {}, 0, bound});
                Frame& frame = frames_[top++];
                frame.position = position;
                frame.bound = bound;
                frame.next = 0;
                game_->moves(frame.position, frame.moves);
                if (to_limits) put_ends_first(*game_, frame.position, frame.moves);
                play_next(frame, position, bound);
                continue;
            }
            // A child that fails refutes its parent's `hold`, and a child that succeeds proves its parent's `reach`:
            // then the parent has the child's answer. Otherwise the parent's next move is tried; after the last move
            // the parent has the opposite answer.
            while (true) {
                if (top == 0) {
                    return outcome(answer ? SmallSearchStatus::settled : SmallSearchStatus::open, visits, deepest);
                }
                Frame& frame = frames_[top - 1];
                const bool parent_holds = first_holds == ((top - 1) % 2 == 0);
                if (answer != parent_holds) {
                    --top;
                } else if (frame.next < frame.moves.size()) {
                    play_next(frame, position, bound);
                    break;
                } else {
                    answer = parent_holds;
                    --top;
                }
            }
        }
    }

    /// Sets position and bound to those after the frame's next move.
    void play_next(Frame& frame, typename G::Position& position, std::int64_t& bound) const {
        const auto move = frame.moves[frame.next++];
        bound = game_->reward(frame.position, move) - frame.bound;
        position = game_->play(frame.position, move);
    }

    const G* game_;
    std::vector<Frame> frames_;
};

template <Game G>
std::optional<std::uint32_t> holds_within(const G& game, const typename G::Position& position, std::int64_t upper,
                                          std::uint32_t depth, std::uint32_t limit) {
    return SmallSearch<G>(game).holds(position, upper, depth, limit);
}

}  // namespace proofbase
