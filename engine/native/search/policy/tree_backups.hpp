// Backup policies for trees besides minimum and sum (numbers.hpp).
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// Both numbers of a node that was given up: nothing will be shown through it.
inline constexpr Numbers given_up_numbers{infinite, infinite};

/// Backup policy for trees from which least-proving nodes are deleted (DeleteLeastProving, Allis et al. 1994, 4.1):
/// minimum and sum, where an infinite term of a sum makes it infinite. A node may then have one infinite number (the
/// answer can only be the other one), or two (it is given up).
class GivingUpBackup {
  public:
    struct Extra {};

    void add(const Numbers& child, Extra = {}) noexcept {
        proof_ = std::min(proof_, child.disproof);
        sum_ += child.proof;
        impossible_ |= child.proof == infinite;
    }

    Numbers result() const noexcept {
        if (proof_ == 0) return proved_numbers;
        if (impossible_) return {proof_, infinite};
        return {proof_, sum_ < infinite ? static_cast<std::uint32_t>(sum_) : infinite - 1};
    }

    Extra extra() const noexcept { return {}; }
    static bool smaller(Extra, Extra) noexcept { return false; }

    static bool leads(const Numbers& node, const Numbers& child, Extra = {}) noexcept {
        if (node.proof == infinite) return child.proof != 0;  // only a no is possible: every child must be settled
        return child.disproof == node.proof;
    }

  private:
    std::uint32_t proof_ = infinite;
    std::uint64_t sum_ = 0;
    bool impossible_ = false;
};

/// Backup policy `mst` (MST*, minimal solution-tree search: Allis 1994, 2.5.4, after Althoefer): every inner node
/// counts one more than pn-search gives it. The numbers are then lower bounds of the nodes in a solution tree, and a
/// node is solved only when the smallest solution tree is complete, also if its value is known before.
class SolutionSizeBackup {
  public:
    /// Nodes of the smallest solution tree of a solved node.
    struct Extra {
        std::uint32_t size = 1;
    };

    void add(const Numbers& child, Extra extra) noexcept {
        const std::uint32_t proof = child.disproved() ? extra.size : child.disproof;
        const std::uint32_t disproof = child.proved() ? extra.size : child.proof;
        if (proof < proof_ || (proof == proof_ && child.disproved())) {
            proof_ = proof;
            complete_ = child.disproved();
        }
        sum_ += disproof;
        impossible_ |= disproof == infinite;
        all_proved_ &= child.proved();
    }

    Numbers result() const noexcept {
        if (complete_) return proved_numbers;
        if (all_proved_) return disproved_numbers;
        return {proof_ == infinite ? infinite : one_more(proof_), impossible_ ? infinite : one_more(sum_)};
    }

    Extra extra() const noexcept { return {one_more(complete_ ? proof_ : sum_)}; }

    static bool smaller(Extra a, Extra b) noexcept { return a.size < b.size; }

    static bool leads(const Numbers& node, const Numbers& child, Extra) noexcept {
        if (node.proof == infinite) return child.proof != 0;  // the value is known: every child must be complete
        return !child.disproved() && child.disproof != infinite && one_more(child.disproof) == node.proof;
    }

  private:
    static std::uint32_t one_more(std::uint64_t size) noexcept {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(size + 1, infinite - 1));
    }

    std::uint32_t proof_ = infinite;
    std::uint64_t sum_ = 0;
    bool complete_ = false;
    bool impossible_ = false;
    bool all_proved_ = true;
};

}  // namespace proofbase
