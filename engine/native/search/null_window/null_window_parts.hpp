// What null-window search consists of in games without cycles.
#pragma once

#include "concepts.hpp"
#include "search/null_window/null_window_entry.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/null_window_solution.hpp"
#include "search/null_window/null_window_worker.hpp"

namespace proofbase {

template <Game G>
struct NullWindowParts {
    using Shared = NullWindowShared<G>;
    using Worker = NullWindowWorker<G>;
    using Entry = NullWindowEntry;
    template <class Sink>
    using Solution = NullWindowSolution<G, Sink>;
};

}  // namespace proofbase
