// The transposition table of df-pn: a limited amount of memory, exact keys, buckets of a cache line.
//
// It grows to its limit bucket by bucket (linear hashing: Litwin, "Linear hashing: a new tool for file and table
// addressing", 1980), so that a small search touches little memory and a large one never waits for a table to be
// copied. A table that threads share has its full size from the start.
//
// A bucket is a version and a few entries; an entry is a key, the bound, the numbers and the work that they took. What
// is stored always finds a place: it replaces the entry with the least work in its bucket, and a solved entry counts
// eight times its work, since what it says is never outdated (Nagai 2002, 2.6: small trees are the ones to lose).
//
// Several threads share the table. A version that is odd says that a thread is writing the bucket; readers look at the
// version before and after, and read again if it has changed. All words are atomic, so there are no data races.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <type_traits>
#include <unordered_map>

#include "keys.hpp"
#include "search/arena.hpp"
#include "search/numbers.hpp"

namespace proofbase {

/// A key as it stands in entries: its bytes in words of 32 bits.
template <class Key>
class DfPnKeys {
    static_assert(std::is_trivially_copyable_v<Key>);

  public:
    using Words = std::array<std::uint32_t, (sizeof(Key) + 3) / 4>;

    Words words(const Key& key) noexcept {
        Words words{};
        std::memcpy(words.data(), &key, sizeof(Key));
        return words;
    }
    Key key(const Words& words) const noexcept {
        Key key;
        std::memcpy(&key, words.data(), sizeof(Key));
        return key;
    }
    std::uint64_t bytes() const noexcept { return 0; }
};

/// Keys of varying length are kept once, beside the table, and entries hold their number. For one thread.
template <>
class DfPnKeys<std::string> {
  public:
    using Words = std::array<std::uint32_t, 1>;

    Words words(const std::string& key) {
        const auto [place, added] = numbers_.try_emplace(key, static_cast<std::uint32_t>(keys_.size()));
        if (added) {
            keys_.push_back(&place->first);
            bytes_ += sizeof(std::string) + key.size() + 6 * sizeof(void*);
        }
        return {place->second};
    }
    const std::string& key(const Words& words) const noexcept { return *keys_[words[0]]; }
    std::uint64_t bytes() const noexcept { return bytes_; }

  private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::deque<const std::string*> keys_;
    std::uint64_t bytes_ = 0;
};

/// The hash of a node, which only its key's words and its bound go into.
template <std::size_t N>
std::uint64_t hash_node(const std::array<std::uint32_t, N>& key, int bound) noexcept {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < N; i += 2) {
        const std::uint64_t high = i + 1 < N ? key[i + 1] : 0;
        h = mix(h ^ (key[i] | high << 32)) + (i + 2 < N ? 0x9e3779b97f4a7c15ULL : 0);
    }
    return h + static_cast<std::uint64_t>(static_cast<std::int64_t>(bound)) * 0x9e3779b97f4a7c15ULL;
}

/// What the table knows of a node.
struct DfPnEntry {
    Numbers numbers{1, 1};
    std::uint32_t rank = 0;  ///< of a solved node
    std::uint64_t work = 0;  ///< about: expansions that the numbers took
};

template <class Key>
class DfPnTable {
  public:
    using Words = typename DfPnKeys<Key>::Words;

    static constexpr int most_bound = (1 << 23) - 1;  ///< bounds are kept in 24 bits

    DfPnTable() = default;
    /// Throws std::bad_alloc.
    DfPnTable(std::uint64_t bytes, bool shared)
        : most_(std::max<std::uint64_t>(bytes / sizeof(Bucket), 1)),
          count_(shared ? most_ : std::min(most_, first_count)),
          half_(std::bit_floor(count_)),
          pages_(most_ * sizeof(Bucket), most_ * sizeof(Bucket)),
          shared_(shared) {}

    /// The limit of bytes(); 0 for no table.
    std::uint64_t most_bytes() const noexcept { return most_ * sizeof(Bucket); }

    std::uint64_t bytes() const noexcept { return count_ * sizeof(Bucket); }

    void prefetch(std::uint64_t hash) const noexcept {
        const char* start = reinterpret_cast<const char*>(&bucket(hash));
        for (std::size_t line = 0; line < sizeof(Bucket); line += 64) __builtin_prefetch(start + line);
    }

    /// False if the node is not in the table.
    bool find(const Words& key, int bound, std::uint64_t hash, DfPnEntry& out) const noexcept {
        Bucket& bucket = this->bucket(hash);
        while (true) {
            const std::uint32_t version = shared_ ? stable_version(bucket) : 0;
            bool found = false;
            std::uint32_t proof = 0, disproof = 0, rest = 0;
            for (Slot& slot : bucket.slots) {
                if (!same(slot, key)) continue;
                rest = load(slot.rest);
                if (rest == 0 || static_cast<std::int32_t>(rest) >> 8 != bound) continue;
                proof = load(slot.proof);
                disproof = load(slot.disproof);
                found = true;
                break;
            }
            if (shared_) {
                std::atomic_thread_fence(std::memory_order_acquire);
                if (load(bucket.version) != version) continue;
            }
            if (!found) return false;
            if (proof == infinite) {
                out = {proved_numbers, disproof, work(rest & 0xff)};
            } else if (disproof == infinite) {
                out = {disproved_numbers, proof, work(rest & 0xff)};
            } else {
                out = {{proof, disproof}, 0, work(rest & 0xff)};
            }
            return true;
        }
    }

    /// A solved entry stays solved, and its rank does not grow: what was solved by it has a larger one.
    void store(const Words& key, int bound, std::uint64_t hash, const DfPnEntry& entry) noexcept {
        Bucket& bucket = this->bucket(hash);
        if (shared_) lock(bucket);
        Slot* place = nullptr;
        std::uint32_t least = 0xffffffff;
        bool keep = false;
        for (Slot& slot : bucket.slots) {
            const std::uint32_t rest = load(slot.rest);
            const bool solved = load(slot.proof) == infinite || load(slot.disproof) == infinite;
            if (rest != 0 && static_cast<std::int32_t>(rest) >> 8 == bound && same(slot, key)) {
                place = &slot;
                const std::uint32_t rank = load(slot.proof) == infinite ? load(slot.disproof) : load(slot.proof);
                keep = solved && (!entry.numbers.solved() || rank <= entry.rank);
                break;
            }
            const std::uint32_t worth = rest == 0 ? 0 : (rest & 0xff) + (solved ? solved_bonus : 0);
            if (worth < least) {
                least = worth;
                place = &slot;
            }
        }
        if (!keep) {
            for (std::size_t i = 0; i < key.size(); ++i) save(place->key[i], key[i]);
            save(place->proof, entry.numbers.proved()      ? infinite
                               : entry.numbers.disproved() ? entry.rank
                                                           : entry.numbers.proof);
            save(place->disproof, entry.numbers.disproved() ? infinite
                                  : entry.numbers.proved()  ? entry.rank
                                                            : entry.numbers.disproof);
            const bool added = load(place->rest) == 0;
            save(place->rest, static_cast<std::uint32_t>(bound) << 8 | level(entry.work));
            if (added && count_ < most_) split();
        }
        if (shared_) unlock(bucket);
    }

  private:
    struct Slot {
        Words key;
        std::uint32_t proof;     ///< infinite: proved, and `disproof` is the rank
        std::uint32_t disproof;  ///< infinite: disproved, and `proof` is the rank
        std::uint32_t rest;      ///< bound and level of work; 0: the slot is free
    };
    static constexpr std::size_t lines = sizeof(Slot) > 30 ? (2 * sizeof(Slot) + 4 + 63) / 64 : 1;
    static constexpr std::size_t slots = (lines * 64 - 4) / sizeof(Slot);
    struct alignas(64) Bucket {
        std::uint32_t version;
        Slot slots[DfPnTable::slots];
    };
    static_assert(sizeof(Bucket) == lines * 64);

    static constexpr std::uint32_t solved_bonus = 12;  // levels: eight times the work

    static std::uint32_t load(const std::uint32_t& word) noexcept {
        return std::atomic_ref(const_cast<std::uint32_t&>(word)).load(std::memory_order_relaxed);
    }
    static void save(std::uint32_t& word, std::uint32_t value) noexcept {
        std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }

    static bool same(const Slot& slot, const Words& key) noexcept {
        for (std::size_t i = 0; i < key.size(); ++i) {
            if (load(slot.key[i]) != key[i]) return false;
        }
        return true;
    }

    static std::uint32_t stable_version(Bucket& bucket) noexcept {
        std::uint32_t version;
        do {
            version = std::atomic_ref(bucket.version).load(std::memory_order_acquire);
        } while ((version & 1) != 0);
        return version;
    }

    static void lock(Bucket& bucket) noexcept {
        std::atomic_ref version(bucket.version);
        std::uint32_t seen = version.load(std::memory_order_relaxed);
        do {
            seen &= ~1u;
        } while (!version.compare_exchange_weak(seen, seen | 1, std::memory_order_acquire, std::memory_order_relaxed));
        std::atomic_thread_fence(std::memory_order_release);  // no word is written before the version is odd
    }

    static void unlock(Bucket& bucket) noexcept {
        std::atomic_ref(bucket.version).store(load(bucket.version) + 1, std::memory_order_release);
    }

    /// Four levels for each doubling of the work; at least 1.
    static std::uint32_t level(std::uint64_t work) noexcept {
        if (work < 4) return work == 0 ? 1 : static_cast<std::uint32_t>(work);
        const auto exponent = static_cast<std::uint32_t>(std::bit_width(work)) - 1;
        const std::uint32_t level = 4 * (exponent - 1) + ((work >> (exponent - 2)) & 3);
        return level < 255 ? level : 255;
    }
    static std::uint64_t work(std::uint32_t level) noexcept {
        if (level < 4) return level;
        const std::uint32_t exponent = level / 4 + 1;
        return (std::uint64_t{4} | (level & 3)) << (exponent - 2);
    }

    Bucket* buckets() const noexcept { return static_cast<Bucket*>(pages_.data()); }

    Bucket& bucket(std::uint64_t hash) const noexcept {
        const std::uint64_t place = hash & (2 * half_ - 1);
        return buckets()[place < count_ ? place : place - half_];
    }

    /// Adds a bucket, for the half of the entries of another one. A new entry adds a bucket, so while the table grows
    /// one slot in three is taken.
    void split() noexcept {
        Bucket& from = buckets()[count_ - half_];
        Bucket& to = buckets()[count_];
        std::size_t moved = 0;
        for (Slot& slot : from.slots) {
            const std::uint64_t hash = hash_node(slot.key, static_cast<std::int32_t>(slot.rest) >> 8);
            if (slot.rest == 0 || (hash & half_) == 0) continue;
            to.slots[moved++] = slot;
            slot.rest = 0;
        }
        if (++count_ == 2 * half_) half_ = count_;
    }

    static constexpr std::uint64_t first_count = 1024;

    std::uint64_t most_ = 0;   ///< buckets at the end
    std::uint64_t count_ = 0;  ///< buckets now
    std::uint64_t half_ = 1;   ///< the power of two that is not above count_
    Pages pages_;
    bool shared_ = false;
};

}  // namespace proofbase
