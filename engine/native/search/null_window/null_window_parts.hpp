// What null-window search consists of in games without cycles.
#pragma once

#include <cstdint>

#include "concepts.hpp"
#include "search/null_window/null_window_entry.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/null_window_solution.hpp"
#include "search/null_window/null_window_worker.hpp"

namespace proofbase {

template <Game G>
struct NullWindowParts {
    /// Of a thread, between two looks at what the other threads have settled on its path.
    static constexpr std::uint64_t nodes_between_looks = 128;

    using Shared = NullWindowShared<G>;
    using Worker = NullWindowWorker<G>;
    using Entry = NullWindowEntry;
    template <class Sink>
    using Solution = NullWindowSolution<G, Sink>;
};

}  // namespace proofbase
