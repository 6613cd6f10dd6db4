// Checkpoints of df-pn: solved nodes, and nodes whose numbers took much work (expansions below them), as words inside
// the chunks of run/checkpoint.hpp.
//
//   a chunk:   2 words for the expansions so far | number of entries | entries
//   an entry:  key (checkpoint_words.hpp) | bound | proof | disproof | rank | 2 words for the work
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/df_pn/df_pn_question.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/run/checkpoint_words.hpp"

namespace proofbase {

/// A node, and what the table of a restored search is to know of it.
template <class Key>
struct DfPnCheckpointEntry {
    typename DfPnKeys<Key>::Words key;
    int bound;
    DfPnEntry entry;
};

/// Collects the entries of one thread for the next checkpoint: a node is added when it is solved, and whenever its work
/// has doubled.
template <class Key>
class DfPnCheckpointLog {
  public:
    /// `earlier_work` is the work of the node before this visit. If nobody takes the entries, they do not grow far
    /// beyond `max_bytes`: then only nodes with twice the work are kept.
    void add(const DfPnCheckpointEntry<Key>& added, std::uint64_t earlier_work, std::uint64_t max_bytes) {
        const DfPnEntry& entry = added.entry;
        if (entry.work < min_work_) return;
        if (!entry.numbers.solved() && std::bit_width(entry.work) == std::bit_width(earlier_work)) return;
        entries_.push_back(added);
        if (entries_.size() < std::max<std::uint64_t>(4096, max_bytes / sizeof(added))) return;
        min_work_ *= 2;
        std::erase_if(entries_, [&](const DfPnCheckpointEntry<Key>& kept) { return kept.entry.work < min_work_; });
    }

    /// Returns the entries since the last call.
    std::vector<DfPnCheckpointEntry<Key>> take() noexcept {
        min_work_ = initial_min_work;
        return std::exchange(entries_, {});
    }

    std::uint64_t bytes() const noexcept { return entries_.capacity() * sizeof(DfPnCheckpointEntry<Key>); }

  private:
    static constexpr std::uint64_t initial_min_work = 1024;  // expansions

    std::vector<DfPnCheckpointEntry<Key>> entries_;
    std::uint64_t min_work_ = initial_min_work;
};

/// Appends the words of a chunk.
template <class Key>
void append_df_pn_checkpoint(std::uint64_t expansions, const DfPnKeys<Key>& keys,
                             const std::vector<DfPnCheckpointEntry<Key>>& entries, std::vector<std::uint32_t>& words) {
    append_two_words(expansions, words);
    words.push_back(static_cast<std::uint32_t>(entries.size()));
    for (const auto& [key_words, bound, entry] : entries) {
        append_key(keys.key(key_words), words);
        words.push_back(static_cast<std::uint32_t>(bound));
        words.push_back(entry.numbers.proof);
        words.push_back(entry.numbers.disproof);
        words.push_back(entry.rank);
        append_two_words(entry.work, words);
    }
}

template <class Key>
struct DfPnCheckpoint {
    std::uint64_t expansions = 0;
    std::vector<DfPnCheckpointEntry<Key>> entries;
};

/// Reads the words of all chunks, joined; `like` is any key of the game. Throws InvalidCheckpoint.
template <class Key>
DfPnCheckpoint<Key> read_df_pn_checkpoint(const std::vector<std::uint32_t>& words, const Key& like,
                                          DfPnKeys<Key>& keys) {
    DfPnCheckpoint<Key> checkpoint;
    WordReader reader(words);
    while (!reader.at_end()) {
        checkpoint.expansions = reader.read_two_words();
        for (std::uint32_t count = reader.read_word(); count > 0; --count) {
            const auto key = keys.words(reader.read_key(like));
            const int bound = static_cast<int>(reader.read_word());
            DfPnEntry entry;
            entry.numbers.proof = reader.read_word();
            entry.numbers.disproof = reader.read_word();
            entry.rank = reader.read_word();
            entry.work = reader.read_two_words();
            checkpoint.entries.push_back({key, bound, entry});
        }
    }
    return checkpoint;
}

}  // namespace proofbase
