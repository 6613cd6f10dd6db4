// The buckets of a transposition table that grows to a limit bucket by bucket (linear hashing: Litwin, "Linear hashing:
// a new tool for file and table addressing", 1980). So a small search touches little memory, which the system would
// have to fetch and to clear, and a large search never waits while a table is copied.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "search/graph/pages.hpp"
#include "search/table/bucket_lock.hpp"

namespace proofbase {

/// `Bucket` is a number of whole cache lines; zero bytes are an empty bucket.
template <class Bucket>
class GrowingBuckets {
  public:
    GrowingBuckets() = default;
    /// At most so many bytes, at first so many buckets. Throws std::bad_alloc.
    GrowingBuckets(std::uint64_t bytes, std::uint64_t initial_buckets)
        : max_count_(std::max<std::uint64_t>(bytes / sizeof(Bucket), 1)),
          count_(std::min(max_count_, initial_buckets)),
          initial_count_(count_),
          pages_(max_count_ * sizeof(Bucket), max_count_ * sizeof(Bucket)) {}
    GrowingBuckets(GrowingBuckets&&) noexcept = default;
    GrowingBuckets& operator=(GrowingBuckets&& other) noexcept {
        std::swap(max_count_, other.max_count_);
        std::swap(count_, other.count_);
        std::swap(initial_count_, other.initial_count_);
        std::swap(pages_, other.pages_);
        return *this;
    }
    ~GrowingBuckets() {
        // Most of a table that was made large may never have been touched: clearing it would take its memory.
        constexpr std::uint64_t small = std::uint64_t{1} << 20;
        if (initial_count_ * sizeof(Bucket) <= small || count_ / 2 >= initial_count_) pages_.leave(bytes());
    }

    std::uint64_t max_bytes() const noexcept { return max_count_ * sizeof(Bucket); }
    std::uint64_t bytes() const noexcept { return load_relaxed(count_) * sizeof(Bucket); }

    /// The first `lines` of a bucket.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash, std::size_t lines = sizeof(Bucket) / 64) const noexcept {
        const char* start = reinterpret_cast<const char*>(&at(hash));
        for (std::size_t line = 0; line < lines; ++line) __builtin_prefetch(start + 64 * line);
    }

    /// The bucket of a hash. Its low bits are the index.
    [[gnu::always_inline]] Bucket& at(std::uint64_t hash) const noexcept {
        return buckets()[index(hash, load_relaxed(count_))];
    }

    /// Adds `growth_step` buckets, unless the limit is reached. `split(from, to, index, half)` moves the entries whose
    /// hash has the bit `half` from the bucket with the number `index` to a new one; one thread at a time calls it.
    template <class Split>
    [[gnu::noinline]] void grow(Split&& split) {
        if (load_relaxed(count_) == max_count_) return;
        std::atomic_ref growing(growing_);
        if (growing.exchange(1, std::memory_order_acquire) != 0) return;  // another thread adds buckets now
        const std::uint64_t end = std::min(load_relaxed(count_) + growth_step, max_count_);
        for (std::uint64_t added = load_relaxed(count_); added < end; ++added) {
            const std::uint64_t half = std::bit_floor(added);
            split(buckets()[added - half], buckets()[added], added - half, half);
        }
        std::atomic_ref(count_).store(end, std::memory_order_release);
        growing.store(0, std::memory_order_release);
    }

    static constexpr std::uint64_t growth_step = 64;  // buckets

  private:
    Bucket* buckets() const noexcept { return static_cast<Bucket*>(pages_.data()); }

    /// The address function of linear hashing: the low bits of the hash, one bit less where that bucket is not there
    /// yet.
    static std::uint64_t index(std::uint64_t hash, std::uint64_t count) noexcept {
        const std::uint64_t half = std::bit_floor(count);
        const std::uint64_t index = hash & (2 * half - 1);
        // A mask in place of a branch, which would be predicted wrongly half the time.
        const std::uint64_t missing = -std::uint64_t{index >= count};
        return index - (missing & half);
    }

    std::uint64_t max_count_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t initial_count_ = 0;
    Pages pages_;
    alignas(64) std::uint32_t growing_ = 0;  ///< 1 while a thread adds buckets; not on the line that every at() reads
};

}  // namespace proofbase
