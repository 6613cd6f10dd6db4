// Solves a whole game of men's morris by brute force and compares every value with the tables in a directory.
//
// All positions that play can reach are kept by their keys. Values come from the rules alone, by sweeps over all of
// them: a position with a move to a lost one is won, one whose moves all lead to won ones is lost, until nothing
// changes. The rest is a draw. No retrograde moves, no classes, no numbers of entries.
//
// usage: brute_force_of_mens_morris PARAMETERS DIRECTORY   (tables of all men; prints positions and values)

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "games/mens_morris.hpp"
#include "tables/files/table_set.hpp"

using proofbase::MensMorris;

namespace {

struct Solved {
    std::vector<MensMorris::Key> keys;
    std::vector<std::int8_t> values;
};

Solved solve(const MensMorris& game) {
    std::unordered_map<MensMorris::Key, std::uint32_t> numbers;
    Solved solved;
    const auto number = [&](const MensMorris::Position& p) {
        const MensMorris::Key key = game.key(p);
        const auto [found, added] = numbers.emplace(key, static_cast<std::uint32_t>(solved.keys.size()));
        if (added) solved.keys.push_back(key);
        return found->second;
    };
    number(game.initial());
    std::vector<std::uint32_t> children;
    std::vector<std::size_t> first;
    MensMorris::Moves moves;
    for (std::size_t i = 0; i < solved.keys.size(); ++i) {
        const MensMorris::Position p = *game.position(solved.keys[i]);
        first.push_back(children.size());
        const std::optional<int> end = game.terminal(p);
        solved.values.push_back(static_cast<std::int8_t>(end.value_or(0)));
        if (end) continue;
        game.moves(p, moves);
        for (const MensMorris::Move move : moves) children.push_back(number(game.play(p, move)));
    }
    first.push_back(children.size());
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = solved.keys.size(); i-- > 0;) {
            if (solved.values[i] != 0) continue;
            bool all_won = true;
            bool one_lost = false;
            for (std::size_t k = first[i]; k < first[i + 1]; ++k) {
                all_won &= solved.values[children[k]] == 1;
                one_lost |= solved.values[children[k]] == -1;
            }
            if (!all_won && !one_lost) continue;
            solved.values[i] = one_lost ? 1 : -1;
            changed = true;
        }
    }
    return solved;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const MensMorris game = MensMorris::from_parameters(arguments[1]);
    const proofbase::TableSet<MensMorris> tables(game, arguments[2], game.classes(18));
    const Solved solved = solve(game);
    std::size_t values[3] = {};
    for (std::size_t i = 0; i < solved.keys.size(); ++i) {
        const MensMorris::Position p = *game.position(solved.keys[i]);
        if (tables.value(p) != solved.values[i]) {
            std::printf("%s is %d, not %d\n", game.text(p).c_str(), solved.values[i], tables.value(p).value_or(9));
            return 1;
        }
        ++values[solved.values[i] + 1];
    }
    std::printf("%zu positions: %zu lost, %zu drawn, %zu won; the first is %d\n", solved.keys.size(), values[0],
                values[1], values[2], solved.values[0]);
    return 0;
}
