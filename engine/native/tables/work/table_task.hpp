// Long work on tables: progress that any thread may read, cancellation, and loops shared out among threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "function_ref.hpp"

namespace proofbase {

/// Thrown inside the work when it is cancelled.
struct TableWorkCancelled {};

/// The progress of a build or a verification.
struct TableTask {
    enum class Phase : std::uint8_t { waiting, preparing, solving, writing, checking, ranking, confirming };

    std::atomic<std::uint32_t> table_class{0};
    std::atomic<Phase> phase{Phase::waiting};
    std::atomic<int> threshold{0};         ///< phase solving: the value whose positions are being found
    std::atomic<std::uint64_t> done{0};    ///< positions of this class that are finished in this phase
    std::atomic<std::uint64_t> size{0};    ///< positions of this class
    std::atomic<std::uint64_t> before{0};  ///< positions of classes that are finished
    std::atomic<std::uint64_t> total{0};   ///< positions of all classes asked for
    std::atomic<bool> cancelled{false};

    void begin(Phase next) {
        done = 0;
        phase = next;
    }

    /// Throws TableWorkCancelled.
    void stop_if_cancelled() const {
        if (cancelled.load(std::memory_order_relaxed)) throw TableWorkCancelled();
    }
};

/// How a class is built.
struct BuildOptions {
    unsigned threads = 1;
    std::chrono::milliseconds checkpoint_every{60'000};  ///< at most this often, and for an eighth of the time at most
};

/// What a build is given.
struct BuildLimits {
    std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();  ///< bytes
    /// Positions: no part is longer, and each class is built in parts. Without a value that depends on the memory.
    std::optional<std::uint64_t> longest_part = std::nullopt;
};

/// What building a class takes, at most; for a class that is built as a whole the lists of a thread, some megabytes,
/// come on top.
struct BuildNeeds {
    std::uint64_t memory = 0;        ///< bytes: its states, and the tables that it reads
    std::uint64_t least_memory = 0;  ///< bytes with which it can be built; in parts if that is less than all it needs
    std::uint64_t parts = 0;         ///< it is built in so many parts; 0: as a whole
    std::uint64_t file = 0;          ///< bytes of its table, in the plain form
    std::uint64_t checkpoint = 0;    ///< bytes of its checkpoint, on the disk while it is built
};

/// Runs `work(number)` in `threads` threads, the calling thread included, and waits for all of them. The first
/// exception is thrown again.
void in_threads(unsigned threads, FunctionRef<void(unsigned)> work);

/// Calls `work(from, to)`, or `work(number of the thread, from, to)`, for pieces of [0, size), in any order, in
/// `threads` threads. Throws TableWorkCancelled.
void in_pieces(unsigned threads, std::uint64_t size, std::uint64_t piece, const TableTask& task,
               FunctionRef<void(unsigned, std::uint64_t, std::uint64_t)> work);
void in_pieces(unsigned threads, std::uint64_t size, std::uint64_t piece, const TableTask& task,
               FunctionRef<void(std::uint64_t, std::uint64_t)> work);

}  // namespace proofbase
