// Conversions: moves that cannot be taken back. A graph that merges positions behind them only asks for them
// (search/graph/parent_list/parent_list_graph.hpp).
#pragma once

#include <concepts>

#include "concepts.hpp"

namespace proofbase {

/// Games that name the conversions (Allis 1994, Definition 6.1): `converts(p, m)` is true only if no line of play that
/// begins with the move m comes back to p. Without it, moves with a reward are known to be such moves, and no others.
template <class G>
concept NamesConversions = Game<G> && requires(const G& game, const typename G::Position& p, typename G::Move m) {
    { game.converts(p, m) } -> std::same_as<bool>;
};

/// Whether a move is known to be a conversion.
template <Game G>
bool is_conversion(const G& game, const typename G::Position& p, typename G::Move move) {
    if (game.acyclic()) return true;
    if constexpr (NamesConversions<G>) {
        return game.converts(p, move);
    } else {
        return game.reward(p, move) != 0;
    }
}

}  // namespace proofbase
