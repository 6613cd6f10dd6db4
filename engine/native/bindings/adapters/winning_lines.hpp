// The searches for winning lines of threats, for Python: many positions at a time, with the cost.
#pragma once

#include <nanobind/nanobind.h>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "concepts.hpp"
#include "search/run/stopwatch.hpp"
#include "threats/sequences/dependency_search.hpp"
#include "threats/sequences/forced_sequence_search.hpp"
#include "threats/sequences/threat_findings.hpp"
#include "threats/sequences/threat_line.hpp"
#include "threats/sequences/threat_search_cost.hpp"

namespace proofbase {

namespace nb = nanobind;

/// Games that find wins by fours themselves (Renju): `find_line(position, opponent, most_nodes, line, cost)`.
template <class G>
concept FindsLines = requires(const G& game, const typename G::Position& p, std::size_t most_nodes,
                              typename ThreatFindings<typename G::Move>::Line& line, ThreatSearchCost& cost) {
    { game.find_line(p, true, most_nodes, line, cost) } -> std::same_as<bool>;
};

/// Runs `find(position, line)` for each position: (lines or None, nodes, most nodes of one search, searches that
/// reached the limit, seconds). `cost` is that of all searches after them.
template <Game G, class Find>
nb::tuple find_lines(const std::vector<typename G::Position>& positions, const ThreatSearchCost& cost,
                     const Find& find) {
    std::vector<typename ThreatFindings<typename G::Move>::Line> lines(positions.size());
    double seconds = 0;
    {
        const nb::gil_scoped_release without_gil;
        const Stopwatch watch;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            if (!find(positions[i], lines[i])) lines[i].clear();
        }
        seconds = watch.seconds();
    }
    nb::list found;
    for (const auto& line : lines) {
        if (line.empty()) {
            found.append(nb::none());
            continue;
        }
        nb::list moves;
        for (const auto move : line) moves.append(static_cast<std::uint32_t>(move));
        found.append(moves);
    }
    return nb::make_tuple(found, cost.nodes, cost.largest, cost.cut, seconds);
}

/// The same with a finder of threats with one reply each.
template <Threats G, class Finder>
nb::tuple find_lines_with(const G& game, const std::vector<typename G::Position>& positions, std::size_t most_nodes,
                          bool opponent) {
    Finder finder;
    return find_lines<G>(positions, finder.cost(), [&](const auto& position, auto& line) {
        const auto stones = opponent ? game.opponent_attacks(position) : game.mover_attacks(position);
        return finder.find(stones, line, most_nodes);
    });
}

/// Winning lines in positions that are not finished. `finder` is "dependency" or "sequences", in renju "fours". Throws
/// nb::value_error for other names and for games without threats.
template <Game G>
nb::tuple winning_lines(const G& game, const std::vector<typename G::Position>& positions, std::string_view finder,
                        std::size_t most_nodes, bool opponent) {
    if constexpr (Threats<G>) {
        using Space = typename G::ThreatSpace;
        if (finder == "dependency") {
            return find_lines_with<G, DependencySearch<Space>>(game, positions, most_nodes, opponent);
        }
        if (finder == "sequences") {
            return find_lines_with<G, ForcedSequenceSearch<Space>>(game, positions, most_nodes, opponent);
        }
        throw nb::value_error("the finders are 'dependency' and 'sequences'");
    } else if constexpr (FindsLines<G>) {
        if (finder != "fours") throw nb::value_error("the finder is 'fours'");
        ThreatSearchCost cost;
        return find_lines<G>(positions, cost, [&](const auto& position, auto& line) {
            return game.find_line(position, opponent, most_nodes, line, cost);
        });
    } else {
        throw nb::value_error((game.name() + " has no threats to search for").c_str());
    }
}

}  // namespace proofbase
