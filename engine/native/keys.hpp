// The bytes and the hashes of keys. As bytes, unsigned integers are written big-endian in the game's
// key_size() bytes (so that byte order is numeric order), strings unchanged. Of a byte array the first key_size() bytes
// are written; the bytes behind them are 0.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace proofbase {

/// Finaliser of MurmurHash3 (public domain, Austin Appleby): spreads all bits of a word over all bits.
inline std::uint64_t mix(std::uint64_t x) noexcept {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    x ^= x >> 33;
    return x;
}

/// Numbers that are keys: words of up to 128 bits. (For strict C++ the widest of them is no integral type.)
template <class K>
concept NumberKey = std::unsigned_integral<K> || std::same_as<K, unsigned __int128>;

template <NumberKey K>
inline std::uint64_t hash_key(K key) noexcept {
    if constexpr (sizeof(K) > 8) {
        return mix((mix(static_cast<std::uint64_t>(key >> 64)) + 0x9e3779b97f4a7c15ULL) ^
                   static_cast<std::uint64_t>(key));
    } else {
        return mix(static_cast<std::uint64_t>(key));
    }
}

inline std::uint64_t hash_key(std::string_view key) noexcept {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL ^ key.size();
    while (!key.empty()) {
        std::uint64_t word = 0;
        const std::size_t n = key.size() < 8 ? key.size() : 8;
        std::memcpy(&word, key.data(), n);
        h = mix(h ^ word) + 0x9e3779b97f4a7c15ULL;
        key.remove_prefix(n);
    }
    return h;
}

template <std::size_t N>
inline std::uint64_t hash_key(const std::array<std::uint8_t, N>& key) noexcept {
    return hash_key(std::string_view(reinterpret_cast<const char*>(key.data()), N));
}

/// The hash of the question "is the value at least `bound`?", from the hash of the position's key.
inline std::uint64_t hash_with_bound(std::uint64_t hash, int bound) noexcept {
    return hash + static_cast<std::uint64_t>(static_cast<std::int64_t>(bound)) * 0x9e3779b97f4a7c15ULL;
}

template <class Key>
inline std::uint64_t hash_question(const Key& key, int bound) noexcept {
    return hash_with_bound(hash_key(key), bound);
}

/// Appends the written form of `key` to `out`; `size` is the game's key_size().
template <NumberKey K>
inline void write_key(K key, std::size_t size, std::string& out) {
    for (std::size_t i = size; i-- > 0;) out.push_back(static_cast<char>(static_cast<std::uint8_t>(key >> (8 * i))));
}

inline void write_key(const std::string& key, std::size_t, std::string& out) {
    out += key;
}

template <std::size_t N>
inline void write_key(const std::array<std::uint8_t, N>& key, std::size_t size, std::string& out) {
    out.append(reinterpret_cast<const char*>(key.data()), size);
}

/// Reads a written key; nothing if the length is not `size` (0: any length).
template <NumberKey K>
inline std::optional<K> read_key(std::string_view bytes, std::size_t size, std::type_identity<K>) noexcept {
    if (bytes.size() != size) return std::nullopt;
    K key = 0;
    for (const char c : bytes) key = static_cast<K>((key << 8) | static_cast<std::uint8_t>(c));
    return key;
}

inline std::optional<std::string> read_key(std::string_view bytes, std::size_t, std::type_identity<std::string>) {
    return std::string(bytes);
}

template <std::size_t N>
inline std::optional<std::array<std::uint8_t, N>> read_key(std::string_view bytes, std::size_t size,
                                                           std::type_identity<std::array<std::uint8_t, N>>) noexcept {
    if (bytes.size() != size) return std::nullopt;
    std::array<std::uint8_t, N> key{};
    std::memcpy(key.data(), bytes.data(), size);
    return key;
}

}  // namespace proofbase
