// Numbers and keys in the words of checkpoints (checkpoint.hpp). A number of 64 bits is two words, the low one first. A
// key of varying length is its length in bytes and as many words as hold these bytes; any other key is the words that
// its memory fills.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "errors.hpp"
#include "virtual_game/key.hpp"

namespace proofbase {

inline void append_two_words(std::uint64_t value, std::vector<std::uint32_t>& words) {
    words.push_back(static_cast<std::uint32_t>(value));
    words.push_back(static_cast<std::uint32_t>(value >> 32));
}

template <class Key>
void append_key(const Key& key, std::vector<std::uint32_t>& words) {
    const void* bytes = &key;
    std::size_t size = sizeof(key);
    if constexpr (std::is_same_v<Key, std::string>) {
        bytes = key.data();
        size = key.size();
        words.push_back(static_cast<std::uint32_t>(size));
    } else {
        static_assert(std::is_trivially_copyable_v<Key>);
    }
    const std::size_t start = words.size();
    words.resize(start + (size + 3) / 4);
    if (size > 0) std::memcpy(words.data() + start, bytes, size);
}

/// A key of a game behind virtual functions has the words of the game's own key.
inline void append_key(const VirtualKey& key, std::vector<std::uint32_t>& words) {
    const bool is_number = (key.memory & VirtualKey::number) != 0;
    const std::size_t size = key.memory & ~VirtualKey::number;
    std::array<std::uint8_t, VirtualKey::capacity> memory{};
    for (std::size_t i = 0; i < key.size; ++i) memory[i] = key.bytes[is_number ? key.size - 1 - i : i];
    const std::size_t start = words.size();
    words.resize(start + (size + 3) / 4);
    std::memcpy(words.data() + start, memory.data(), size);
}

/// Reads words from the first to the last. Every read throws InvalidCheckpoint if there are not enough.
class WordReader {
  public:
    explicit WordReader(const std::vector<std::uint32_t>& words) noexcept : words_(words) {}

    bool at_end() const noexcept { return next_ == words_.size(); }

    const std::uint32_t* read_words(std::size_t count) {
        if (words_.size() - next_ < count) throw InvalidCheckpoint("the checkpoint is cut off");
        next_ += count;
        return words_.data() + next_ - count;
    }
    std::uint32_t read_word() { return *read_words(1); }
    std::uint64_t read_two_words() {
        const std::uint32_t* const two = read_words(2);
        return two[0] | std::uint64_t{two[1]} << 32;
    }

    /// `like`: any key of the game.
    template <class Key>
    Key read_key(const Key& like) {
        if constexpr (std::is_same_v<Key, VirtualKey>) {
            const bool is_number = (like.memory & VirtualKey::number) != 0;
            const std::size_t size = like.memory & ~VirtualKey::number;
            std::array<std::uint8_t, VirtualKey::capacity> memory{};
            std::memcpy(memory.data(), read_words((size + 3) / 4), size);
            VirtualKey key;
            key.size = like.size;
            key.memory = like.memory;
            for (std::size_t i = 0; i < key.size; ++i) key.bytes[is_number ? key.size - 1 - i : i] = memory[i];
            return key;
        } else if constexpr (std::is_same_v<Key, std::string>) {
            const std::uint32_t size = read_word();
            const std::uint32_t* const from = read_words((std::size_t{size} + 3) / 4);
            return std::string(reinterpret_cast<const char*>(from), size);
        } else {
            Key key;
            std::memcpy(&key, read_words((sizeof(Key) + 3) / 4), sizeof(Key));
            return key;
        }
    }

  private:
    const std::vector<std::uint32_t>& words_;
    std::size_t next_ = 0;
};

}  // namespace proofbase
