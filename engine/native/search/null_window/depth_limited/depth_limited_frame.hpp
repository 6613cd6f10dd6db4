// A node on the stack of null-window search in games with cycles, and the answers of such a search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "records/local_check.hpp"
#include "search/null_window/depth_limited/depth_limited_entry.hpp"
#include "search/null_window/node_identity.hpp"
#include "search/null_window/null_window_entry.hpp"
#include "search/null_window/null_window_stack.hpp"

namespace proofbase {

/// The answer to "value >= bound?"; `open`: none was found.
enum class BoundAnswer : std::uint8_t { open, reached, below };

/// Which answers of a question are of use. A node is left when those of use are found or cannot be found in its depth.
struct WantedAnswers {
    bool reached = true;
    bool below = true;

    bool none() const noexcept { return !reached && !below; }
    /// Of the position after a move, where the other side asks.
    WantedAnswers of_child() const noexcept { return {below, reached}; }
};

/// What a search to some depth has found of a node.
struct DepthLimitedResult {
    BoundAnswer answer = BoundAnswer::open;
    std::int32_t value = 0;    ///< if the bound is reached a lower bound of the node's value, if not an upper bound
    std::uint32_t height = 0;  ///< of that bound (DepthLimitedEntry)
};

/// A node with the question "value >= bound?", to be searched to a depth.
template <Game G>
struct DepthLimitedFrame {
    typename G::Position position;
    typename NodeIdentities<typename G::Key>::Identity identity;
    std::int32_t bound;
    std::uint32_t depth;          ///< plies that are still to be searched, at least 1
    std::uint32_t earlier_depth;  ///< to which the question was searched before, as far as is known
    WantedAnswers wanted;         ///< when the node was entered
    WantedAnswers left;           ///< what is still of use
    std::int32_t best;            ///< the largest value that a move so far has at most, or the bound that one reaches
    std::uint32_t height;         ///< of `best`
    std::uint32_t first_child;    ///< of the stack's children
    std::uint32_t child_count;
    std::uint32_t next_child;  ///< the next one to try; the child that the frame above searches is the one before
    std::uint32_t best_child;  ///< its low bits (NullWindowEntry); 0: none
    std::uint32_t put_off;     ///< how many children are behind the others because other threads search them
    bool any_open;             ///< the answer of a child was not found
    bool marked;               ///< for the other threads (ThreadMarks)
    bool is_entry;             ///< no line comes back from here to the nodes above it; true for the root, too
    bool region_tried;         ///< a region of safety (safety_region.hpp) was tried
    bool for_region;           ///< a region of safety asked for this node
    typename G::Move best_move;
    std::uint64_t nodes_at_entry;  ///< of the thread

    /// A child is not known to reach its own bound, so it is not known that the node stays below its bound.
    void leave_open(const NullWindowChild<G>& child) noexcept {
        if (!any_open && best_child == 0) best_child = NullWindowEntry::child_of(child.identity.hash);
        any_open = true;
        left.below = false;
    }

    /// Takes the result of a child. True if it shows that the bound is reached.
    bool take(const NullWindowChild<G>& child, const DepthLimitedResult& result) noexcept {
        if (result.answer == BoundAnswer::open) {
            leave_open(child);
            return false;
        }
        const std::int32_t value = child.reward - result.value;
        if (result.answer == BoundAnswer::below) {
            best = value;
            height = result.height + 1;
            best_child = NullWindowEntry::child_of(child.identity.hash);
            best_move = child.move;
            return true;
        }
        best = std::max(best, value);
        height = std::max(height, result.height + 1);
        return false;
    }
};

/// True if the answer to "value(position) >= bound?" would be a safety claim.
template <Game G>
bool is_safety_claim(const G& game, const typename G::Position& position, int bound, bool reached) {
    const std::optional<int> rho = repetition_value(game, position);
    return rho && reached == (bound <= *rho);
}

/// The result of a node whose bound a child has reached, and its entry.
template <Game G>
DepthLimitedResult conclude_reached(const G& game, const typename G::Position& position,
                                    const DepthLimitedFrame<G>& frame, DepthLimitedEntry& entry) {
    entry = {frame.best, value_limit(game, position)};
    if (!is_safety_claim(game, position, frame.best, true)) entry.lower_height = frame.height;
    return {BoundAnswer::reached, frame.best, entry.lower_height};
}

/// The result of a node of which no child is left that is of use, and its entry.
template <Game G>
DepthLimitedResult conclude(const G& game, const typename G::Position& position, const DepthLimitedFrame<G>& frame,
                            DepthLimitedEntry& entry) {
    const int limit = value_limit(game, position);
    entry = {-limit, limit};
    if (!frame.any_open) {
        entry.upper = frame.best;
        if (!is_safety_claim(game, position, frame.best + 1, false)) entry.upper_height = frame.height;
        return {BoundAnswer::below, frame.best, entry.upper_height};
    }
    entry.open_bound = frame.bound;
    if (frame.left.reached) entry.depth_without_lower = frame.depth;  // all children were tried
    if (frame.wanted.below) entry.depth_without_upper = frame.depth;
    return {};
}

}  // namespace proofbase
