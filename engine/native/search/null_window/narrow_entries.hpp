// Entries of the null-window table that are one word of 64 bits, for keys that are integers: both bounds, the work that
// they took, a few bits of the best child's identity, and of the mixed key (node_identity.hpp) those bits that the
// bucket's number does not give. So an entry is read and written at once, by any number of threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "search/null_window/null_window_entry.hpp"
#include "search/table/bucket_lock.hpp"

namespace proofbase {

/// Entries of one word, for keys that are integers.
class NarrowEntries {
  public:
    static constexpr std::size_t slots = 8;
    struct alignas(64) Bucket {
        std::uint64_t slots[NarrowEntries::slots];
    };

    NarrowEntries() = default;

    /// Throws nothing; fits() tells whether keys and values of this size go into 64 bits, given so many buckets.
    NarrowEntries(std::size_t key_bits, int highest_value, std::uint64_t max_buckets) noexcept
        : highest_(highest_value),
          value_bits_(std::bit_width(2 * static_cast<std::uint64_t>(highest_value))),
          value_mask_((std::uint64_t{1} << value_bits_) - 1) {
        const int most_index_bits = std::bit_width(max_buckets) - 1;
        const auto needed = static_cast<int>(key_bits) + 2 * value_bits_ + work_bits - 64;  // of index and child
        child_bits_ = needed + NullWindowEntry::child_bits <= comfortable_index_bits ? NullWindowEntry::child_bits : 0;
        index_bits_ = std::max(needed + child_bits_, least_index_bits);
        fits_ = index_bits_ <= most_index_bits;
        key_shift_ = static_cast<int>(2 * value_bits_) + work_bits + child_bits_;
    }

    bool fits() const noexcept { return fits_; }

    /// The table needs so many buckets at least: their number gives the low bits of the key.
    std::uint64_t least_buckets() const noexcept { return std::uint64_t{1} << index_bits_; }

    bool find(const Bucket& bucket, std::uint64_t hash, NullWindowEntry& out) const noexcept {
        const std::uint64_t key = hash >> index_bits_;
        for (const std::uint64_t& slot : bucket.slots) {
            const std::uint64_t word = load_relaxed(slot);
            if (word >> key_shift_ != key || word == 0) continue;
            out = unpack(word);
            return true;
        }
        return false;
    }

    /// Unites the entry with what is known of its position. True if nothing was known.
    bool store(Bucket& bucket, std::uint64_t hash, NullWindowEntry entry) const noexcept {
        const std::uint64_t key = hash >> index_bits_;
        std::uint64_t* chosen = bucket.slots;
        std::uint64_t least_work = ~std::uint64_t{0};
        for (std::uint64_t& slot : bucket.slots) {
            const std::uint64_t word = load_relaxed(slot);
            if (word >> key_shift_ == key && word != 0) {
                const NullWindowEntry known = unpack(word);
                entry.lower = std::max(entry.lower, known.lower);
                entry.upper = std::min(entry.upper, known.upper);
                entry.work = std::max(entry.work, known.work);
                store_relaxed(slot, pack(key, entry));
                return false;
            }
            if (const std::uint64_t work = word & work_mask; work < least_work) {
                least_work = work;
                chosen = &slot;
            }
        }
        store_relaxed(*chosen, pack(key, entry));
        return true;
    }

    /// Moves the entries whose hash has the bit `half` from a bucket with the number `index` to a new one.
    void split(Bucket& from, Bucket& to, std::uint64_t index, std::uint64_t half) const noexcept {
        const std::uint64_t low = index & ((std::uint64_t{1} << index_bits_) - 1);
        std::uint64_t* free = to.slots;
        for (std::uint64_t& slot : from.slots) {
            const std::uint64_t word = load_relaxed(slot);
            const std::uint64_t hash = (word >> key_shift_) << index_bits_ | low;
            if (word == 0 || (hash & half) == 0) continue;
            store_relaxed(*free++, word);
            store_relaxed(slot, 0);
        }
    }

  private:
    // An entry, from the low bits on: work, child, upper, lower, key. The work is never 0; a free slot is 0.
    static constexpr int work_bits = 5;
    static constexpr std::uint64_t work_mask = (1u << work_bits) - 1;
    static constexpr int comfortable_index_bits = 12;  // a quarter of a MiB at once
    static constexpr int least_index_bits = 4;

    std::uint64_t pack(std::uint64_t key, const NullWindowEntry& entry) const noexcept {
        std::uint64_t word = key << value_bits_ | static_cast<std::uint64_t>(entry.lower + highest_);
        word = word << value_bits_ | static_cast<std::uint64_t>(entry.upper + highest_);
        word = word << child_bits_ | (entry.child & ((1u << child_bits_) - 1));
        return word << work_bits | std::clamp<std::uint64_t>(entry.work, 1, work_mask);
    }

    NullWindowEntry unpack(std::uint64_t word) const noexcept {
        NullWindowEntry entry;
        entry.work = static_cast<std::uint32_t>(word & work_mask);
        word >>= work_bits;
        entry.child = static_cast<std::uint32_t>(word) & ((1u << child_bits_) - 1);
        word >>= child_bits_;
        entry.upper = static_cast<int>(word & value_mask_) - highest_;
        entry.lower = static_cast<int>(word >> value_bits_ & value_mask_) - highest_;
        return entry;
    }

    int highest_ = 0;
    int value_bits_ = 0;
    std::uint64_t value_mask_ = 0;
    int child_bits_ = 0;
    int index_bits_ = 0;
    int key_shift_ = 0;
    bool fits_ = false;
};

}  // namespace proofbase
