// What a dag (dag.hpp) holds of an expanded node: one block with a header and the edges to its children side by side.
//
// The time of a search goes into cache misses (about 300 ns each in a large graph), so everything that passing
// numbers up, recalculating and descending read of a node lies in its block: an edge holds the numbers of its child,
// and the header leads to the parents. A level up or down then costs one miss.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "search/graph/dag/parent_list.hpp"
#include "search/graph/dag/units.hpp"
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

    static constexpr std::uint32_t limit = Units::limit;  ///< numbers of nodes and of blocks are smaller

  private:
    static constexpr std::uint32_t flag = 0x80000000;
    explicit NodeRef(std::uint32_t bits) noexcept : bits_(bits) {}
    std::uint32_t bits_ = 0;
};

/// Two numbers with 16 bits each, which are read with their sign: so all bits of infinity are 1 as well. Numbers of few
/// nodes need more bits: they are held elsewhere.
class PackedNumbers {
  public:
    PackedNumbers() = default;
    explicit PackedNumbers(const Numbers& numbers) noexcept
        : proof_(packed(numbers.proof)), disproof_(packed(numbers.disproof)) {}

    /// What numbers that need more bits read as. All but infinity are smaller.
    static constexpr std::uint32_t large = 0xffff8000;

    bool fit() const noexcept { return proof_ != packed_large && disproof_ != packed_large; }
    Numbers numbers() const noexcept {
        return {static_cast<std::uint32_t>(std::int32_t{proof_}), static_cast<std::uint32_t>(std::int32_t{disproof_})};
    }
    bool proved() const noexcept { return proof_ == 0; }
    bool solved() const noexcept { return proof_ == 0 || disproof_ == 0; }

  private:
    static constexpr std::int16_t packed_large = -0x8000;

    static std::int16_t packed(std::uint32_t number) noexcept {
        static_assert(infinite == 0xffffffff);
        return number < 0x8000 || number == infinite ? static_cast<std::int16_t>(number) : packed_large;
    }

    std::int16_t proof_ = 0;
    std::int16_t disproof_ = 0;
};

struct Edge {
    NodeRef child;
    PackedNumbers numbers;  ///< of the child
};

/// The blocks of an expanded node's parents: two of them need no memory besides.
struct Parents {
    std::uint32_t first = 0;  ///< 0: none
    ParentList others;

    /// Adds a parent, unless it was added last. Returns the units that it has taken.
    std::uint32_t add(Units& units, std::uint32_t block) {
        if (first == block) return 0;
        if (first != 0) return others.add(units, block);
        first = block;
        return 0;
    }

    /// Takes a parent out; false if it is none.
    bool remove(Units& units, std::uint32_t block) {
        if (first != block) return others.remove(units, block);
        first = 0;
        return true;
    }

    template <class Visit>
    void for_each(const Units& units, Visit&& visit) const {
        if (first != 0) visit(first);
        others.for_each(units, visit);
    }
};

struct Block {
    std::uint32_t node;         ///< its number
    Numbers numbers;            ///< of an open node; of a solved one see solve()
    Parents parents;            ///< of an open node
    std::uint32_t shape : 20;   ///< the number of edges; of a block with moves left out see leave_out()
    std::uint32_t rank : 8;     ///< open: the least rank that a disproof of the node can have; or `wide_rank`
    std::uint32_t sparse : 1;   ///< moves are left out
    std::uint32_t waiting : 1;  ///< to be recalculated
    std::uint32_t on_path : 1;  ///< it is on the current path
    std::uint32_t loose : 1;    ///< an edge leads to a child that is proved

    static constexpr std::uint32_t most_edges = (1u << 20) - 1;
    /// Moves can be left out of a block if there are at most so many.
    static constexpr std::uint32_t most_sparse_moves = 16;
    static constexpr std::uint32_t wide_rank = 0xff;  ///< the rank is elsewhere (WideWords)

    /// The numbers of an open or a solved node.
    Numbers current() const noexcept {
        if (numbers.proved()) return proved_numbers;
        return numbers.disproved() ? disproved_numbers : numbers;
    }
    /// The node is solved. The infinite number makes room for the rank.
    void solve(bool proved, std::uint32_t rank) noexcept {
        numbers = proved ? Numbers{0, rank + 1} : Numbers{rank + 1, 0};
    }
    std::uint32_t solved_rank() const noexcept { return (numbers.proved() ? numbers.disproof : numbers.proof) - 1; }

    std::uint32_t count() const noexcept { return sparse ? shape >> most_sparse_moves : shape; }
    /// The moves that are left out, a bit for each.
    std::uint32_t left_out() const noexcept { return sparse ? shape & ((1u << most_sparse_moves) - 1) : 0; }
    /// `count` edges stand for the moves whose bits are not in `left_out`, which has one at least.
    void leave_out(std::uint32_t count, std::uint32_t left_out) noexcept {
        sparse = 1;
        shape = (count << most_sparse_moves | left_out) & most_edges;
    }
    /// The number of the move that an edge stands for.
    std::uint32_t move_of(const Edge* edge) const noexcept {
        auto before = static_cast<std::uint32_t>(edge - begin());
        if (!sparse) return before;
        std::uint32_t move = 0;
        for (const std::uint32_t bits = left_out();; ++move) {
            if ((bits >> move & 1) == 0 && before-- == 0) return move;
        }
    }

    Edge* begin() noexcept { return reinterpret_cast<Edge*>(this + 1); }
    Edge* end() noexcept { return begin() + count(); }
    const Edge* begin() const noexcept { return reinterpret_cast<const Edge*>(this + 1); }
    const Edge* end() const noexcept { return begin() + count(); }
};

/// All blocks. The number of a block is that of its first unit of memory; 0 stands for "none".
class Blocks {
  public:
    Block& operator[](std::uint32_t block) noexcept { return *static_cast<Block*>(units_[block]); }
    const Block& operator[](std::uint32_t block) const noexcept { return *static_cast<const Block*>(units_[block]); }
    /// The memory of the blocks, and of lists of their parents.
    Units& units() noexcept { return units_; }
    const Units& units() const noexcept { return units_; }
    std::uint64_t bytes() const noexcept { return units_.bytes(); }
    std::uint64_t header_bytes() const noexcept { return count_ * sizeof(Block); }

    /// Makes room, so that one append(count), taking `more` units besides, and giving back that block or a list of at
    /// most `largest_list` units cannot fail. Throws std::bad_alloc.
    void reserve(std::uint32_t count, std::uint64_t more, std::uint64_t largest_list) {
        if (count > Block::most_edges) throw std::bad_alloc();
        units_.reserve(units(count) + more, std::max<std::uint64_t>(units(count), largest_list));
    }

    /// A block whose flags and rank are 0.
    std::uint32_t append(std::uint32_t count) {
        ++count_;
        const std::uint32_t block = units_.take(units(count));
        Block& header = (*this)[block];
        header.shape = count & Block::most_edges;
        header.rank = header.sparse = header.waiting = header.on_path = header.loose = 0;
        return block;
    }

    /// Leaves more moves out of a block: `count` edges are left.
    void shrink(std::uint32_t block, std::uint32_t count, std::uint32_t left_out) {
        const std::uint32_t before = (*this)[block].count();
        (*this)[block].leave_out(count, left_out);
        units_.give_back(block + units(count), before - count);
    }

    /// Takes back a block; a later one of this size takes its place. Its numbers can be read until then.
    void release(std::uint32_t block) {
        Block& header = (*this)[block];
        header.parents.others.clear(units_);
        units_.give_back(block, units(header.count()));
        --count_;
    }

    /// Fetches the beginning of a block into the cache: the header and at least five edges.
    void prefetch(std::uint32_t block) const noexcept {
        constexpr int cache_lines = 2;
        const char* start = static_cast<const char*>(units_[block]);
        for (int line = 0; line < cache_lines; ++line) __builtin_prefetch(start + line * 64);
    }

  private:
    static constexpr std::uint32_t units(std::uint32_t count) noexcept {
        static_assert(sizeof(Block) == 24 && sizeof(Block) % sizeof(Units::Unit) == 0);
        static_assert(sizeof(Edge) == sizeof(Units::Unit));
        return sizeof(Block) / sizeof(Units::Unit) + count;
    }

    Units units_;
    std::uint64_t count_ = 0;
};

}  // namespace proofbase
