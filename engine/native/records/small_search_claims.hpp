// Claims by small search in place of whole parts of a solution. While a solution is taken out, every claim is tried: if
// a small search (records/small_search.hpp) settles it, the solution rests on that search, and the records below are
// not needed.
//
// A search that does not settle a claim costs up to 10,000 visits. So the outcomes are counted by stage, a number that
// grows with the work (the rank of the claim, where it is known), and a claim is tried only where searches of its stage
// are likely to succeed. A stage without outcomes is tried when the stages just below it were settled mostly: the first
// claims of a solution are far from the end of the game and are not tried at all.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "concepts.hpp"
#include "records/claim.hpp"
#include "records/small_search.hpp"

namespace proofbase {

/// Which outcomes searches had, by stage.
class SmallSearchForecast {
  public:
    /// Whether a search of this stage is worth its visits.
    bool promising(std::uint32_t stage) {
        const std::size_t s = place(stage);
        Outcomes& outcomes = outcomes_[s];
        if (outcomes.tried >= enough) {
            if (outcomes.settled * worth_one_success >= outcomes.tried) return true;
            return ++outcomes.passed_over % trial_interval == 0;
        }
        if (s <= always_tried || outcomes.tried > outcomes.settled) return true;
        // As likely as the two stages below: of these one may never occur, as ranks of wins are odd in many games.
        for (std::size_t below = s - 1; below + 2 >= s; --below) {
            const Outcomes& lower = outcomes_[below];
            if (lower.tried > 0 && 2 * lower.settled >= lower.tried) return true;
        }
        return ++outcomes.passed_over % trial_interval == 0;
    }

    void note(std::uint32_t stage, bool settled) {
        Outcomes& outcomes = outcomes_[place(stage)];
        ++outcomes.tried;
        outcomes.settled += settled;
        if (outcomes.tried < most_counted) return;
        outcomes.tried /= 2;  // what is near counts more: a solution is taken out region by region
        outcomes.settled /= 2;
    }

  private:
    static constexpr std::size_t stages = 256;
    static constexpr std::size_t always_tried = 4;
    static constexpr std::uint32_t enough = 4;
    static constexpr std::uint32_t worth_one_success = 8;  ///< so many searches may fail for one that succeeds
    static constexpr std::uint32_t trial_interval = 64;
    static constexpr std::uint32_t most_counted = 64;

    struct Outcomes {
        std::uint32_t tried = 0;
        std::uint32_t settled = 0;
        std::uint32_t passed_over = 0;
    };

    static std::size_t place(std::uint32_t stage) noexcept { return std::min<std::size_t>(stage, stages - 1); }

    std::array<Outcomes, stages> outcomes_{};
};

/// Makes claims by small search, of progress claims only: a safety claim (docs/fact-model.md) must rest on its
/// children. One thread at a time; use one object for a whole solution.
template <Game G>
class SmallSearchClaims {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Key = typename G::Key;

    /// `most_nodes`: visits of a search, at most `most_search_nodes`; 0: no claims by small search.
    SmallSearchClaims(const G& game, std::uint32_t most_nodes)
        : game_(game), search_(game), most_nodes_(std::min(most_nodes, most_search_nodes)) {}

    /// The claim `lower = bound` by small search, of the canonical position with this key, with this rank and witness;
    /// nothing if no search settles it, or if none is tried because it is unlikely to. Rank 0 gives nothing.
    std::optional<Claim> lower(const Key& key, int bound, std::uint32_t rank, Move witness) {
        if (rank == 0 || most_nodes_ == 0 || !known_rank_[1].promising(rank)) return std::nullopt;
        const Position position = position_of_key(game_, key);
        const Position child = game_.play(position, witness);
        const auto nodes = hold(child, std::int64_t{game_.reward(position, witness)} - bound, rank - 1);
        known_rank_[1].note(rank, nodes.has_value());
        if (!nodes) return std::nullopt;
        return lower_claim(bound, rank, witness, child, *nodes);
    }

    /// The claim `upper = bound` by small search, likewise.
    std::optional<Claim> upper(const Key& key, int bound, std::uint32_t rank) {
        if (rank == 0 || most_nodes_ == 0 || !known_rank_[0].promising(rank)) return std::nullopt;
        const auto nodes = hold(position_of_key(game_, key), bound, rank);
        known_rank_[0].note(rank, nodes.has_value());
        if (!nodes) return std::nullopt;
        return Claim::upper(bound, rank).by_search(*nodes);
    }

    /// The claim by small search, of a canonical position, that answers "value(position) >= at_least?" where neither
    /// rank nor witness is known: `lower = at_least` if `proved`, else `upper = at_least - 1`, with the smallest rank
    /// for which a search settles it. Nothing if there is none, or if none is tried.
    ///
    /// `most_plies`: plies within which the game is over, or any larger number. `stage`: a number that grows with the
    /// work that such claims take, for example the plies left.
    std::optional<Claim> answer(const Position& position, int at_least, bool proved, std::uint32_t most_plies,
                                std::uint32_t stage) {
        SmallSearchForecast& forecast = unknown_rank_[proved];
        if (most_nodes_ == 0 || !forecast.promising(stage)) return std::nullopt;
        std::optional<Claim> claim =
            proved ? deepen_lower(position, at_least, most_plies) : deepen_upper(position, at_least - 1, most_plies);
        forecast.note(stage, claim.has_value());
        return claim;
    }

  private:
    /// A move that ends the game needs no search: the child is terminal.
    Claim lower_claim(int bound, std::uint32_t rank, Move witness, const Position& child, std::uint32_t nodes) const {
        Claim claim = Claim::lower(bound, rank, witness);
        return game_.terminal(child) ? claim : std::move(claim).by_search(nodes);
    }

    std::optional<std::uint32_t> hold(const Position& position, std::int64_t upper, std::uint32_t depth) {
        return search_.holds(position, upper, depth, most_nodes_);
    }

    /// Deepens one ply after the other. A search that uses up its visits ends it: deeper ones visit more.
    std::optional<Claim> deepen_upper(const Position& position, int upper, std::uint32_t most_plies) {
        for (std::uint32_t rank = 1; rank <= most_plies; ++rank) {
            const SmallSearchOutcome found = search_.hold(position, upper, rank, most_nodes_);
            if (found.status == SmallSearchStatus::settled) return Claim::upper(upper, rank).by_search(found.visits);
            if (found.status == SmallSearchStatus::out_of_visits) break;
        }
        return std::nullopt;
    }

    /// Likewise, for all moves; the claim takes the one that needs the fewest visits at the smallest depth. A move
    /// whose search has used up its visits is not tried again.
    std::optional<Claim> deepen_lower(const Position& position, int lower, std::uint32_t most_plies) {
        typename G::Moves moves;
        game_.moves(position, moves);
        typename G::Moves left;
        std::uint32_t visits_left = most_visits_of_a_deepening * most_nodes_;
        for (std::uint32_t rank = 1; rank <= most_plies && moves.size() > 0; ++rank) {
            std::optional<Claim> best;
            std::uint32_t fewest = most_nodes_;
            left.clear();
            for (std::size_t i = 0; i < moves.size(); ++i) {
                const Position child = game_.play(position, moves[i]);
                const std::int64_t upper = std::int64_t{game_.reward(position, moves[i])} - lower;
                const SmallSearchOutcome found = search_.hold(child, upper, rank - 1, std::min(fewest, visits_left));
                visits_left -= std::min(visits_left, found.visits);
                if (found.status == SmallSearchStatus::settled) {
                    best = lower_claim(lower, rank, moves[i], child, found.visits);
                    fewest = found.visits;
                } else if (found.status == SmallSearchStatus::open) {
                    left.push_back(moves[i]);
                }
            }
            if (best) return best;
            if (visits_left == 0) break;
            moves = left;
        }
        return std::nullopt;
    }

    static constexpr std::uint32_t most_visits_of_a_deepening = 3;

    const G& game_;
    SmallSearch<G> search_;
    std::uint32_t most_nodes_;
    std::array<SmallSearchForecast, 2> known_rank_;    ///< by whether the claim is a lower one
    std::array<SmallSearchForecast, 2> unknown_rank_;  ///< likewise
};

}  // namespace proofbase
