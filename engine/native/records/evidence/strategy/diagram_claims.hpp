// Claims by diagrams that a game knows without a search (records/evidence/strategy/answering_diagram.hpp), in place of
// whole parts of a solution that is taken out. Of other games there are none.
#pragma once

#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/strategy/answering_diagram.hpp"

namespace proofbase {

/// One thread at a time; use one object for a whole solution. All ranks are `most_plies` of the position.
template <Game G>
class DiagramClaims {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;

    /// `enabled`: else there are no such claims.
    DiagramClaims(const G&, bool enabled [[maybe_unused]]) {}

    /// A claim `lower = bound` of a canonical position, by a diagram after a move that the static bounds settle.
    std::optional<Claim> lower(const Position&, int) { return std::nullopt; }
    /// The same, after the given move.
    std::optional<Claim> lower_by(const Position&, int, Move) { return std::nullopt; }
    /// A claim `upper = bound` of a canonical position, by a diagram that answers every reply, or if not `all` the one
    /// that answers the most and names the others. The game goes on there.
    std::optional<Claim> upper(const Position&, int, bool) { return std::nullopt; }
};

template <FindsDiagrams G>
class DiagramClaims<G> {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;

    DiagramClaims(const G& game, bool enabled) : game_(game) {
        if (enabled) diagrams_ = game.diagrams();
    }

    std::optional<Claim> lower(const Position& position, int bound) {
        if (!diagrams_) return std::nullopt;
        typename G::Moves moves;
        game_.moves(position, moves);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Position child = game_.play(position, moves[i]);
            if (game_.terminal(child) || game_.static_bounds(child).upper > -bound) continue;
            if (auto claim = lower_by(position, bound, moves[i])) return claim;
        }
        return std::nullopt;
    }

    std::optional<Claim> lower_by(const Position& position, int bound, Move move) {
        if (!diagrams_) return std::nullopt;
        const Position child = game_.play(position, move);
        if (game_.terminal(child)) return std::nullopt;
        const auto found = diagrams_->find(child, bound, true);
        if (!found) return std::nullopt;
        return Claim::lower(bound, game_.most_plies(position), move).by_strategy(found->strategy);
    }

    std::optional<Claim> upper(const Position& position, int bound, bool all) {
        if (!diagrams_) return std::nullopt;
        const auto found = diagrams_->find(position, -bound, all);
        if (!found) return std::nullopt;
        return Claim::upper(bound, game_.most_plies(position)).by_strategy(found->strategy);
    }

  private:
    const G& game_;
    std::optional<typename G::Diagrams> diagrams_;
};

}  // namespace proofbase
