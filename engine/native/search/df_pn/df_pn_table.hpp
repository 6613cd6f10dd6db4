// The transposition table of df-pn: a limited amount of memory, exact keys, buckets of a cache line.
//
// The table grows to its limit bucket by bucket (linear hashing: Litwin, "Linear hashing: a new tool for file and table
// addressing", 1980). So a small search touches little memory, which the system would have to fetch and to clear, and a
// large search never waits while a table is copied.
//
// A bucket is a version and a few slots. A slot holds a key, the bound, the numbers and the work that the numbers took.
// store() always finds a slot: it overwrites the entry with the least work in its bucket. A solved entry counts eight
// times its work, since it is never outdated (Nagai 2002, 2.6: small trees are the ones to lose).
//
// Several threads may share the table. While a thread writes a bucket, the bucket's version is odd. A reader compares
// the versions before and after reading, and reads again if they differ. All words are atomic, so there are no data
// races. A reader may look into an entry's old bucket while growth moves the entry to a new one: then the entry is not
// found, as though the table had lost it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "search/df_pn/df_pn_question.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/table/bucket_lock.hpp"
#include "search/table/growing_buckets.hpp"

namespace proofbase {

/// What the table knows of a node.
struct DfPnEntry {
    Numbers numbers{1, 1};
    std::uint32_t rank = 0;  ///< of a solved node
    std::uint64_t work = 0;  ///< expansions that the numbers took; the table keeps it rounded down
};

template <class Key>
class DfPnTable {
  public:
    using KeyWords = typename DfPnKeys<Key>::Words;
    using Question = DfPnQuestion<KeyWords>;

    static constexpr int largest_bound = (1 << 23) - 1;  ///< a slot has 24 bits for the bound

    DfPnTable() = default;
    /// `concurrent`: several threads use the table. With `at_full_size` it does not grow, and so loses the fewest
    /// entries: a table that grows loses those whose buckets are full meanwhile, however large it may become. Throws
    /// std::bad_alloc.
    DfPnTable(std::uint64_t bytes, bool concurrent, bool at_full_size = false)
        : buckets_(bytes, at_full_size ? ~std::uint64_t{0} : initial_buckets), concurrent_(concurrent) {}

    /// The limit of bytes(); 0 for no table.
    std::uint64_t max_bytes() const noexcept { return buckets_.max_bytes(); }

    std::uint64_t bytes() const noexcept { return buckets_.bytes(); }

    /// `hash` is that of the question. Of a bucket with tags only the line that holds them is fetched.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const noexcept {
        buckets_.prefetch(hash, has_tags ? 1 : lines);
    }

    /// False if the table has no entry of the question.
    bool find(const Question& question, DfPnEntry& out) const noexcept {
        return concurrent_ ? find_concurrently(question, out) : find_alone(question, out);
    }

    /// Replaces the entry of the question. A solved entry stays solved, and its rank never grows: the ranks of its
    /// parents were computed from the rank that they saw.
    void store(const Question& question, const DfPnEntry& entry) noexcept {
        Bucket& bucket = buckets_.at(question.hash);
        bool took_free_slot;
        {
            const BucketLock lock(bucket.version, concurrent_);
            took_free_slot = write_entry(bucket, question, entry);
        }
        // So one slot in three is in use while the table grows.
        constexpr std::uint64_t entries_for_growth = GrowingBuckets<Bucket>::growth_step;
        if (!took_free_slot || (question.hash >> 32) % entries_for_growth != 0) return;
        buckets_.grow(
            [this](Bucket& from, Bucket& to, std::uint64_t, std::uint64_t half) { split_bucket(from, to, half); });
    }

  private:
    /// A solved node has its rank in place of the number that would be 0; the other one, infinity, tells which.
    struct Slot {
        KeyWords key;
        std::uint32_t proof;
        std::uint32_t disproof;
        std::uint32_t bound_and_work;  ///< 24 bits of the bound, 8 bits of the encoded work; 0: a free slot

        bool is_free() const noexcept { return bound_and_work == 0; }
        bool has_bound(int bound) const noexcept { return !is_free() && is_bound(bound_and_work, bound); }
        std::uint32_t encoded_work() const noexcept { return bound_and_work & 0xff; }
        bool is_solved() const noexcept { return proof == infinite || disproof == infinite; }
        std::uint32_t rank_of_solved() const noexcept { return disproof == infinite ? proof : disproof; }

        static bool is_bound(std::uint32_t bound_and_work, int bound) noexcept {
            return bound_and_work >> 8 == (static_cast<std::uint32_t>(bound) & 0xffffff);
        }
        static std::uint32_t pack(int bound, std::uint32_t encoded_work) noexcept {
            return static_cast<std::uint32_t>(bound) << 8 | encoded_work;
        }
    };
    static constexpr std::size_t lines = sizeof(Slot) > 30 ? (2 * sizeof(Slot) + 4 + 63) / 64 : 1;
    static constexpr std::size_t slots_per_bucket = (lines * 64 - 4) / sizeof(Slot);
    /// A bucket of several lines has a byte for each slot with bits of its hash. So nearly always the first line is
    /// enough to see that the table has no entry of a question, as it is for nearly all questions.
    static constexpr bool has_tags = lines > 1 && slots_per_bucket <= 4 &&
                                     lines * 64 >= 8 + slots_per_bucket * sizeof(Slot);
    struct Tags {
        std::uint32_t of_slots;

        static std::uint32_t tag(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash >> 56) | 1; }
        /// False if no slot has an entry of this hash.
        bool may_have(std::uint64_t hash) const noexcept {
            const std::uint32_t different = load_relaxed(of_slots) ^ tag(hash) * 0x01010101u;
            return ((different - 0x01010101u) & ~different & 0x80808080u) != 0;  // whether a byte is 0
        }
        void set(std::size_t slot, std::uint64_t hash) noexcept {
            const std::size_t place = 8 * slot;
            store_relaxed(of_slots, (of_slots & ~(0xffu << place)) | tag(hash) << place);
        }
    };
    struct NoTags {
        static bool may_have(std::uint64_t) noexcept { return true; }
        static void set(std::size_t, std::uint64_t) noexcept {}
    };
    struct alignas(64) Bucket {
        std::uint32_t version;
        [[no_unique_address]] std::conditional_t<has_tags, Tags, NoTags> tags;
        Slot slots[slots_per_bucket];
    };
    static_assert(sizeof(Bucket) == lines * 64);

    bool find_alone(const Question& question, DfPnEntry& out) const noexcept {
        const Bucket& bucket = buckets_.at(question.hash);
        if (!bucket.tags.may_have(question.hash)) return false;
        for (const Slot& slot : bucket.slots) {
            if (!equal_key_words(slot.key, question.key) || !slot.has_bound(question.bound)) continue;
            out = decode(slot.proof, slot.disproof, slot.encoded_work());
            return true;
        }
        return false;
    }

    [[gnu::noinline]] bool find_concurrently(const Question& question, DfPnEntry& out) const noexcept {
        const Bucket& bucket = buckets_.at(question.hash);
        while (true) {
            const std::uint32_t version = even_version(bucket.version);
            Slot found{};
            if (!bucket.tags.may_have(question.hash)) {
                if (unchanged_since(version, bucket.version)) return false;
                continue;
            }
            for (const Slot& slot : bucket.slots) {
                const std::uint32_t bound_and_work = load_relaxed(slot.bound_and_work);
                if (bound_and_work == 0 || !Slot::is_bound(bound_and_work, question.bound)) continue;
                if (!has_key(slot, question.key)) continue;
                found = {{}, load_relaxed(slot.proof), load_relaxed(slot.disproof), bound_and_work};
                break;
            }
            if (!unchanged_since(version, bucket.version)) continue;
            if (found.is_free()) return false;
            out = decode(found.proof, found.disproof, found.encoded_work());
            return true;
        }
    }

    static DfPnEntry decode(std::uint32_t proof, std::uint32_t disproof, std::uint32_t encoded_work) noexcept {
        if (disproof == infinite) return {proved_numbers, proof, decode_work(encoded_work)};
        if (proof == infinite) return {disproved_numbers, disproof, decode_work(encoded_work)};
        return {{proof, disproof}, 0, decode_work(encoded_work)};
    }

    /// Writes an entry into the slot of its question, or else into the slot of least worth. True if that slot was free.
    /// No other thread may write the bucket meanwhile.
    static bool write_entry(Bucket& bucket, const Question& question, const DfPnEntry& entry) noexcept {
        Slot* chosen = nullptr;
        std::uint32_t least_worth = 0xffffffff;
        for (Slot& slot : bucket.slots) {
            if (equal_key_words(slot.key, question.key) && slot.has_bound(question.bound)) {
                const bool keeps = !entry.numbers.solved() || slot.rank_of_solved() <= entry.rank;
                if (slot.is_solved() && keeps) return false;
                chosen = &slot;
                break;
            }
            const std::uint32_t worth =
                slot.is_free() ? 0 : slot.encoded_work() + (slot.is_solved() ? worth_of_solved : 0);
            if (worth < least_worth) {
                least_worth = worth;
                chosen = &slot;
            }
        }
        const bool was_free = chosen->is_free();
        Numbers stored = entry.numbers;
        if (entry.numbers.proved()) stored = {entry.rank, infinite};
        if (entry.numbers.disproved()) stored = {infinite, entry.rank};
        bucket.tags.set(static_cast<std::size_t>(chosen - bucket.slots), question.hash);
        write_slot(*chosen, question.key, stored.proof, stored.disproof,
                   Slot::pack(question.bound, encode_work(entry.work)));
        return was_free;
    }

    static void write_slot(Slot& slot, const KeyWords& key, std::uint32_t proof, std::uint32_t disproof,
                           std::uint32_t bound_and_work) noexcept {
        for (std::size_t i = 0; i < key.size(); ++i) store_relaxed(slot.key[i], key[i]);
        store_relaxed(slot.proof, proof);
        store_relaxed(slot.disproof, disproof);
        store_relaxed(slot.bound_and_work, bound_and_work);
    }

    /// Compares the keys by atomic reads, while other threads may write the slot.
    static bool has_key(const Slot& slot, const KeyWords& key) noexcept {
        for (std::size_t i = 0; i < key.size(); ++i) {
            if (load_relaxed(slot.key[i]) != key[i]) return false;
        }
        return true;
    }

    /// A logarithm of the work, from 1 to 255: four steps for each doubling.
    static std::uint32_t encode_work(std::uint64_t work) noexcept {
        if (work < 4) return work == 0 ? 1 : static_cast<std::uint32_t>(work);
        const auto exponent = static_cast<std::uint32_t>(std::bit_width(work)) - 1;
        const std::uint32_t encoded = 4 * (exponent - 1) + ((work >> (exponent - 2)) & 3);
        return encoded < 255 ? encoded : 255;
    }
    /// The least work that has this encoding.
    static std::uint64_t decode_work(std::uint32_t encoded) noexcept {
        if (encoded < 4) return encoded;
        const std::uint32_t exponent = encoded / 4 + 1;
        return (std::uint64_t{4} | (encoded & 3)) << (exponent - 2);
    }

    /// Moves the entries whose hash has the bit `half` from a bucket to a new one.
    void split_bucket(Bucket& from, Bucket& to, std::uint64_t half) const noexcept {
        const BucketLock lock_from(from.version, concurrent_);
        const BucketLock lock_to(to.version, concurrent_);
        Slot* free = to.slots;
        for (Slot& slot : from.slots) {
            const int bound = static_cast<std::int32_t>(slot.bound_and_work) >> 8;
            if (slot.is_free()) continue;
            const std::uint64_t hash = hash_key_words(slot.key, bound);
            if ((hash & half) == 0) continue;
            to.tags.set(static_cast<std::size_t>(free - to.slots), hash);
            write_slot(*free++, slot.key, slot.proof, slot.disproof, slot.bound_and_work);
            store_relaxed(slot.bound_and_work, 0);
        }
    }

    static constexpr std::uint32_t worth_of_solved = 12;  // steps of encode_work(): eight times the work
    static constexpr std::uint64_t initial_buckets = 1024;

    GrowingBuckets<Bucket> buckets_;
    bool concurrent_ = false;
};

}  // namespace proofbase
