// What the walks share that take one solution of null-window search out (null_window_walk.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "function_ref.hpp"
#include "records/claims/claim.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/null_window_visited.hpp"
#include "search/solution/solution_threads.hpp"

namespace proofbase {

/// "Is the value of the position at least the bound?", with the answer, and the move that led there.
template <Game G>
struct NullWindowQuestion {
    static constexpr std::uint32_t unknown_effort = 0xffffffff;

    typename G::Position position;
    int bound;
    bool proved;
    typename G::Move move;
    std::uint32_t effort = unknown_effort;  ///< of a move that reaches the bound
};

template <Game G>
struct NullWindowSolutionState {
    using Shared = NullWindowShared<G>;
    using Key = typename G::Key;
    /// A question for a thread that waits, and how many plies it is from the root.
    struct Given {
        NullWindowQuestion<G> question;
        std::size_t ply;
    };

    NullWindowSolutionState(Shared& search, std::uint32_t small_search_nodes,
                            FunctionRef<void(const Key&, const Claim&)> sink)
        : search(search),
          small_search_nodes(small_search_nodes),
          sink(sink),
          threads(search.marks.threads()),
          visited(threads.parallel(), search.cancelled),
          given(search.marks.threads()) {}

    void emit(const Key& key, const Claim& claim) {
        const auto lock = threads.parallel() ? std::unique_lock(mutex) : std::unique_lock<std::mutex>();
        sink(key, claim);
    }

    /// A claim whose rank has to be larger than those of claims that other threads make.
    void put_off(WaitingRank rank, const Key& key, Claim claim) {
        const std::scoped_lock lock(mutex);
        waiting.push_back(std::move(rank));
        waiting_claims.emplace_back(key, std::move(claim));
    }

    /// Emits the claims that were put off, when all walks have ended.
    [[gnu::cold]] void emit_waiting() {
        for (const std::size_t i : in_order_of_need(waiting)) {
            auto& [key, claim] = waiting_claims[i];
            for (const std::uint32_t needed : waiting[i].needed) {
                claim.rank = std::max(claim.rank, visited.rank(needed) + 1);
            }
            visited.finish(waiting[i].number, claim.rank);
            sink(key, claim);
        }
    }

    Shared& search;
    std::uint32_t small_search_nodes;
    FunctionRef<void(const Key&, const Claim&)> sink;
    SolutionThreads threads;
    NullWindowVisited<typename Shared::Identity> visited;
    std::vector<Given> given;          ///< by thread
    std::uint32_t plies_to_limit = 0;  ///< from the root
    std::mutex mutex;                  ///< of the sink, and of what waits
    std::vector<WaitingRank> waiting;
    std::vector<std::pair<Key, Claim>> waiting_claims;
};

}  // namespace proofbase
