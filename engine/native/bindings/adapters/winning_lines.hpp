// The two searches for winning lines of threats, for Python: many positions at a time, with the cost.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

#include "concepts.hpp"
#include "search/run/stopwatch.hpp"
#include "threats/sequences/dependency_search.hpp"
#include "threats/sequences/forced_sequence_search.hpp"

namespace proofbase {

namespace nb = nanobind;

/// Runs one finder: (lines or None, nodes, most nodes of one search, searches that reached the limit, seconds).
template <Threats G, class Finder>
nb::tuple find_lines(const G& game, const std::vector<typename G::Position>& positions, std::size_t most_nodes,
                     bool opponent) {
    using Line = ThreatLine<typename G::ThreatSpace>;
    Finder finder;
    std::vector<Line> lines(positions.size());
    double seconds = 0;
    {
        const nb::gil_scoped_release without_gil;
        const Stopwatch watch;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const auto stones = opponent ? game.opponent_attacks(positions[i]) : game.mover_attacks(positions[i]);
            if (!finder.find(stones, lines[i], most_nodes)) lines[i].clear();
        }
        seconds = watch.seconds();
    }
    nb::list found;
    for (const Line& line : lines) {
        if (line.empty()) {
            found.append(nb::none());
            continue;
        }
        nb::list moves;
        for (const auto move : line) moves.append(static_cast<std::uint32_t>(move));
        found.append(moves);
    }
    const ThreatSearchCost& cost = finder.cost();
    return nb::make_tuple(found, cost.nodes, cost.largest, cost.cut, seconds);
}

/// Of positions that are not finished. `finder` is "dependency" or "sequences". Throws nb::value_error for other names
/// and for games without threats.
template <Game G>
nb::tuple winning_lines(const G& game, const std::vector<typename G::Position>& positions, std::string_view finder,
                        std::size_t most_nodes, bool opponent) {
    if constexpr (Threats<G>) {
        using Space = typename G::ThreatSpace;
        if (finder == "dependency")
            return find_lines<G, DependencySearch<Space>>(game, positions, most_nodes, opponent);
        if (finder == "sequences")
            return find_lines<G, ForcedSequenceSearch<Space>>(game, positions, most_nodes, opponent);
        throw nb::value_error("the finders are 'dependency' and 'sequences'");
    } else {
        throw nb::value_error((game.name() + " has no threats to search for").c_str());
    }
}

}  // namespace proofbase
