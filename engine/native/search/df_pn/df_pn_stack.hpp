// The stack of a df-pn thread: frames of nodes that are being searched, with their children.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/df_pn/df_pn_ghi.hpp"
#include "search/df_pn/df_pn_shared.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <class Words>
struct DfPnChild {
    Words key;
    std::uint64_t hash;
    Numbers numbers;
    std::uint32_t rank;  ///< of a solved child; the work of another one
    std::uint32_t move;
    int bound;
};

template <class Position, class Words>
struct DfPnFrame {
    Position position;
    typename DfPnPath<Words>::Node node;
    Numbers limits;  ///< thresholds of its proof and its disproof number
    std::uint32_t first;
    std::uint32_t count;
    std::uint32_t current = 0xffffffff;  ///< the child below which the search is
    std::uint32_t lost = 0;   ///< the largest rank of the children that are left out, since the first look proves them
    bool counted = false;     ///< among the crowd
    bool recurs = false;      ///< a line can come back to the position
    std::uint64_t work;       ///< in earlier visits
    std::uint64_t start;      ///< expansions before this visit
    std::uint64_t refreshed;  ///< expansions at the last look into the table
};

/// What the children of a node come to.
struct DfPnSummary {
    std::uint32_t proof = infinite;   ///< the least disproof number of the children
    std::uint64_t sum = 0;            ///< of their proof numbers
    std::uint32_t best = 0;           ///< the child to search, by numbers as the crowd makes them look
    std::uint32_t second = infinite;  ///< the disproof number of the best of the others, as it looks
    std::uint32_t largest = 0;        ///< of the proof numbers; for weak numbers
    std::uint32_t open = 0;           ///< children with a proof number above 0

    template <class Child>
    DfPnSummary(const Child* children, std::uint32_t count, const DfPnCrowd& crowd, bool weak) noexcept {
        if (crowd.several()) {
            choose(children, count, [&](const Child& child) { return crowd.less_inviting(child); });
            proof = infinite;
            for (std::uint32_t i = 0; i < count; ++i) proof = std::min(proof, children[i].numbers.disproof);
        } else {
            choose(children, count, [](const Child& child) { return child.numbers.disproof; });
        }
        if (!weak) return;
        for (std::uint32_t i = 0; i < count; ++i) {
            largest = std::max(largest, children[i].numbers.proof);
            open += children[i].numbers.proof != 0;
        }
    }

    /// Without branches: which child is the best is not to be foreseen.
    template <class Child, class Looks>
    void choose(const Child* children, std::uint32_t count, Looks&& looks) noexcept {
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t here = looks(children[i]);
            sum += children[i].numbers.proof;
            second = std::min(second, std::max(proof, here));
            best = here < proof ? i : best;
            proof = std::min(proof, here);
        }
    }

    /// Stays below infinity, which as a threshold is never reached. Weak numbers (Ueda, Hashimoto, Hashimoto, Iida,
    /// "Weak proof-number search", 2008) count the hardest child and one for each other, since children that lead to
    /// the same positions would be counted again and again by a sum.
    std::uint32_t disproof(bool weak) const noexcept {
        const std::uint64_t exact = weak && open > 0 ? std::uint64_t{largest} + open - 1 : sum;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(exact, infinite - 1));
    }

    Numbers numbers(bool weak) const noexcept {
        if (proof == 0) return proved_numbers;
        if (sum == 0) return disproved_numbers;
        return {proof, disproof(weak)};
    }
};

}  // namespace proofbase
