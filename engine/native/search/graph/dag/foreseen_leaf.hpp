// The leaf that the search of a dag will very likely expand next, with its children. What that expansion reads is
// fetched while the one before is under way.
//
// It is the next child of the same parent with as small a disproof number as the leaf that is being expanded. With the
// initialisation `unit` the guess is made for four expansions in five and nearly always right, with `effort` seldom. A
// wrong guess costs time and nothing else; after one, no guess is made for a while.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "search/graph/dag/blocks.hpp"

namespace proofbase {

/// `Step` and `Child` are those of the graph.
template <class Step, class Child>
class ForeseenLeaf {
  public:
    /// Whether a guess is to be made.
    bool wanted() noexcept {
        if (chances_to_pass_ == 0) return true;
        --chances_to_pass_;
        return false;
    }

    void foresee(const Step& leaf) { leaf_ = leaf; }

    /// Calls make(leaf, children) for a leaf that was foreseen since the last call.
    template <class Make>
    void make_children(Make&& make) {
        if (leaf_.node == NodeRef::none()) return;
        make(leaf_, children_);
        parent_ = leaf_;
        leaf_.node = NodeRef::none();
    }

    /// The children that were made and not taken yet.
    std::span<const Child> children() const noexcept {
        return parent_.node == NodeRef::none() ? std::span<const Child>() : children_;
    }

    /// Takes the children if they are those of this leaf, which is expanded now. They are forgotten otherwise. The
    /// question is compared as well: the number of a deleted node may be another one's by now.
    bool take_children(const Step& leaf, std::vector<Child>& children) noexcept {
        const NodeRef parent = std::exchange(parent_.node, NodeRef::none());
        if (parent == NodeRef::none()) return false;
        if (parent != leaf.node || parent_.bound != leaf.bound || !(parent_.position == leaf.position)) {
            chances_to_pass_ = passed_after_wrong_guess;
            return false;
        }
        std::swap(children, children_);
        return true;
    }

  private:
    static constexpr std::uint32_t passed_after_wrong_guess = 16;

    Step leaf_{NodeRef::none(), 0, {}};
    std::vector<Child> children_;
    Step parent_{NodeRef::none(), 0, {}};  ///< of children_
    std::uint32_t chances_to_pass_ = 0;
};

}  // namespace proofbase
