// The index of a node graph: from the hash of a question to the numbers of nodes that may have it. Open addressing with
// linear probing; a slot holds 32 bits of the hash and the node's number, so that nearly every candidate is the
// node that is looked for, and the caller compares exact keys.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "keys.hpp"
#include "search/api/any_search.hpp"
#include "search/graph/arena.hpp"
#include "search/graph/key_pool.hpp"

namespace proofbase {

class NodeIndex {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    std::uint64_t bytes() const noexcept { return slots_.bytes() + (grown_ ? grown_->bytes() : 0); }

    /// True if `nodes` entries would fill more than two thirds of the slots.
    bool full(std::uint64_t nodes) const noexcept { return nodes * 3 > capacity_ * 2; }

    /// Doubles the capacity until `nodes` fit, and enters the nodes 0..count-1 anew; hash(n) is the hash of node n.
    /// That takes seconds for 100 million nodes, so `cancelled` breaks it off: then false, the index is as before, and
    /// the next call with the same numbers goes on where this one ended.
    template <class Hash>
    bool grow(std::uint64_t nodes, std::uint32_t count, const std::atomic<bool>& cancelled, Hash&& hash) {
        if (grown_ == nullptr) {
            auto grown = std::make_unique<NodeIndex>();
            grown->capacity_ = capacity_ == 0 ? 1024 : capacity_;
            while (grown->full(nodes)) grown->capacity_ *= 2;
            grown->slots_ = Pages(grown->capacity_ * sizeof(std::uint64_t), grown->capacity_ * sizeof(std::uint64_t));
            grown_ = std::move(grown);
            entered_ = 0;
        }
        constexpr std::uint32_t ahead = 16;
        std::uint64_t hashes[ahead];
        while (entered_ < count) {
            const std::uint32_t start = entered_;
            const std::uint32_t end = count - start < ahead ? count : start + ahead;
            for (std::uint32_t n = start; n < end; ++n) grown_->prefetch(hashes[n - start] = hash(n));
            for (; entered_ < end; ++entered_) {
                // Asked every time: where the system is slow to give memory, the first touch of a page takes long.
                if (cancelled.load(std::memory_order_relaxed)) return false;
                grown_->insert(hashes[entered_ - start], entered_);
            }
        }
        slots_ = std::move(grown_->slots_);
        capacity_ = grown_->capacity_;
        grown_.reset();
        return true;
    }

    void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&slots()[hash & (capacity_ - 1)]); }

    void insert(std::uint64_t hash, std::uint32_t node) noexcept {
        std::uint64_t i = hash & (capacity_ - 1);
        while (slots()[i] != 0) i = (i + 1) & (capacity_ - 1);
        slots()[i] = (hash & tag) | (std::uint64_t{node} + 1);
    }

    template <class Visit>
    void for_each_candidate(std::uint64_t hash, Visit&& visit) const {
        for (std::uint64_t i = hash & (capacity_ - 1); slots()[i] != 0; i = (i + 1) & (capacity_ - 1)) {
            if (((slots()[i] ^ hash) & tag) == 0) visit(static_cast<std::uint32_t>(slots()[i]) - 1);
        }
    }

    // For graphs whose nodes have a stored `key` and a `bound`.

    /// The node that asks this question, or none.
    template <class Nodes, class Key>
    std::uint32_t find(std::uint64_t hash, const Key& key, int bound, const Nodes& nodes,
                       const KeyPool<Key>& keys) const {
        std::uint32_t found = none;
        for_each_candidate(hash, [&](std::uint32_t n) {
            if (nodes[n].bound == bound && keys.key(nodes[n].key) == key) found = n;
        });
        return found;
    }

    /// Makes room for so many more nodes. Throws Cancelled; then the index is as before.
    template <class Nodes, class Key>
    void reserve(std::uint64_t more, const Nodes& nodes, const KeyPool<Key>& keys, const std::atomic<bool>& cancelled) {
        if (!full(nodes.size() + more)) return;
        const auto hash_of = [&](std::uint32_t n) { return hash_question(keys.key(nodes[n].key), nodes[n].bound); };
        if (!grow(nodes.size() + more, nodes.size(), cancelled, hash_of)) throw Cancelled();
    }

  private:
    static constexpr std::uint64_t tag = 0xffffffff00000000ULL;

    std::uint64_t* slots() const noexcept { return static_cast<std::uint64_t*>(slots_.data()); }

    Pages slots_;
    std::uint64_t capacity_ = 0;        ///< a power of two
    std::unique_ptr<NodeIndex> grown_;  ///< the larger index while it is being filled
    std::uint32_t entered_ = 0;         ///< nodes that are in it
};

}  // namespace proofbase
