// What null-window search consists of in games with cycles.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "concepts.hpp"
#include "records/small_search_claims.hpp"
#include "search/api/search.hpp"
#include "search/null_window/depth_limited/depth_limited_checkpoint.hpp"
#include "search/null_window/depth_limited/depth_limited_entry.hpp"
#include "search/null_window/depth_limited/depth_limited_solution_graph.hpp"
#include "search/null_window/depth_limited/depth_limited_worker.hpp"
#include "search/solution/cyclic_solution.hpp"

namespace proofbase {

/// Takes the solution out of the table. The claims are those that CyclicSolution finds to support each other.
template <Game G, class Sink>
class DepthLimitedSolution {
  public:
    using Worker = DepthLimitedWorker<G>;
    using Shared = typename Worker::Shared;
    using Position = typename G::Position;

    /// `small_search_nodes`: visits of a small search, 0 for none.
    DepthLimitedSolution(Shared& shared, std::uint32_t small_search_nodes, Sink sink)
        : shared_(shared), sink_(std::forward<Sink>(sink)), small_searches_(shared.game, small_search_nodes) {}

    /// Emits the claims that the answer to "value(position) >= bound?" rests on. The caller holds the mutex of the
    /// stored records. Throws Cancelled.
    void emit(const Position& position, int bound, bool proved) {
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            DepthLimitedSolutionGraph<G> graph(shared_, attempt > 0);
            graph.collect(position, bound, proved);
            CyclicSolution<G, DepthLimitedSolutionGraph<G>, Sink> solution(shared_.game, graph, shared_.records,
                                                                           small_searches_, sink_, shared_.cancelled);
            if (solution.supports(graph.root())) return solution.emit_below(graph.root());
            if (attempt > 0) search_again_with_table(2 * shared_.table.max_bytes(), position, bound);
        }
        throw std::logic_error("null-window: the answers that were found do not support each other");
    }

  private:
    static constexpr int most_attempts = 12;
    static constexpr std::uint64_t nodes_between_checks = Unproven<G> ? 64 : 4096;  // for cancel()

    /// Progress claims rest on each other in a circle, since the table has lost entries. A larger one loses fewer.
    void search_again_with_table(std::uint64_t bytes, const Position& position, int bound) {
        shared_.table = {bytes, shared_.game.key_size(), shared_.game.highest_value(), false};
        Worker worker(shared_);
        worker.start(position, bound);
        while (!worker.done()) {
            if (shared_.cancelled.load(std::memory_order_relaxed)) throw Cancelled();
            worker.search(nodes_between_checks);
        }
    }

    Shared& shared_;
    Sink sink_;
    SmallSearchClaims<G> small_searches_;
};

/// Games of which some have cycles. Whether this one has, it says at run time.
template <class G>
concept MayHaveCycles = requires(const G& game, const typename G::Position& position) { game.repetition(position); };

template <Game G>
struct DepthLimitedParts {
    /// Of a thread, between two looks at what the other threads have settled on its path.
    static constexpr std::uint64_t nodes_between_looks = 1024;

    using Worker = DepthLimitedWorker<G>;
    using Shared = typename Worker::Shared;
    using Entry = DepthLimitedEntry;
    template <class Sink>
    using Solution = DepthLimitedSolution<G, Sink>;
};

}  // namespace proofbase
