// The table of df-pn-plies: of each position, within how many plies the attacker was proved to win, within how many it
// was refuted, and the proof and disproof number for the plies that it was searched with last.
//
// Whether the attacker is to move in a position of the table, the plies say: he is where they are odd, since he has to
// make the last move. A slot fills half a cache line. An entry is lost to one with as many plies or more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "keys.hpp"
#include "search/table/growing_buckets.hpp"

namespace proofbase {

/// What is proved of a position, in plies.
struct PliesKnown {
    static constexpr std::uint8_t never = 255;   ///< wins within no known number of plies
    static constexpr std::uint8_t always = 254;  ///< no win within any number of plies

    std::uint8_t win = never;
    std::uint8_t no_win = 0;

    void merge(const PliesKnown& other) noexcept {
        win = std::min(win, other.win);
        no_win = std::max(no_win, other.no_win);
    }

    /// Of the position one ply before, where this is what is known of its children together. `may_win_next`: a child
    /// may be the end of the game, won by the attacker.
    PliesKnown one_ply_before(bool may_win_next) const noexcept {
        return {win < never ? static_cast<std::uint8_t>(win + 1) : never,
                may_win_next ? std::uint8_t{0} : std::min<std::uint8_t>(no_win + 1, always)};
    }
};

template <class Key>
class PliesTable {
  public:
    struct Slot {
        Key key;
        std::uint8_t plies;  ///< of the numbers; 0: a free slot
        PliesKnown known;
        std::uint16_t proof;
        std::uint16_t disproof;
    };
    static_assert(sizeof(Slot) <= 32);

    PliesTable() = default;
    /// Throws std::bad_alloc.
    explicit PliesTable(std::uint64_t bytes) : buckets_(bytes, 1024) {}

    std::uint64_t max_bytes() const noexcept { return buckets_.max_bytes(); }
    std::uint64_t bytes() const noexcept { return buckets_.bytes(); }

    static std::uint64_t hash(const Key& key, std::uint32_t plies) noexcept {
        std::uint64_t h = 0;
        std::size_t at = 0;
        for (; at + 8 <= sizeof(Key); at += 8) {
            std::uint64_t word;
            std::memcpy(&word, key.data() + at, 8);
            h = folded(h ^ word);
        }
        std::uint64_t last = plies % 2;
        for (; at < sizeof(Key); ++at) last = last << 8 | key[at];
        return folded(h ^ last);
    }

    void prefetch(std::uint64_t hash) const noexcept { buckets_.prefetch(hash); }

    /// Null if the table has nothing of the position.
    const Slot* find(const Key& key, std::uint32_t plies, std::uint64_t hash) const noexcept {
        for (const Slot& slot : buckets_.at(hash).slots) {
            if (is_of(slot, key, plies)) return &slot;
        }
        return nullptr;
    }

    void store(const Key& key, std::uint32_t plies, std::uint64_t hash, const PliesKnown& known, std::uint32_t proof,
               std::uint32_t disproof) {
        Bucket& bucket = buckets_.at(hash);
        Slot* chosen = nullptr;
        for (Slot& slot : bucket.slots) {
            if (is_of(slot, key, plies)) {
                slot.known.merge(known);
                return write_numbers(slot, plies, proof, disproof);
            }
            if (chosen == nullptr || slot.plies < chosen->plies) chosen = &slot;
        }
        const bool was_free = chosen->plies == 0;
        chosen->key = key;
        chosen->known = known;
        write_numbers(*chosen, plies, proof, disproof);
        // So one slot in two is in use while the table grows.
        if (!was_free || (hash >> 32) % (GrowingBuckets<Bucket>::growth_step / 4) != 0) return;
        buckets_.grow([](Bucket& from, Bucket& to, std::uint64_t, std::uint64_t half) {
            std::size_t free = 0;
            for (Slot& slot : from.slots) {
                if (slot.plies == 0 || (PliesTable::hash(slot.key, slot.plies) & half) == 0) continue;
                to.slots[free++] = slot;
                slot.plies = 0;
            }
        });
    }

  private:
    struct alignas(64) Bucket {
        Slot slots[2];
    };

    static std::uint64_t folded(std::uint64_t word) noexcept {
        using Product = unsigned __int128;
        const auto product = static_cast<Product>(word ^ 0x9e3779b97f4a7c15ULL) * 0xd1b54a32d192ed03ULL;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }

    static bool is_of(const Slot& slot, const Key& key, std::uint32_t plies) noexcept {
        return slot.plies != 0 && slot.plies % 2 == plies % 2 && slot.key == key;
    }

    static void write_numbers(Slot& slot, std::uint32_t plies, std::uint32_t proof, std::uint32_t disproof) noexcept {
        slot.plies = static_cast<std::uint8_t>(plies);
        slot.proof = static_cast<std::uint16_t>(proof);
        slot.disproof = static_cast<std::uint16_t>(disproof);
    }

    GrowingBuckets<Bucket> buckets_;
};

}  // namespace proofbase
