// What the builder knows of a position, in two bytes (retrograde.hpp): `best`, the best value that its moves of known
// value bring, in the low byte, and `open`, the number of its moves whose value is not known, in the high one.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "tables/files/table_format.hpp"
#include "tables/work/atomic_extremes.hpp"

namespace proofbase {

using EntryState = std::uint16_t;

// In place of `open`: the position is final, with the value `best`. The pending mark says that it has still to update
// its predecessors: the work was stopped.
inline constexpr unsigned final_mark = 255;
inline constexpr unsigned pending_mark = 254;
inline constexpr std::int8_t no_value = std::numeric_limits<std::int8_t>::min();

constexpr EntryState pack_state(int best, unsigned open) noexcept {
    return static_cast<EntryState>(static_cast<std::uint8_t>(best) | open << 8);
}
constexpr std::int8_t best_of(EntryState state) noexcept {
    return static_cast<std::int8_t>(state & 0xff);
}
constexpr unsigned open_of(EntryState state) noexcept {
    return state >> 8;
}
constexpr bool is_final(EntryState state) noexcept {
    return open_of(state) >= pending_mark;
}

/// The state at the threshold v after one more move has the value `value` for the position. Precondition: the old one
/// is not final.
constexpr EntryState updated_state(EntryState old, int value, int v) noexcept {
    const int best = std::max<int>(best_of(old), value);
    const unsigned open = open_of(old) - 1;
    return pack_state(best, best >= v || open == 0 ? final_mark : open);
}

/// The value of a position, after the last threshold.
constexpr int value_of(EntryState state) noexcept {
    return open_of(state) == final_mark ? best_of(state) : 0;
}

/// The threshold that positions wait for which are pending, or have no move of unknown value: any.
inline constexpr int awaits_always = 127;

/// The highest threshold at which one of these positions is final by its own state; none at a higher one is.
inline int awaited_threshold(const EntryState* states, std::uint64_t count) noexcept {
    int highest = no_value;
    for (std::uint64_t i = 0; i < count; ++i) {  // without a way out: the compiler compares many states at once
        const unsigned open = open_of(states[i]);
        const int waits = open == 0 || open == pending_mark ? awaits_always : best_of(states[i]);
        highest = std::max(highest, open == final_mark ? int{no_value} : waits);
    }
    return highest;
}

/// The lowest and the highest value of the positions of a class, found by any threads.
class ValueRange {
  public:
    /// Takes in the states of some positions. Throws std::logic_error if one of them should be final and is not.
    void take(const EntryState* from, const EntryState* to) {
        int low = 127;
        int high = -127;
        for (; from != to; ++from) {
            if (open_of(*from) == 0)
                throw std::logic_error("a position whose moves all have known values has no value");
            low = std::min(low, value_of(*from));
            high = std::max(high, value_of(*from));
        }
        lower_to(lowest_, low);
        raise_to(highest_, high);
    }

    /// Puts the lowest value, and the bits that an entry needs, into the header of the table.
    void describe(TableHeader& header) const {
        header.lowest = lowest_;
        header.bits = static_cast<std::uint32_t>(
            std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(highest_ - lowest_)))));
    }

  private:
    std::atomic<int> lowest_{127};
    std::atomic<int> highest_{-127};
};

/// A position that has become final: its number in the class and, in the low byte, its value.
using FinalEntry = std::uint64_t;

constexpr FinalEntry pack_final(std::uint64_t index, int value) noexcept {
    return index << 8 | static_cast<std::uint8_t>(value);
}
constexpr std::uint64_t index_of(FinalEntry entry) noexcept {
    return entry >> 8;
}
constexpr std::int8_t value_of_final(FinalEntry entry) noexcept {
    return static_cast<std::int8_t>(entry & 0xff);
}

/// A final position's value as one of its predecessors sees it.
struct ValueUpdate {
    std::uint64_t index;  ///< of the predecessor
    int value;
};

}  // namespace proofbase
