// The nodes of df-pn: questions about positions whose keys are written in words of 32 bits, as the table stores them.
#pragma once

#include <array>
#include <bit>
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

    [[gnu::always_inline]] Words words(const Key& key) noexcept {
        Words words;
        copy(&key, words.data());
        return words;
    }
    Key key(const Words& words) const noexcept {
        Key key;
        std::memcpy(static_cast<void*>(&key), words.data(), sizeof(Key));
        return key;
    }
    std::uint64_t bytes() const noexcept { return 0; }

  private:
    /// In steps of 8 bytes, which the compiler must not join: games write their keys in such words, and a processor
    /// waits long where it reads several fresh ones at once. For the same reason the last word is written in one step.
    [[gnu::always_inline]] static void copy(const void* from, void* to) noexcept {
        const char* source = static_cast<const char*>(from);
        char* target = static_cast<char*>(to);
        std::size_t left = sizeof(Key);
        for (; left >= 8; left -= 8, source += 8, target += 8) {
            std::uint64_t word;
            std::memcpy(&word, source, 8);
            asm("" : "+r"(word));
            std::memcpy(target, &word, 8);
        }
        if (left >= 4) {
            std::memcpy(target, source, 4);
            left -= 4, source += 4, target += 4;
        }
        if (left == 0) return;
        std::uint32_t last = 0;
        for (std::size_t i = 0; i < left; ++i) {
            const std::size_t place = std::endian::native == std::endian::little ? i : 3 - i;
            last |= static_cast<std::uint32_t>(static_cast<unsigned char>(source[i])) << 8 * place;
        }
        std::memcpy(target, &last, 4);
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

/// Words `i` and `i + 1` of a key as one number.
template <std::size_t N>
[[gnu::always_inline]] inline std::uint64_t two_key_words(const std::array<std::uint32_t, N>& key,
                                                          std::size_t i) noexcept {
    const std::uint64_t low = i < N ? key[i] : 0;
    const std::uint64_t high = i + 1 < N ? key[i + 1] : 0;
    return low | high << 32;
}

/// The hash of a question. It depends on the words of the key and on the bound alone, so the table can compute it from
/// an entry. Keys of more than 64 bits are folded by products of 128 bits (Wang Yi's wyhash), which takes a third of
/// the time of mix() for every word.
template <std::size_t N>
[[gnu::always_inline]] inline std::uint64_t hash_key_words(const std::array<std::uint32_t, N>& key,
                                                           int bound) noexcept {
    if constexpr (N <= 2) return hash_with_bound(mix(two_key_words(key, 0)), bound);
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < N; i += 4) {
        using Product = unsigned __int128;
        const auto product = static_cast<Product>(h ^ two_key_words(key, i) ^ 0x9e3779b97f4a7c15ULL) *
                             (two_key_words(key, i + 2) ^ 0xd1b54a32d192ed03ULL);
        h = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
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

    bool operator==(const DfPnQuestion& other) const noexcept {
        return hash == other.hash && equal_key_words(key, other.key) && bound == other.bound;
    }
};

/// For hash tables of the standard library.
struct HashOfDfPnQuestion {
    template <class Words>
    std::size_t operator()(const DfPnQuestion<Words>& question) const noexcept {
        return question.hash;
    }
};

}  // namespace proofbase
