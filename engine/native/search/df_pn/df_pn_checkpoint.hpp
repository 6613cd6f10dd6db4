// Checkpoints of df-pn: what was solved, and numbers that took much work, in words behind the frame of checkpoint.hpp.
//
//   a chunk: 2 words for the expansions so far | number of notes | notes
//   a note:  words of the key, or for keys of varying length a length in bytes and as many words as hold them | bound |
//            proof | disproof | rank | 2 words of work
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
#include "search/df_pn/df_pn_table.hpp"
#include "search/run/checkpoint.hpp"

namespace proofbase {

/// A node and what the table is to know of it.
template <class Key>
struct DfPnNote {
    typename DfPnKeys<Key>::Words key;
    int bound;
    DfPnEntry entry;
};

/// What a thread notes between two checkpoints: numbers whenever their work has doubled.
template <class Key>
class DfPnNotes {
  public:
    /// `before` is the work of the node's earlier visits. Notes that nobody takes do not grow far beyond `most_bytes`:
    /// then it takes twice the work to be noted.
    void add(const DfPnNote<Key>& note, std::uint64_t before, std::uint64_t most_bytes) {
        const DfPnEntry& entry = note.entry;
        if (entry.work < least_) return;
        if (!entry.numbers.solved() && std::bit_width(entry.work) == std::bit_width(before)) return;
        notes_.push_back(note);
        if (notes_.size() < std::max<std::uint64_t>(4096, most_bytes / sizeof(note))) return;
        least_ *= 2;
        std::erase_if(notes_, [&](const DfPnNote<Key>& other) { return other.entry.work < least_; });
    }

    /// What was noted since the last call.
    std::vector<DfPnNote<Key>> take() noexcept {
        least_ = least_work;
        return std::exchange(notes_, {});
    }

    std::uint64_t bytes() const noexcept { return notes_.capacity() * sizeof(DfPnNote<Key>); }

  private:
    static constexpr std::uint64_t least_work = 1024;  // expansions

    std::vector<DfPnNote<Key>> notes_;
    std::uint64_t least_ = least_work;
};

template <class Key>
std::string write_notes(std::string_view fingerprint, double seconds, std::uint64_t expansions,
                        const DfPnKeys<Key>& keys, const std::vector<DfPnNote<Key>>& notes) {
    std::vector<std::uint32_t> words;
    const auto append = [&words](std::uint64_t value) {
        words.push_back(static_cast<std::uint32_t>(value));
        words.push_back(static_cast<std::uint32_t>(value >> 32));
    };
    append(expansions);
    words.push_back(static_cast<std::uint32_t>(notes.size()));
    for (const DfPnNote<Key>& note : notes) {
        if constexpr (std::is_same_v<Key, std::string>) {
            const std::string& key = keys.key(note.key);
            words.push_back(static_cast<std::uint32_t>(key.size()));
            const std::size_t start = words.size();
            words.resize(start + (key.size() + 3) / 4);
            if (!key.empty()) std::memcpy(words.data() + start, key.data(), key.size());
        } else {
            words.insert(words.end(), note.key.begin(), note.key.end());
        }
        words.push_back(static_cast<std::uint32_t>(note.bound));
        words.push_back(note.entry.numbers.proof);
        words.push_back(note.entry.numbers.disproof);
        words.push_back(note.entry.rank);
        append(note.entry.work);
    }
    return write_checkpoint(fingerprint, seconds, words);
}

template <class Key>
struct DfPnRestored {
    double seconds = 0;
    std::uint64_t expansions = 0;
    std::vector<DfPnNote<Key>> notes;
};

/// `chunks` are those of write_notes(), joined. Throws InvalidCheckpoint.
template <class Key>
DfPnRestored<Key> read_notes(std::string_view chunks, std::string_view fingerprint, DfPnKeys<Key>& keys) {
    const Checkpoint joined = read_checkpoint(chunks, fingerprint);
    const std::vector<std::uint32_t>& words = joined.expansions;
    DfPnRestored<Key> restored;
    restored.seconds = joined.seconds;
    std::size_t at = 0;
    const auto take = [&](std::size_t count) {
        if (words.size() - at < count) throw InvalidCheckpoint("the checkpoint is cut off");
        at += count;
        return words.data() + at - count;
    };
    const auto number = [&] { return *take(1); };
    const auto large = [&] {
        const std::uint32_t* const two = take(2);
        return two[0] | std::uint64_t{two[1]} << 32;
    };
    while (at < words.size()) {
        restored.expansions = large();
        for (std::uint32_t count = number(); count > 0; --count) {
            DfPnNote<Key> note;
            if constexpr (std::is_same_v<Key, std::string>) {
                const std::uint32_t size = number();
                const std::uint32_t* const from = take((std::size_t{size} + 3) / 4);
                note.key = keys.words(std::string(reinterpret_cast<const char*>(from), size));
            } else {
                const std::uint32_t* const from = take(note.key.size());
                std::copy(from, from + note.key.size(), note.key.begin());
            }
            note.bound = static_cast<int>(number());
            note.entry.numbers.proof = number();
            note.entry.numbers.disproof = number();
            note.entry.rank = number();
            note.entry.work = large();
            restored.notes.push_back(std::move(note));
        }
    }
    return restored;
}

}  // namespace proofbase
