// The keys of games behind virtual functions: one type holds the keys of all of them.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "keys.hpp"

namespace proofbase {

/// The written form of a key (keys.hpp), and how the game's own type holds the key in memory. The order is that of the
/// game's own keys, since big-endian bytes are in numeric order.
struct VirtualKey {
    static constexpr std::size_t capacity = 78;

    std::array<std::uint8_t, capacity> bytes{};  ///< those behind `size` are 0
    std::uint8_t size = 0;                       ///< the game's key_size()
    std::uint8_t memory = 0;                     ///< bytes of the game's own type; `number` is added for numbers

    static constexpr std::uint8_t number = 0x80;

    std::string_view view() const noexcept { return {reinterpret_cast<const char*>(bytes.data()), size}; }

    friend bool operator==(const VirtualKey& a, const VirtualKey& b) noexcept {
        return a.size == b.size && std::memcmp(a.bytes.data(), b.bytes.data(), a.size) == 0;
    }
    friend std::strong_ordering operator<=>(const VirtualKey& a, const VirtualKey& b) noexcept {
        const int order = std::memcmp(a.bytes.data(), b.bytes.data(), std::min(a.size, b.size));
        return order != 0 ? order <=> 0 : a.size <=> b.size;
    }
};

inline std::uint64_t hash_key(const VirtualKey& key) noexcept {
    return hash_key(key.view());
}

inline void write_key(const VirtualKey& key, std::size_t, std::string& out) {
    out += key.view();
}

/// To a key from the game's own key, of a game whose keys have `size` bytes, and back.
template <NumberKey K>
inline void to_virtual_key(K key, std::size_t size, VirtualKey& out) noexcept {
    out = {};
    if constexpr (sizeof(K) == 8) {
        key = __builtin_bswap64(size == 0 ? 0 : key << 8 * (8 - size));
        std::memcpy(out.bytes.data(), &key, 8);
    } else {
        for (std::size_t i = 0; i < size; ++i) out.bytes[i] = static_cast<std::uint8_t>(key >> (8 * (size - 1 - i)));
    }
    out.size = static_cast<std::uint8_t>(size);
    out.memory = static_cast<std::uint8_t>(VirtualKey::number | sizeof(K));
}

template <std::size_t N>
    requires(N <= VirtualKey::capacity)
inline void to_virtual_key(const std::array<std::uint8_t, N>& key, std::size_t size, VirtualKey& out) noexcept {
    out = {};
    std::memcpy(out.bytes.data(), key.data(), size);
    out.size = static_cast<std::uint8_t>(size);
    out.memory = N;
}

inline void to_virtual_key(const VirtualKey& key, std::size_t, VirtualKey& out) noexcept {
    out = key;
}

template <NumberKey K>
inline void from_virtual_key(const VirtualKey& key, K& out) noexcept {
    if constexpr (sizeof(K) == 8) {
        std::memcpy(&out, key.bytes.data(), 8);
        out = key.size == 0 ? 0 : __builtin_bswap64(out) >> 8 * (8 - key.size);
    } else {
        out = 0;
        for (std::size_t i = 0; i < key.size; ++i) out = static_cast<K>((out << 8) | key.bytes[i]);
    }
}

template <std::size_t N>
inline void from_virtual_key(const VirtualKey& key, std::array<std::uint8_t, N>& out) noexcept {
    std::memcpy(out.data(), key.bytes.data(), N);
}

inline void from_virtual_key(const VirtualKey& key, VirtualKey& out) noexcept {
    out = key;
}

}  // namespace proofbase
