// Which null windows lead to the exact value of a position, and in which order.
//
// Two questions have to be answered in any case, "value >= v?" and "value >= v + 1?" of the value v; those far from the
// value are easier. The table stays warm from one to the next. So:
//   1. The ends of the interval are asked in turn, the farther one from 0 first, while that is cheap. Each question
//      takes off a few values; one that takes off one value more needs about twice the nodes. In games whose values
//      count plies, the ends are the quick wins and losses, which small searches find.
//   2. Then the sign of the value.
//   3. Then the interval is halved, and where its part near 0 is small, asked there first (P. Pons, "Solving Connect
//      4", 2015): values of small size are the frequent ones.
#pragma once

#include <algorithm>
#include <cstdint>

#include "concepts.hpp"

namespace proofbase {

/// A question, and how many nodes its answer may take before another one is asked.
struct NullWindow {
    int bound;                 ///< "value >= bound?"
    std::uint64_t most_nodes;  ///< 0: no limit
};

/// The questions about one position.
class WindowSequence {
  public:
    /// Nodes of all questions of step 1.
    static constexpr std::uint64_t nodes_at_ends = 60'000;
    /// Values that a question of step 1 takes off.
    static constexpr int step_at_ends = 3;

    /// `known`: limits of the value.
    explicit WindowSequence(ValueBounds known, std::uint64_t nodes_at_ends = WindowSequence::nodes_at_ends) noexcept
        : known_(known), left_at_ends_(nodes_at_ends) {}

    bool finished() const noexcept { return known_.lower >= known_.upper; }
    const ValueBounds& known() const noexcept { return known_; }

    /// The next question; undefined when finished().
    NullWindow next() const noexcept {
        const auto [lower, upper] = known_;
        if (left_at_ends_ > 0 && (upper > 1 || lower < -1)) {
            const bool upper_end = upper > 1 && upper >= -lower;
            return {upper_end ? std::max({upper + 1 - step_at_ends, lower + 1, 2})
                              : std::min({lower + step_at_ends, upper, -1}),
                    left_at_ends_};
        }
        if (lower < 0 && upper > 0) return {1, 0};
        if (lower < 0 && upper == 0) return {0, 0};
        return {lower >= 0 ? nearer_to_zero(lower, upper) : 1 - nearer_to_zero(-upper, -lower), 0};
    }

    /// The question was answered: `value` is a lower bound of the position's value if it reaches the question's bound,
    /// else an upper bound. It took so many nodes.
    void answered(const NullWindow& window, int value, std::uint64_t nodes) noexcept {
        if (value >= window.bound) {
            known_.lower = std::min(std::max(known_.lower, value), known_.upper);
        } else {
            known_.upper = std::max(std::min(known_.upper, value), known_.lower);
        }
        spend(nodes);
    }

    /// The question was given up after so many nodes.
    void given_up(std::uint64_t nodes) noexcept { spend(nodes); }

  private:
    /// The bound to ask for where 0 <= lower < upper.
    static int nearer_to_zero(int lower, int upper) noexcept {
        const int middle = lower + (upper - lower - 1) / 2;
        return 1 + (upper / 2 < middle ? std::max(lower, upper / 2) : middle);
    }

    void spend(std::uint64_t nodes) noexcept { left_at_ends_ -= std::min(left_at_ends_, nodes); }

    ValueBounds known_;
    std::uint64_t left_at_ends_;
};

}  // namespace proofbase
