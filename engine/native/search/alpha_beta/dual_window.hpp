// The windows of a search to a depth. It is two searches in one: that for the lower limit of a value takes the worst
// for what lies beyond the depth, that for the upper limit the best. Each has a window of its own and cuts off as any
// alpha-beta search does; a node is left when both are through with it. So a move that stays open ends the search for
// the upper limit at the node that may choose it, and from there on only a better lower limit is looked for.
//
// Allis, van der Meulen, van den Herik (1994), 6.3, say only that an iteration has "a window of the remaining possible
// values" as its result. For one question it is the search of three values, yes, no and open, of Allis (1994), 2.4.4.
#pragma once

#include <algorithm>

#include "search/alpha_beta/bounds_table.hpp"

namespace proofbase {

/// What a search is for: values above alpha, up to beta. None if it is closed.
struct Window {
    int alpha;
    int beta;

    bool closed() const noexcept { return alpha >= beta; }
    void close() noexcept { alpha = beta; }
    void close_by(const Bounds& known) noexcept {
        alpha = std::max(alpha, known.lower);
        beta = std::min(beta, known.upper);
    }
};

/// The windows of the search for a lower limit and of that for an upper one.
struct Asked {
    Window lower;
    Window upper;

    bool closed() const noexcept { return lower.closed() && upper.closed(); }
    /// Takes out what these limits of the value answer.
    void close_by(const Bounds& known) noexcept {
        lower.close_by(known);
        upper.close_by(known);
    }
    /// The bound that is asked about. With one question both windows are the same, or closed.
    int bound() const noexcept { return lower.closed() ? upper.beta : lower.beta; }
    /// What is asked of the position behind a move that pays `reward`.
    Asked behind(int reward) const noexcept {
        return {{reward - upper.beta, reward - upper.alpha}, {reward - lower.beta, reward - lower.alpha}};
    }
};

}  // namespace proofbase
