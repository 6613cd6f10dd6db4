// Which positions are one node of a graph: those of one canonical key, or, with the policy `no-symmetry`, only those
// that stand alike. Symmetric positions as transpositions make graphs smaller (Schijf 1993, 4.6 and Table A.1); without
// them the graphs are those of his Tables 4.1 to 4.3.
#pragma once

#include "concepts.hpp"

namespace proofbase {

/// How a graph knows a position. What goes into the solution has the canonical key in any case.
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

    /// The position that stands for all those of the same node.
    Position representative(const G& game, Position position) const {
        if constexpr (Symmetric<G>) {
            if (oriented_) return position;
            const Key key = game.key(position);
            if (game.oriented_key(position) != key) return *game.position(key);
        }
        return position;
    }

  private:
    bool oriented_;
};

}  // namespace proofbase
