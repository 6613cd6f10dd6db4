// The transposition table of depth-limited searches: limits of values that hold whatever the path, by exact keys. One
// entry an index; of two positions the one that was searched more deeply stays (Allis et al. 1994, 6.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "keys.hpp"

namespace proofbase {

/// Limits of the value of a position, seen by its side to move.
struct Bounds {
    static constexpr std::uint32_t nothing = UINT32_MAX;

    int lower;
    int upper;
    std::uint32_t lower_height = 0;  ///< a search of so many plies shows it
    std::uint32_t upper_height = 0;
    std::uint32_t lower_leans = nothing;  ///< the highest place on the path that a repetition in its proof refers to
    std::uint32_t upper_leans = nothing;
};

template <class Key>
class BoundsTable {
  public:
    struct Entry {
        Key key{};
        int lower = 0;
        int upper = 0;
        std::uint32_t lower_height = 0;
        std::uint32_t upper_height = 0;
        int most_lower = 0;        ///< a search to the depth finds no higher lower limit
        int least_upper = 0;       ///< nor a lower upper one
        std::uint32_t depth = 0;   ///< of the search
        std::uint32_t search = 0;  ///< the number of the search; 0: an empty entry
    };

    explicit BoundsTable(std::uint64_t bytes) : entries_(bytes / sizeof(Entry) > 0 ? bytes / sizeof(Entry) : 1) {}

    const Entry* find(const Key& key) const noexcept {
        const Entry& entry = entries_[index(key)];
        return entry.search != 0 && entry.key == key ? &entry : nullptr;
    }

    void put(const Entry& entry) {
        Entry& old = entries_[index(entry.key)];
        if (old.search == 0 || old.key == entry.key || old.depth <= entry.depth) old = entry;
    }

    std::uint64_t bytes() const noexcept { return entries_.size() * sizeof(Entry); }

  private:
    std::size_t index(const Key& key) const noexcept {
        return static_cast<std::size_t>((static_cast<unsigned __int128>(hash_key(key)) * entries_.size()) >> 64);
    }

    std::vector<Entry> entries_;
};

}  // namespace proofbase
