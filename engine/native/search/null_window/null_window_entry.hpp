// An entry of the null-window table, as searches see it.
#pragma once

#include <cstdint>

namespace proofbase {

/// What the table knows of a position: bounds of its value that hold on every path.
struct NullWindowEntry {
    static constexpr int child_bits = 5;

    int lower;
    int upper;
    std::uint32_t child;  ///< the low bits of the best child's hash; 0: not known
    std::uint32_t work;   ///< the number of bits of the nodes that the bounds took

    /// What `child` is for a child with this hash.
    static std::uint32_t child_of(std::uint64_t hash) noexcept { return hash & ((1u << child_bits) - 1); }
};

}  // namespace proofbase
