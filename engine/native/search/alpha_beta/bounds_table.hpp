// The transposition table of depth-limited searches: bounds that hold on every path, by exact keys. Each index has one
// entry. Of two positions with the same index, the one that was searched more deeply stays (Allis et al. 1994, 6.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "keys.hpp"

namespace proofbase {

template <class Key>
class BoundsTable {
  public:
    struct Entry {
        Key key{};
        int lower = 0;
        int upper = 0;
        std::uint32_t lower_proof_depth = 0;  ///< as in Bounds
        std::uint32_t upper_proof_depth = 0;
        int largest_lower_in_depth = 0;   ///< no search to `depth` plies finds a lower bound above this one
        int smallest_upper_in_depth = 0;  ///< no search to `depth` plies finds an upper bound below this one
        std::uint32_t depth = 0;          ///< of the search that wrote the entry
        std::uint32_t search_id = 0;      ///< of the search that wrote the entry; 0: the entry is empty
    };

    explicit BoundsTable(std::uint64_t bytes) : entries_(bytes / sizeof(Entry) > 0 ? bytes / sizeof(Entry) : 1) {}

    const Entry* find(const Key& key) const noexcept {
        const Entry& entry = entries_[index(key)];
        return entry.search_id != 0 && entry.key == key ? &entry : nullptr;
    }

    void store(const Entry& entry) {
        Entry& old = entries_[index(entry.key)];
        if (old.search_id == 0 || old.key == entry.key || old.depth <= entry.depth) old = entry;
    }

    std::uint64_t bytes() const noexcept { return entries_.size() * sizeof(Entry); }

  private:
    std::size_t index(const Key& key) const noexcept {
        return static_cast<std::size_t>((static_cast<unsigned __int128>(hash_key(key)) * entries_.size()) >> 64);
    }

    std::vector<Entry> entries_;
};

}  // namespace proofbase
