// The repetition region of the graph kind base-twin: the largest set of expanded, unsolved bases such that the side
// that repetition satisfies can keep play inside the set, or leave it only to a node that is solved in its favour. So
// every node in the region has the answer that repetition gives. From every other expanded, unsolved node the other
// side can force play to a leaf: these nodes are the attractor of the leaves, and are found from the leaves upwards.
//
// The base-twin algorithm as published finds such nodes by walking along every path without a repetition; there may be
// too many paths. Here the region is found in a time proportional to the size of the graph.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace proofbase {

class RepetitionRegion {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    enum class State : std::uint8_t {
        no_inner_node,  ///< a leaf, or solved
        inside,         ///< in the region
        forced_out,     ///< play can be forced to a leaf
    };

    /// Nodes are 0 .. nodes-1.
    explicit RepetitionRegion(std::uint32_t nodes)
        : state_(nodes, State::no_inner_node),
          child_towards_leaf_(nodes, none),
          first_parent_(std::size_t{nodes} + 1),
          next_parent_(nodes),
          supports_left_(nodes),
          nodes_(nodes) {
        forced_out_.reserve(nodes);
    }

    /// Finds the region.
    ///
    /// `for_each_child(n, visit)` calls visit(child, inner, supports) for the children of an inner node n, and does
    /// nothing for other nodes. `inner` says whether the child is an inner node itself; `supports`, whether the child
    /// favours the side that repetition satisfies in n: by its answer if it is solved, or, if it is an inner node, as
    /// long as it is in the region. `one_is_enough(n)`: n is in the region with one supporting child, else all children
    /// have to support it. `check_cancelled()` is called between any two nodes; where it throws, the next call of
    /// find() goes on.
    template <class ForEachChild, class OneIsEnough, class CheckCancelled>
    void find(ForEachChild&& for_each_child, OneIsEnough&& one_is_enough, CheckCancelled&& check_cancelled) {
        for (; counted_ < nodes_; ++counted_) {
            check_cancelled();
            for_each_child(counted_, [&](std::uint32_t child, bool, bool) {
                state_[counted_] = State::inside;
                ++first_parent_[child + 1];
                ++edges_;
            });
        }
        if (!counts_summed_) {
            parents_.resize(edges_);
            for (std::size_t i = 1; i < first_parent_.size(); ++i) first_parent_[i] += first_parent_[i - 1];
            std::copy(first_parent_.begin(), first_parent_.end() - 1, next_parent_.begin());
            counts_summed_ = true;
        }
        for (; linked_ < nodes_; ++linked_) {
            check_cancelled();
            if (state_[linked_] == State::inside) link_children(linked_, for_each_child, one_is_enough(linked_));
        }
        for (; propagated_ < forced_out_.size(); ++propagated_) {
            check_cancelled();
            const std::uint32_t child = forced_out_[propagated_];
            for (std::uint32_t p = first_parent_[child]; p < first_parent_[child + 1]; ++p) {
                const std::uint32_t n = parents_[p];
                if (n != none && state_[n] == State::inside && --supports_left_[n] == 0) force_out(n, child);
            }
        }
    }

    State state(std::uint32_t n) const noexcept { return state_[n]; }

    /// The child that leads towards a leaf, for a node outside the region that needed the support of all its children.
    /// (There, the side to move is the one that repetition does not satisfy, and moves to this child.)
    std::uint32_t child_towards_leaf(std::uint32_t n) const noexcept { return child_towards_leaf_[n]; }

    std::uint64_t bytes() const noexcept {
        const std::size_t numbers = child_towards_leaf_.size() + first_parent_.size() + next_parent_.size() +
                                    parents_.size() + supports_left_.size();
        return state_.size() + (numbers + forced_out_.capacity()) * sizeof(std::uint32_t);
    }

  private:
    /// Adds an inner node to the parents of its children, and counts how many supporting children it can lose.
    template <class ForEachChild>
    void link_children(std::uint32_t n, ForEachChild&& for_each_child, bool one_is_enough) {
        std::uint32_t supporting = 0;
        std::uint32_t failing = none;
        for_each_child(n, [&](std::uint32_t child, bool inner, bool supports) {
            // Only a child that is an inner node and supports n can lose its support later.
            parents_[next_parent_[child]++] = inner && supports ? n : none;
            if (supports) {
                ++supporting;
            } else if (failing == none) {
                failing = child;
            }
        });
        supports_left_[n] = one_is_enough ? supporting : 1;
        if (one_is_enough ? supporting == 0 : failing != none) force_out(n, failing);
    }

    void force_out(std::uint32_t n, std::uint32_t child) {
        state_[n] = State::forced_out;
        child_towards_leaf_[n] = child;
        forced_out_.push_back(n);
    }

    std::vector<State> state_;
    std::vector<std::uint32_t> child_towards_leaf_;
    std::vector<std::uint32_t> first_parent_;  ///< by node: where its parents begin in parents_
    std::vector<std::uint32_t> next_parent_;   ///< by node: where its next parent is added
    std::vector<std::uint32_t> parents_;
    std::vector<std::uint32_t> supports_left_;  ///< by node: supporting children that it loses before it is forced out
    std::vector<std::uint32_t> forced_out_;     ///< in the order in which it happened
    std::uint32_t nodes_;
    std::uint32_t edges_ = 0;  ///< of inner nodes
    bool counts_summed_ = false;
    std::uint32_t counted_ = 0;   ///< nodes whose children are counted
    std::uint32_t linked_ = 0;    ///< nodes whose children are linked
    std::size_t propagated_ = 0;  ///< nodes of forced_out_ whose parents have taken it into account
};

}  // namespace proofbase
