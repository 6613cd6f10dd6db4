// The lowest and the highest value of a class, for the header of its table.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <stdexcept>

#include "tables/files/table_format.hpp"
#include "tables/work/atomic_extremes.hpp"

namespace proofbase {

/// The lowest and the highest value of the positions of a class, found by any threads.
class ValueRange {
  public:
    /// Takes in the states of some positions. Throws std::logic_error if one of them should be final and is not.
    template <class States>
    void take(const typename States::State* from, const typename States::State* to) {
        int low = 127;
        int high = -127;
        for (; from != to; ++from) {
            if (States::mark_of(*from) == 0)
                throw std::logic_error("a position whose moves all have known values has no value");
            low = std::min(low, States::value_of(*from));
            high = std::max(high, States::value_of(*from));
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

}  // namespace proofbase
