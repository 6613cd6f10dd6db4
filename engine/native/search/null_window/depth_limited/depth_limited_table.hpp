// The transposition table of null-window search in games with cycles: entries (depth_limited_entry.hpp) by exact keys,
// in a limited amount of memory, in buckets of some cache lines. It grows to its limit as null_window_table.hpp does. A
// full bucket loses its entry with the least work. Several threads may share it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "search/null_window/depth_limited/depth_limited_entry.hpp"
#include "search/null_window/node_identity.hpp"
#include "search/null_window/null_window_table.hpp"
#include "search/table/bucket_lock.hpp"
#include "search/table/growing_buckets.hpp"

namespace proofbase {

template <class Key>
class DepthLimitedTable {
  public:
    using Identity = typename NodeIdentities<Key>::Identity;
    using Entry = DepthLimitedEntry;

    DepthLimitedTable() = default;
    /// `concurrent`: several threads use the table. Throws std::bad_alloc. (The arguments are those of
    /// NullWindowTable.)
    DepthLimitedTable(std::uint64_t bytes, std::size_t, int highest_value, bool concurrent)
        : buckets_(bytes, initial_buckets), highest_(highest_value), concurrent_(concurrent) {}

    std::uint64_t max_bytes() const noexcept { return buckets_.max_bytes(); }  ///< the limit of bytes(); 0: no table
    std::uint64_t bytes() const noexcept { return buckets_.bytes(); }

    void prefetch(const Identity& node) const noexcept { buckets_.prefetch(node.hash); }

    /// False if the table has no entry of the position; then `out` has no bounds but those of all values.
    bool find(const Identity& node, Entry& out) const noexcept {
        const Words key = words_of(node);
        const Bucket& bucket = buckets_.at(node.hash);
        while (true) {
            const std::uint32_t version = concurrent_ ? even_version(bucket.version) : 0;
            bool found = false;
            for (const Slot& slot : bucket.slots) {
                if (!in_use(slot) || !has_key(slot, key)) continue;
                out = unpack(slot);
                found = true;
                break;
            }
            if (concurrent_ && !unchanged_since(version, bucket.version)) continue;
            if (!found) out = {-highest_, highest_};
            return found;
        }
    }

    /// Unites the entry with what is known of its position.
    void store(const Identity& node, const Entry& entry) noexcept {
        if (!store(buckets_.at(node.hash), words_of(node), entry)) return;
        // One entry for a bucket while the table grows: a loss makes the solution harder to take out.
        if (!is_time_to_grow(node.hash, 2)) return;
        buckets_.grow([&](Bucket& from, Bucket& to, std::uint64_t, std::uint64_t half) { split(from, to, half); });
    }

  private:
    template <class I>
    static auto words_of(const I& node) noexcept {
        if constexpr (requires { node.words; }) {
            return node.words;
        } else {
            return std::array<std::uint32_t, 2>{static_cast<std::uint32_t>(node.hash),
                                                static_cast<std::uint32_t>(node.hash >> 32)};
        }
    }
    using Words = decltype(words_of(Identity{}));
    static constexpr std::size_t entry_words = 7;
    static constexpr std::uint32_t half_word = 0xffff;
    static constexpr int work_bits = 8;
    static constexpr std::uint32_t work_mask = (1u << work_bits) - 1;

    struct Slot {
        Words key;
        std::array<std::uint32_t, entry_words> entry;  ///< the last one is never 0; 0: a free slot
    };
    static constexpr std::size_t lines = (4 * sizeof(Slot) + 4 + 63) / 64;
    static constexpr std::size_t slots_in_bucket = (lines * 64 - 4) / sizeof(Slot);
    struct alignas(64) Bucket {
        std::uint32_t version;
        Slot slots[slots_in_bucket];
    };
    static constexpr std::uint64_t initial_buckets = 512;

    static bool in_use(const Slot& slot) noexcept { return load_relaxed(slot.entry.back()) != 0; }

    /// Compares the keys by atomic reads, while other threads may write the slot.
    static bool has_key(const Slot& slot, const Words& key) noexcept {
        for (std::size_t i = 0; i < key.size(); ++i) {
            if (load_relaxed(slot.key[i]) != key[i]) return false;
        }
        return true;
    }

    bool store(Bucket& bucket, const Words& key, Entry entry) const noexcept {
        const BucketLock lock(bucket.version, concurrent_);
        Slot* chosen = bucket.slots;
        std::uint32_t least_work = 0xffffffff;
        for (Slot& slot : bucket.slots) {
            if (in_use(slot) && has_key(slot, key)) {
                entry.unite(unpack(slot));
                write(slot, key, entry);
                return false;
            }
            if (const std::uint32_t work = slot.entry.back() & work_mask; work < least_work) {
                least_work = work;
                chosen = &slot;
            }
        }
        write(*chosen, key, entry);
        return true;
    }

    void split(Bucket& from, Bucket& to, std::uint64_t half) const noexcept {
        const BucketLock lock_from(from.version, concurrent_);
        const BucketLock lock_to(to.version, concurrent_);
        Slot* free = to.slots;
        for (Slot& slot : from.slots) {
            if (!in_use(slot) || (hash_of(slot.key) & half) == 0) continue;
            write(*free++, slot.key, unpack(slot));
            store_relaxed(slot.entry.back(), 0);
        }
    }

    static std::uint64_t hash_of(const Words& key) noexcept {
        if constexpr (requires(Identity node) { node.words; }) {
            return hash_key_words(key, 0);
        } else {
            return key[0] | std::uint64_t{key[1]} << 32;
        }
    }

    static Entry unpack(const Slot& slot) noexcept {
        const auto word = [&](std::size_t i) { return load_relaxed(slot.entry[i]); };
        const auto number = [&](std::size_t i) { return static_cast<std::int32_t>(word(i)); };
        return {number(0), number(1), word(2) & half_word,  word(2) >> 16,      number(3),
                word(4),   word(5),   word(6) >> work_bits, word(6) & work_mask};
    }

    /// Heights are numbers of 16 bits: beyond, they do not order claims any more.
    static std::uint32_t two_halves(std::uint32_t low, std::uint32_t high) noexcept {
        return std::min(low, half_word) | std::min(high, half_word) << 16;
    }

    static void write(Slot& slot, const Words& key, const Entry& entry) noexcept {
        for (std::size_t i = 0; i < key.size(); ++i) store_relaxed(slot.key[i], key[i]);
        const std::array<std::uint32_t, entry_words> words{
            static_cast<std::uint32_t>(entry.lower),
            static_cast<std::uint32_t>(entry.upper),
            two_halves(entry.lower_height, entry.upper_height),
            static_cast<std::uint32_t>(entry.open_bound),
            entry.depth_without_lower,
            entry.depth_without_upper,
            entry.child << work_bits | std::clamp<std::uint32_t>(entry.work, 1, work_mask)};
        for (std::size_t i = 0; i < entry_words; ++i) store_relaxed(slot.entry[i], words[i]);
    }

    GrowingBuckets<Bucket> buckets_;
    int highest_ = 0;
    bool concurrent_ = false;
};

}  // namespace proofbase
