// What a dag that threads share (shared_dag.hpp) holds in memory: nodes, and blocks of expanded nodes, each with a lock
// of its own. As in blocks.hpp, all that passing numbers up and descending read of a node lies in its block.
//
// A thread holds one lock at a time, but for one case: the block of a node that it is expanding is locked while its
// children get their new parent. Locks are so taken from a parent to its children only, and never in a circle.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <thread>

#include "search/graph/arena.hpp"
#include "search/graph/dag/blocks.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/table/bucket_lock.hpp"

namespace proofbase {

/// An array of zero bytes from which threads take items.
template <class T>
class SharedArena {
  public:
    /// At most `most` items.
    explicit SharedArena(std::uint64_t most) : most_(most), pages_(most * sizeof(T), std::size_t{64} << 20) {}

    T& operator[](std::uint32_t i) noexcept { return static_cast<T*>(pages_.data())[i]; }
    const T& operator[](std::uint32_t i) const noexcept { return static_cast<const T*>(pages_.data())[i]; }

    /// So many items side by side: the number of the first. Throws std::bad_alloc.
    std::uint32_t take(std::uint32_t count) {
        const std::uint64_t start = size_.fetch_add(count, std::memory_order_relaxed);
        if (start + count > most_ || (start + count) * sizeof(T) > pages_.bytes()) {
            size_.fetch_sub(count, std::memory_order_relaxed);
            throw std::bad_alloc();
        }
        return static_cast<std::uint32_t>(start);
    }
    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(size_.load(std::memory_order_relaxed)); }
    std::uint64_t bytes() const noexcept { return std::uint64_t{size()} * sizeof(T); }

  private:
    std::uint64_t most_;
    Pages pages_;
    std::atomic<std::uint64_t> size_ = 0;
};

/// The part of an array from which one thread takes items.
class ArenaPart {
  public:
    template <class T>
    std::uint32_t take(SharedArena<T>& arena, std::uint32_t count, std::uint32_t part) {
        if (end_ - begin_ < count) {
            begin_ = arena.take(std::max(count, part));
            end_ = begin_ + std::max(count, part);
        }
        begin_ += count;
        return begin_ - count;
    }

  private:
    std::uint32_t begin_ = 0;
    std::uint32_t end_ = 0;
};

inline constexpr std::uint32_t shared_lock_bit = 0x80000000;

/// Locks the word of which the highest bit is the lock, and returns what else it holds.
inline std::uint32_t lock_word(std::uint32_t& word) noexcept {
    constexpr int spins = 200;  // then the thread that has the lock may not be running
    const std::atomic_ref state(word);
    for (int i = 0;; ++i) {
        if ((state.load(std::memory_order_relaxed) & shared_lock_bit) == 0) {
            const std::uint32_t before = state.fetch_or(shared_lock_bit, std::memory_order_acquire);
            if ((before & shared_lock_bit) == 0) return before;
        }
        if (i >= spins) std::this_thread::yield();
    }
}
inline void unlock_word(std::uint32_t& word, std::uint32_t value) noexcept {
    std::atomic_ref(word).store(value, std::memory_order_release);
}

/// Both numbers in one word, which threads read and write at once.
inline std::uint64_t packed(Numbers numbers) noexcept {
    return std::uint64_t{numbers.disproof} << 32 | numbers.proof;
}
inline Numbers unpacked(std::uint64_t bits) noexcept {
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

struct SharedEdge {
    std::uint32_t child;        ///< bits of a NodeRef: may still be the leaf's where the child is expanded
    std::uint32_t next_parent;  ///< as in Edge; does not change
    std::uint64_t numbers;      ///< of the child

    /// Who sees the block of a child may read the block.
    NodeRef ref() const noexcept {
        return std::bit_cast<NodeRef>(
            std::atomic_ref(const_cast<std::uint32_t&>(child)).load(std::memory_order_acquire));
    }
    Numbers seen() const noexcept { return unpacked(load_relaxed(numbers)); }
};

/// As Parents::add.
inline void add_parent(Parents& parents, std::uint32_t block, SharedEdge& edge) noexcept {
    edge.next_parent = parents.last[Parents::lists - 1];
    for (int i = Parents::lists - 1; i > 0; --i) parents.last[i] = parents.last[i - 1];
    parents.last[0] = block;
}

/// An expanded node. Written under its lock, but for `node`, which does not change.
struct SharedBlock {
    std::uint64_t numbers;
    std::uint32_t node;   ///< its number
    std::uint32_t rank;   ///< where it is solved
    std::uint32_t state;  ///< the lock, and the number of edges
    Parents parents;

    Numbers now() const noexcept {
        return unpacked(std::atomic_ref(const_cast<std::uint64_t&>(numbers)).load(std::memory_order_acquire));
    }
    std::uint32_t count() const noexcept { return load_relaxed(state) & ~shared_lock_bit; }
    SharedEdge* begin() noexcept { return reinterpret_cast<SharedEdge*>(this + 1); }
    SharedEdge* end() noexcept { return begin() + count(); }
    const SharedEdge* begin() const noexcept { return reinterpret_cast<const SharedEdge*>(this + 1); }
    const SharedEdge* end() const noexcept { return begin() + count(); }
};

/// All blocks; numbered as in Blocks.
class SharedBlocks {
  public:
    static constexpr std::uint64_t limit = 0x3fffffff;  ///< numbers of blocks are smaller

    SharedBlocks() : units_(limit) { units_.take(1); }

    SharedBlock& operator[](std::uint32_t block) noexcept { return *reinterpret_cast<SharedBlock*>(&units_[block]); }
    const SharedBlock& operator[](std::uint32_t block) const noexcept {
        return *reinterpret_cast<const SharedBlock*>(&units_[block]);
    }
    std::uint64_t bytes() const noexcept { return units_.bytes(); }

    /// A new block, which is locked. Throws std::bad_alloc.
    std::uint32_t take(ArenaPart& part, std::uint32_t count) {
        const std::uint32_t block = part.take(units_, 1 + (count + 1) / 2, units_at_a_time);
        (*this)[block].state = count | shared_lock_bit;
        return block;
    }

    /// Fetches the beginning of a block into the cache: the header and at least eight edges.
    void prefetch(std::uint32_t block) const noexcept {
        constexpr int cache_lines = 3;
        const char* start = reinterpret_cast<const char*>(&units_[block]);
        for (int line = 0; line < cache_lines; ++line) __builtin_prefetch(start + line * 64);
    }

  private:
    static constexpr std::uint32_t units_at_a_time = 1 << 12;

    /// The unit of memory: a header, or two edges.
    struct Unit {
        SharedEdge edges[2];
    };
    static_assert(sizeof(SharedBlock) == sizeof(Unit));

    SharedArena<Unit> units_;
};

}  // namespace proofbase
