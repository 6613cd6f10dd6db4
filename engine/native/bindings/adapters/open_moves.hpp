// What a game tells the search null-window about its moves and values (concepts.hpp), for Python.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "concepts.hpp"

namespace proofbase {

namespace nb = nanobind;

/// ([(move, score, forced), ...], best or None, its move or None). Throws nb::value_error for a finished game, a bound
/// that needs no search, and games that do not tell.
template <Game G>
nb::tuple open_moves(const G& game, const typename G::Position& position, std::int64_t bound) {
    if constexpr (OpenMoves<G>) {
        const int limit = value_limit(game, position);
        if (game.terminal(position)) throw nb::value_error("the game is over");
        if (bound <= -limit || bound > limit) throw nb::value_error("the limits of the value answer the question");
        nb::list open;
        const auto expect = [](const auto&) { return 0; };
        const auto add = [&](const auto&, int, typename G::Move move, int score, bool forced) {
            open.append(nb::make_tuple(static_cast<std::uint32_t>(move), score, forced));
        };
        const auto settled = game.open_moves(position, static_cast<int>(bound), expect, add);
        if (settled.best < -limit) return nb::make_tuple(open, nb::none(), nb::none());
        return nb::make_tuple(open, settled.best, static_cast<std::uint32_t>(settled.move));
    } else {
        throw nb::value_error((game.name() + " does not tell which moves are open").c_str());
    }
}

/// (lower, upper). Throws nb::value_error for a finished game and games that do not tell.
template <Game G>
nb::tuple static_bounds(const G& game, const typename G::Position& position) {
    if constexpr (StaticBounds<G>) {
        if (game.terminal(position)) throw nb::value_error("the game is over");
        const ValueBounds bounds = game.static_bounds(position);
        return nb::make_tuple(bounds.lower, bounds.upper);
    } else {
        throw nb::value_error((game.name() + " has no static bounds").c_str());
    }
}

}  // namespace proofbase
