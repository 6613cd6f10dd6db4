// How much sooner two threads answer a question about connect-four than one, by the clock, and how long a cache line
// takes from one processor to the other at that time. Processors that share no cache pass lines slowly, and a virtual
// machine's processors may move: so the latency is measured again before each run.
//
//   g++ -std=c++20 -O3 -march=native -I engine/native tests/bench/connect_four/two_threads.cpp
//       engine/native/errors.cpp $(find engine/native/records -name "*.cpp")
//       engine/native/search/{algorithms,policy,run}/*.cpp -o two_threads -lpthread    (one line)
//   ./two_threads WIDTH HEIGHT ROUNDS       asks "value >= 1?" of the empty board, with a table of 1 GiB
//
// Nothing else should run on the machine. Ends with status 1 if the answers differ.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "games/connect_four.hpp"
#include "search/algorithms/algorithm_name.hpp"
#include "search/families/null_window.hpp"

namespace {

using namespace proofbase;
using Worker = NullWindowWorker<ConnectFour>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Nanoseconds that a cache line takes from one thread to another.
double line_latency() {
    constexpr int rounds = 200'000;
    struct alignas(128) {
        std::atomic<int> turn = 0;
    } line;
    std::thread other([&] {
        for (int i = 0; i < rounds; ++i) {
            while (line.turn.load(std::memory_order_acquire) != 2 * i + 1) continue;
            line.turn.store(2 * i + 2, std::memory_order_release);
        }
    });
    const auto start = Clock::now();
    for (int i = 0; i < rounds; ++i) {
        line.turn.store(2 * i + 1, std::memory_order_release);
        while (line.turn.load(std::memory_order_acquire) != 2 * i + 2) continue;
    }
    other.join();
    return seconds_since(start) * 1e9 / (2 * rounds);
}

struct Run {
    double seconds;
    std::uint64_t nodes;
    bool proved;
};

Run search(int width, int height, std::uint32_t threads) {
    const ConnectFour game(width, height);
    const ConnectFour::Position root = game.initial();
    const Algorithm algorithm = read_algorithm("null-window", features_of(game));
    const std::atomic<bool> cancelled = false;
    Worker::Shared shared({game, root, 1, nullptr, algorithm, MoveOrder()}, threads, cancelled);
    shared.table = {std::uint64_t{1} << 30, game.key_size(), game.highest_value(), threads > 1};
    std::vector<std::unique_ptr<Worker>> workers;
    for (std::uint32_t i = 0; i < threads; ++i) {
        workers.push_back(std::make_unique<Worker>(shared));
        workers.back()->start(root, 1);
    }
    std::atomic<bool> answered = false;
    const auto work = [&](Worker& worker) {
        while (!answered) {
            if (threads > 1) worker.leave_node_settled_by_others();
            worker.search(NullWindowSearch<ConnectFour>::nodes_between_looks);
            if (worker.done()) answered = true;
        }
    };
    const auto start = Clock::now();
    std::vector<std::thread> others;
    for (std::uint32_t i = 1; i < threads; ++i) others.emplace_back(work, std::ref(*workers[i]));
    work(*workers[0]);
    for (std::thread& other : others) other.join();
    Run run{seconds_since(start), 0, false};
    for (const auto& worker : workers) {
        run.nodes += worker->nodes();
        if (worker->done()) run.proved = worker->value() >= 1;
        worker->clear_stack();
    }
    return run;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) {
        std::fprintf(stderr, "usage: two_threads WIDTH HEIGHT ROUNDS\n");
        return 2;
    }
    const int width = std::atoi(arguments[1]);
    const int height = std::atoi(arguments[2]);
    for (int round = std::atoi(arguments[3]); round > 0; --round) {
        const Run one = search(width, height, 1);
        const double before = line_latency();
        const Run two = search(width, height, 2);
        const double after = line_latency();
        if (one.proved != two.proved) {
            std::fprintf(stderr, "the answers differ\n");
            return 1;
        }
        std::printf(
            "%dx%d, at least 1? %s: one thread %.2f s, two %.2f s, %.2f times as fast; %.1f and %.1f million "
            "nodes; a line takes %.0f ns before and %.0f ns after\n",
            width, height, one.proved ? "proved" : "disproved", one.seconds, two.seconds, one.seconds / two.seconds,
            static_cast<double>(one.nodes) / 1e6, static_cast<double>(two.nodes) / 1e6, before, after);
        std::fflush(stdout);
    }
}
