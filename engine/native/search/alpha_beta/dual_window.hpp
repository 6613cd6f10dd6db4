// The dual window of a depth-limited search: the search is two alpha-beta searches in one. The search for the lower
// bound of a value assumes the worst value for every position beyond the depth; the search for the upper bound assumes
// the best value. Each of the two searches has a window of its own, and cuts off as any alpha-beta search does. A node
// is left when both searches are finished with it. So a move whose value stays open ends the search for the upper bound
// at the node that may choose this move; from there on only a better lower bound is searched for.
//
// Allis, van der Meulen, van den Herik (1994), 6.3, say only that an iteration has "a window of the remaining possible
// values" as its result. For one question the dual window gives the search with the three values yes, no and open of
// Allis (1994), 2.4.4.
#pragma once

#include <algorithm>

#include "search/alpha_beta/bounds.hpp"

namespace proofbase {

/// The window of an alpha-beta search. If the value is at most alpha, or at least beta, the search finds only that; it
/// finds the exact value between the two. A window with alpha >= beta is closed: the search has nothing left to find.
struct Window {
    int alpha;
    int beta;

    bool closed() const noexcept { return alpha >= beta; }
    void close() noexcept { alpha = beta; }
    void narrow(const Bounds& known) noexcept {
        alpha = std::max(alpha, known.lower);
        beta = std::min(beta, known.upper);
    }
};

struct DualWindow {
    Window for_lower;  ///< of the search for the lower bound
    Window for_upper;  ///< of the search for the upper bound

    bool closed() const noexcept { return for_lower.closed() && for_upper.closed(); }
    /// Removes the values that known bounds exclude.
    void narrow(const Bounds& known) noexcept {
        for_lower.narrow(known);
        for_upper.narrow(known);
    }
    /// The bound of a search that asks one question: then both windows are equal, or one is closed.
    int bound() const noexcept { return for_lower.closed() ? for_upper.beta : for_lower.beta; }
    /// The windows of the position after a move with this reward: the other side's lower bound gives our upper bound.
    DualWindow after_move(int reward) const noexcept {
        return {{reward - for_upper.beta, reward - for_upper.alpha},
                {reward - for_lower.beta, reward - for_lower.alpha}};
    }
};

}  // namespace proofbase
