// How long a probe of an endgame table takes: from a position to its value, 1,000,000 random positions of all classes
// of a directory, each once before so that all blocks are in memory.
//
//   g++ -std=c++20 -O3 -march=native -I engine/native tests/bench/chess/endgame_probes.cpp \
//       engine/native/games/chessboard/*.cpp engine/native/games/chessboard/endgames/*.cpp \
//       engine/native/errors.cpp engine/native/tables/files/{table_file,block_cache,zstd}.cpp \
//       -o endgame_probes && ./endgame_probes DIRECTORY
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <random>
#include <vector>

#include "games/chess.hpp"
#include "tables/files/table_set.hpp"

using namespace proofbase;

namespace {

constexpr std::size_t most = 1'000'000;

double seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;  // of this process: other work does not count
}

}  // namespace

int main(int, char** arguments) {
    const Chess game = Chess::from_parameters("");
    const TableSet<Chess> tables(game, arguments[1], game.classes(4));
    const std::vector<std::uint32_t> classes = tables.classes();
    std::uint64_t all = 0;
    for (const std::uint32_t c : classes) all += game.class_size(c);
    std::mt19937_64 random(1);
    std::vector<Chess::Position> positions;
    while (positions.size() < most) {
        std::uint64_t number = random() % all;
        std::size_t k = 0;
        while (number >= game.class_size(classes[k])) number -= game.class_size(classes[k++]);
        if (const auto p = game.table_position(classes[k], number)) positions.push_back(*p);
    }
    long sum = 0;
    for (const Chess::Position& p : positions) sum += *tables.value(p);
    for (int round = 0; round < 3; ++round) {
        double started = seconds();
        long again = 0;
        for (const Chess::Position& p : positions) again += *tables.value(p);
        const double apart = seconds() - started;
        if (again != sum) return 1;
        // Each probe waits for the one before: which position comes next depends on its value.
        started = seconds();
        std::size_t at = 0;
        long waited = 0;
        for (std::size_t i = 0; i < most; ++i) {
            waited = *tables.value(positions[at]);
            at = (at + 1 + static_cast<std::size_t>(waited == 2)) % most;
        }
        const double chained = seconds() - started;
        std::printf("%.0f ns a probe, %.0f ns where each waits for the one before (%zu tables, sum %ld)\n",
                    apart * 1e9 / most, chained * 1e9 / most, classes.size(), sum);
    }
    return 0;
}
