// The searches for threat trees, for Python: many positions at a time.
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
#include "threats/sequences/fours_search.hpp"
#include "threats/sequences/winning_sequences.hpp"
#include "threats/trees/threat_tree.hpp"
#include "threats/trees/threes_search.hpp"

namespace proofbase {

namespace nb = nanobind;

struct FoundThreats {
    const char* outcome = "cut";
    ThreatTree tree;  ///< of squares; empty unless won
    std::uint64_t nodes = 0;
};

template <class Outcome>
const char* outcome_name(Outcome outcome) noexcept {
    return outcome == Outcome::won ? "won" : outcome == Outcome::none ? "none" : "cut";
}

template <class Attack>
FoundThreats find_threes(const Attack& attack, const typename Attack::Stones& stones, std::uint64_t most_nodes) {
    int size = 6;  // buckets of four, about as many entries as nodes
    while (size < 22 && std::uint64_t{4} << size < most_nodes) ++size;
    ThreesSearch<Attack> search(attack, size);
    const auto outcome = search.find(stones, most_nodes);
    FoundThreats found{outcome_name(outcome), {}, search.nodes()};
    if (outcome == ThreesSearch<Attack>::Outcome::won && !search.write(stones, found.tree, most_nodes)) {
        found.outcome = "cut";  // the table forgot too much of the proof
    }
    return found;
}

template <class Attack>
FoundThreats find_fours(const Attack& attack, const typename Attack::Stones& stones, std::uint64_t most_nodes) {
    FoursSearch<Attack> search(attack);
    const auto outcome = search.find(stones, most_nodes);
    FoundThreats found{outcome_name(outcome), {}, search.nodes()};
    if (outcome != FoursSearch<Attack>::Outcome::won) return found;
    const auto square = [&](int bit) { return static_cast<std::uint16_t>(attack.square(bit)); };
    const std::vector<int>& line = search.line();
    for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
        found.tree.numbers.insert(found.tree.numbers.end(), {square(line[i]), 1, square(line[i + 1])});
    }
    found.tree.numbers.push_back(ThreatTree::ends);
    found.tree.nodes = line.size() / 2 + 1;
    return found;
}

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

/// Of positions that are not finished. `finder` is "threes", "fours" or "sequences". Throws nb::value_error for other
/// names and for games without threats.
template <Game G>
nb::tuple winning_threats(const G& game, const std::vector<typename G::Position>& positions, std::string_view finder,
                          std::uint64_t most_nodes, bool opponent) {
    if constexpr (ThreatTreeGame<G>) {
        if (finder != "threes" && finder != "fours" && finder != "sequences") {
            throw nb::value_error("the finders are 'threes', 'fours' and 'sequences'");
        }
        std::vector<FoundThreats> found;
        double seconds = 0;
        {
            const nb::gil_scoped_release without_gil;
            const Stopwatch watch;
            for (const auto& position : positions) {
                found.push_back(game.visit_attack(
                    position, !opponent,
                    [&](const auto& attack, const auto& stones, const auto& own, const auto& other) {
                        if (finder == "threes") return find_threes(attack, stones, most_nodes);
                        if (finder == "fours") return find_fours(attack, stones, most_nodes);
                        WinningSequences search(attack, own, other);
                        const auto outcome = search.find(stones, most_nodes);
                        return FoundThreats{outcome_name(outcome), search.tree(), search.cost().nodes};
                    }));
            }
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
