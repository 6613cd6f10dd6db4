// How the table of a null-window search knows a position: by its exact key, in a form that gives an index at once.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "keys.hpp"
#include "search/df_pn/df_pn_question.hpp"

namespace proofbase {

/// Keys that are integers of up to 64 bits.
template <class Key>
concept WordKey = std::unsigned_integral<Key> && sizeof(Key) <= 8;

/// From keys to identities. This form is for keys of any kind: the identity has the words of the key, and a hash.
template <class Key>
class NodeIdentities {
  public:
    struct Identity {
        typename DfPnKeys<Key>::Words words;
        std::uint64_t hash;

        bool operator==(const Identity& other) const noexcept { return words == other.words; }
    };

    /// `key_size`: the bytes of a key.
    explicit NodeIdentities(std::size_t) noexcept {}

    Identity operator()(const Key& key) {
        const auto words = keys_.words(key);
        return {words, hash_key_words(words, 0)};
    }

    std::uint64_t bytes() const noexcept { return keys_.bytes(); }

  private:
    DfPnKeys<Key> keys_;
};

/// A key that is an integer is mixed, so that its low bits are an index. No two keys give the same word: each step can
/// be undone, within the bits that the game's keys have.
template <WordKey Key>
class NodeIdentities<Key> {
  public:
    struct Identity {
        std::uint64_t hash;

        bool operator==(const Identity&) const = default;
    };

    explicit NodeIdentities(std::size_t key_size) noexcept
        : mask_(key_size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * key_size)) - 1),
          half_(static_cast<int>(std::popcount(mask_)) / 2) {}

    Identity operator()(Key key) const noexcept {
        std::uint64_t word = key;
        word ^= word >> half_;
        word = (word * 0xff51afd7ed558ccdULL) & mask_;
        word ^= word >> half_;
        return {word};
    }

    std::uint64_t bytes() const noexcept { return 0; }

  private:
    std::uint64_t mask_;
    int half_;
};

/// The hash of the question "is the value at least `bound`?".
template <class Identity>
std::uint64_t hash_of_question(const Identity& identity, int bound) noexcept {
    return mix(hash_with_bound(identity.hash, bound));
}

}  // namespace proofbase
