// Which positions are one node of a graph: all positions with the same canonical key, or, with the policy
// `no-symmetry`, only equal positions. Graphs are smaller where symmetric positions are one node (Schijf 1993, 4.6 and
// Table A.1); the graphs of his Tables 4.1 to 4.3 have them as nodes of their own.
#pragma once

#include "concepts.hpp"

namespace proofbase {

/// The key by which a graph finds the node of a position. Claims of a solution have the canonical key in any case.
template <Game G>
class Orientation {
  public:
    using Position = typename G::Position;
    using Key = typename G::Key;

    explicit Orientation(bool oriented = false) noexcept : oriented_(oriented) {}

    bool oriented() const noexcept { return oriented_; }

    Key key(const G& game, const Position& position) const {
        if constexpr (Symmetric<G>) {
            if (oriented_) return game.oriented_key(position);
        }
        return game.key(position);
    }

    /// The position that a graph uses for all positions of one node.
    Position representative(const G& game, Position position) const {
        if constexpr (Symmetric<G>) {
            if (oriented_) return position;
            if constexpr (requires { game.representative(position); }) return game.representative(position);
            const Key key = game.key(position);
            if (game.oriented_key(position) != key) return position_of_key(game, key);
        }
        return position;
    }

  private:
    bool oriented_;
};

}  // namespace proofbase
