// The claims of solutions that do not follow from the numbers of a graph alone: what the game's look-ahead settled, by
// small search; and witnesses, which are moves of canonical positions.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "concepts.hpp"
#include "records/claim.hpp"
#include "records/small_search.hpp"

namespace proofbase {

template <Game G>
class LeafClaims {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;

    explicit LeafClaims(const G& game) : game_(game), look_ahead_(game) {}

    /// What looking `plies` ahead shows about `bound` in a position, as a claim about the canonical one: there the
    /// check runs the small search again.
    Claim claim(const Position& anyhow, int bound, bool reached, std::uint32_t plies) {
        const Position position = *game_.position(game_.key(anyhow));
        if (!reached) {
            const auto nodes = look_ahead_.holds(position, bound - 1, plies, most_search_nodes);
            if (!nodes) throw std::logic_error(unshown(position));
            return Claim::upper(bound - 1, plies).by_search(*nodes);
        }
        typename G::Moves moves;
        game_.moves(position, moves);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Position child = game_.play(position, moves[i]);
            const int held = game_.reward(position, moves[i]) - bound;
            const auto nodes = look_ahead_.holds(child, held, plies - 1, most_search_nodes);
            if (!nodes) continue;
            Claim claim = Claim::lower(bound, plies, moves[i]);
            return game_.terminal(child) ? claim : std::move(claim).by_search(*nodes);
        }
        throw std::logic_error(unshown(position));
    }

    /// The move of the canonical position that leads where `move` leads from `position`.
    Move canonical_move(const Position& position, Move move) const {
        const Position canonical = *game_.position(game_.key(position));
        if (canonical == position) return move;
        const auto child = game_.key(game_.play(position, move));
        typename G::Moves moves;
        game_.moves(canonical, moves);
        std::size_t i = 0;
        while (!(game_.key(game_.play(canonical, moves[i])) == child)) ++i;
        return moves[i];
    }

  private:
    std::string unshown(const Position& position) const {
        std::string text;
        if constexpr (Notated<G>) text = game_.text(position);
        return game_.name() + ": the look-ahead does not show what effort() says of " + text;
    }

    const G& game_;
    SmallSearch<G> look_ahead_;
};

}  // namespace proofbase
