// The nodes of df-pn: questions about positions whose keys are written in words of 32 bits, as the table stores them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <type_traits>
#include <unordered_map>

#include "keys.hpp"

namespace proofbase {

/// Converts keys to words and back. A key of fixed size is copied bit by bit.
template <class Key>
class DfPnKeys {
    static_assert(std::is_trivially_copyable_v<Key>);

  public:
    using Words = std::array<std::uint32_t, (sizeof(Key) + 3) / 4>;

    Words words(const Key& key) noexcept {
        Words words{};
        copy(&key, words.data());
        return words;
    }
    Key key(const Words& words) const noexcept {
        Key key;
        std::memcpy(&key, words.data(), sizeof(Key));
        return key;
    }
    std::uint64_t bytes() const noexcept { return 0; }

  private:
    /// In steps of 8 bytes, which the compiler must not join: games write their keys in such words, and a processor
    /// waits long where it reads several fresh ones at once.
    static void copy(const void* from, void* to) noexcept {
        const char* source = static_cast<const char*>(from);
        char* target = static_cast<char*>(to);
        std::size_t left = sizeof(Key);
        for (; left >= 8; left -= 8, source += 8, target += 8) {
            std::uint64_t word;
            std::memcpy(&word, source, 8);
            asm("" : "+r"(word));
            std::memcpy(target, &word, 8);
        }
        std::memcpy(target, source, left);
    }
};

/// A key of varying length is stored here once, and its single word is its serial number. Not thread-safe.
template <>
class DfPnKeys<std::string> {
  public:
    using Words = std::array<std::uint32_t, 1>;

    Words words(const std::string& key) {
        const auto [entry, added] = serial_numbers_.try_emplace(key, static_cast<std::uint32_t>(keys_.size()));
        if (added) {
            keys_.push_back(&entry->first);
            bytes_ += sizeof(std::string) + key.size() + 6 * sizeof(void*);
        }
        return {entry->second};
    }
    const std::string& key(const Words& words) const noexcept { return *keys_[words[0]]; }
    std::uint64_t bytes() const noexcept { return bytes_; }

  private:
    std::unordered_map<std::string, std::uint32_t> serial_numbers_;
    std::deque<const std::string*> keys_;  ///< by serial number
    std::uint64_t bytes_ = 0;
};

/// The hash of a question. It depends on the words of the key and on the bound alone, so the table can compute it from
/// an entry.
template <std::size_t N>
[[gnu::always_inline]] inline std::uint64_t hash_key_words(const std::array<std::uint32_t, N>& key,
                                                           int bound) noexcept {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < N; i += 2) {
        const std::uint64_t high = i + 1 < N ? key[i + 1] : 0;
        h = mix(h ^ (key[i] | high << 32)) + (i + 2 < N ? 0x9e3779b97f4a7c15ULL : 0);
    }
    return hash_with_bound(h, bound);
}

/// Compares two keys in words of 64 bits: the compiler does not find this form by itself.
template <std::size_t N>
bool equal_key_words(const std::array<std::uint32_t, N>& a, const std::array<std::uint32_t, N>& b) noexcept {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < N; i += 2) {
        const std::size_t bytes = i + 1 < N ? 8 : 4;
        std::uint64_t left = 0, right = 0;
        std::memcpy(&left, &a[i], bytes);
        std::memcpy(&right, &b[i], bytes);
        difference |= left ^ right;
    }
    return difference == 0;
}

/// A node of df-pn: "is the value of the position with this key at least `bound`?"
template <class Words>
struct DfPnQuestion {
    Words key;
    int bound;
    std::uint64_t hash;

    DfPnQuestion() = default;
    DfPnQuestion(const Words& words, int at_least) noexcept
        : key(words), bound(at_least), hash(hash_key_words(words, at_least)) {}

    bool operator==(const DfPnQuestion& other) const noexcept { return key == other.key && bound == other.bound; }
};

/// For hash tables of the standard library.
struct HashOfDfPnQuestion {
    template <class Words>
    std::size_t operator()(const DfPnQuestion<Words>& question) const noexcept {
        return question.hash;
    }
};

}  // namespace proofbase
