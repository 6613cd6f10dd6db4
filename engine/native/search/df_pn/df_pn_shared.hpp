// What the threads of one df-pn search share: the rules, the table, and where the others are.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "concepts.hpp"
#include "records/record_table.hpp"
#include "search/api/search_request.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// How many threads are below a node, by its hash: only a hint where to search, so nodes may share a counter. Nodes
/// that took little work are not counted: what every expansion wrote, the other threads would wait for at every
/// expansion.
class DfPnCrowd {
  public:
    static constexpr std::uint64_t least_work = 16;  ///< expansions

    explicit DfPnCrowd(std::uint32_t threads) : counters_(threads > 1 ? count : 1), threads_(threads) {}

    bool several() const noexcept { return threads_ > 1; }
    std::uint32_t threads() const noexcept { return threads_; }
    void enter(std::uint64_t hash) noexcept { counters_[hash % count].fetch_add(1, std::memory_order_relaxed); }
    void leave(std::uint64_t hash) noexcept { counters_[hash % count].fetch_sub(1, std::memory_order_relaxed); }

    /// Virtual numbers (Kaneko, "Parallel depth first proof number search", 2010): a node below which other threads
    /// are looks dearer than its disproof number says, so that the threads part where it costs little.
    template <class Child>
    std::uint32_t less_inviting(const Child& child) const noexcept {
        const std::uint32_t disproof = child.numbers.disproof;
        if (child.rank < least_work || child.numbers.solved()) return disproof;
        const std::uint32_t others = counters_[child.hash % count].load(std::memory_order_relaxed);
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(disproof + (std::uint64_t{disproof} + 1) * others, infinite - 1));
    }

  private:
    static constexpr std::size_t count = 1 << 14;
    std::vector<std::atomic<std::uint8_t>> counters_;
    std::uint32_t threads_;
};

template <Game G>
struct DfPnShared {
    using Key = typename G::Key;
    using Words = typename DfPnKeys<Key>::Words;

    DfPnShared(const SearchRequest<G>& request, bool largest_only, std::uint32_t threads)
        : game(request.game),
          evaluator(game, request.known, request.algorithm.initialisation()),
          known(request.known),
          order(request.order),
          weak(largest_only),
          crowd(threads) {}

    /// The first look at a position: what the rules, the tables of values or the initialisation say of it. It needs no
    /// key.
    Leaf look(const typename G::Position& position, int bound) const {
        if (const std::optional<Leaf> leaf = leaf_by_rules_or_table(game, known, position, bound)) return *leaf;
        return evaluator.unsettled(position, bound, 0);
    }

    /// What a record says, if it settles the question.
    std::optional<Leaf> recorded(const Words& key, int bound) const {
        if (known == nullptr) return std::nullopt;
        return leaf_by_record(*known, keys.key(key), bound);
    }

    G game;
    LeafEvaluator<G> evaluator;
    const RecordTable<G>* known;  ///< may be null
    MoveOrder order;
    bool weak;  ///< disproof numbers by the largest child, not by the sum
    DfPnTable<Key> table;
    DfPnKeys<Key> keys;
    DfPnCrowd crowd;
    std::atomic<bool> cancelled = false;
    std::atomic<bool> finished = false;  ///< the root is solved
};

}  // namespace proofbase
