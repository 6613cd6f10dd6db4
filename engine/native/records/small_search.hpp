// Evidence `search` (docs/fact-model.md): a plain depth-first search by the rules alone, without a table, limited to
// `depth` plies, settles a bound within a number of visited positions. The check repeats the search, so which positions
// are visited, and in which order, is part of the record format:
//
//   reach(p, L, d): visit p; terminal: value >= L; d = 0: no; some move m (in the order of moves(p), stopping at
//                   the first) with hold(play(p, m), reward - L, d - 1)
//   hold(p, U, d):  visit p; terminal: value <= U; d = 0: no; every move m (stopping at the first failure) with
//                   reach(play(p, m), reward - U, d - 1)
//
// A claim `lower = L`, rank k >= 1, witness m passes if hold(play(p, m), reward(p, m) - L, k - 1) does, a claim
// `upper = U`, rank k >= 1 if hold(p, U, k) does, with at most n visits; n is stored with the claim.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "concepts.hpp"
#include "records/small_search_results.hpp"

namespace proofbase {

/// How a small search ended: the bound is settled; it is not settled within the depth; the visits are used up.
enum class SmallSearchStatus : std::uint8_t { settled, open, out_of_visits };

struct SmallSearchOutcome {
    SmallSearchStatus status;
    std::uint32_t visits;  ///< positions visited, at most `limit` unless these are used up
};

/// Runs small searches of one game. The stack is explicit, because a line of a user's game may be thousands of plies
/// long. An object keeps the memory of its stack, and results of subtrees (small_search_results.hpp), so use one object
/// for many searches. One thread at a time.
template <Game G>
class SmallSearch {
  public:
    using Position = typename G::Position;

    explicit SmallSearch(const G& game) : game_(&game) {}

    /// Positions visited by hold(position, upper, depth) if it succeeds within `limit` visits; else nothing.
    std::optional<std::uint32_t> holds(const Position& position, std::int64_t upper, std::uint32_t depth,
                                       std::uint32_t limit) {
        return visits_if_settled(run(position, upper, true, depth, limit));
    }

    /// Positions visited by reach(position, lower, depth) if it succeeds within `limit` visits; else nothing.
    std::optional<std::uint32_t> reaches(const Position& position, std::int64_t lower, std::uint32_t depth,
                                         std::uint32_t limit) {
        return visits_if_settled(run(position, lower, false, depth, limit));
    }

    /// hold(position, upper, depth), with the reason if it does not succeed.
    SmallSearchOutcome hold(const Position& position, std::int64_t upper, std::uint32_t depth, std::uint32_t limit) {
        return run(position, upper, true, depth, limit);
    }

  private:
    static constexpr std::uint32_t least_kept_depth = 3;  ///< of subtrees: smaller ones are searched as fast as found

    struct Frame {
        Position position;
        typename G::Moves moves;
        std::size_t next;
        std::int64_t bound;           // rewards of a long line may add up beyond 32 bits
        std::uint32_t visits_before;  // of the search, before this position was visited
    };

    static std::optional<std::uint32_t> visits_if_settled(const SmallSearchOutcome& outcome) {
        return outcome.status == SmallSearchStatus::settled ? std::optional(outcome.visits) : std::nullopt;
    }

    SmallSearchOutcome run(const Position& root, std::int64_t bound, bool first_holds, std::uint32_t depth,
                           std::uint32_t limit) {
        const SmallSearchOutcome outcome = search(root, bound, first_holds, depth, limit);
        results_.note_visits(outcome.visits);
        return outcome;
    }

    // The questions of the frames alternate. Frame i asks `hold` if i is even and first_holds is true, or if i is odd
    // and first_holds is false; otherwise it asks `reach`.
    SmallSearchOutcome search(const Position& root, std::int64_t bound, bool first_holds, std::uint32_t depth,
                              std::uint32_t limit) {
        std::uint32_t visits = 0;
        std::size_t top = 0;  // frames in use; frames above are kept for their memory
        Position position = root;
        while (true) {
            const bool holds = first_holds == (top % 2 == 0);
            const auto plies_left = static_cast<std::uint32_t>(depth - top);
            bool answer;
            if (const std::optional<int> value = game_->terminal(position)) {
                ++visits;
                answer = holds ? *value <= bound : *value >= bound;
            } else if (plies_left == 0) {
                ++visits;
                answer = false;
            } else if (plies_left == 1) {
                answer = ends_by_next_move(position, bound, holds, limit, ++visits);
            } else if (!(plies_left >= least_kept_depth &&
                         results_.find(position, bound, holds, plies_left, visits, answer))) {
                if (++visits > limit) return {SmallSearchStatus::out_of_visits, visits};
                if (frames_.size() == top) frames_.emplace_back();
                Frame& frame = frames_[top++];
                frame.position = position;
                frame.bound = bound;
                frame.next = 0;
                frame.visits_before = visits - 1;
                game_->moves(frame.position, frame.moves);
                play_next(frame, position, bound);
                continue;
            }
            if (visits > limit) return {SmallSearchStatus::out_of_visits, visits};
            // A child that fails refutes its parent's `hold`, and a child that succeeds proves its parent's `reach`:
            // then the parent has the child's answer. Otherwise the parent's next move is tried; after its last move
            // the parent has the answer of all its children.
            while (true) {
                if (top == 0) return {answer ? SmallSearchStatus::settled : SmallSearchStatus::open, visits};
                Frame& frame = frames_[top - 1];
                const bool parent_holds = first_holds == ((top - 1) % 2 == 0);
                if (answer == parent_holds && frame.next < frame.moves.size()) {
                    play_next(frame, position, bound);
                    break;
                }
                --top;
                const auto parent_plies_left = static_cast<std::uint32_t>(depth - top);
                if (parent_plies_left >= least_kept_depth) {
                    results_.keep(frame.position, frame.bound, parent_holds, parent_plies_left,
                                  visits - frame.visits_before, answer);
                }
            }
        }
    }

    /// The last ply of a search, after which nothing counts but the end of the game.
    bool ends_by_next_move(const Position& position, std::int64_t bound, bool holds, std::uint32_t limit,
                           std::uint32_t& visits) {
        game_->moves(position, last_moves_);
        for (std::size_t i = 0; i < last_moves_.size(); ++i) {
            if (++visits > limit) return false;
            const std::optional<int> value = game_->terminal(game_->play(position, last_moves_[i]));
            const std::int64_t child_bound = game_->reward(position, last_moves_[i]) - bound;
            const bool answer = value && (holds ? *value >= child_bound : *value <= child_bound);
            if (answer != holds) return answer;
        }
        return holds;
    }

    /// Sets position and bound to those after the frame's next move.
    void play_next(Frame& frame, Position& position, std::int64_t& bound) const {
        const auto move = frame.moves[frame.next++];
        bound = game_->reward(frame.position, move) - frame.bound;
        position = game_->play(frame.position, move);
    }

    const G* game_;
    std::vector<Frame> frames_;
    typename G::Moves last_moves_;
    SmallSearchResults<Position> results_;
};

template <Game G>
std::optional<std::uint32_t> holds_within(const G& game, const typename G::Position& position, std::int64_t upper,
                                          std::uint32_t depth, std::uint32_t limit) {
    return SmallSearch<G>(game).holds(position, upper, depth, limit);
}

template <Game G>
std::optional<std::uint32_t> reaches_within(const G& game, const typename G::Position& position, std::int64_t lower,
                                            std::uint32_t depth, std::uint32_t limit) {
    return SmallSearch<G>(game).reaches(position, lower, depth, limit);
}

}  // namespace proofbase
