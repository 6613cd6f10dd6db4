// How a graph keeps the keys of its nodes. A node has a `Stored`: a key of fixed size itself, or the number of a key of
// varying length, which is kept here.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

namespace proofbase {

template <class Key>
class KeyPool {
    static_assert(std::is_trivially_copyable_v<Key>);

  public:
    using Stored = Key;
    Stored store(const Key& key) noexcept { return key; }
    void release(const Stored&) noexcept {}
    const Key& key(const Stored& stored) const noexcept { return stored; }
    std::uint64_t bytes() const noexcept { return 0; }
};

template <>
class KeyPool<std::string> {
  public:
    using Stored = std::uint32_t;

    Stored store(const std::string& key) {
        if (!free_.empty()) {
            const Stored stored = free_.back();
            free_.pop_back();
            keys_[stored] = key;
            return stored;
        }
        keys_.push_back(key);
        bytes_ += sizeof(std::string) + (key.capacity() > 15 ? key.capacity() + 1 : 0);
        return static_cast<Stored>(keys_.size() - 1);
    }
    /// The key is needed no more. Its memory serves a later one, and counts as in use until then.
    void release(Stored stored) { free_.push_back(stored); }
    const std::string& key(Stored stored) const noexcept { return keys_[stored]; }
    std::uint64_t bytes() const noexcept { return bytes_; }

  private:
    std::deque<std::string> keys_;
    std::vector<Stored> free_;
    std::uint64_t bytes_ = 0;
};

}  // namespace proofbase
