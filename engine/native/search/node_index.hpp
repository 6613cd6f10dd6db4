// The index of a node graph: from the hash of a key to the numbers of nodes that may have it. Open addressing with
// linear probing; a slot holds 32 bits of the hash and the node's number, so that nearly every candidate is the
// node that is looked for, and the caller compares exact keys.
#pragma once

#include <cstdint>

#include "search/arena.hpp"

namespace proofbase {

class NodeIndex {
  public:
    std::uint64_t bytes() const noexcept { return slots_.bytes(); }

    /// True if `nodes` entries would fill more than two thirds of the slots.
    bool full(std::uint64_t nodes) const noexcept { return nodes * 3 > capacity_ * 2; }

    /// Doubles the capacity until `nodes` fit, and enters the nodes 0..count-1 anew; hash(n) is the hash of node n.
    template <class Hash>
    void grow(std::uint64_t nodes, std::uint32_t count, Hash&& hash) {
        std::uint64_t capacity = capacity_ == 0 ? 1024 : capacity_;
        while (nodes * 3 > capacity * 2) capacity *= 2;
        const std::size_t bytes = capacity * sizeof(std::uint64_t);
        slots_ = Pages(bytes, bytes);
        capacity_ = capacity;
        constexpr std::uint32_t ahead = 16;
        std::uint64_t hashes[ahead];
        for (std::uint32_t start = 0; start < count; start += ahead) {
            const std::uint32_t end = count - start < ahead ? count : start + ahead;
            for (std::uint32_t n = start; n < end; ++n) prefetch(hashes[n - start] = hash(n));
            for (std::uint32_t n = start; n < end; ++n) insert(hashes[n - start], n);
        }
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

  private:
    static constexpr std::uint64_t tag = 0xffffffff00000000ULL;

    std::uint64_t* slots() const noexcept { return static_cast<std::uint64_t*>(slots_.data()); }

    Pages slots_;
    std::uint64_t capacity_ = 0;  ///< a power of two
};

}  // namespace proofbase
