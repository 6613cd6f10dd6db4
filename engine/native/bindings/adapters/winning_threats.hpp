// The searches for threat trees, for Python: many positions at a time, with their cost.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/run/stopwatch.hpp"
#include "search/threats/found_threats.hpp"
#include "threats/trees/threat_tree.hpp"

namespace proofbase {

namespace nb = nanobind;

/// Appends the tree of squares that begins at `at`, as moves, replies ascending.
template <ThreatTreeGame G>
void append_tree(const G& game, const ThreatTree& tree, std::size_t& at, std::vector<std::uint32_t>& out) {
    const std::uint16_t square = tree.numbers[at++];
    if (square == ThreatTree::ends) {
        out.push_back(0);
        return;
    }
    const std::size_t count = tree.numbers[at++];
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> replies(count);
    for (auto& [reply, below] : replies) {
        reply = static_cast<std::uint32_t>(game.move_on(tree.numbers[at++]));
        append_tree(game, tree, at, below);
    }
    std::ranges::sort(replies);
    out.push_back(static_cast<std::uint32_t>(game.move_on(square)) + 1);
    out.push_back(static_cast<std::uint32_t>(count));
    for (const auto& [reply, below] : replies) {
        out.push_back(reply);
        out.insert(out.end(), below.begin(), below.end());
    }
}

template <Game G>
using FindThreats = std::vector<FoundThreats> (*)(const G&, const std::vector<typename G::Position>&, std::string_view,
                                                  std::uint64_t, bool);

/// Winning threats in open positions. Throws nb::value_error for other finders and for games without threats. `find`:
/// find_threats(), or null where that is not compiled for the game.
template <Game G>
nb::tuple winning_threats(const G& game, FindThreats<G> find, const std::vector<typename G::Position>& positions,
                          std::string_view finder, std::uint64_t most_nodes, bool opponent) {
    if constexpr (ThreatTreeGame<G>) {
        if (find == nullptr) throw nb::value_error((game.name() + " has no trees of threats to search for").c_str());
        if (finder != "threes" && finder != "fours" && finder != "sequences" && finder != "sequences-by-search") {
            throw nb::value_error("the finders are 'threes', 'fours', 'sequences' and 'sequences-by-search'");
        }
        std::vector<FoundThreats> found;
        double seconds = 0;
        {
            const nb::gil_scoped_release without_gil;
            const Stopwatch watch;
            found = find(game, positions, finder, most_nodes, opponent);
            seconds = watch.seconds();
        }
        nb::list results;
        for (const FoundThreats& one : found) {
            nb::object tree = nb::none();
            if (std::string_view(one.outcome) == "won") {
                std::vector<std::uint32_t> numbers;
                std::size_t at = 0;
                append_tree(game, one.tree, at, numbers);
                nb::list items;
                for (const std::uint32_t number : numbers) items.append(number);
                tree = items;
            }
            results.append(nb::make_tuple(one.outcome, tree, one.nodes));
        }
        return nb::make_tuple(results, seconds);
    } else {
        throw nb::value_error((game.name() + " has no trees of threats to search for").c_str());
    }
}

}  // namespace proofbase
