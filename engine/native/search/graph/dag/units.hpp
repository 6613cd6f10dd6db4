// The memory of a dag's blocks and lists of parents: pieces of any number of units, addressed by 32-bit numbers.
#pragma once

#include <cstdint>
#include <new>
#include <vector>

#include "search/graph/arena.hpp"

namespace proofbase {

/// A piece is referred to by the number of its first unit. Number 0 stands for "none".
class Units {
  public:
    using Unit = std::uint64_t;

    static constexpr std::uint32_t limit = 0x7fffffff;  ///< numbers are smaller

    Units() { units_.append(1); }

    std::uint64_t bytes() const noexcept { return units_.bytes(); }

    /// The start of a piece.
    void* operator[](std::uint32_t piece) noexcept { return &units_[piece]; }
    const void* operator[](std::uint32_t piece) const noexcept { return &units_[piece]; }

    /// Makes room, so that taking pieces of `count` units together, and giving back pieces of up to `largest`, cannot
    /// fail. Throws std::bad_alloc.
    void reserve(std::uint64_t count, std::uint64_t largest) {
        if (units_.size() + count > limit || largest > limit) throw std::bad_alloc();
        if (free_.size() <= largest) free_.resize(largest + 1);
        units_.reserve(static_cast<std::uint32_t>(count));
    }

    /// A piece of so many units, whose bytes may have any value.
    std::uint32_t take(std::uint32_t count) {
        const std::uint32_t piece = count < free_.size() ? free_[count] : 0;
        if (piece == 0) return units_.append(count);
        free_[count] = next(piece);
        return piece;
    }

    /// Gives a piece back, of a size that room was made for; a later one of this size takes its place. Its bytes stay
    /// until then, but for the first four.
    void give_back(std::uint32_t piece, std::uint32_t count) noexcept {
        next(piece) = free_[count];
        free_[count] = piece;
    }

  private:
    std::uint32_t& next(std::uint32_t piece) noexcept { return *reinterpret_cast<std::uint32_t*>(&units_[piece]); }

    Arena<Unit> units_;
    std::vector<std::uint32_t> free_;  ///< by size: the piece given back last, where a list begins; 0 ends a list
};

}  // namespace proofbase
