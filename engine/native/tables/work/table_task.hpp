// Long work on tables: progress that any thread may read, and cancellation.
#pragma once

#include <atomic>
#include <cstdint>

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

}  // namespace proofbase
