// Claims by small search in place of whole parts of a solution. While a solution is taken out, every claim is tried: if
// a small search (records/evidence/small_search/small_search.hpp) settles it, the solution rests on that search, and
// the records below are not needed. Where none settles it, a pairing is looked for
// (records/evidence/pairing/pairing_claims.hpp).
//
// A search that does not settle a claim costs up to 10,000 visits. So the outcomes are counted by stage, a number that
// grows with the work (the rank of the claim, where it is known), and a claim is tried only where searches of its stage
// are likely to succeed. Of a user's game, whose rules are slow, a stage without outcomes is tried when the stages just
// below it were settled mostly: the first claims of a solution are far from the end of the game and are not tried.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/pairing/pairing_claims.hpp"
#include "records/evidence/small_search/repeated_small_search.hpp"
#include "records/evidence/small_search/small_search.hpp"

namespace proofbase {

/// Which outcomes searches had, by stage. `fast_rules`: a few searches that fail take no time that anybody notices, so
/// every stage is tried.
template <bool fast_rules>
class SmallSearchForecast {
  public:
    /// Whether a search of this stage is worth its visits.
    bool promising(std::uint32_t stage) {
        const std::size_t s = place(stage);
        Outcomes& outcomes = outcomes_of(stage);
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

    void note(std::uint32_t stage, bool settled, std::uint32_t visits) {
        Outcomes& outcomes = outcomes_of(stage);
        ++outcomes.tried;
        outcomes.settled += settled;
        outcomes.visits += visits;
        if (outcomes.tried < most_counted) return;
        outcomes.tried /= 2;  // what is near counts more: a solution is taken out region by region
        outcomes.settled /= 2;
        outcomes.visits /= 2;
    }

    /// Visits for each search that succeeded, at this stage; 0 if none was tried.
    std::uint64_t price(std::uint32_t stage) const {
        if (place(stage) >= outcomes_.size()) return 0;
        const Outcomes& outcomes = outcomes_[place(stage)];
        return outcomes.visits / (std::uint64_t{outcomes.settled} + 1);
    }

  private:
    static constexpr std::size_t stages = 256;
    static constexpr std::size_t always_tried = fast_rules ? stages : 4;
    static constexpr std::uint32_t enough = 4;
    static constexpr std::uint32_t worth_one_success = 3;  ///< so many searches may fail for one that succeeds
    static constexpr std::uint32_t trial_interval = 64;
    static constexpr std::uint32_t most_counted = 64;

    struct Outcomes {
        std::uint8_t tried = 0;
        std::uint8_t settled = 0;
        std::uint8_t passed_over = 0;  ///< modulo 256, a multiple of the interval
        std::uint32_t visits = 0;
    };
    static_assert(most_counted <= 128 && 256 % trial_interval == 0);
    static_assert(std::uint64_t{2} * most_counted * (2 * most_search_nodes) < 0xffffffff);

    static std::size_t place(std::uint32_t stage) noexcept { return std::min<std::size_t>(stage, stages - 1); }

    Outcomes& outcomes_of(std::uint32_t stage) {
        const std::size_t s = place(stage);
        if (s >= outcomes_.size()) outcomes_.resize(s + 1);
        return outcomes_[s];
    }

    std::vector<Outcomes> outcomes_;  ///< of the stages so far: a small solution has few
};

/// Makes claims by small search, of progress claims only: a safety claim (docs/fact-model.md) must rest on its
/// children. One thread at a time; use one object for a whole solution.
template <Game G>
class SmallSearchClaims {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Key = typename G::Key;

    /// `most_nodes`: visits of a search, at most `most_search_nodes`; 0: no claims by small search. `own_search`: makes
    /// the searches by the game's own type; null: they are made here. `to_limits`: they end at the limits of values
    /// though these do not fall.
    SmallSearchClaims(const G& game, std::uint32_t most_nodes,
                      std::unique_ptr<AnySmallSearch<Position>> own_search = nullptr, bool to_limits = false)
        : game_(game),
          to_limits_(to_limits || limits_fall(game)),
          search_(game),
          own_search_(std::move(own_search)),
          most_nodes_(std::min(most_nodes, most_search_nodes)),
          pairings_(game, most_nodes > 0 ? steps_of_pairings : 0) {}

    /// Whether there are claims by small search.
    bool enabled() const noexcept { return most_nodes_ > 0; }

    /// Whether the searches end at the limits of values.
    bool to_limits() const noexcept { return to_limits_; }

    /// The claim `lower = bound` by small search, of the canonical position with this key, with this rank and witness,
    /// or by a pairing, with this rank at most; nothing if no search settles it, or if none is tried because it is
    /// unlikely to. Rank 0 gives nothing.
    std::optional<Claim> lower(const Key& key, int bound, std::uint32_t rank, Move witness) {
        if (rank == 0 || most_nodes_ == 0) return std::nullopt;
        if (auto claim = lower_by_search(key, bound, rank, witness)) return claim;
        if (!pairings_.possible(bound, true)) return std::nullopt;
        return pairings_.lower(position_of_key(game_, key), bound, rank, witness);
    }

    /// The claim `upper = bound`, likewise.
    std::optional<Claim> upper(const Key& key, int bound, std::uint32_t rank) {
        if (rank == 0 || most_nodes_ == 0) return std::nullopt;
        if (auto claim = upper_by_search(key, bound, rank)) return claim;
        if (!pairings_.possible(bound, false)) return std::nullopt;
        return pairings_.upper(position_of_key(game_, key), bound, rank);
    }

    /// The claim by small search, of a canonical position, that answers "value(position) >= at_least?" where neither
    /// rank nor witness is known: `lower = at_least` if `proved`, else `upper = at_least - 1`, which a pairing may
    /// show, too. Nothing if no search settles it, or if none is tried.
    ///
    /// `most_plies`: plies within which the game is over, or any larger number. `stage`: a number that grows with the
    /// work that such claims take, for example the plies left.
    std::optional<Claim> answer(const Position& position, int at_least, bool proved, std::uint32_t most_plies,
                                std::uint32_t stage) {
        if (most_nodes_ == 0) return std::nullopt;
        // What the prover wants decides which way is the better one: a draw may need the end of the game, a win does
        // not.
        const int wanted = proved ? at_least : 1 - at_least;
        Forecasts& forecasts = unknown_rank_[static_cast<std::uint32_t>(wanted) % unknown_rank_.size()];
        std::optional<Claim> claim;
        const auto attempt = [&](auto& forecast, std::uint32_t most_visits, auto&& search) {
            if (claim || !forecast.promising(stage)) return;
            std::uint32_t visits_left = most_visits;
            claim = search(visits_left);
            forecast.note(stage, claim.has_value(), most_visits - visits_left);
        };
        auto& whole = forecasts.to_the_end[proved];
        auto& deeper = forecasts.deepening[proved];
        const auto to_the_end = [&] {
            attempt(whole, most_nodes_, [&](std::uint32_t& visits_left) {
                return search_to_the_end(position, at_least, proved, most_plies, visits_left);
            });
        };
        const auto deepening = [&] {  // the last search of a deepening takes about half of all visits
            attempt(deeper, 2 * most_nodes_, [&](std::uint32_t& visits_left) {
                return deepen(position, at_least, proved, most_plies, visits_left);
            });
        };
        const bool swapped = ++answers_ % trial_interval == 0;  // the one that comes second is given the harder claims
        if (limits_fall(game_)) {  // with every ply, so that a search to the end goes no deeper than it has to
            to_the_end();
        } else if ((deeper.price(stage) <= whole.price(stage)) != swapped) {
            deepening();
            to_the_end();
        } else {
            to_the_end();
            deepening();
        }
        if (!claim && !proved) claim = pairings_.upper(position, at_least - 1, largest_number);
        return claim;
    }

  private:
    using Forecast = SmallSearchForecast<!Unproven<G>>;
    static constexpr std::uint32_t steps_of_pairings = 200;

    std::optional<Claim> lower_by_search(const Key& key, int bound, std::uint32_t rank, Move witness) {
        if (!known_rank_[1].promising(rank)) return std::nullopt;
        const Position position = position_of_key(game_, key);
        const Position child = game_.play(position, witness);
        const std::int64_t upper = std::int64_t{game_.reward(position, witness)} - bound;
        const auto nodes = hold(known_rank_[1], rank, child, upper, rank - 1);
        if (!nodes) return std::nullopt;
        return lower_claim(bound, rank, witness, child, *nodes);
    }

    std::optional<Claim> upper_by_search(const Key& key, int bound, std::uint32_t rank) {
        if (!known_rank_[0].promising(rank)) return std::nullopt;
        const auto nodes = hold(known_rank_[0], rank, position_of_key(game_, key), bound, rank);
        if (!nodes) return std::nullopt;
        return Claim::upper(bound, rank).by_search(*nodes, to_limits_);
    }

    SmallSearchOutcome search(const Position& position, std::int64_t upper, std::uint32_t depth, std::uint32_t limit) {
        return own_search_ ? own_search_->hold(position, upper, depth, limit, to_limits_)
                           : search_.hold(position, upper, depth, limit, to_limits_);
    }

    /// A move that ends the game needs no search: the child is terminal.
    Claim lower_claim(int bound, std::uint32_t rank, Move witness, const Position& child, std::uint32_t nodes) const {
        Claim claim = Claim::lower(bound, rank, witness);
        return game_.terminal(child) ? claim : std::move(claim).by_search(nodes, to_limits_);
    }

    std::optional<std::uint32_t> hold(Forecast& forecast, std::uint32_t stage, const Position& position,
                                      std::int64_t upper, std::uint32_t depth) {
        const SmallSearchOutcome found = search(position, upper, depth, most_nodes_);
        const bool settled = found.status == SmallSearchStatus::settled;
        forecast.note(stage, settled, found.visits);
        return settled ? std::optional(found.visits) : std::nullopt;
    }

    /// A search whose depth has no limit but that of its visits.
    std::optional<Claim> search_to_the_end(const Position& position, int at_least, bool proved,
                                           std::uint32_t most_plies, std::uint32_t& visits_left) {
        if (!proved) return upper_at_depth(position, at_least - 1, most_plies, visits_left);
        typename G::Moves moves;
        game_.moves(position, moves);
        return lower_at_depth(position, at_least, most_plies, visits_left, moves);
    }

    /// Searches to a depth of two plies, of four plies, and so on, until their visits are used up.
    std::optional<Claim> deepen(const Position& position, int at_least, bool proved, std::uint32_t most_plies,
                                std::uint32_t& visits_left) {
        typename G::Moves moves;
        game_.moves(position, moves);
        for (std::uint32_t depth = 2; depth <= most_plies && visits_left > 0 && moves.size() > 0; depth += 2) {
            const std::uint32_t before = visits_left;
            auto claim = proved ? lower_at_depth(position, at_least, depth, visits_left, moves)
                                : upper_at_depth(position, at_least - 1, depth, visits_left);
            if (claim) return claim;
            if (before - visits_left > most_nodes_ / 2) return std::nullopt;  // two plies more would visit too many
        }
        return std::nullopt;
    }

    /// Takes the visits from `visits_left`. Where they do not suffice, none are left.
    std::optional<Claim> upper_at_depth(const Position& position, int upper, std::uint32_t depth,
                                        std::uint32_t& visits_left) {
        const SmallSearchOutcome found = search(position, upper, depth, std::min(most_nodes_, visits_left));
        visits_left -= std::min(visits_left, found.visits);
        if (found.status == SmallSearchStatus::out_of_visits) visits_left = 0;  // deeper searches visit more
        if (found.status != SmallSearchStatus::settled) return std::nullopt;
        return Claim::upper(upper, std::max(found.deepest, 1u)).by_search(found.visits, to_limits_);
    }

    /// Likewise. The witness is the first move for which a search settles the bound. A move whose search has used up
    /// its visits is removed from `moves`.
    std::optional<Claim> lower_at_depth(const Position& position, int lower, std::uint32_t depth,
                                        std::uint32_t& visits_left, typename G::Moves& moves) {
        typename G::Moves left;
        for (std::size_t i = 0; i < moves.size() && visits_left > 0; ++i) {
            const Position child = game_.play(position, moves[i]);
            const std::int64_t upper = std::int64_t{game_.reward(position, moves[i])} - lower;
            const SmallSearchOutcome found = search(child, upper, depth - 1, std::min(most_nodes_, visits_left));
            visits_left -= std::min(visits_left, found.visits);
            if (found.status == SmallSearchStatus::settled) {
                return lower_claim(lower, found.deepest + 1, moves[i], child, found.visits);
            }
            if (found.status == SmallSearchStatus::open) left.push_back(moves[i]);
        }
        moves = left;
        return std::nullopt;
    }

    /// By whether the claim is a lower one.
    struct Forecasts {
        std::array<Forecast, 2> to_the_end;
        std::array<Forecast, 2> deepening;
    };

    static constexpr std::uint64_t trial_interval = 64;

    const G& game_;
    bool to_limits_;  ///< the searches end at the limits of values
    RepeatedSmallSearch<G> search_;
    std::unique_ptr<AnySmallSearch<Position>> own_search_;
    std::uint32_t most_nodes_;
    PairingClaims<G> pairings_;
    std::array<Forecast, 2> known_rank_;     ///< by whether the claim is a lower one
    std::array<Forecasts, 8> unknown_rank_;  ///< by the bound that the prover wants, modulo their number
    std::uint64_t answers_ = 0;
};

}  // namespace proofbase
