// The records of one game in memory, by exact key. Searches ask this table instead of a store and add what they proved;
// the local check reads it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "huge_pages.hpp"
#include "keys.hpp"
#include "records/claims/claim.hpp"
#include "records/claims/encoding.hpp"
#include "records/claims/packed_claims.hpp"
#include "records/fair_shared_mutex.hpp"
#include "records/key_list.hpp"
#include "records/value_tables.hpp"

namespace proofbase {

/// A hash table from exact keys to records, which merges claims in the lattice.
///
/// **Memory.** A slot is a key and a word; at most three quarters of the slots are taken: 21 to 43 bytes a record for
/// 8-byte keys, 23 to 46 with a filter. Records that do not fit a word (packed_claims.hpp) take the bytes of their
/// encoding in addition.
///
/// **Latency.** `hash(key)`, then `prefetch(hash)`, then some other work, then `known(key, hash)`.
///
/// **Threads.** No method locks. Threads that share a table hold its `mutex()`: shared for the const methods, exclusive
/// for all others.
template <Game G>
class RecordTable {
  public:
    using Key = typename G::Key;
    using Keys = KeyList<Key>;

    explicit RecordTable(G game) : game_(std::move(game)), slots_(least_slots) {}

    const G& game() const noexcept { return game_; }
    FairSharedMutex& mutex() const noexcept { return mutex_; }

    /// A table of the same game without records.
    std::unique_ptr<RecordTable> empty_table() const { return std::make_unique<RecordTable>(game_); }

    /// Tables that users of these records may ask as well; null: none.
    const ValueTables<G>* tables() const noexcept { return tables_.get(); }
    void attach(std::shared_ptr<const ValueTables<G>> tables) { tables_ = std::move(tables); }

    std::size_t size() const noexcept { return size_; }

    /// Bytes of memory.
    std::size_t bytes() const noexcept {
        return slots_.size() * sizeof(Slot) + filter_.size() * sizeof(filter_[0]) + blocks_.size() * block_bytes +
               oversize_;
    }

    /// Makes contains() of keys without a record cheap, for searches that ask for every position: see filter_.
    void filter() {
        filter_.assign(filter_words(), 0);
        for (const Slot& slot : slots_) {
            if (slot.word != 0) note_in_filter(hash(slot.key));
        }
    }

    /// Bytes by which the table grows when `records` new records are added.
    std::size_t growth(std::size_t records) const noexcept {
        std::size_t slots = slots_.size();
        while ((size_ + records) * 4 > slots * 3) slots *= 2;
        const std::size_t new_slots = slots - slots_.size();
        return new_slots * sizeof(Slot) + (filter_.empty() ? 0 : new_slots * filter_bits_of_slot / 8);
    }

    static std::uint64_t hash(const Key& key) noexcept { return hash_key(key); }

    void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

    /// Likewise before contains(key, hash).
    void prefetch_contains(std::uint64_t hash) const noexcept {
        if (filter_.empty()) return prefetch(hash);
        __builtin_prefetch(&filter_[filter_bit(hash) / 64]);
    }

    bool contains(const Key& key, std::uint64_t hash) const {
        if (!filter_.empty()) {
            const std::size_t bit = filter_bit(hash);
            if ((filter_[bit / 64] >> bit % 64 & 1) == 0) return false;
        }
        return word(key, hash) != 0;
    }

    /// The strongest bound of each side.
    Known known(const Key& key, std::uint64_t hash) const {
        Known known;
        const std::uint64_t word = this->word(key, hash);
        if (const auto lower = strongest(word, Side::lower)) {
            known.lower = true;
            known.lower_bound = lower->bound;
            known.lower_rank = lower->rank;
            known.witness = lower->witness;
        }
        if (const auto upper = strongest(word, Side::upper)) {
            known.upper = true;
            known.upper_bound = upper->bound;
            known.upper_rank = upper->rank;
        }
        return known;
    }
    Known known(const Key& key) const { return known(key, hash(key)); }

    /// The smallest rank of the claims of `side` that are at least as strong as `bound`; nothing if there are none.
    std::optional<std::uint32_t> smallest_rank(const Key& key, std::uint64_t hash, Side side,
                                               std::int32_t bound) const {
        const std::uint64_t word = this->word(key, hash);
        const auto enough = [&](std::int32_t b) { return side == Side::lower ? b >= bound : b <= bound; };
        if (!(word & PackedClaims::stored_apart)) {
            const PackedClaims packed(word);
            if (!packed.has(side) || !enough(packed.bound(side))) return std::nullopt;
            return packed.rank(side);
        }
        std::optional<std::uint32_t> found;  // ranks fall as bounds weaken: the last claim that is strong enough
        for (const Claim& claim : decode_claims(encoding(word))) {
            if (claim.side == side && enough(claim.bound)) found = claim.rank;
        }
        return found;
    }
    std::optional<std::uint32_t> smallest_rank(const Key& key, Side side, std::int32_t bound) const {
        return smallest_rank(key, hash(key), side, bound);
    }

    /// All claims of a record in the order of the encoding; none if there is no record.
    void claims(const Key& key, std::uint64_t hash, Claims& out) const { unpack(word(key, hash), out); }
    Claims claims(const Key& key) const {
        Claims out;
        claims(key, hash(key), out);
        return out;
    }

    /// Adds a claim: searches emit their proved claims to this function. Returns true if the record changed.
    ///
    /// Throws Contradiction or MalformedRecord (too many claims); nothing is changed then.
    bool add(const Key& key, const Claim& claim) { return merge(key, hash(key), Claims{claim}); }

    /// Merges claims (in the order of the encoding, undominated) into a record. Returns and throws like `add`.
    bool merge(const Key& key, std::uint64_t hash, const Claims& claims) {
        if (claims.empty()) return false;
        Slot* slot = &slots_[slot_of(key, hash)];
        if (slot->word == 0) {
            if (const auto clash = contradiction(claims)) {
                throw Contradiction(to_text(clash->first) + " contradicts " + to_text(clash->second));
            }
            const std::uint64_t word = store(claims);
            if ((size_ + 1) * 4 > slots_.size() * 3) {
                rehash(slots_.size() * 2);
                slot = &slots_[slot_of(key, hash)];
            }
            slot->key = key;
            slot->word = word;
            note_in_filter(hash);
            ++size_;
            return true;
        }
        const auto packed = PackedClaims::pack(claims);
        if (packed && *packed == slot->word) return false;  // the usual case of merging a set twice
        unpack(slot->word, scratch_);
        if (!merge_claims(scratch_, claims)) return false;
        const std::uint64_t word = store(scratch_);
        discard(std::exchange(slot->word, word));
        return true;
    }

    /// Removes a record. Returns true if there was one.
    bool remove(const Key& key) {
        std::size_t hole = slot_of(key, hash(key));
        if (slots_[hole].word == 0) return false;
        discard(std::exchange(slots_[hole].word, std::uint64_t{1}));
        --size_;
        // Close the hole: a later record of the run of occupied slots moves into the hole if its hash allows that slot.
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = (hole + 1) & mask; slots_[i].word != 0; i = (i + 1) & mask) {
            const std::size_t home = hash(slots_[i].key) & mask;
            if (((i - home) & mask) >= ((i - hole) & mask)) {
                slots_[hole] = std::move(slots_[i]);
                hole = i;
            }
        }
        slots_[hole] = Slot{};
        return true;
    }

    /// Makes room for `records` records in all.
    void reserve(std::size_t records) {
        std::size_t slots = slots_.size();
        while (records * 4 > slots * 3) slots *= 2;
        if (slots > slots_.size()) rehash(slots);
    }

    // Slots by number, for passes over all records. Every call of a method that is not const may change the numbers.

    std::size_t slots() const noexcept { return slots_.size(); }
    bool occupied(std::size_t slot) const noexcept { return slots_[slot].word != 0; }
    const Key& key_at(std::size_t slot) const noexcept { return slots_[slot].key; }
    void claims_at(std::size_t slot, Claims& out) const { unpack(slots_[slot].word, out); }

    /// The slot of a record; a free slot if there is none.
    std::size_t slot_of(const Key& key, std::uint64_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = hash & mask;
        while (slots_[slot].word != 0 && slots_[slot].key != key) slot = (slot + 1) & mask;
        return slot;
    }

    /// Calls `visit(key, claims)` for every record, in no particular order.
    template <class Visit>
    void for_each(Visit&& visit) const {
        Claims claims;
        for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
            if (!occupied(slot)) continue;
            claims_at(slot, claims);
            visit(key_at(slot), std::as_const(claims));
        }
    }

    Keys empty_list() const { return Keys(); }

    /// All keys, in no particular order.
    Keys keys() const {
        std::vector<Key> keys;
        keys.reserve(size_);
        for (const Slot& slot : slots_) {
            if (slot.word != 0) keys.push_back(slot.key);
        }
        return Keys(std::move(keys));
    }

  private:
    struct Slot {
        Key key{};
        std::uint64_t word = 0;  // 0: the slot is free
    };

    static constexpr std::size_t least_slots = 64;
    static constexpr std::size_t block_bytes = std::size_t{1} << 20;
    static constexpr std::size_t filter_bits_of_slot = 8;

    std::uint64_t word(const Key& key, std::uint64_t hash) const { return slots_[slot_of(key, hash)].word; }

    /// Bound, rank and witness of the strongest claim of a side.
    struct StrongestClaim {
        std::int32_t bound;
        std::uint32_t rank;
        std::uint32_t witness;
    };

    std::optional<StrongestClaim> strongest(std::uint64_t word, Side side) const {
        if (!(word & PackedClaims::stored_apart)) {
            const PackedClaims packed(word);
            if (!packed.has(side)) return std::nullopt;
            return StrongestClaim{packed.bound(side), packed.rank(side), side == Side::lower ? packed.witness() : 0};
        }
        for (const Claim& claim : decode_claims(encoding(word))) {
            if (claim.side == side) return StrongestClaim{claim.bound, claim.rank, claim.witness};
        }
        return std::nullopt;
    }

    void unpack(std::uint64_t word, Claims& out) const {
        if (word & PackedClaims::stored_apart) {
            decode_claims(encoding(word), out);
        } else {
            PackedClaims(word).unpack(out);
        }
    }

    std::uint64_t store(const Claims& claims) {
        if (const auto packed = PackedClaims::pack(claims)) return *packed;
        encoded_.clear();
        encode_claims(claims, encoded_);
        return store(encoded_);
    }

    // Blocks hold encodings one after the other, each with its length before it. An encoding that is larger than a
    // block gets a block of its own. The word of a record holds the number of the block and the offset in the block.

    std::uint64_t store(std::string_view encoded) {
        const std::size_t needed = sizeof(std::uint32_t) + encoded.size();
        if (needed > block_bytes) {
            blocks_.push_back(std::make_unique<char[]>(needed));
            oversize_ += needed - block_bytes;
            used_ = block_bytes;
        } else if (blocks_.empty() || used_ + needed > block_bytes) {
            blocks_.push_back(std::make_unique<char[]>(block_bytes));
            used_ = 0;
        }
        const std::size_t offset = needed > block_bytes ? 0 : std::exchange(used_, used_ + needed);
        const auto size = static_cast<std::uint32_t>(encoded.size());
        std::memcpy(blocks_.back().get() + offset, &size, sizeof size);
        std::memcpy(blocks_.back().get() + offset + sizeof size, encoded.data(), encoded.size());
        return PackedClaims::stored_apart | (blocks_.size() - 1) << 32 | offset;
    }

    using Blocks = std::vector<std::unique_ptr<char[]>>;

    std::string_view encoding(std::uint64_t word) const { return encoding(blocks_, word); }

    static std::string_view encoding(const Blocks& blocks, std::uint64_t word) {
        const char* start = blocks[(word & ~PackedClaims::stored_apart) >> 32].get() + (word & 0xffffffff);
        std::uint32_t size;
        std::memcpy(&size, start, sizeof size);
        return {start + sizeof size, size};
    }

    /// Counts the encoding of a replaced word as garbage, and compacts the blocks when half of them is garbage: without
    /// that, repeated merging would fill the memory.
    void discard(std::uint64_t word) {
        if (!(word & PackedClaims::stored_apart)) return;
        garbage_ += sizeof(std::uint32_t) + encoding(word).size();
        if (garbage_ < 4 * block_bytes || garbage_ < blocks_.size() * block_bytes / 2) return;
        const auto old = std::exchange(blocks_, {});
        used_ = oversize_ = garbage_ = 0;
        for (Slot& slot : slots_) {
            if (slot.word & PackedClaims::stored_apart) slot.word = store(encoding(old, slot.word));
        }
    }

    void rehash(std::size_t slots) {
        std::vector<Slot, HugePages<Slot>> old(slots);
        old.swap(slots_);
        for (Slot& slot : old) {
            if (slot.word != 0) slots_[slot_of(slot.key, hash(slot.key))] = std::move(slot);
        }
        if (!filter_.empty()) filter();
    }

    std::size_t filter_words() const noexcept { return slots_.size() * filter_bits_of_slot / 64; }

    std::size_t filter_bit(std::uint64_t hash) const noexcept {
        return (hash >> 16) & (slots_.size() * filter_bits_of_slot - 1);
    }

    void note_in_filter(std::uint64_t hash) {
        if (filter_.empty()) return;
        const std::size_t bit = filter_bit(hash);
        filter_[bit / 64] |= std::uint64_t{1} << bit % 64;
    }

    G game_;
    std::vector<Slot, HugePages<Slot>> slots_;  // a power of two
    std::size_t size_ = 0;
    /// Empty where there is no filter. The bit of a key is set if there is a record, or was one that has been removed.
    /// A byte a slot, a sixteenth of the slots of 8-byte keys: it stays in the cache where they do not.
    std::vector<std::uint64_t, HugePages<std::uint64_t>> filter_;
    Blocks blocks_;
    std::size_t used_ = 0;      // bytes used of the last block
    std::size_t oversize_ = 0;  // bytes by which larger blocks exceed block_bytes
    std::size_t garbage_ = 0;   // bytes of encodings that were replaced or removed
    Claims scratch_;
    std::string encoded_;
    std::shared_ptr<const ValueTables<G>> tables_;
    mutable FairSharedMutex mutex_;
};

}  // namespace proofbase
