// What it is expected to cost to prove that a move of the attacker wins, by which his moves are compared.
//
// Proof numbers hardly change with the work where a proof is out of reach, and df-pn would stay there for ever. So the
// price is the proof number times the square root of the work, in units of `QuietSettings::price_work`.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "threats/quiet/quiet_node.hpp"
#include "threats/quiet/quiet_settings.hpp"

namespace proofbase {

/// `Node`: with the defender to move, after the move.
template <class Node>
class MovePrice {
  public:
    static constexpr double never = std::numeric_limits<double>::infinity();

    explicit MovePrice(const QuietSettings& settings) : settings_(settings) {}

    /// The price of a node, to be compared with its siblings'.
    double of(const Node& node) const {
        return node.numbers.proof == ProofNumbers::infinite ? never : node.numbers.proof * tenacity(node);
    }

    /// The same for a thread that chooses a move: moves that other threads are at are dearer.
    double with_others(const Node& node) const {
        constexpr double while_evaluated = 4;
        constexpr double by_each = 0.25;
        return of(node) * (node.in_evaluation ? while_evaluated : 1) * (1 + by_each * node.searchers);
    }

    /// The proof number with which a node, with the work done for it so far, would cost more than `limit`.
    std::uint32_t proof_at(const Node& node, double limit) const {
        const double proof = limit / tenacity(node);
        if (proof >= ProofNumbers::infinite - 1) return ProofNumbers::infinite;
        return std::max(node.numbers.proof, static_cast<std::uint32_t>(proof)) + 1;
    }

    /// The work after which a node, with the proof number that it has now, would cost more than `limit`.
    std::uint64_t work_to(const Node& node, double limit) const {
        constexpr double longest = 1e15;
        const double ratio = limit / node.numbers.proof;
        const double all = static_cast<double>(settings_.price_work) * (ratio * ratio - 1);
        const double more = std::min(all - static_cast<double>(node.work), longest);
        return static_cast<std::uint64_t>(std::max(more, static_cast<double>(settings_.least_turn)));
    }

  private:
    double tenacity(const Node& node) const {
        return std::sqrt(1 + static_cast<double>(node.work) / static_cast<double>(settings_.price_work));
    }

    const QuietSettings& settings_;
};

}  // namespace proofbase
