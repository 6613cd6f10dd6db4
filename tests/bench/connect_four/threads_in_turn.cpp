// How many nodes the threads of a null-window search of connect-four take in all, told on a machine of any load: the
// workers of all threads take turns in one thread, in slices of random length. Half of the nodes of two workers is the
// least time that two processors need.
//
//   g++ -std=c++20 -O3 -march=native -I engine/native tests/bench/connect_four/threads_in_turn.cpp
//       engine/native/search/names/algorithm_*.cpp -o threads_in_turn        (one line)
//   ./threads_in_turn WIDTH HEIGHT THREADS SEED       asks "value >= 1?" of the empty board, with a table of 1 GiB
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "games/connect_four.hpp"
#include "search/families/null_window.hpp"
#include "search/names/algorithm_name.hpp"

namespace {

using namespace proofbase;
using Parts = NullWindowParts<ConnectFour>;

constexpr std::uint64_t longest_slice = 16;  // nodes

void search_in_turn(int width, int height, std::uint32_t threads, std::uint64_t seed) {
    const ConnectFour game(width, height);
    const ConnectFour::Position root = game.initial();
    const Algorithm algorithm = read_algorithm("null-window", features_of(game));
    const std::atomic<bool> cancelled = false;
    Parts::Shared shared({game, root, 1, nullptr, algorithm, MoveOrder()}, threads, cancelled);
    shared.table = {std::uint64_t{1} << 30, game.key_size(), game.highest_value(), threads > 1};
    std::vector<std::unique_ptr<Parts::Worker>> workers;
    for (std::uint32_t i = 0; i < threads; ++i) {
        workers.push_back(std::make_unique<Parts::Worker>(shared));
        workers.back()->start(root, 1);
    }
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> looked_at(threads);  // nodes at the last look at what other workers have settled
    const Parts::Worker* answered = nullptr;
    while (answered == nullptr) {
        for (std::uint32_t i = 0; i < threads && answered == nullptr; ++i) {
            Parts::Worker& worker = *workers[i];
            if (threads > 1 && worker.nodes() - looked_at[i] >= Parts::nodes_between_looks) {
                worker.leave_node_settled_by_others();
                looked_at[i] = worker.nodes();
            }
            worker.search(1 + random() % longest_slice);
            if (worker.done()) answered = &worker;
        }
    }
    std::uint64_t nodes = 0;
    for (const auto& worker : workers) nodes += worker->nodes();
    std::printf("%dx%d, at least 1? %s: %u threads, %llu nodes\n", width, height,
                answered->value() >= 1 ? "proved" : "disproved", threads, static_cast<unsigned long long>(nodes));
    for (const auto& worker : workers) worker->clear_stack();
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 5) {
        std::fprintf(stderr, "usage: threads_in_turn WIDTH HEIGHT THREADS SEED\n");
        return 2;
    }
    search_in_turn(std::atoi(arguments[1]), std::atoi(arguments[2]),
                   static_cast<std::uint32_t>(std::atoi(arguments[3])), std::strtoull(arguments[4], nullptr, 10));
}
