// A hash index of a graph: from the hash of a question to the numbers of nodes that may ask it. Open addressing with
// linear probing. A slot has 32 bits: the node's number, and as many bits of the hash as there is room for beside it.
// So most candidates are the node that is looked for, and the caller compares exact keys.
//
// The slots are ordered by hash, so any capacity will do. The index grows in place: it is emptied and filled again from
// the nodes, and never takes twice its memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "search/graph/pages.hpp"

namespace proofbase {

class NodeIndex {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    /// `dense`: most slots are in use, and the index grows in small steps. That takes half the memory, and more time.
    explicit NodeIndex(bool dense = false) noexcept : dense_(dense) {}
    /// So many slots at most. To be called before the first entry is inserted.
    void limit_slots(std::uint64_t most) noexcept { most_slots_ = most; }

    NodeIndex(NodeIndex&&) noexcept = default;
    NodeIndex& operator=(NodeIndex&&) = delete;
    ~NodeIndex() { slots_.leave(bytes()); }

    std::uint64_t bytes() const noexcept { return capacity_ * sizeof(std::uint32_t); }

    /// True if `nodes` entries would fill too many of the slots: more than two thirds, or six of seven if dense.
    bool full(std::uint64_t nodes) const noexcept { return nodes > most_nodes_; }

    /// Makes room for `nodes` entries, and inserts those of the nodes 0..count-1 for which in_use(n) is true anew;
    /// hash(n) is the hash of node n. Throws std::bad_alloc; then nothing has changed.
    /// That takes seconds for 100 million nodes, so `cancelled` breaks the call off. The result is then false, the
    /// index counts as full and must not be used, and the next call goes on where this one ended.
    template <class Hash, class InUse>
    bool enlarge(std::uint64_t nodes, std::uint32_t count, const std::atomic<bool>& cancelled, Hash&& hash,
                 InUse&& in_use) {
        if (!being_filled_) begin_to_fill(nodes);
        constexpr std::uint64_t cleared_at_once = std::uint64_t{1} << 18;
        for (; cleared_ < slots_in_use_; cleared_ = std::min(cleared_ + cleared_at_once, slots_in_use_)) {
            if (cancelled.load(std::memory_order_relaxed)) return false;
            const std::uint64_t size = std::min(cleared_at_once, slots_in_use_ - cleared_);
            std::memset(slots() + cleared_, 0, size * sizeof(std::uint32_t));
        }
        constexpr std::uint32_t ahead = 16;
        std::uint64_t hashes[ahead];
        while (inserted_ < count) {
            const std::uint32_t start = inserted_;
            const std::uint32_t end = count - start < ahead ? count : start + ahead;
            for (std::uint32_t n = start; n < end; ++n) {
                if (in_use(n)) prefetch(hashes[n - start] = hash(n));
            }
            for (; inserted_ < end; ++inserted_) {
                // Asked every time: where the system is slow to give memory, the first touch of a page takes long.
                if (cancelled.load(std::memory_order_relaxed)) return false;
                if (in_use(inserted_)) insert(hashes[inserted_ - start], inserted_);
            }
        }
        slots_in_use_ = capacity_;
        most_nodes_ = most_nodes_for(capacity_);
        being_filled_ = false;
        return true;
    }

    template <class Hash>
    bool enlarge(std::uint64_t nodes, std::uint32_t count, const std::atomic<bool>& cancelled, Hash&& hash) {
        return enlarge(nodes, count, cancelled, std::forward<Hash>(hash), [](std::uint32_t) { return true; });
    }

    void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(slots() + slot_of(hash)); }

    void insert(std::uint64_t hash, std::uint32_t node) noexcept {
        std::uint64_t i = slot_of(hash);
        while (slots()[i] != 0) i = after(i);
        slots()[i] = (tag_of(hash) & tag_mask_) | (node + 1);
    }

    /// Takes out a node that was inserted with this hash; hash_of(n) is the hash of any other node.
    template <class Hash>
    void erase(std::uint64_t hash, std::uint32_t node, Hash&& hash_of) noexcept {
        const auto node_at = [&](std::uint64_t i) { return (slots()[i] & ~tag_mask_) - 1; };
        const auto distance = [&](std::uint64_t from, std::uint64_t to) {
            return to >= from ? to - from : to + capacity_ - from;
        };
        std::uint64_t gap = slot_of(hash);
        while (node_at(gap) != node) gap = after(gap);
        // Entries behind the gap move into it unless they would stand before the slot of their hash.
        for (std::uint64_t i = after(gap); slots()[i] != 0; i = after(i)) {
            if (distance(slot_of(hash_of(node_at(i))), i) < distance(gap, i)) continue;
            slots()[gap] = slots()[i];
            gap = i;
        }
        slots()[gap] = 0;
    }

    template <class Visit>
    void for_each_candidate(std::uint64_t hash, Visit&& visit) const {
        for (std::uint64_t i = slot_of(hash); slots()[i] != 0; i = after(i)) {
            if (((slots()[i] ^ tag_of(hash)) & tag_mask_) == 0) visit((slots()[i] & ~tag_mask_) - 1);
        }
    }

  private:
    std::uint32_t* slots() const noexcept { return static_cast<std::uint32_t*>(slots_.data()); }
    std::uint64_t slot_of(std::uint64_t hash) const noexcept { return (hash & 0xffffffff) * capacity_ >> 32; }
    std::uint64_t after(std::uint64_t slot) const noexcept { return slot + 1 == capacity_ ? 0 : slot + 1; }
    static std::uint32_t tag_of(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash >> 32); }

    std::uint64_t most_nodes_for(std::uint64_t capacity) const noexcept {
        return dense_ ? capacity / 7 * 6 : capacity * 2 / 3;
    }

    void begin_to_fill(std::uint64_t nodes) {
        std::uint64_t capacity = capacity_ == 0 ? 1024 : capacity_;
        while (nodes > most_nodes_for(capacity)) capacity = dense_ ? capacity + capacity / 4 : capacity * 2;
        if (slots_.data() == nullptr) {
            slots_ = Pages(most_slots_ * sizeof(std::uint32_t), capacity * sizeof(std::uint32_t));
        }
        if (capacity > most_slots_ || capacity * sizeof(std::uint32_t) > slots_.bytes()) throw std::bad_alloc();
        capacity_ = capacity;
        tag_mask_ = static_cast<std::uint32_t>(~std::uint64_t{0} << std::bit_width(most_nodes_for(capacity) + 1));
        most_nodes_ = cleared_ = 0;
        inserted_ = 0;
        being_filled_ = true;
    }

    bool dense_;
    Pages slots_;
    std::uint64_t most_slots_ = std::uint64_t{1} << 32;
    std::uint64_t capacity_ = 0;
    std::uint64_t most_nodes_ = 0;
    std::uint32_t tag_mask_ = 0;  ///< the bits of a slot that are bits of the hash
    // While the index is being filled:
    bool being_filled_ = false;
    std::uint64_t slots_in_use_ = 0;  ///< the slots before it was enlarged, which have to be cleared
    std::uint64_t cleared_ = 0;       ///< so many are
    std::uint32_t inserted_ = 0;      ///< nodes that are in the index again
};

}  // namespace proofbase
