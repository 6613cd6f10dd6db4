// Bounds of a value, as a depth-limited search finds them.
#pragma once

#include <cstdint>

namespace proofbase {

/// Bounds of the value of a position, seen by its side to move.
///
/// In a game with cycles a bound may depend on the path: its proof counts a line that comes back to a node of the path.
/// `lower_depends_on` and `upper_depends_on` name the first such node, counted from 1 at the root of the search.
struct Bounds {
    static constexpr std::uint32_t no_node = UINT32_MAX;  ///< the bound holds on every path
    static constexpr std::uint32_t assumption = 0;  ///< the bound depends on what the caller of the search assumes

    int lower;
    int upper;
    std::uint32_t lower_proof_depth = 0;  ///< in plies: a search to this depth proves the lower bound
    std::uint32_t upper_proof_depth = 0;
    std::uint32_t lower_depends_on = no_node;
    std::uint32_t upper_depends_on = no_node;

    bool lower_holds_everywhere() const noexcept { return lower_depends_on == no_node; }
    bool upper_holds_everywhere() const noexcept { return upper_depends_on == no_node; }

    /// Takes the other lower bound if it is stronger.
    void improve_lower(const Bounds& other) noexcept {
        if (other.lower <= lower) return;
        lower = other.lower;
        lower_proof_depth = other.lower_proof_depth;
        lower_depends_on = other.lower_depends_on;
    }

    /// Takes the other upper bound if it is stronger.
    void improve_upper(const Bounds& other) noexcept {
        if (other.upper >= upper) return;
        upper = other.upper;
        upper_proof_depth = other.upper_proof_depth;
        upper_depends_on = other.upper_depends_on;
    }
};

}  // namespace proofbase
