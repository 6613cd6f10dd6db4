// What the threads of one search over moves without a threat have in common: the nodes, what has won lately, and the
// node that all of them are proving.
//
// One lock guards it. A thread gives the lock up while it searches by threats (`Unlocked` of guards.hpp), which is
// where nearly all of its time goes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "threats/board/threat_concepts.hpp"
#include "threats/quiet/move_history.hpp"
#include "threats/quiet/quiet_node.hpp"
#include "threats/quiet/quiet_settings.hpp"

namespace proofbase {

/// How a position differs from one that may have been proved before, and whose proof is a plan for it: a stone of the
/// defender that is taken away, and one that is added instead.
struct Analogy {
    static constexpr int nothing = -1;
    int removed = nothing;
    int added = nothing;
};

template <QuietThreatBoard Attack>
struct SharedSearch {
    SharedSearch(const Attack& attack, const QuietSettings& given) : settings(given), nodes(attack) {}

    QuietSettings settings;
    QuietNodes<Attack> nodes;
    MoveHistory history;

    /// Guards all but the counters while a node is proved. Between such times helpers look at `root` and `task` only.
    std::mutex mutex;
    std::condition_variable changed;  ///< of `task`, of `helpers`, or of a node that was being evaluated

    /// The node that is being proved; null: none is.
    QuietNode<Attack>* root = nullptr;
    std::uint64_t task = 0;  ///< its number
    std::uint64_t end = 0;   ///< of `work`, for this node
    std::vector<Analogy> analogies;
    std::size_t helpers = 0;  ///< threads that search it besides the one that was asked

    // Sums over all threads, read without the lock.
    std::atomic<std::uint64_t> work = 0;  ///< positions that searches by threats looked at
    std::atomic<std::uint64_t> searches = 0;
    std::atomic<std::uint64_t> expansions = 0;
};

}  // namespace proofbase
