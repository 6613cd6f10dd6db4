// Moves that lead out of a class, to smaller tables that are read through a cache of blocks: many of them are collected
// and then looked up in the order of the places that they lead to, so that all entries of a block are read together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "table_concepts.hpp"

namespace proofbase {

inline constexpr std::uint64_t bytes_of_an_exit = 16;

class SortedExits {
  public:
    /// `most`: that there is room for, and the moves of a position with which a list may pass its length.
    explicit SortedExits(std::uint64_t most) {
        exits_.reserve(most + most_moves);  // a longer list would be copied while it grows
    }

    /// A move to the number `rank` of a class. `index`: of the position in its batch.
    void add(std::uint32_t table_class, std::uint64_t rank, std::uint32_t index, int reward = 0) {
        exits_.push_back(
            {std::uint64_t{table_class} << 48 | (table_class == no_table_class ? 0 : rank), index, reward});
    }

    std::size_t size() const noexcept { return exits_.size(); }

    /// Calls `visit(class, rank, index, reward)` for each of them, in the order of the places, and clears the list.
    template <class Visit>
    void for_each(Visit&& visit) {
        constexpr std::uint64_t rank = (std::uint64_t{1} << 48) - 1;
        std::sort(exits_.begin(), exits_.end(), [](const Exit& a, const Exit& b) { return a.place < b.place; });
        for (const Exit& exit : exits_) {
            visit(static_cast<std::uint32_t>(exit.place >> 48), exit.place & rank, exit.index, exit.reward);
        }
        exits_.clear();
    }

  private:
    struct Exit {
        std::uint64_t place;  // the class that it leads to, 16 bits, and the number there
        std::uint32_t index;
        int reward;
    };
    static_assert(sizeof(Exit) == bytes_of_an_exit);

    static constexpr std::uint64_t most_moves = 256;

    std::vector<Exit> exits_;
};

}  // namespace proofbase
