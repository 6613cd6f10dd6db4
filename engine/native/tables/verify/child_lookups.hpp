// The entries of children that the verification looks up for many positions together (consistency.hpp), in memory or
// sorted by where they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tables/files/table_file.hpp"

namespace proofbase {

/// Lookups in tables that are in memory, in the order in which they were added.
class LookupsInMemory {
  public:
    /// `files`: by class, null for those without a table.
    LookupsInMemory(const std::vector<const TableFile*>& files, std::size_t) : files_(files) {}

    /// `index`: of the parent in the batch.
    void add(std::uint32_t table_class, std::uint64_t rank, std::size_t index, int reward) {
        files_[table_class]->prefetch(rank);
        lookups_.push_back({rank, table_class, static_cast<std::uint16_t>(index), static_cast<std::int16_t>(reward)});
    }

    std::size_t size() const noexcept { return lookups_.size(); }
    void shorten(std::size_t size) { lookups_.resize(size); }

    /// Calls `visit(class, rank, index, reward, value)` for each of them, and clears the list.
    template <class Visit>
    void look_up(Visit&& visit) {
        for (const Lookup& one : lookups_) {
            const int value = files_[one.table_class]->unchecked(one.rank);
            visit(one.table_class, one.rank, one.index, one.reward, value);
        }
        lookups_.clear();
    }

  private:
    struct Lookup {
        std::uint64_t rank;
        std::uint32_t table_class;
        std::uint16_t index;
        std::int16_t reward;
    };

    const std::vector<const TableFile*>& files_;
    std::vector<Lookup> lookups_;
};

/// Lookups in tables that are read through a cache of blocks, in the order of their places: first by class, then by
/// number. Each takes 8 bytes: the place in all tables together (36 bits), the index of the parent (20), the reward
/// (8).
class SortedLookups {
  public:
    static constexpr std::size_t most_entries = std::size_t{1} << 20;  ///< of a batch

    /// `most`: that there is room for, and a margin. Throws std::length_error: the tables have too many entries.
    SortedLookups(const std::vector<const TableFile*>& files, std::size_t most) : files_(files) {
        lookups_.reserve(most + margin);
        starts_.push_back(0);
        for (const TableFile* file : files) {
            starts_.push_back(starts_.back() + (file == nullptr ? 0 : file->header().entries));
        }
        if (starts_.back() >> 36 != 0) throw std::length_error("tables of more than 2^36 entries in parts");
    }

    void add(std::uint32_t table_class, std::uint64_t rank, std::size_t index, int reward) {
        if (reward < 0 || reward > 255) throw std::length_error("a reward below 0 or above 255 in a class in parts");
        lookups_.push_back((starts_[table_class] + rank) << 28 | index << 8 | static_cast<unsigned>(reward));
    }

    std::size_t size() const noexcept { return lookups_.size(); }
    void shorten(std::size_t size) { lookups_.resize(size); }

    /// The same. Throws DamagedTable.
    template <class Visit>
    void look_up(Visit&& visit) {
        std::sort(lookups_.begin(), lookups_.end());
        std::uint32_t c = 0;
        for (const std::uint64_t one : lookups_) {
            const std::uint64_t place = one >> 28;
            while (place >= starts_[c + 1]) ++c;
            const std::uint64_t rank = place - starts_[c];
            visit(c, rank, one >> 8 & (most_entries - 1), static_cast<int>(one & 0xff), files_[c]->value(rank));
        }
        lookups_.clear();
    }

  private:
    static constexpr std::size_t margin = 1024;  // moves of a position, with which a list may pass its length

    const std::vector<const TableFile*>& files_;
    std::vector<std::uint64_t> starts_;  // by class
    std::vector<std::uint64_t> lookups_;
};

}  // namespace proofbase
