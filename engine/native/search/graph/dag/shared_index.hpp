// A hash index that several threads read and fill: from the hash of a question to the number of the node that asks it.
// Open addressing with linear probing; a slot holds 32 bits of the hash and the node's number. The same bits choose the
// slot, so that a larger index is filled from the slots alone, in their order, and no node is read.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>

#include "search/graph/arena.hpp"

namespace proofbase {

class SharedIndex {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    /// `least`: nodes for which there is room.
    explicit SharedIndex(std::uint64_t least) : SharedIndex(std::bit_width(least * 3 / 2), 0) {}

    std::uint64_t bytes() const noexcept { return slots_.bytes(); }

    /// True if `nodes` entries would fill more than two thirds of the slots.
    bool full(std::uint64_t nodes) const noexcept { return nodes * 3 > capacity() * 2; }

    /// Doubles the capacity until `nodes` fit; no other thread may use the index meanwhile. False if `cancelled` was
    /// set; then the index is as before. Throws std::bad_alloc.
    bool enlarge(std::uint64_t nodes, const std::atomic<bool>& cancelled) {
        int bits = bits_;
        while (nodes * 3 > (std::uint64_t{2} << bits)) ++bits;
        if (bits > max_bits) throw std::bad_alloc();
        SharedIndex larger(bits, 0);
        for (std::uint64_t i = 0; i < capacity(); ++i) {
            // Asked every time: where the system is slow to give memory, the first touch of a page takes long.
            if (cancelled.load(std::memory_order_relaxed)) return false;
            const std::uint64_t slot = slots()[i];
            if (slot == 0) continue;
            std::uint64_t to = larger.first(slot);
            while (larger.slots()[to] != 0) to = larger.next(to);
            larger.slots()[to] = slot;
        }
        slots_ = std::move(larger.slots_);
        bits_ = bits;
        return true;
    }

    void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&slots()[first(hash)]); }

    /// The node with this hash for which same(node) is true, or none.
    template <class Same>
    std::uint32_t find(std::uint64_t hash, Same&& same) const {
        for (std::uint64_t i = first(hash);; i = next(i)) {
            const std::uint64_t slot = std::atomic_ref(slots()[i]).load(std::memory_order_acquire);
            if (slot == 0) return none;
            if (((slot ^ hash) & tag) == 0 && same(node_of(slot))) return node_of(slot);
        }
    }

    /// Fetches the nodes that find() compares into the cache.
    template <class Nodes>
    void prefetch_candidates(std::uint64_t hash, const Nodes& nodes) const {
        for (std::uint64_t i = first(hash);; i = next(i)) {
            const std::uint64_t slot = std::atomic_ref(slots()[i]).load(std::memory_order_acquire);
            if (slot == 0) return;
            if (((slot ^ hash) & tag) == 0) __builtin_prefetch(&nodes[node_of(slot)]);
        }
    }

    /// Adds a node, which other threads see from now on. Returns it, or the node that another thread has added for the
    /// same question meanwhile.
    template <class Same>
    std::uint32_t insert(std::uint64_t hash, std::uint32_t node, Same&& same) {
        const std::uint64_t mine = (hash & tag) | (std::uint64_t{node} + 1);
        for (std::uint64_t i = first(hash);; i = next(i)) {
            std::uint64_t slot = 0;
            if (std::atomic_ref(slots()[i])
                    .compare_exchange_strong(slot, mine, std::memory_order_acq_rel, std::memory_order_acquire)) {
                return node;
            }
            if (((slot ^ hash) & tag) == 0 && same(node_of(slot))) return node_of(slot);
        }
    }

  private:
    static constexpr std::uint64_t tag = 0xffffffff00000000ULL;
    static constexpr int max_bits = 32;

    SharedIndex(int bits, int) : bits_(bits), slots_(sizeof(std::uint64_t) << bits, sizeof(std::uint64_t) << bits) {}

    std::uint64_t capacity() const noexcept { return std::uint64_t{1} << bits_; }
    std::uint64_t first(std::uint64_t hash) const noexcept { return hash >> (64 - bits_); }
    std::uint64_t next(std::uint64_t slot) const noexcept { return (slot + 1) & (capacity() - 1); }
    static std::uint32_t node_of(std::uint64_t slot) noexcept { return static_cast<std::uint32_t>(slot) - 1; }
    std::uint64_t* slots() const noexcept { return static_cast<std::uint64_t*>(slots_.data()); }

    int bits_;
    Pages slots_;
};

}  // namespace proofbase
