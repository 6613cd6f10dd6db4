// How proof-set search compares sets of leaves, with its options. Müller, Proof-set search, Technical Report TR 01-09,
// University of Alberta (2001): minimum selection (2.1), favouring (5.2). Used by both backups of sets: that of graphs
// without cycles (set_backup.hpp) and that of graphs with twin nodes (twin/twin_sets.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "search/graph/dag/proof_sets.hpp"

namespace proofbase {

struct SetOptions {
    std::uint32_t proof_size = 0;     ///< most leaves that a proof set lists, seen by the side to move at the root (P)
    std::uint32_t disproof_size = 0;  ///< most leaves that a disproof set lists, seen by the same side (D)
    std::uint32_t favour = 100;       ///< in comparisons, a leaf of the root's sets has this percentage of its weight
    bool newest_first = false;        ///< sets and selection take the newest of leaves with the same weight first

    /// How many members a set lists at most. `is_proof_set`: seen by the side to move at the root.
    std::uint32_t max_members(bool is_proof_set) const noexcept { return is_proof_set ? proof_size : disproof_size; }
    /// True if sets list leaves.
    bool lists_leaves() const noexcept { return proof_size != 0 || disproof_size != 0; }
};

class SetOrder {
  public:
    /// A set as it is compared.
    struct Set {
        std::span<const SetMember> members;
        std::uint32_t bound;   ///< of its weight
        std::uint64_t weight;  ///< compared_weight()
    };

    explicit SetOrder(const SetOptions& options)
        : favour_(options.favour), number_mask_(options.newest_first ? SetMember::newest_first : 0) {}

    /// Node numbers are stored xor this mask, so that preferred nodes come first.
    std::uint32_t number_mask() const noexcept { return number_mask_; }
    /// True if no leaf is favoured: then sets are compared by their bounds first.
    bool favours_none() const noexcept { return favour_ == 100; }

    /// Comparisons favour the leaves of these lists, those of the root, from now on.
    void favour(std::initializer_list<std::span<const SetMember>> lists) {
        if (favours_none()) return;
        favoured_.clear();
        for (const auto list : lists) {
            for (const SetMember m : list) favoured_.push_back(m.literal());
        }
        std::sort(favoured_.begin(), favoured_.end());
    }

    Set set(std::span<const SetMember> members, std::uint32_t bound) const {
        return {members, bound, compared_weight(members, bound)};
    }

    /// True if `a` is the lighter set. Of two sets of the same weight the one with the older leaf at the first
    /// difference is preferred, also where sets list the newest leaves first.
    bool lighter(const Set& a, const Set& b) const {
        if (a.weight != b.weight) return a.weight < b.weight;
        // At equal compared weight the full weight decides (5.2): with 0 percent, favoured leaves weigh nothing, and
        // could make an unsolved child look solved.
        if (a.bound != b.bound) return a.bound < b.bound;
        const auto by_age = [mask = std::uint64_t{number_mask_} << 1](SetMember m) { return m.bits ^ mask; };
        return std::ranges::lexicographical_compare(a.members, b.members, std::less<>(), by_age, by_age);
    }

  private:
    /// The weight by which sets are compared, times 100. A favoured leaf counts with `favour_` percent of its weight.
    std::uint64_t compared_weight(std::span<const SetMember> members, std::uint32_t bound) const {
        std::uint64_t weight = std::uint64_t{bound} * 100;
        if (favoured_.empty()) return weight;
        for (const SetMember m : members) {
            if (std::binary_search(favoured_.begin(), favoured_.end(), m.literal())) {
                weight -= std::uint64_t{m.weight()} * (100 - favour_);
            }
        }
        return weight;
    }

    std::uint32_t favour_;
    std::uint32_t number_mask_;
    std::vector<std::uint32_t> favoured_;
};

}  // namespace proofbase
