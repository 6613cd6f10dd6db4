// Backup policies for trees besides minimum and sum (NumberBackup in proof_numbers.hpp, which says what their members
// are).
#pragma once

#include <algorithm>
#include <cstdint>

#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// The numbers of a node that was given up: the search will neither prove nor disprove it.
inline constexpr Numbers given_up_numbers{infinite, infinite};

/// Backup policy for trees from which least-proving nodes are deleted (DeleteLeastProving, Allis et al. 1994, 4.1):
/// minimum and sum, where an infinite term of a sum makes it infinite. A node with an
/// infinite proof number can only be disproved, one with an infinite disproof number can only be proved; with both, it
/// is given up.
class GivingUpBackup {
  public:
    static constexpr bool gives_up_leaves = true;
    struct Extra {};

    void add(const Numbers& child, Extra = {}) noexcept {
        proof_ = std::min(proof_, child.disproof);
        sum_ += child.proof;
        infinite_term_ |= child.proof == infinite;
    }

    Numbers result() const noexcept {
        if (proof_ == 0) return proved_numbers;
        if (infinite_term_) return {proof_, infinite};
        return {proof_, sum_ < infinite ? static_cast<std::uint32_t>(sum_) : infinite - 1};
    }

    Extra extra() const noexcept { return {}; }
    static bool prefers(Extra, Extra) noexcept { return false; }

    static bool leads_to_most_proving(const Numbers& node, const Numbers& child, Extra = {}) noexcept {
        if (node.proof == infinite) return child.proof != 0;  // only a disproof is possible: every child is needed
        return child.disproof == node.proof;
    }

  private:
    std::uint32_t proof_ = infinite;
    std::uint64_t sum_ = 0;
    bool infinite_term_ = false;
};

/// Backup policy `mst` (MST*, minimal solution-tree search: Allis 1994, 2.5.4, after Althoefer): every inner node
/// counts one more than pn-search gives it. The numbers are then lower bounds of the nodes in a solution tree. A node
/// counts as solved only when its smallest solution tree is complete, though its value may be known before.
class SolutionSizeBackup {
  public:
    static constexpr bool gives_up_leaves = false;

    /// Nodes of the smallest solution tree of a solved node.
    struct Extra {
        std::uint32_t size = 1;
    };

    void add(const Numbers& child, Extra extra) noexcept {
        const std::uint32_t proof = child.disproved() ? extra.size : child.disproof;
        const std::uint32_t disproof = child.proved() ? extra.size : child.proof;
        if (proof < proof_ || (proof == proof_ && child.disproved())) {
            proof_ = proof;
            smallest_is_complete_ = child.disproved();
        }
        sum_ += disproof;
        infinite_term_ |= disproof == infinite;
        all_proved_ &= child.proved();
    }

    Numbers result() const noexcept {
        if (smallest_is_complete_) return proved_numbers;
        if (all_proved_) return disproved_numbers;
        return {proof_ == infinite ? infinite : one_more(proof_), infinite_term_ ? infinite : one_more(sum_)};
    }

    Extra extra() const noexcept { return {one_more(smallest_is_complete_ ? proof_ : sum_)}; }

    static bool prefers(Extra a, Extra b) noexcept { return a.size < b.size; }

    static bool leads_to_most_proving(const Numbers& node, const Numbers& child, Extra) noexcept {
        if (node.proof == infinite) return child.proof != 0;  // the value is known: every child must be complete
        return !child.disproved() && child.disproof != infinite && one_more(child.disproof) == node.proof;
    }

  private:
    static std::uint32_t one_more(std::uint64_t size) noexcept {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(size + 1, infinite - 1));
    }

    std::uint32_t proof_ = infinite;
    std::uint64_t sum_ = 0;
    bool smallest_is_complete_ = false;  ///< the smallest tree that proves the node
    bool infinite_term_ = false;
    bool all_proved_ = true;
};

}  // namespace proofbase
