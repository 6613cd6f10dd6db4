// The searches for threat trees (found_threats.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "concepts.hpp"
#include "search/threats/found_threats.hpp"
#include "threats/sequences/fours_search.hpp"
#include "threats/sequences/winning_sequences.hpp"
#include "threats/trees/threes_search.hpp"

namespace proofbase {

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

template <class G>
std::vector<FoundThreats> find_threats(const G& game, const std::vector<typename G::Position>& positions,
                                       std::string_view finder, std::uint64_t most_nodes, bool opponent) {
    static_assert(ThreatTreeGame<G>);
    std::vector<FoundThreats> found;
    for (const auto& position : positions) {
        found.push_back(game.visit_attack(position, !opponent, [&](const auto& attack, const auto& stones) {
            if (finder == "threes") return find_threes(attack, stones, most_nodes);
            if (finder == "fours") return find_fours(attack, stones, most_nodes);
            WinningSequences search(attack, attack.line_threats(), attack.defender_line_threats());
            using Search = decltype(search);
            const auto test = finder == "sequences" ? Search::Test::by_replay : Search::Test::by_search;
            const auto outcome = search.find(stones, most_nodes, test);
            const bool unproved = outcome != Search::Outcome::won && search.cost().unproved > 0;
            return FoundThreats{unproved ? "unproved" : outcome_name(outcome), search.tree(), search.cost().nodes};
        }));
    }
    return found;
}

}  // namespace proofbase
