// How many nodes proof-number searches make a second in chess and giveaway:
// `search_rates ALGORITHM NODES < lines of GAME;POSITION;AT_LEAST`. Each position is searched up to so many nodes. It
// prints the nodes in all, the expansions, the answers (as letters: proved, disproved, unknown) and the processor
// seconds. ALGORITHM is of the families `df-pn` and `pn-tree`.
//
//   g++ -std=c++20 -O3 -march=native -I engine/native tests/bench/chess/search_rates.cpp
//       engine/native/games/chessboard/*.cpp engine/native/games/chessboard/endgames/*.cpp
//       engine/native/errors.cpp $(find engine/native/records -name "*.cpp")
//       engine/native/search/{algorithms,policy,run}/*.cpp -o search_rates        (one line)
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>

#include "games/chess.hpp"
#include "games/giveaway.hpp"
#include "search/algorithms/algorithm_name.hpp"
#include "search/families/df_pn.hpp"
#include "search/families/tree.hpp"

namespace {

using namespace proofbase;

std::uint64_t nodes = 0;
std::uint64_t expansions = 0;
std::string answers;
double seconds = 0;

template <Game G>
void search(const G& game, const std::string& text, int at_least, const std::string& name, std::uint64_t most) {
    const typename G::Position position = game.parse(text);
    const Algorithm algorithm = read_algorithm(name, features_of(game));
    const SearchRequest<G> request{game, position, at_least, nullptr, algorithm, MoveOrder()};
    const std::clock_t started = std::clock();
    const std::unique_ptr<GameSearch<G>> made =
        algorithm.family() == "df-pn" ? make_df_pn(request) : make_tree(request);
    Budget budget;
    budget.nodes = most;
    const Outcome outcome = made->run(budget);
    seconds += static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
    nodes += made->progress().nodes;
    expansions += made->progress().expansions;
    answers += outcome.status == Status::proved ? 'p' : outcome.status == Status::disproved ? 'd' : 'u';
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: search_rates ALGORITHM NODES < lines of GAME;POSITION;AT_LEAST\n");
        return 2;
    }
    for (std::string line; std::getline(std::cin, line);) {
        const std::size_t first = line.find(';');
        const std::size_t second = line.find(';', first + 1);
        const std::string game = line.substr(0, first);
        const std::string text = line.substr(first + 1, second - first - 1);
        const int at_least = std::stoi(line.substr(second + 1));
        const std::uint64_t most = std::strtoull(argv[2], nullptr, 10);
        if (game == "chess") {
            search(Chess(), text, at_least, argv[1], most);
        } else {
            const std::size_t colon = game.find(':');
            const std::string parameters = colon == std::string::npos ? "" : game.substr(colon + 1);
            search(Giveaway::from_parameters(parameters), text, at_least, argv[1], most);
        }
    }
    std::printf("%llu nodes, %llu expansions, %.2f s, %s\n", static_cast<unsigned long long>(nodes),
                static_cast<unsigned long long>(expansions), seconds, answers.c_str());
}
