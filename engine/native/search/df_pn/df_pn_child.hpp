// The children of a searched node, and what they say about it: its numbers, and the child to search next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "search/df_pn/df_pn_question.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/df_pn/virtual_numbers.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// A child with its numbers, which are seen by the side to move in the child.
template <class KeyWords>
class DfPnChild {
  public:
    DfPnQuestion<KeyWords> question;
    Numbers numbers;
    std::uint32_t move;  ///< from the parent

    /// The rank of a solved child.
    std::uint32_t rank() const noexcept { return rank_or_work_; }
    /// Expansions that the numbers of an unsolved child took, as far as 32 bits hold them; 0: it was never searched.
    std::uint32_t work() const noexcept { return rank_or_work_; }

    void set_solved(const Numbers& solved, std::uint32_t rank) noexcept {
        numbers = solved;
        rank_or_work_ = rank;
    }
    /// Takes the value of a leaf. The numbers of an unsolved leaf took no work.
    void set_leaf(const Leaf& leaf) noexcept {
        numbers.proof = leaf.numbers.proof;
        numbers.disproof = leaf.numbers.disproof;
        rank_or_work_ = leaf.numbers.disproof == 0 ? leaf.rank : 0;
    }
    /// Marks a kept child (df_pn_kept_children.hpp): the table had it, so that it has no value of a leaf yet.
    void set_unevaluated() noexcept { numbers = {0, 0}; }
    bool unevaluated() const noexcept { return (numbers.proof | numbers.disproof) == 0; }

    void set_entry(const DfPnEntry& entry) noexcept {
        numbers = entry.numbers;
        rank_or_work_ = entry.numbers.solved()
                            ? entry.rank
                            : static_cast<std::uint32_t>(std::min<std::uint64_t>(entry.work, infinite));
    }

  private:
    std::uint32_t rank_or_work_;
};

/// The proof and the disproof number of a node from those of its children, and the most-proving child.
///
/// A child sees the question from the other side: the node's proof number is the least disproof number of its children,
/// and the node's disproof number comes from the proof numbers of its children.
struct DfPnBackup {
    std::uint32_t proof = infinite;            ///< the node's proof number
    std::uint64_t sum_of_proofs = 0;           ///< of the children's proof numbers
    std::uint32_t best_child = 0;              ///< the child with the least disproof number
    std::uint32_t second_disproof = infinite;  ///< the least disproof number of the other children
    std::uint32_t largest_proof = 0;           ///< of the children's proof numbers; for weak numbers only
    std::uint32_t unproved_children = 0;       ///< children with a proof number above 0; for weak numbers only

    /// In a parallel search `best_child` and `second_disproof` are chosen by virtual numbers. `weak`: weak numbers are
    /// needed, too.
    template <class Child>
    DfPnBackup(std::span<const Child> children, const VirtualNumbers& virtual_numbers, bool weak) noexcept {
        if (virtual_numbers.parallel()) {
            select(children, [&](const Child& child) { return virtual_numbers.virtual_disproof(child); });
            proof = infinite;
            for (const Child& child : children) proof = std::min(proof, child.numbers.disproof);
        } else {
            select(children, [](const Child& child) { return child.numbers.disproof; });
        }
        if (!weak) return;
        for (const Child& child : children) {
            largest_proof = std::max(largest_proof, child.numbers.proof);
            unproved_children += child.numbers.proof != 0;
        }
    }

    /// The node's disproof number. It stays below infinity: a threshold of infinity must never be reached.
    ///
    /// Weak numbers (Ueda, Hashimoto, Hashimoto, Iida, "Weak proof-number search", 2008) are the largest proof number
    /// of a child, and one more for each other unproved child. The sum counts a position to which several children lead
    /// once for each of them.
    std::uint32_t disproof(bool weak) const noexcept {
        const bool use_largest = weak && unproved_children > 0;
        const std::uint64_t unlimited =
            use_largest ? std::uint64_t{largest_proof} + unproved_children - 1 : sum_of_proofs;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(unlimited, infinite - 1));
    }

    bool proved() const noexcept { return proof == 0; }
    bool disproved() const noexcept { return sum_of_proofs == 0; }

    Numbers numbers(bool weak) const noexcept {
        if (proved()) return proved_numbers;
        if (disproved()) return disproved_numbers;
        return {proof, disproof(weak)};
    }

  private:
    /// Without branches: a processor could not predict which child is the best. A disproof number and the number of
    /// its child are one word.
    template <class Child, class DisproofOf>
    void select(std::span<const Child> children, DisproofOf&& disproof_of) noexcept {
        std::uint64_t best = std::uint64_t{infinite} << 32;
        std::uint64_t second = best;
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < children.size(); ++i) {
            const std::uint64_t child = std::uint64_t{disproof_of(children[i])} << 32 | i;
            sum += children[i].numbers.proof;
            second = std::min(second, std::max(best, child));
            best = std::min(best, child);
        }
        sum_of_proofs = sum;
        best_child = static_cast<std::uint32_t>(best);
        proof = static_cast<std::uint32_t>(best >> 32);
        second_disproof = static_cast<std::uint32_t>(second >> 32);
    }
};

}  // namespace proofbase
