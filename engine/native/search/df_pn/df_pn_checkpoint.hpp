// Checkpoints of df-pn: solved nodes, and nodes whose numbers took much work (expansions below them), as words inside
// the chunks of run/checkpoint.hpp.
//
//   a chunk:   2 words for the expansions so far | number of entries | entries
//   an entry:  key | bound | proof | disproof | rank | 2 words for the work
//   a key:     its words; for keys of varying length: their length in bytes | as many words as hold these bytes
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "search/df_pn/df_pn_question.hpp"
#include "search/df_pn/df_pn_table.hpp"

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
    const auto append_two_words = [&words](std::uint64_t value) {
        words.push_back(static_cast<std::uint32_t>(value));
        words.push_back(static_cast<std::uint32_t>(value >> 32));
    };
    append_two_words(expansions);
    words.push_back(static_cast<std::uint32_t>(entries.size()));
    for (const auto& [key_words, bound, entry] : entries) {
        if constexpr (std::is_same_v<Key, std::string>) {
            const std::string& key = keys.key(key_words);
            words.push_back(static_cast<std::uint32_t>(key.size()));
            const std::size_t start = words.size();
            words.resize(start + (key.size() + 3) / 4);
            if (!key.empty()) std::memcpy(words.data() + start, key.data(), key.size());
        } else {
            words.insert(words.end(), key_words.begin(), key_words.end());
        }
        words.push_back(static_cast<std::uint32_t>(bound));
        words.push_back(entry.numbers.proof);
        words.push_back(entry.numbers.disproof);
        words.push_back(entry.rank);
        append_two_words(entry.work);
    }
}

template <class Key>
struct DfPnCheckpoint {
    std::uint64_t expansions = 0;
    std::vector<DfPnCheckpointEntry<Key>> entries;
};

/// Reads the words of all chunks, joined. Throws InvalidCheckpoint.
template <class Key>
DfPnCheckpoint<Key> read_df_pn_checkpoint(const std::vector<std::uint32_t>& words, DfPnKeys<Key>& keys) {
    DfPnCheckpoint<Key> checkpoint;
    std::size_t next = 0;
    const auto read_words = [&](std::size_t count) {
        if (words.size() - next < count) throw InvalidCheckpoint("the checkpoint is cut off");
        next += count;
        return words.data() + next - count;
    };
    const auto read_word = [&] { return *read_words(1); };
    const auto read_two_words = [&] {
        const std::uint32_t* const two = read_words(2);
        return two[0] | std::uint64_t{two[1]} << 32;
    };
    const auto read_key = [&] {
        typename DfPnKeys<Key>::Words key;
        if constexpr (std::is_same_v<Key, std::string>) {
            const std::uint32_t size = read_word();
            const std::uint32_t* const from = read_words((std::size_t{size} + 3) / 4);
            key = keys.words(std::string(reinterpret_cast<const char*>(from), size));
        } else {
            const std::uint32_t* const from = read_words(key.size());
            std::copy(from, from + key.size(), key.begin());
        }
        return key;
    };
    while (next < words.size()) {
        checkpoint.expansions = read_two_words();
        for (std::uint32_t count = read_word(); count > 0; --count) {
            const auto key = read_key();
            const int bound = static_cast<int>(read_word());
            DfPnEntry entry;
            entry.numbers.proof = read_word();
            entry.numbers.disproof = read_word();
            entry.rank = read_word();
            entry.work = read_two_words();
            checkpoint.entries.push_back({key, bound, entry});
        }
    }
    return checkpoint;
}

}  // namespace proofbase
