// The levels into which positions come by their own states, without an update (levels_in_parts.hpp): for each mark,
// entries_of_a_mark positions, the lowest level that one of them awaits.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "tables/files/checkpoint_file.hpp"
#include "tables/plan/plan.hpp"

namespace proofbase {

class AwaitedLevels {
  public:
    static constexpr std::uint16_t nothing = std::numeric_limits<std::uint16_t>::max();

    /// `size`: positions of the class.
    explicit AwaitedLevels(std::uint64_t size) : levels_((size + entries_of_a_mark - 1) / entries_of_a_mark, nothing) {}

    /// Says that the position i comes into this level. Any thread may call it, after it has changed the state.
    void await(std::uint64_t i, unsigned level) {
        const std::atomic_ref<std::uint16_t> awaited(levels_[i / entries_of_a_mark]);
        std::uint16_t known = awaited.load(std::memory_order_relaxed);
        // Who takes the number away sees the state.
        while (!awaited.compare_exchange_weak(known, std::min(known, static_cast<std::uint16_t>(level)),
                                              std::memory_order_acq_rel)) {
        }
    }

    /// Takes away what the positions of the mark of position i await. Their states say it again.
    void take(std::uint64_t i) {
        std::atomic_ref<std::uint16_t>(levels_[i / entries_of_a_mark]).exchange(nothing, std::memory_order_acq_rel);
    }

    /// Whether a position of these marks comes into the level, or came into one before.
    bool await_until(unsigned level, std::uint64_t from, std::uint64_t to) const {
        unsigned any = 0;  // without a way out: the compiler compares many at once
        for (std::uint64_t c = from; c < to; ++c) any |= static_cast<unsigned>(levels_[c] <= level);
        return any != 0;
    }

    bool await_any() const { return await_until(nothing - 1u, 0, levels_.size()); }

    void put(CheckpointWriter& writer) const { writer.array(levels_); }
    void take(CheckpointReader& reader) { reader.array(levels_); }

  private:
    std::vector<std::uint16_t> levels_;
};

}  // namespace proofbase
