// The blocks of a node's parents: one word for no parent or one; otherwise a piece of memory (Units) that is filled
// with them from its beginning. All parents in a piece are known at once, so the cache misses on the way to them
// overlap.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/graph/dag/units.hpp"

namespace proofbase {

class ParentList {
  public:
    ParentList() = default;

    static ParentList of_word(std::uint32_t word) noexcept {
        ParentList list;
        list.bits_ = word;
        return list;
    }
    /// The list as a word.
    std::uint32_t word() const noexcept { return bits_; }

    bool empty() const noexcept { return bits_ == 0; }
    bool in_piece() const noexcept { return (bits_ & flag) != 0; }

    /// One of the parents; 0 if there is none.
    std::uint32_t any(const Units& units) const noexcept { return in_piece() ? entries(units)[0] & ~flag : bits_; }

    /// Calls visit(block) for all parents.
    template <class Visit>
    void for_each(const Units& units, Visit&& visit) const {
        if (!in_piece()) {
            if (bits_ != 0) visit(bits_);
            return;
        }
        const std::uint32_t* entry = entries(units);
        for (bool last = false; !last; ++entry) {
            const std::uint32_t block = *entry & ~flag;
            if (block == 0) return;
            last = (*entry & flag) != 0;
            visit(block);
        }
    }

    /// Adds a parent, unless it was added last. Returns the units that it has taken, which are one, or at most twice as
    /// many as the list had.
    std::uint32_t add(Units& units, std::uint32_t block) {
        if (bits_ == 0) {
            bits_ = block;
            return 0;
        }
        if (!in_piece()) {
            if (bits_ == block) return 0;
            const std::uint32_t first = bits_;
            bits_ = units.take(1) | flag;
            entries(units)[0] = first;
            entries(units)[1] = block | flag;
            return 1;
        }
        const std::uint32_t size = this->size(units);
        std::uint32_t* const held = entries(units);
        std::uint32_t* const end = held + std::size_t{2} * size;
        std::uint32_t* const free = std::partition_point(held, end, [](std::uint32_t e) { return (e & ~flag) != 0; });
        if ((free[-1] & ~flag) == block) return 0;
        if (free != end) {
            *free |= block;
            return 0;
        }
        const std::uint32_t before = bits_ & ~flag;
        const std::uint32_t more = larger(size);
        bits_ = units.take(more) | flag;
        std::uint32_t* entry = std::copy(held, end, entries(units));
        entry[-1] &= ~flag;
        *entry++ = block;
        std::fill(entry, entries(units) + std::size_t{2} * more, 0);
        entries(units)[std::size_t{2} * more - 1] |= flag;
        units.give_back(before, size);
        return more;
    }

    /// Takes a parent out; false if it is none.
    bool remove(Units& units, std::uint32_t block) {
        if (!in_piece()) {
            if (bits_ != block) return false;
            bits_ = 0;
            return true;
        }
        const std::uint32_t size = this->size(units);
        std::uint32_t* const held = entries(units);
        std::uint32_t* const end = held + std::size_t{2} * size;
        std::uint32_t* const entry = std::find_if(held, end, [=](std::uint32_t e) { return (e & ~flag) == block; });
        if (entry == end) return false;
        // The last parent takes its place; only the piece's last entry has the flag.
        std::uint32_t* last = std::partition_point(entry, end, [](std::uint32_t e) { return (e & ~flag) != 0; }) - 1;
        *entry = (*entry & flag) | (*last & ~flag);
        *last &= flag;
        if ((held[1] & ~flag) == 0) {
            const std::uint32_t rest = held[0] & ~flag;
            clear(units);
            bits_ = rest;
        }
        return true;
    }

    /// Takes a parent out and returns it; 0 if there is none.
    std::uint32_t take(Units& units) {
        const std::uint32_t parent = any(units);
        if (parent != 0) remove(units, parent);
        return parent;
    }

    /// Takes all parents out.
    void clear(Units& units) {
        if (in_piece()) units.give_back(bits_ & ~flag, size(units));
        bits_ = 0;
    }

    /// Fetches the piece into the cache.
    void prefetch(const Units& units) const noexcept {
        if (in_piece()) __builtin_prefetch(units[bits_ & ~flag]);
    }

  private:
    /// In the word: it refers to a piece. In an entry: it is the last of the piece, whether in use or 0.
    static constexpr std::uint32_t flag = Units::limit + 1;

    std::uint32_t* entries(Units& units) const noexcept { return static_cast<std::uint32_t*>(units[bits_ & ~flag]); }
    const std::uint32_t* entries(const Units& units) const noexcept {
        return static_cast<const std::uint32_t*>(units[bits_ & ~flag]);
    }

    /// The size of the piece that takes the place of a full one; a unit has two entries.
    static constexpr std::uint32_t larger(std::uint32_t size) noexcept { return size + (size < 4 ? 1 : size / 2); }

    std::uint32_t size(const Units& units) const noexcept {
        const std::uint32_t* const held = entries(units);
        std::uint32_t size = 1;
        while ((held[std::size_t{2} * size - 1] & flag) == 0) size = larger(size);
        return size;
    }

    std::uint32_t bits_ = 0;
};

}  // namespace proofbase
