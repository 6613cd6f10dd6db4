// One of the searches by threats that work for a question, in a thread of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>

#include "search/run/resumable_thread.hpp"
#include "threats/openings/opening_search.hpp"

namespace proofbase {

template <class Attack>
struct ThreatThread {
    std::size_t number = 0;
    std::unique_ptr<OpeningSearch<Attack>> search;
    /// Of `search`, for other threads: as they were after its last step.
    std::atomic<std::uint64_t> work = 0;
    std::atomic<std::uint64_t> expansions = 0;
    std::atomic<std::uint64_t> positions = 0;
    std::exception_ptr error;  ///< what has ended the thread
    ResumableThread thread;    ///< the last member: it ends before what it uses

    void count() noexcept {
        work.store(search->quiet().evaluation().work(), std::memory_order_relaxed);
        expansions.store(search->quiet().expansions(), std::memory_order_relaxed);
        positions.store(search->quiet().nodes().size(), std::memory_order_relaxed);
    }
};

}  // namespace proofbase
