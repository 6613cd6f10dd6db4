// The moves of a class for the builder of tables of plies: those that the game has for it, or those of its numbering.
#pragma once

#include <cstdint>

#include "concepts.hpp"
#include "table_concepts.hpp"

namespace proofbase {

/// The moves of a class of a game that numbers positions without gaps (concept ClassMoves).
template <Indexed G>
class IndexedClassMoves {
  public:
    using Placement = typename G::Position;

    IndexedClassMoves(const G& game, std::uint32_t table_class) : game_(game), class_(table_class) {}

    bool men(std::uint64_t i, Placement& out) const {
        out = game_.table_position(class_, i);
        return true;
    }

    template <class Leave>
    ClassExits exits(const Placement& men, Leave&& leave) const {
        ClassExits out;
        out.finished = game_.terminal(men);
        if (out.finished) return out;
        game_.for_each_successor(men, [&](const Placement& child, int) {
            const std::uint32_t c = game_.table_class(child);
            if (c == class_) {
                ++out.inside;  // once a move, as below
            } else {
                leave(c, game_.table_rank(child));
            }
        });
        return out;
    }

    template <class Visit>
    void for_each_predecessor(const Placement& men, Visit&& visit) const {
        game_.for_each_predecessor(men, [&](const Placement& before) { visit(game_.table_rank(before)); });
    }

  private:
    const G& game_;
    std::uint32_t class_;
};

template <HasPlies G>
auto class_moves_of(const G& game, std::uint32_t table_class) {
    if constexpr (IndexedByPlies<G>) {
        return game.class_moves(table_class);
    } else {
        return IndexedClassMoves<G>(game, table_class);
    }
}

}  // namespace proofbase
