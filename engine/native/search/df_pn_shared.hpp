// What the threads of one df-pn search share: the rules, the table, and where the others are.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "records/record_table.hpp"
#include "search/df_pn_table.hpp"
#include "search/leaf.hpp"
#include "search/move_order.hpp"
#include "search/numbers.hpp"

namespace proofbase {

/// How many threads are below a node, by its hash: only a hint where to search, so nodes may share a counter.
class DfPnCrowd {
  public:
    explicit DfPnCrowd(std::uint32_t threads) : counters_(threads > 1 ? count : 1), several_(threads > 1) {}

    bool several() const noexcept { return several_; }
    void enter(std::uint64_t hash) noexcept {
        if (several_) counters_[hash % count].fetch_add(1, std::memory_order_relaxed);
    }
    void leave(std::uint64_t hash) noexcept {
        if (several_) counters_[hash % count].fetch_sub(1, std::memory_order_relaxed);
    }

    /// Virtual numbers (Kaneko, "Parallel depth first proof number search", 2010): a node below which other threads
    /// are looks dearer than its disproof number says, so that the threads part where it costs little.
    std::uint32_t less_inviting(std::uint64_t hash, std::uint32_t disproof) const noexcept {
        const std::uint32_t others = counters_[hash % count].load(std::memory_order_relaxed);
        if (others == 0 || disproof == 0 || disproof == infinite) return disproof;
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(disproof + (std::uint64_t{disproof} + 1) * others, infinite - 1));
    }

  private:
    static constexpr std::size_t count = 1 << 14;
    std::vector<std::atomic<std::uint8_t>> counters_;
    bool several_;
};

template <Game G, class Initialisation>
struct DfPnShared {
    using Key = typename G::Key;
    using Words = typename DfPnKeys<Key>::Words;

    DfPnShared(const G& rules, const RecordTable<G>* records, MoveOrder moves, bool largest_only, std::uint32_t threads)
        : game(rules), valuation(game, records), order(moves), weak(largest_only), crowd(threads) {}

    G game;
    LeafValuation<G, Initialisation> valuation;
    MoveOrder order;
    bool weak;  ///< disproof numbers by the largest child, not by the sum
    DfPnTable<Key> table;
    DfPnKeys<Key> keys;
    DfPnCrowd crowd;
    std::atomic<bool> cancelled = false;
    std::atomic<bool> finished = false;  ///< the root is solved
};

}  // namespace proofbase
