// The transposition table of df-pn: a limited amount of memory, exact keys, buckets of a cache line.
//
// It grows to its limit bucket by bucket (linear hashing: Litwin, "Linear hashing: a new tool for file and table
// addressing", 1980), so that a small search touches little memory, which the system has to fetch and to clear, and a
// large one never waits for a table to be copied.
//
// A bucket is a version and a few entries; an entry is a key, the bound, the numbers and the work that they took. What
// is stored always finds a place: it replaces the entry with the least work in its bucket, and a solved entry counts
// eight times its work, since what it says is never outdated (Nagai 2002, 2.6: small trees are the ones to lose).
//
// Several threads share the table. A version that is odd says that a thread is writing the bucket; readers look at the
// version before and after, and read again if it has changed. All words are atomic, so there are no data races. Who
// looks for an entry while the table grows may look where it has been: then it is as good as lost.
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
#include "search/graph/arena.hpp"
#include "search/policy/proof_numbers.hpp"

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

/// By words of 64 bits, which the compiler does not find by itself.
template <std::size_t N>
bool equal(const std::array<std::uint32_t, N>& a, const std::array<std::uint32_t, N>& b) noexcept {
    std::uint64_t differs = 0;
    for (std::size_t i = 0; i < N; i += 2) {
        const std::size_t bytes = i + 1 < N ? 8 : 4;
        std::uint64_t left = 0, right = 0;
        std::memcpy(&left, &a[i], bytes);
        std::memcpy(&right, &b[i], bytes);
        differs |= left ^ right;
    }
    return differs == 0;
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
          count_(std::min(most_, first_count)),
          pages_(most_ * sizeof(Bucket), most_ * sizeof(Bucket)),
          shared_(shared) {}

    /// The limit of bytes(); 0 for no table.
    std::uint64_t most_bytes() const noexcept { return most_ * sizeof(Bucket); }

    std::uint64_t bytes() const noexcept { return load(count_) * sizeof(Bucket); }

    void prefetch(std::uint64_t hash) const noexcept {
        const char* start = reinterpret_cast<const char*>(&bucket(hash));
        for (std::size_t line = 0; line < sizeof(Bucket); line += 64) __builtin_prefetch(start + line);
    }

    /// False if the node is not in the table.
    bool find(const Words& key, int bound, std::uint64_t hash, DfPnEntry& out) const noexcept {
        return shared_ ? find_shared(key, bound, hash, out) : find_alone(key, bound, hash, out);
    }

    /// A solved entry stays solved, and its rank does not grow: what was solved by it has a larger one.
    void store(const Words& key, int bound, std::uint64_t hash, const DfPnEntry& entry) noexcept {
        Bucket& bucket = this->bucket(hash);
        if (shared_) lock(bucket);
        const bool added = put(bucket, key, bound, entry);
        if (shared_) unlock(bucket);
        if (added && (hash >> 32) % step == 0) grow();
    }

  private:
    struct Slot {
        Words key;
        std::uint32_t proof;     ///< infinite: proved, and `disproof` is the rank
        std::uint32_t disproof;  ///< infinite: disproved, and `proof` is the rank
        std::uint32_t rest;      ///< bound and level of work; 0: the slot is free

        bool of(int bound) const noexcept {
            return rest >> 8 == (static_cast<std::uint32_t>(bound) & 0xffffff) && rest != 0;
        }
    };
    static constexpr std::size_t lines = sizeof(Slot) > 30 ? (2 * sizeof(Slot) + 4 + 63) / 64 : 1;
    static constexpr std::size_t slots = (lines * 64 - 4) / sizeof(Slot);
    struct alignas(64) Bucket {
        std::uint32_t version;
        Slot slots[DfPnTable::slots];
    };
    static_assert(sizeof(Bucket) == lines * 64);

    static constexpr std::uint32_t solved_bonus = 12;  // levels: eight times the work

    bool find_alone(const Words& key, int bound, std::uint64_t hash, DfPnEntry& out) const noexcept {
        for (const Slot& slot : bucket(hash).slots) {
            if (!equal(slot.key, key) || !slot.of(bound)) continue;
            out = entry(slot.proof, slot.disproof, slot.rest);
            return true;
        }
        return false;
    }

    [[gnu::noinline]] bool find_shared(const Words& key, int bound, std::uint64_t hash, DfPnEntry& out) const noexcept {
        const Bucket& bucket = this->bucket(hash);
        while (true) {
            const std::uint32_t version = stable_version(bucket);
            Slot found{};
            for (const Slot& slot : bucket.slots) {
                const std::uint32_t rest = load(slot.rest);
                if (!same(slot, key) || !Slot{{}, 0, 0, rest}.of(bound)) continue;
                found = {{}, load(slot.proof), load(slot.disproof), rest};
                break;
            }
            std::atomic_thread_fence(std::memory_order_acquire);
            if (load(bucket.version) != version) continue;
            if (found.rest == 0) return false;
            out = entry(found.proof, found.disproof, found.rest);
            return true;
        }
    }

    static DfPnEntry entry(std::uint32_t proof, std::uint32_t disproof, std::uint32_t rest) noexcept {
        if (proof == infinite) return {proved_numbers, disproof, work(rest & 0xff)};
        if (disproof == infinite) return {disproved_numbers, proof, work(rest & 0xff)};
        return {{proof, disproof}, 0, work(rest & 0xff)};
    }

    /// True if a free slot was taken. By this thread alone, or with the bucket locked: only readers are about.
    static bool put(Bucket& bucket, const Words& key, int bound, const DfPnEntry& entry) noexcept {
        Slot* place = nullptr;
        std::uint32_t least = 0xffffffff;
        for (Slot& slot : bucket.slots) {
            const bool solved = slot.proof == infinite || slot.disproof == infinite;
            if (equal(slot.key, key) && slot.of(bound)) {
                const std::uint32_t rank = slot.proof == infinite ? slot.disproof : slot.proof;
                if (solved && (!entry.numbers.solved() || rank <= entry.rank)) return false;
                place = &slot;
                break;
            }
            const std::uint32_t worth = slot.rest == 0 ? 0 : (slot.rest & 0xff) + (solved ? solved_bonus : 0);
            if (worth < least) {
                least = worth;
                place = &slot;
            }
        }
        const bool added = place->rest == 0;
        std::uint32_t proof = entry.numbers.proof, disproof = entry.numbers.disproof;
        if (entry.numbers.proved()) proof = infinite, disproof = entry.rank;
        if (entry.numbers.disproved()) proof = entry.rank, disproof = infinite;
        write(*place, key, proof, disproof, static_cast<std::uint32_t>(bound) << 8 | level(entry.work));
        return added;
    }

    static void write(Slot& slot, const Words& key, std::uint32_t proof, std::uint32_t disproof,
                      std::uint32_t rest) noexcept {
        for (std::size_t i = 0; i < key.size(); ++i) save(slot.key[i], key[i]);
        save(slot.proof, proof);
        save(slot.disproof, disproof);
        save(slot.rest, rest);
    }

    static std::uint32_t load(const std::uint32_t& word) noexcept {
        return std::atomic_ref(const_cast<std::uint32_t&>(word)).load(std::memory_order_relaxed);
    }
    static std::uint64_t load(const std::uint64_t& word) noexcept {
        return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed);
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

    static std::uint32_t stable_version(const Bucket& bucket) noexcept {
        std::uint32_t version;
        do {
            version = std::atomic_ref(const_cast<std::uint32_t&>(bucket.version)).load(std::memory_order_acquire);
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

    Bucket& bucket(std::uint64_t hash) const noexcept { return buckets()[place(hash, load(count_))]; }

    /// Where an entry is in a table of `count` buckets.
    static std::uint64_t place(std::uint64_t hash, std::uint64_t count) noexcept {
        const std::uint64_t half = std::bit_floor(count);
        const std::uint64_t place = hash & (2 * half - 1);
        const std::uint64_t beyond = -std::uint64_t{place >= count};  // by masks: a branch is foreseen half the time
        return place - (beyond & half);
    }

    /// Adds `step` buckets, after about as many new entries: while the table grows one slot in three is taken.
    [[gnu::noinline]] void grow() noexcept {
        if (load(count_) == most_) return;
        std::atomic_ref growing(growing_);
        if (growing.exchange(1, std::memory_order_acquire) != 0) return;  // somebody else does
        const std::uint64_t end = std::min(load(count_) + step, most_);
        for (std::uint64_t count = load(count_); count < end; ++count) {
            const std::uint64_t half = std::bit_floor(count);
            split(buckets()[count - half], buckets()[count], half);
        }
        std::atomic_ref(count_).store(end, std::memory_order_release);
        growing.store(0, std::memory_order_release);
    }

    /// Half of the entries of a bucket go to a new one.
    void split(Bucket& from, Bucket& to, std::uint64_t half) const noexcept {
        if (shared_) lock(from), lock(to);
        Slot* free = to.slots;
        for (Slot& slot : from.slots) {
            const std::uint64_t hash = hash_node(slot.key, static_cast<std::int32_t>(slot.rest) >> 8);
            if (slot.rest == 0 || (hash & half) == 0) continue;
            write(*free++, slot.key, slot.proof, slot.disproof, slot.rest);
            save(slot.rest, 0);
        }
        if (shared_) unlock(to), unlock(from);
    }

    static constexpr std::uint64_t first_count = 1024;
    static constexpr std::uint64_t step = 64;

    std::uint64_t most_ = 0;   ///< buckets at the end
    std::uint64_t count_ = 0;  ///< buckets now
    Pages pages_;
    bool shared_ = false;
    alignas(64) std::uint32_t growing_ = 0;  ///< 1: somebody adds buckets. Apart from what every look reads
};

}  // namespace proofbase
