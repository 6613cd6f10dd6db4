// Checkpoints of null-window search in games with cycles: the entries of positions that took much work, as words inside
// the chunks of run/checkpoint.hpp. A restored search finds its way again quickly, but not in the same steps.
//
//   a chunk:   2 words for the nodes so far | number of entries | entries
//   an entry:  key (checkpoint_words.hpp) | the fields of DepthLimitedEntry in their order
#pragma once

#include <cstdint>
#include <vector>

#include "search/null_window/depth_limited/depth_limited_entry.hpp"
#include "search/run/checkpoint_words.hpp"

namespace proofbase {

inline void append_entry(const DepthLimitedEntry& entry, std::vector<std::uint32_t>& words) {
    for (const std::int32_t bound : {entry.lower, entry.upper}) words.push_back(static_cast<std::uint32_t>(bound));
    words.push_back(entry.lower_height);
    words.push_back(entry.upper_height);
    words.push_back(static_cast<std::uint32_t>(entry.open_bound));
    words.push_back(entry.depth_without_lower);
    words.push_back(entry.depth_without_upper);
    words.push_back(entry.child);
    words.push_back(entry.work);
}

inline void read_entry(WordReader& reader, DepthLimitedEntry& entry) {
    entry.lower = static_cast<std::int32_t>(reader.read_word());
    entry.upper = static_cast<std::int32_t>(reader.read_word());
    entry.lower_height = reader.read_word();
    entry.upper_height = reader.read_word();
    entry.open_bound = static_cast<std::int32_t>(reader.read_word());
    entry.depth_without_lower = reader.read_word();
    entry.depth_without_upper = reader.read_word();
    entry.child = reader.read_word();
    entry.work = reader.read_word();
}

}  // namespace proofbase
