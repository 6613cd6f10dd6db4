// How several threads share a table whose entries are wider than one word. While a thread writes a bucket, the bucket's
// version is odd. A reader compares the versions before and after reading, and reads again if they differ. All words
// are atomic, so there are no data races.
#pragma once

#include <atomic>
#include <cstdint>

namespace proofbase {

/// Words of a bucket that other threads may read and write at the same time.
inline std::uint32_t load_relaxed(const std::uint32_t& word) noexcept {
    return std::atomic_ref(const_cast<std::uint32_t&>(word)).load(std::memory_order_relaxed);
}
inline std::uint64_t load_relaxed(const std::uint64_t& word) noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed);
}
inline void store_relaxed(std::uint32_t& word, std::uint32_t value) noexcept {
    std::atomic_ref(word).store(value, std::memory_order_relaxed);
}
inline void store_relaxed(std::uint64_t& word, std::uint64_t value) noexcept {
    std::atomic_ref(word).store(value, std::memory_order_relaxed);
}

/// Makes the version of a bucket odd for its lifetime, if several threads use the table.
class BucketLock {
  public:
    BucketLock(std::uint32_t& bucket_version, bool concurrent) noexcept
        : version_(concurrent ? &bucket_version : nullptr) {
        if (version_ == nullptr) return;
        std::atomic_ref version(*version_);
        std::uint32_t seen = version.load(std::memory_order_relaxed);
        do {
            seen &= ~1u;
        } while (!version.compare_exchange_weak(seen, seen | 1, std::memory_order_acquire, std::memory_order_relaxed));
        std::atomic_thread_fence(std::memory_order_release);  // no word is written before the version is odd
    }
    ~BucketLock() {
        if (version_ != nullptr) {
            std::atomic_ref(*version_).store(load_relaxed(*version_) + 1, std::memory_order_release);
        }
    }
    BucketLock(const BucketLock&) = delete;
    BucketLock& operator=(const BucketLock&) = delete;

  private:
    std::uint32_t* version_;
};

/// Waits until no thread writes the bucket, and returns its version.
inline std::uint32_t even_version(const std::uint32_t& bucket_version) noexcept {
    std::uint32_t version;
    do {
        version = std::atomic_ref(const_cast<std::uint32_t&>(bucket_version)).load(std::memory_order_acquire);
    } while ((version & 1) != 0);
    return version;
}

/// True if nothing was written to the bucket since even_version() gave this version.
inline bool unchanged_since(std::uint32_t version, const std::uint32_t& bucket_version) noexcept {
    std::atomic_thread_fence(std::memory_order_acquire);
    return load_relaxed(bucket_version) == version;
}

}  // namespace proofbase
