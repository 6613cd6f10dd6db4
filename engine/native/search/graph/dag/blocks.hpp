// What a dag (dag.hpp) holds of an expanded node: one block with a header and the edges to its children side by side.
//
// The time of a search goes into cache misses (about 300 ns each in a large graph), so everything that passing
// numbers up, recalculating and descending read of a node lies in its block: an edge holds the numbers of its child,
// and the header leads to the parents. A level up or down then costs one miss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/graph/arena.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// A node is referred to by its number while it is a leaf, and by its block once it is expanded.
class NodeRef {
  public:
    NodeRef() = default;
    static NodeRef leaf(std::uint32_t number) noexcept { return NodeRef(number); }
    static NodeRef expanded(std::uint32_t block) noexcept { return NodeRef(block | flag); }
    /// A child without a node: its numbers stand in the edge.
    static NodeRef none() noexcept { return leaf(limit); }

    bool is_expanded() const noexcept { return (bits_ & flag) != 0; }
    /// The number of a leaf, or the number of the block of an expanded node.
    std::uint32_t index() const noexcept { return bits_ & ~flag; }
    bool operator==(const NodeRef&) const = default;

    static constexpr std::uint32_t limit = 0x7fffffff;  ///< numbers of nodes and of blocks are smaller

  private:
    static constexpr std::uint32_t flag = 0x80000000;
    explicit NodeRef(std::uint32_t bits) noexcept : bits_(bits) {}
    std::uint32_t bits_ = 0;
};

struct Edge {
    NodeRef child;
    std::uint32_t
        next_parent;  ///< the next block in one of the child's lists of parents (Parents); without a node: rank
    Numbers numbers;  ///< of the child
};

/// The blocks of a node's parents, in three linked lists: new parents go into each list in turn. Following three lists
/// at once lets their cache misses overlap. The links are stored in the edges from the parents. Where several edges of
/// a parent lead to the node, the first of these edges has the link.
struct Parents {
    static constexpr int lists = 3;
    std::uint32_t last[lists];  ///< the blocks added last, where the lists begin; 0 ends a list

    void add(std::uint32_t block, Edge& edge) noexcept {
        edge.next_parent = last[lists - 1];
        for (int i = lists - 1; i > 0; --i) last[i] = last[i - 1];
        last[0] = block;
    }
};

struct Block {
    Numbers numbers;
    std::uint32_t node;             ///< its number
    union {                         ///< the meaning of this word changes when the node is solved
        std::uint32_t rank;         ///< solved
        std::uint32_t path_length;  ///< open: of the current path up to this node, or 0 if it is not on that path
    };
    std::uint32_t shape : 30;   ///< the number of edges; of a block with moves left out see leave_out()
    std::uint32_t sparse : 1;   ///< moves are left out
    std::uint32_t waiting : 1;  ///< to be recalculated
    Parents parents;

    /// Moves can be left out of a block if there are at most so many.
    static constexpr std::uint32_t most_sparse_moves = 24;
    static constexpr std::uint32_t count_bits = 5;

    std::uint32_t count() const noexcept { return sparse ? shape & ((1u << count_bits) - 1) : shape; }
    /// `count` edges stand for the moves whose bits are not in `left_out`.
    void leave_out(std::uint32_t count, std::uint32_t left_out) noexcept {
        sparse = 1;
        shape = (count | left_out << count_bits) & 0x3fffffff;
    }
    /// The number of the move that an edge stands for.
    std::uint32_t move_of(const Edge* edge) const noexcept {
        auto before = static_cast<std::uint32_t>(edge - begin());
        if (!sparse) return before;
        std::uint32_t move = 0;
        for (const std::uint32_t left_out = shape >> count_bits;; ++move) {
            if ((left_out >> move & 1) == 0 && before-- == 0) return move;
        }
    }

    Edge* begin() noexcept { return reinterpret_cast<Edge*>(this + 1); }
    Edge* end() noexcept { return begin() + count(); }
    const Edge* begin() const noexcept { return reinterpret_cast<const Edge*>(this + 1); }
    const Edge* end() const noexcept { return begin() + count(); }
};

/// All blocks. Their memory is an array of units; the number of a block is the index of its first unit. Number 0 stands
/// for "none".
class Blocks {
  public:
    Blocks() { units_.append(1); }

    Block& operator[](std::uint32_t block) noexcept { return *reinterpret_cast<Block*>(&units_[block]); }
    const Block& operator[](std::uint32_t block) const noexcept {
        return *reinterpret_cast<const Block*>(&units_[block]);
    }
    std::uint64_t bytes() const noexcept { return units_.bytes(); }
    std::uint64_t header_bytes() const noexcept { return count_ * sizeof(Block); }

    /// Makes room, so that one append(count) cannot fail. Throws std::bad_alloc.
    void reserve(std::uint32_t count) {
        units_.reserve(units(count));
        if (units_.size() + std::uint64_t{units(count)} > NodeRef::limit) throw std::bad_alloc();
    }

    std::uint32_t append(std::uint32_t count) {
        ++count_;
        const std::uint32_t size = units(count);
        std::uint32_t block = size < free_.size() ? free_[size] : 0;
        if (block != 0) {
            free_[size] = (*this)[block].node;
        } else {
            block = units_.append(size);
        }
        (*this)[block].shape = count & 0x3fffffff;
        (*this)[block].sparse = 0;
        return block;
    }

    /// Takes back a block; a later one of this size takes its place. Its numbers can be read until then.
    void release(std::uint32_t block) {
        const std::uint32_t size = units((*this)[block].count());
        if (size >= free_.size()) free_.resize(size + std::size_t{1});
        (*this)[block].node = free_[size];
        free_[size] = block;
        --count_;
    }

    /// Fetches the beginning of a block into the cache: the header and at least eight edges.
    void prefetch(std::uint32_t block) const noexcept {
        constexpr int cache_lines = 3;
        const char* start = reinterpret_cast<const char*>(&units_[block]);
        for (int line = 0; line < cache_lines; ++line) __builtin_prefetch(start + line * 64);
    }

  private:
    /// The unit of memory is an edge.
    static constexpr std::uint32_t units(std::uint32_t count) noexcept {
        static_assert(sizeof(Block) % sizeof(Edge) == 0);
        return sizeof(Block) / sizeof(Edge) + count;
    }

    Arena<Edge> units_;
    std::vector<std::uint32_t> free_;  ///< by units: the block released last, where a list begins; 0 ends a list
    std::uint64_t count_ = 0;
};

}  // namespace proofbase
