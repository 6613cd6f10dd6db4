// A hash index of a graph: from the hash of a question to the numbers of nodes that may ask it. Open addressing with
// linear probing; a slot holds 32 bits of the hash and the node's number. So nearly every candidate is the node that is
// looked for, and the caller compares exact keys.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "search/graph/arena.hpp"

namespace proofbase {

class NodeIndex {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    std::uint64_t bytes() const noexcept { return slots_.bytes() + (grown_ ? grown_->bytes() : 0); }

    /// True if `nodes` entries would fill more than two thirds of the slots.
    bool full(std::uint64_t nodes) const noexcept { return nodes * 3 > capacity_ * 2; }

    /// Doubles the capacity until `nodes` fit, and inserts those of the nodes 0..count-1 for which in_use(n) is true
    /// anew; hash(n) is the hash of node n.
    /// That takes seconds for 100 million nodes, so `cancelled` breaks the call off. The result is then false, the
    /// index is as before, and the next call with the same numbers goes on where the first call ended.
    template <class Hash, class InUse>
    bool enlarge(std::uint64_t nodes, std::uint32_t count, const std::atomic<bool>& cancelled, Hash&& hash,
                 InUse&& in_use) {
        if (grown_ == nullptr) {
            auto grown = std::make_unique<NodeIndex>();
            grown->capacity_ = capacity_ == 0 ? 1024 : capacity_;
            while (grown->full(nodes)) grown->capacity_ *= 2;
            grown->slots_ = Pages(grown->capacity_ * sizeof(std::uint64_t), grown->capacity_ * sizeof(std::uint64_t));
            grown_ = std::move(grown);
            inserted_ = 0;
        }
        constexpr std::uint32_t ahead = 16;
        std::uint64_t hashes[ahead];
        while (inserted_ < count) {
            const std::uint32_t start = inserted_;
            const std::uint32_t end = count - start < ahead ? count : start + ahead;
            for (std::uint32_t n = start; n < end; ++n) {
                if (in_use(n)) grown_->prefetch(hashes[n - start] = hash(n));
            }
            for (; inserted_ < end; ++inserted_) {
                // Asked every time: where the system is slow to give memory, the first touch of a page takes long.
                if (cancelled.load(std::memory_order_relaxed)) return false;
                if (in_use(inserted_)) grown_->insert(hashes[inserted_ - start], inserted_);
            }
        }
        slots_ = std::move(grown_->slots_);
        capacity_ = grown_->capacity_;
        grown_.reset();
        return true;
    }

    void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&slots()[hash & (capacity_ - 1)]); }

    template <class Hash>
    bool enlarge(std::uint64_t nodes, std::uint32_t count, const std::atomic<bool>& cancelled, Hash&& hash) {
        return enlarge(nodes, count, cancelled, std::forward<Hash>(hash), [](std::uint32_t) { return true; });
    }

    void insert(std::uint64_t hash, std::uint32_t node) noexcept {
        std::uint64_t i = hash & (capacity_ - 1);
        while (slots()[i] != 0) i = (i + 1) & (capacity_ - 1);
        slots()[i] = (hash & tag) | (std::uint64_t{node} + 1);
    }

    /// Takes out a node that was inserted with this hash; hash_of(n) is the hash of any other node.
    template <class Hash>
    void erase(std::uint64_t hash, std::uint32_t node, Hash&& hash_of) noexcept {
        const std::uint64_t mask = capacity_ - 1;
        const auto node_at = [&](std::uint64_t i) { return static_cast<std::uint32_t>(slots()[i]) - 1; };
        std::uint64_t gap = hash & mask;
        while (node_at(gap) != node) gap = (gap + 1) & mask;
        // Entries behind the gap move into it unless they would stand before the slot of their hash.
        for (std::uint64_t i = (gap + 1) & mask; slots()[i] != 0; i = (i + 1) & mask) {
            const std::uint64_t wanted = hash_of(node_at(i)) & mask;
            if (((i - wanted) & mask) < ((i - gap) & mask)) continue;
            slots()[gap] = slots()[i];
            gap = i;
        }
        slots()[gap] = 0;
    }

    template <class Visit>
    void for_each_candidate(std::uint64_t hash, Visit&& visit) const {
        for (std::uint64_t i = hash & (capacity_ - 1); slots()[i] != 0; i = (i + 1) & (capacity_ - 1)) {
            if (((slots()[i] ^ hash) & tag) == 0) visit(static_cast<std::uint32_t>(slots()[i]) - 1);
        }
    }

  private:
    static constexpr std::uint64_t tag = 0xffffffff00000000ULL;

    std::uint64_t* slots() const noexcept { return static_cast<std::uint64_t*>(slots_.data()); }

    Pages slots_;
    std::uint64_t capacity_ = 0;        ///< a power of two
    std::unique_ptr<NodeIndex> grown_;  ///< the larger index while it is being filled
    std::uint32_t inserted_ = 0;        ///< nodes that are in the larger index
};

}  // namespace proofbase
