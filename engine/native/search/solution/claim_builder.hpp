// Parts of claims that the numbers of a search graph do not give: the evidence of claims that the game's look-ahead has
// settled (small searches), and witnesses as moves of canonical positions.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/small_search/small_search.hpp"

namespace proofbase {

template <Game G>
class ClaimBuilder {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;

    explicit ClaimBuilder(const G& game) : game_(game), small_search_(game) {}

    /// The claim, by small search, of a leaf that the game's look-ahead of `plies` plies has settled: the value is at
    /// least `bound` (`proved`), or it is below. The claim is about the canonical position: there the local check runs
    /// the small search again.
    Claim by_small_search(const Position& leaf_position, int bound, bool proved, std::uint32_t plies) {
        const Position position = position_of_key(game_, game_.key(leaf_position));
        return proved ? lower_by_small_search(position, bound, plies) : upper_by_small_search(position, bound, plies);
    }

    /// The move of the canonical position that leads where `move` leads from `position`.
    Move canonical_move(const Position& position, Move move) const {
        const Position canonical = position_of_key(game_, game_.key(position));
        if (canonical == position) return move;
        const auto child = game_.key(game_.play(position, move));
        typename G::Moves moves;
        game_.moves(canonical, moves);
        std::size_t i = 0;
        while (!(game_.key(game_.play(canonical, moves[i])) == child)) ++i;
        return moves[i];
    }

  private:
    /// The witness is the first move for which a small search shows the bound.
    Claim lower_by_small_search(const Position& position, int bound, std::uint32_t plies) {
        typename G::Moves moves;
        game_.moves(position, moves);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Position child = game_.play(position, moves[i]);
            const int upper_of_child = game_.reward(position, moves[i]) - bound;
            const auto nodes = small_search_.holds(child, upper_of_child, plies - 1, most_search_nodes);
            if (!nodes) continue;
            Claim claim = Claim::lower(bound, plies, moves[i]);
            return game_.terminal(child) ? claim : std::move(claim).by_search(*nodes, false);
        }
        throw std::logic_error(failed_look_ahead(position));
    }

    Claim upper_by_small_search(const Position& position, int bound, std::uint32_t plies) {
        const auto nodes = small_search_.holds(position, bound - 1, plies, most_search_nodes);
        if (!nodes) throw std::logic_error(failed_look_ahead(position));
        return Claim::upper(bound - 1, plies).by_search(*nodes, false);
    }

    std::string failed_look_ahead(const Position& position) const {
        std::string text;
        if constexpr (Notated<G>) text = game_.text(position);
        return game_.name() + ": a small search does not show what effort() says of " + text;
    }

    const G& game_;
    SmallSearch<G> small_search_;
};

}  // namespace proofbase
