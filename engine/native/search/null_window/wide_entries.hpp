// Entries of the null-window table for keys that do not fit into one word with the bounds: the words of the key, both
// bounds as they are, the work and the best child.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "search/null_window/null_window_entry.hpp"
#include "search/table/bucket_lock.hpp"

namespace proofbase {

/// `Words` is an array of words of 32 bits; equal words are equal keys.
template <class Words>
class WideEntries {
  private:
    struct Slot {
        Words key;
        std::uint32_t lower;
        std::uint32_t upper;
        std::uint32_t child_and_work;  ///< the work in the low bits is never 0; 0: a free slot
    };

  public:
    static constexpr std::size_t lines = sizeof(Slot) > 30 ? (2 * sizeof(Slot) + 4 + 63) / 64 : 1;
    static constexpr std::size_t slots = (lines * 64 - 4) / sizeof(Slot);
    struct alignas(64) Bucket {
        std::uint32_t version;
        Slot slots[WideEntries::slots];
    };
    static_assert(sizeof(Bucket) == lines * 64);

    static bool find(const Bucket& bucket, const Words& key, bool concurrent, NullWindowEntry& out) noexcept {
        while (true) {
            const std::uint32_t version = concurrent ? even_version(bucket.version) : 0;
            Slot found{};
            for (const Slot& slot : bucket.slots) {
                const std::uint32_t child_and_work = load_relaxed(slot.child_and_work);
                if (child_and_work == 0 || !has_key(slot, key)) continue;
                found = {key, load_relaxed(slot.lower), load_relaxed(slot.upper), child_and_work};
                break;
            }
            if (concurrent && !unchanged_since(version, bucket.version)) continue;
            if (found.child_and_work == 0) return false;
            out = unpack(found);
            return true;
        }
    }

    /// Unites the entry with what is known of its position. True if nothing was known.
    static bool store(Bucket& bucket, const Words& key, bool concurrent, NullWindowEntry entry) noexcept {
        const BucketLock lock(bucket.version, concurrent);
        Slot* chosen = bucket.slots;
        std::uint32_t least_work = 0xffffffff;
        for (Slot& slot : bucket.slots) {
            if (slot.child_and_work != 0 && has_key(slot, key)) {
                const NullWindowEntry known = unpack(slot);
                entry.lower = std::max(entry.lower, known.lower);
                entry.upper = std::min(entry.upper, known.upper);
                entry.work = std::max(entry.work, known.work);
                write(slot, key, entry);
                return false;
            }
            if (const std::uint32_t work = slot.child_and_work & work_mask; work < least_work) {
                least_work = work;
                chosen = &slot;
            }
        }
        write(*chosen, key, entry);
        return true;
    }

    /// Moves the entries that belong into the new bucket: those for which moves(key) is true.
    template <class Moves>
    static void split(Bucket& from, Bucket& to, bool concurrent, Moves&& moves) noexcept {
        const BucketLock lock_from(from.version, concurrent);
        const BucketLock lock_to(to.version, concurrent);
        Slot* free = to.slots;
        for (Slot& slot : from.slots) {
            if (slot.child_and_work == 0 || !moves(slot.key)) continue;
            write(*free++, slot.key, unpack(slot));
            store_relaxed(slot.child_and_work, 0);
        }
    }

  private:
    static constexpr int work_bits = 8;
    static constexpr std::uint32_t work_mask = (1u << work_bits) - 1;

    /// Compares the keys by atomic reads, while other threads may write the slot.
    static bool has_key(const Slot& slot, const Words& key) noexcept {
        for (std::size_t i = 0; i < key.size(); ++i) {
            if (load_relaxed(slot.key[i]) != key[i]) return false;
        }
        return true;
    }

    static NullWindowEntry unpack(const Slot& slot) noexcept {
        return {static_cast<int>(slot.lower), static_cast<int>(slot.upper), slot.child_and_work >> work_bits,
                slot.child_and_work & work_mask};
    }

    static void write(Slot& slot, const Words& key, const NullWindowEntry& entry) noexcept {
        for (std::size_t i = 0; i < key.size(); ++i) store_relaxed(slot.key[i], key[i]);
        store_relaxed(slot.lower, static_cast<std::uint32_t>(entry.lower));
        store_relaxed(slot.upper, static_cast<std::uint32_t>(entry.upper));
        store_relaxed(slot.child_and_work,
                      entry.child << work_bits | std::clamp<std::uint32_t>(entry.work, 1, work_mask));
    }
};

}  // namespace proofbase
