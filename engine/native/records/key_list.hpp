// A list of keys of one game.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace proofbase {

template <class Key>
class KeyList {
  public:
    KeyList() = default;
    explicit KeyList(std::vector<Key> keys) : keys_(std::move(keys)) {}

    std::size_t size() const noexcept { return keys_.size(); }
    const Key& operator[](std::size_t i) const noexcept { return keys_[i]; }
    void push_back(const Key& key) { keys_.push_back(key); }

    /// Sorts, ascending. False, with the keys in any order, as soon as `stopped` is set; it may be null.
    bool sort(const std::atomic<bool>* stopped = nullptr) {
        struct Stopped {};
        try {
            std::sort(keys_.begin(), keys_.end(), [stopped](const Key& a, const Key& b) {
                if (stopped != nullptr && stopped->load(std::memory_order_relaxed)) throw Stopped();
                return a < b;
            });
            return true;
        } catch (const Stopped&) {
            return false;
        }
    }

    /// Sorts, and keeps one of equal keys.
    void sort_unique() {
        sort();
        keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    }

  private:
    std::vector<Key> keys_;
};

}  // namespace proofbase
