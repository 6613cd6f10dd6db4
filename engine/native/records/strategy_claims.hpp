// Claims by strategies, for a solution that is taken out (trimmed_records.hpp): smaller proofs than those that the
// records give. They need no records of their own.
//
//   * An upper claim rests on a diagram, with the replies named that it does not answer.
//   * A lower claim rests on a diagram after any of its moves. Where none is found, it may rest on an upper claim with
//     few named replies, after each of which a diagram is found.
//
// All claims have the number of empty squares as their rank: no line of play is longer.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claim.hpp"
#include "records/strategy_finder.hpp"

namespace proofbase {

template <Game G>
class StrategyClaims {
  public:
    using Key = typename G::Key;
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Proof = std::vector<std::pair<Key, Claim>>;

    /// Strategies are looked for `seconds` long. `check_stop` is called before each search, and may throw.
    StrategyClaims(const G& game, double seconds, std::function<void()> check_stop)
        : game_(game),
          finder_(seconds > 0 ? finder_of(game) : nullptr),
          until_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
          check_stop_(std::move(check_stop)) {}

    /// Whether there is a search for strategies of this game, and it was asked for.
    bool possible() const noexcept { return finder_ != nullptr; }

    std::uint32_t empty_squares(const Position& p) const {
        if constexpr (requires { p.memory(); }) return finder_->empty_squares(p.memory());
        return 0;
    }

    /// A claim about the position of a key that says `upper <= bound`, by a strategy that may name replies.
    std::optional<Claim> upper(const Position& p, int bound) {
        if (out_of_time() || bound > 0) return std::nullopt;
        FoundStrategy found = find(p, -bound, attempts);
        if (!found.answers_some()) return std::nullopt;
        return Claim::upper(bound, empty_squares(p)).by_strategy(found.strategy);
    }

    /// Claims of which the last one is about `key`, and says `lower >= bound`. `known(key, bound)` tells whether there
    /// is such a claim already.
    template <class Known>
    std::optional<Proof> lower(const Key& key, const Position& p, int bound, Move first, Known&& known) {
        Proof proof;
        if (out_of_time() || bound < 0 || !add_lower(key, p, bound, first, 1, proof, known)) return std::nullopt;
        return proof;
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr int attempts = 600;                 ///< the patience after one move
    static constexpr int attempts_of_other_moves = 150;  ///< the same, after moves that no record recommends
    static constexpr std::size_t most_named = 2;         ///< replies that are proved by further strategies

    struct Attempt {
        Move move;
        Position child;
        FoundStrategy found;
    };

    static std::unique_ptr<AnyStrategyFinder> finder_of(const G& game) {
        if constexpr (requires { game.strategy_finder(); }) return game.strategy_finder();
        return nullptr;
    }

    bool out_of_time() const { return finder_ == nullptr || Clock::now() >= until_; }

    FoundStrategy find(const Position& p, int bound, int most) {
        check_stop_();
        if constexpr (requires { p.memory(); }) return finder_->find(p.memory(), bound, most);
        return {};
    }

    /// Adds claims to a proof, of which the last one is the lower claim about `key`; false, and adds nothing, if none
    /// are found. `more`: how often named replies are proved by strategies below.
    template <class Known>
    bool add_lower(const Key& key, const Position& p, int bound, std::optional<Move> first, int more, Proof& proof,
                   Known&& known) {
        typename G::Moves moves;
        game_.moves(p, moves);
        std::vector<Move> ordered;
        if (first) ordered.push_back(*first);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (moves[i] != first) ordered.push_back(moves[i]);
        }
        std::vector<Attempt> tried;
        for (const Move move : ordered) {
            const Position child = game_.play(p, move);
            Claim claim = Claim::lower(bound, empty_squares(p), static_cast<std::uint32_t>(move));
            if (const std::optional<int> value = game_.terminal(child)) {
                if (-*value < bound) continue;
                proof.emplace_back(key, std::move(claim));
                return true;
            }
            FoundStrategy found = find(child, bound, move == first ? attempts : attempts_of_other_moves);
            if (found.answers_all()) {
                proof.emplace_back(key, std::move(claim).by_strategy(found.strategy));
                return true;
            }
            if (found.strategy.named.size() <= most_named) tried.push_back({move, child, std::move(found)});
        }
        if (more == 0) return false;
        std::ranges::stable_sort(tried, {}, [](const Attempt& a) { return a.found.strategy.named.size(); });
        for (Attempt& attempt : tried) {
            const std::size_t size = proof.size();
            if (out_of_time()) return false;
            if (add_upper(attempt, bound, more, proof, known)) {
                proof.emplace_back(key,
                                   Claim::lower(bound, empty_squares(p), static_cast<std::uint32_t>(attempt.move)));
                return true;
            }
            proof.resize(size);
        }
        return false;
    }

    /// Adds an upper claim with the named replies of a diagram, and the claims of these.
    template <class Known>
    bool add_upper(Attempt& attempt, int bound, int more, Proof& proof, Known&& known) {
        const Key key = game_.key(attempt.child);
        const Position p = position_of_key(game_, key);
        if (!(p == attempt.child)) attempt.found = find(p, bound, attempts);  // the mirror image
        const Strategy& strategy = attempt.found.strategy;
        if (!attempt.found.answers_some() || strategy.named.size() > most_named) return false;
        for (const std::uint32_t reply : strategy.named) {
            const Position child = game_.play(p, static_cast<Move>(reply));
            if (game_.terminal(child)) return false;
            const Key below = game_.key(child);
            if (known(below, bound)) continue;
            if (!add_lower(below, position_of_key(game_, below), bound, std::nullopt, more - 1, proof, known))
                return false;
        }
        proof.emplace_back(key, Claim::upper(-bound, empty_squares(p)).by_strategy(strategy));
        return true;
    }

    const G& game_;
    std::unique_ptr<AnyStrategyFinder> finder_;  ///< null: none are looked for
    Clock::time_point until_;
    std::function<void()> check_stop_;
};

}  // namespace proofbase
