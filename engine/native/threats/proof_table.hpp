// A table of bounded size with the proof and disproof numbers of positions, for df-pn over threats. Buckets of four
// entries; the one with the least work behind it gives way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace proofbase {

struct ProofNumbers {
    static constexpr std::uint32_t infinite = 0x3fffffff;

    std::uint32_t proof;
    std::uint32_t disproof;

    static constexpr ProofNumbers proved() { return {0, infinite}; }
    static constexpr ProofNumbers disproved() { return {infinite, 0}; }
};

class ProofTable {
  public:
    struct Entry {
        std::uint64_t key = 0;
        ProofNumbers numbers{0, 0};
        std::uint32_t work = 0;  ///< 0: the entry is free
        std::uint16_t move = 0;  ///< of a proved position with the attacker to move: the move that proves it
    };

    /// 2^`size` buckets of 96 bytes.
    explicit ProofTable(int size) : buckets_(std::size_t{1} << size) {}

    const Entry* find(std::uint64_t key) const noexcept {
        for (const Entry& entry : buckets_[key & (buckets_.size() - 1)]) {
            if (entry.work != 0 && entry.key == key) return &entry;
        }
        return nullptr;
    }

    /// Is found until other entries of the bucket need its place.
    void put(std::uint64_t key, ProofNumbers numbers, std::uint64_t work, std::uint16_t move) noexcept {
        auto& bucket = buckets_[key & (buckets_.size() - 1)];
        auto place = std::ranges::find_if(bucket, [&](const Entry& e) { return e.work != 0 && e.key == key; });
        if (place == bucket.end()) place = std::ranges::min_element(bucket, {}, &Entry::work);
        const std::uint64_t sum = work + (place->key == key ? place->work : 0);
        *place = {key, numbers, static_cast<std::uint32_t>(std::clamp<std::uint64_t>(sum, 1, 0xffffffff)), move};
    }

    void clear() noexcept { std::ranges::fill(buckets_, std::array<Entry, 4>{}); }

  private:
    std::vector<std::array<Entry, 4>> buckets_;
};

}  // namespace proofbase
