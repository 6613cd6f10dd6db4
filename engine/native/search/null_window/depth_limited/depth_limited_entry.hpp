// An entry of the table of null-window search in games with cycles. Everything that it says is true on every path.
#pragma once

#include <algorithm>
#include <cstdint>

namespace proofbase {

/// What the table knows of a position.
///
/// Heights order the answers that rest on each other. A bound that is a progress claim (docs/fact-model.md) has a
/// larger height than the bounds of children that it was found by; a bound that is a safety claim has the height 0.
///
/// The question "value >= open_bound?" was left open by searches: to `depth_without_lower` plies no search shows that
/// the value reaches the bound, and to `depth_without_upper` plies none shows that it does not. What another search
/// has learnt since may change that, so these two are reasons to look deeper and never facts.
struct DepthLimitedEntry {
    std::int32_t lower;
    std::int32_t upper;
    std::uint32_t lower_height = 0;
    std::uint32_t upper_height = 0;
    std::int32_t open_bound = 0;
    std::uint32_t depth_without_lower = 0;
    std::uint32_t depth_without_upper = 0;
    std::uint32_t child = 0;  ///< the low bits of the best child's hash (NullWindowEntry::child_of); 0: not known
    std::uint32_t work = 1;   ///< the number of bits of the nodes that the bounds took

    bool reaches(int bound) const noexcept { return lower >= bound; }
    bool stays_below(int bound) const noexcept { return upper < bound; }

    /// True if a search to so many plies is known not to show "value >= bound".
    bool without_lower(int bound, std::uint32_t depth) const noexcept {
        return bound >= open_bound && depth <= depth_without_lower;
    }
    /// True if a search to so many plies is known not to show "value < bound".
    bool without_upper(int bound, std::uint32_t depth) const noexcept {
        return bound <= open_bound && depth <= depth_without_upper;
    }

    /// Adds what was known before. Of two bounds the stronger one stays, of two equal ones the lower height.
    void unite(const DepthLimitedEntry& known) noexcept {
        if (known.lower > lower || (known.lower == lower && known.lower_height < lower_height)) {
            lower = known.lower;
            lower_height = known.lower_height;
        }
        if (known.upper < upper || (known.upper == upper && known.upper_height < upper_height)) {
            upper = known.upper;
            upper_height = known.upper_height;
        }
        if (depth_without_lower == 0 && depth_without_upper == 0) {
            open_bound = known.open_bound;
            depth_without_lower = known.depth_without_lower;
            depth_without_upper = known.depth_without_upper;
        } else if (open_bound == known.open_bound) {
            depth_without_lower = std::max(depth_without_lower, known.depth_without_lower);
            depth_without_upper = std::max(depth_without_upper, known.depth_without_upper);
        }
        if (child == 0) child = known.child;
        work = std::max(work, known.work);
    }
};

}  // namespace proofbase
