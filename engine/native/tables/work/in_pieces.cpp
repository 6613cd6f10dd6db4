#include "tables/work/in_pieces.hpp"

#include <algorithm>
#include <atomic>

#include "in_threads.hpp"

namespace proofbase {

void in_pieces(unsigned threads, std::uint64_t size, std::uint64_t piece, const TableTask& task,
               FunctionRef<void(unsigned, std::uint64_t, std::uint64_t)> work) {
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> failed{false};
    const auto needed = static_cast<unsigned>(std::min<std::uint64_t>(threads, (size + piece - 1) / piece));
    in_threads(std::max(needed, 1u), [&](unsigned number) {
        try {
            while (!failed.load(std::memory_order_relaxed)) {
                task.stop_if_cancelled();
                const std::uint64_t from = next.fetch_add(piece, std::memory_order_relaxed);
                if (from >= size) return;
                work(number, from, std::min(from + piece, size));
            }
        } catch (...) {
            failed = true;
            throw;
        }
    });
}

void in_pieces(unsigned threads, std::uint64_t size, std::uint64_t piece, const TableTask& task,
               FunctionRef<void(std::uint64_t, std::uint64_t)> work) {
    in_pieces(threads, size, piece, task, [&](unsigned, std::uint64_t from, std::uint64_t to) { work(from, to); });
}

}  // namespace proofbase
