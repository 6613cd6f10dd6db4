// The transposition table of null-window search: both bounds of values that are true on every path, in a limited amount
// of memory, by exact keys, in buckets of whole cache lines. Where the keys are integers and the game has few values,
// entries are words of 64 bits (narrow_entries.hpp), else wider (wide_entries.hpp). The table grows to its limit bucket
// by bucket (growing_buckets.hpp). A full bucket loses its entry with the least work. Several threads may share it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "search/null_window/narrow_entries.hpp"
#include "search/null_window/node_identity.hpp"
#include "search/null_window/null_window_entry.hpp"
#include "search/null_window/wide_entries.hpp"
#include "search/table/growing_buckets.hpp"

namespace proofbase {

/// Whether buckets are to be added after an entry with this hash was added: so often that one slot in two
/// is in use while the table grows. The hash may have few bits.
inline bool is_time_to_grow(std::uint64_t hash, std::uint64_t slots_in_bucket) noexcept {
    const std::uint64_t entries_for_growth = GrowingBuckets<NarrowEntries::Bucket>::growth_step * slots_in_bucket / 2;
    return hash * 0x9e3779b97f4a7c15ULL <= ~std::uint64_t{0} / entries_for_growth;
}

/// The table of wide entries alone, for keys of any kind.
template <class Key>
class NullWindowTable {
  public:
    using Identity = typename NodeIdentities<Key>::Identity;

    NullWindowTable() = default;
    /// `concurrent`: several threads use the table. Throws std::bad_alloc.
    NullWindowTable(std::uint64_t bytes, std::size_t, int, bool concurrent)
        : buckets_(bytes, initial_buckets), concurrent_(concurrent) {}

    std::uint64_t max_bytes() const noexcept { return buckets_.max_bytes(); }  ///< the limit of bytes(); 0: no table
    std::uint64_t bytes() const noexcept { return buckets_.bytes(); }

    void prefetch(const Identity& node) const noexcept { buckets_.prefetch(node.hash); }

    /// False if the table has no entry of the position.
    bool find(const Identity& node, NullWindowEntry& out) const noexcept {
        return Entries::find(buckets_.at(node.hash), node.words, concurrent_, out);
    }

    void store(const Identity& node, const NullWindowEntry& entry) noexcept {
        if (!Entries::store(buckets_.at(node.hash), node.words, concurrent_, entry)) return;
        if (!is_time_to_grow(node.hash, Entries::slots)) return;
        buckets_.grow([&](auto& from, auto& to, std::uint64_t, std::uint64_t half) {
            Entries::split(from, to, concurrent_,
                           [half](const auto& key) { return (hash_key_words(key, 0) & half) != 0; });
        });
    }

  private:
    using Entries = WideEntries<typename DfPnKeys<Key>::Words>;
    static constexpr std::uint64_t initial_buckets = 1024;

    GrowingBuckets<typename Entries::Bucket> buckets_;
    bool concurrent_ = false;
};

/// The table for keys that are integers: narrow entries where they fit.
template <WordKey Key>
class NullWindowTable<Key> {
  public:
    using Identity = typename NodeIdentities<Key>::Identity;

    NullWindowTable() = default;
    NullWindowTable(std::uint64_t bytes, std::size_t key_size, int highest_value, bool concurrent)
        : entries_(8 * key_size, highest_value, bytes / sizeof(NarrowEntries::Bucket)),
          narrow_(entries_.fits()),
          concurrent_(concurrent) {
        if (narrow_) {
            buckets_ = {bytes, std::max(initial_buckets, entries_.least_buckets())};
        } else {
            wide_buckets_ = {bytes, initial_buckets};
        }
    }

    std::uint64_t max_bytes() const noexcept { return buckets_.max_bytes() + wide_buckets_.max_bytes(); }
    std::uint64_t bytes() const noexcept { return buckets_.bytes() + wide_buckets_.bytes(); }

    [[gnu::always_inline]] void prefetch(const Identity& node) const noexcept {
        if (narrow_) [[likely]] {
            buckets_.prefetch(node.hash);
        } else {
            wide_buckets_.prefetch(node.hash);
        }
    }

    [[gnu::always_inline]] bool find(const Identity& node, NullWindowEntry& out) const noexcept {
        if (narrow_) [[likely]]
            return entries_.find(buckets_.at(node.hash), node.hash, out);
        return find_wide(node, out);
    }

    [[gnu::always_inline]] void store(const Identity& node, const NullWindowEntry& entry) noexcept {
        if (!narrow_) [[unlikely]]
            return store_wide(node, entry);
        if (!entries_.store(buckets_.at(node.hash), node.hash, entry)) return;
        if (!is_time_to_grow(node.hash, NarrowEntries::slots)) return;
        buckets_.grow([&](auto& from, auto& to, std::uint64_t index, std::uint64_t half) {
            entries_.split(from, to, index, half);
        });
    }

  private:
    using Words = std::array<std::uint32_t, 2>;
    using Wide = WideEntries<Words>;
    static constexpr std::uint64_t initial_buckets = 1024;

    static Words words(const Identity& node) noexcept {
        return {static_cast<std::uint32_t>(node.hash), static_cast<std::uint32_t>(node.hash >> 32)};
    }

    [[gnu::noinline]] bool find_wide(const Identity& node, NullWindowEntry& out) const noexcept {
        return Wide::find(wide_buckets_.at(node.hash), words(node), concurrent_, out);
    }

    [[gnu::noinline]] void store_wide(const Identity& node, const NullWindowEntry& entry) noexcept {
        if (!Wide::store(wide_buckets_.at(node.hash), words(node), concurrent_, entry)) return;
        if (!is_time_to_grow(node.hash, Wide::slots)) return;
        wide_buckets_.grow([&](auto& from, auto& to, std::uint64_t, std::uint64_t half) {
            Wide::split(from, to, concurrent_,
                        [half](const Words& key) { return ((key[0] | std::uint64_t{key[1]} << 32) & half) != 0; });
        });
    }

    NarrowEntries entries_;
    GrowingBuckets<NarrowEntries::Bucket> buckets_;
    GrowingBuckets<typename Wide::Bucket> wide_buckets_;
    bool narrow_ = true;
    bool concurrent_ = false;
};

}  // namespace proofbase
