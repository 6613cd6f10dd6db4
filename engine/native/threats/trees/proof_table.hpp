// A table of bounded size with the proof and disproof numbers of positions, for df-pn over threats. Buckets of four
// entries fill a cache line each; the entry with the least work behind it gives way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "huge_pages.hpp"

namespace proofbase {

struct ProofNumbers {
    static constexpr std::uint32_t infinite = 0x3fffff;

    std::uint32_t proof;
    std::uint32_t disproof;

    static constexpr ProofNumbers proved() { return {0, infinite}; }
    static constexpr ProofNumbers disproved() { return {infinite, 0}; }
    /// A sum of numbers of which none is infinite.
    static constexpr std::uint32_t clamped(std::uint64_t sum) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, infinite - 1));
    }
    static constexpr std::uint32_t next_to(std::uint32_t number) { return std::min(number + 1, infinite); }
};

class ProofTable {
  public:
    /// 16 bytes. With 2^16 buckets or more the place and the entry hold the whole key together.
    struct Entry {
        std::uint64_t high_key : 48 = 0;
        std::uint64_t move : 16 = 0;  ///< of a proved position with the attacker to move: the move that proves it
        std::uint64_t proof : 22 = 0;
        std::uint64_t disproof : 22 = 0;
        std::uint64_t work : 20 = 0;  ///< 0: the entry is free

        ProofNumbers numbers() const noexcept {
            return {static_cast<std::uint32_t>(proof), static_cast<std::uint32_t>(disproof)};
        }
        bool is_of(std::uint64_t key) const noexcept { return high_key == key >> 16 && work != 0; }
    };

    /// 2^`size` buckets of 64 bytes.
    explicit ProofTable(int size) : buckets_(std::size_t{1} << size) {}

    /// Begins to load the bucket of a key that `find` will ask for.
    void prefetch(std::uint64_t key) const noexcept { __builtin_prefetch(&bucket(key)); }

    const Entry* find(std::uint64_t key) const noexcept {
        for (const Entry& entry : bucket(key)) {
            if (entry.is_of(key)) return &entry;
        }
        return nullptr;
    }

    /// Is found until other entries of the bucket need its place.
    void put(std::uint64_t key, ProofNumbers numbers, std::uint64_t work, std::uint16_t move) noexcept {
        auto& entries = buckets_[key & (buckets_.size() - 1)].entries;
        auto place = std::ranges::find_if(entries, [&](const Entry& entry) { return entry.is_of(key); });
        if (place == entries.end()) {
            place = std::ranges::min_element(entries, {}, [](const Entry& entry) { return entry.work; });
        } else {
            work += place->work;
        }
        place->high_key = key >> 16;
        place->move = move;
        place->proof = numbers.proof;
        place->disproof = numbers.disproof;
        place->work = std::clamp<std::uint64_t>(work, 1, most_work);
    }

    void clear() noexcept { std::ranges::fill(buckets_, Bucket{}); }

  private:
    static constexpr std::uint64_t most_work = 0xfffff;

    struct alignas(64) Bucket {
        std::array<Entry, 4> entries;
    };

    const std::array<Entry, 4>& bucket(std::uint64_t key) const noexcept {
        return buckets_[key & (buckets_.size() - 1)].entries;
    }

    std::vector<Bucket, HugePages<Bucket>> buckets_;
};

}  // namespace proofbase
