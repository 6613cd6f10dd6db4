// The solution of a question that null-window search has answered: as many threads as the search had walk down from the
// position (null_window_walk.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "concepts.hpp"
#include "search/null_window/null_window_solution_state.hpp"
#include "search/null_window/null_window_walk.hpp"

namespace proofbase {

template <Game G, class Sink>
class NullWindowSolution {
  public:
    using Shared = NullWindowShared<G>;
    using Position = typename G::Position;

    /// `small_search_nodes`: visits of a small search, 0 for none.
    NullWindowSolution(Shared& shared, std::uint32_t small_search_nodes, Sink sink)
        : state_(shared, small_search_nodes, sink), walks_(shared.marks.threads()) {}

    /// Emits the claims that the answer to "value(position) >= bound?" rests on, from one thread at a time. The caller
    /// holds the mutex of the stored records. Throws Cancelled.
    void emit(const Position& position, int bound, bool proved) {
        state_.threads.run([&] { walk(0).begin(position, bound, proved); },
                           [&](std::size_t thread) { walk(thread).go_on(state_.given[thread]); });
        state_.emit_waiting();
    }

  private:
    NullWindowWalk<G>& walk(std::size_t thread) {
        auto& walk = walks_[thread];
        if (!walk) walk = std::make_unique<NullWindowWalk<G>>(state_);
        return *walk;
    }

    NullWindowSolutionState<G> state_;
    std::vector<std::unique_ptr<NullWindowWalk<G>>> walks_;  ///< by thread
};

}  // namespace proofbase
