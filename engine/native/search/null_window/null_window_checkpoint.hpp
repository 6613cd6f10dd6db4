// Checkpoints of null-window search: the bounds of positions that took much work, as words inside the chunks of
// run/checkpoint.hpp. A restored search finds its way again quickly, but not in the same steps.
//
//   a chunk:   2 words for the nodes so far | number of entries | entries
//   an entry:  key (checkpoint_words.hpp) | lower | upper | child | work (NullWindowEntry)
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/null_window/null_window_entry.hpp"
#include "search/run/checkpoint_words.hpp"

namespace proofbase {

/// A position, and what the table of a restored search is to know of it.
template <class Key>
struct NullWindowCheckpointEntry {
    Key key;
    NullWindowEntry entry;
};

/// Collects the entries of one thread for the next checkpoint.
template <class Key>
class NullWindowCheckpointLog {
  public:
    using Entry = NullWindowCheckpointEntry<Key>;

    /// Positions with less work are not worth an entry.
    std::uint32_t least_work() const noexcept { return least_work_; }

    void add(Entry entry) {
        entries_.push_back(std::move(entry));
        if (entries_.size() < most_entries) return;
        // Nobody has taken the entries for long: those with the least work go.
        ++least_work_;
        std::erase_if(entries_, [&](const Entry& kept) { return kept.entry.work < least_work_; });
    }

    /// Returns the entries since the last call.
    std::vector<Entry> take() noexcept {
        least_work_ = initial_least_work;
        return std::exchange(entries_, {});
    }

    std::uint64_t bytes() const noexcept { return entries_.capacity() * sizeof(Entry); }

  private:
    static constexpr std::uint32_t initial_least_work = 9;  // 256 nodes
    static constexpr std::size_t most_entries = 1 << 16;

    std::vector<Entry> entries_;
    std::uint32_t least_work_ = initial_least_work;
};

inline void append_entry(const NullWindowEntry& entry, std::vector<std::uint32_t>& words) {
    words.push_back(static_cast<std::uint32_t>(entry.lower));
    words.push_back(static_cast<std::uint32_t>(entry.upper));
    words.push_back(entry.child);
    words.push_back(entry.work);
}

inline void read_entry(WordReader& reader, NullWindowEntry& entry) {
    entry.lower = static_cast<int>(reader.read_word());
    entry.upper = static_cast<int>(reader.read_word());
    entry.child = reader.read_word();
    entry.work = reader.read_word();
}

/// Appends the words of a chunk.
template <class Key>
void append_null_window_checkpoint(std::uint64_t nodes, const std::vector<NullWindowCheckpointEntry<Key>>& entries,
                                   std::vector<std::uint32_t>& words) {
    append_two_words(nodes, words);
    words.push_back(static_cast<std::uint32_t>(entries.size()));
    for (const auto& [key, entry] : entries) {
        append_key(key, words);
        append_entry(entry, words);
    }
}

template <class Key>
struct NullWindowCheckpoint {
    std::uint64_t nodes = 0;
    std::vector<NullWindowCheckpointEntry<Key>> entries;
};

/// Reads the words of all chunks, joined; `like` is any key of the game. Throws InvalidCheckpoint.
template <class Key>
NullWindowCheckpoint<Key> read_null_window_checkpoint(const std::vector<std::uint32_t>& words, const Key& like) {
    NullWindowCheckpoint<Key> checkpoint;
    WordReader reader(words);
    while (!reader.at_end()) {
        checkpoint.nodes = reader.read_two_words();
        for (std::uint32_t count = reader.read_word(); count > 0; --count) {
            NullWindowCheckpointEntry<Key> read{reader.read_key(like), {}};
            read_entry(reader, read.entry);
            checkpoint.entries.push_back(std::move(read));
        }
    }
    return checkpoint;
}

}  // namespace proofbase
