// How many positions of Othello can arise on a board, up to symmetry, by the number of discs.
//
//     c++ -std=c++20 -O2 -march=native -I engine/native tests/bench/othello/count_positions.cpp \
//         engine/native/errors.cpp -o /tmp/count_positions
//     /tmp/count_positions 4 6
//
// A line for each number of discs: positions, those of them that follow a pass only, those in which the game is over,
// and the sum so far. 4x6 takes 42 seconds of the processor, and 1 GB.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "games/othello.hpp"

using proofbase::Othello;
using Keys = std::vector<std::uint64_t>;

static void sort_unique(Keys& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

int main(int count, char** words) {
    if (count != 3 || !proofbase::othello::Board::fits(std::atoi(words[1]), std::atoi(words[2])) ||
        std::atoi(words[1]) * std::atoi(words[2]) > 32) {
        std::fprintf(stderr, "usage: count_positions WIDTH HEIGHT, of 4x4, 4x6 or 6x4\n");
        return 2;
    }
    const Othello game(std::atoi(words[1]), std::atoi(words[2]), false);
    const auto key = [&](const Othello::Position& p) { return static_cast<std::uint64_t>(game.key(p)); };
    Keys level{key(game.initial())};
    std::uint64_t sum = 0;
    for (int discs = 4; !level.empty(); ++discs) {
        Keys next;
        Keys after_pass;
        std::uint64_t over = 0;
        const auto visit = [&](std::uint64_t k) {
            const Othello::Position p = *game.position(k);
            if (game.terminal(p)) {
                ++over;
                return;
            }
            Othello::Moves moves;
            game.moves(p, moves);
            for (std::size_t i = 0; i < moves.size(); ++i) {
                (moves[i] == game.board().size() ? after_pass : next).push_back(key(game.play(p, moves[i])));
            }
        };
        for (const std::uint64_t k : level) visit(k);
        sort_unique(after_pass);
        Keys only_after_pass;
        std::set_difference(after_pass.begin(), after_pass.end(), level.begin(), level.end(),
                            std::back_inserter(only_after_pass));
        for (const std::uint64_t k : only_after_pass) visit(k);  // its side can put a disc: there is no second pass
        sum += level.size() + only_after_pass.size();
        std::printf("%d discs: %zu positions, %zu of them after a pass only, %llu over; sum %llu\n", discs,
                    level.size() + only_after_pass.size(), only_after_pass.size(),
                    static_cast<unsigned long long>(over), static_cast<unsigned long long>(sum));
        std::fflush(stdout);
        sort_unique(next);
        level.swap(next);
    }
    return 0;
}
