// The stack of a df-pn thread: a frame for each node from the root to the node that is searched now, with the node's
// children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/df_pn/df_pn_child.hpp"
#include "search/df_pn/df_pn_ghi.hpp"
#include "search/df_pn/path_dependency.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <class Position, class KeyWords>
struct DfPnFrame {
    Position position;
    DfPnPathNode<KeyWords> node;
    Numbers thresholds;  ///< the search of the node ends when its proof or disproof number reaches one of them
    std::uint32_t first_child;
    std::uint32_t child_count = 0;
    std::uint32_t current_child = 0xffffffff;    ///< the child that the next frame searches
    std::uint32_t rank_of_omitted_children = 0;  ///< the largest; a child is omitted if its leaf value proves it
    bool announced = false;                      ///< to the other threads (VirtualNumbers)
    bool may_recur = false;                      ///< a line can come back to the position
    bool has_dependencies = false;               ///< some children's results depend on the path
    std::uint64_t earlier_work;                  ///< expansions below the node before this visit
    std::uint64_t expansions_at_entry;           ///< of the thread
    std::uint64_t expansions_at_refresh;         ///< of the thread, when the children were last looked up in the table
};

template <class Position, class KeyWords>
class DfPnStack {
  public:
    using Frame = DfPnFrame<Position, KeyWords>;
    using Child = DfPnChild<KeyWords>;

    /// `cyclic`: the results of children may depend on the path.
    explicit DfPnStack(bool cyclic) noexcept : cyclic_(cyclic) {}

    bool empty() const noexcept { return frames_.empty(); }
    std::size_t size() const noexcept { return frames_.size(); }
    Frame& top() noexcept { return frames_.back(); }
    const Frame& top() const noexcept { return frames_.back(); }
    const Frame& operator[](std::size_t index) const noexcept { return frames_[index]; }

    /// A new frame on top, without children. References to other frames are no longer valid.
    Frame& push() {
        frames_.emplace_back();
        frames_.back().first_child = children_in_use_;
        return frames_.back();
    }
    void pop() noexcept {
        for (PathDependency& dependency : dependencies(frames_.back())) dependency.clear();
        children_in_use_ = frames_.back().first_child;
        frames_.pop_back();
    }

    /// Room for the children of the top frame. References to other children are no longer valid.
    Child* reserve_children(std::uint32_t count) {
        if (children_.size() < children_in_use_ + count) {
            children_.resize(2 * (children_in_use_ + count));
            if (cyclic_) dependencies_.resize(children_.size());
        }
        return children_.data() + children_in_use_;
    }
    /// The first `count` of the reserved children are those of the top frame.
    void set_child_count(std::uint32_t count) noexcept {
        top().child_count = count;
        children_in_use_ += count;
    }

    std::span<Child> children(const Frame& frame) noexcept {
        return {children_.data() + frame.first_child, frame.child_count};
    }
    std::span<const Child> children(const Frame& frame) const noexcept {
        return {children_.data() + frame.first_child, frame.child_count};
    }

    /// What the result of a solved child depends on. For games with cycles only.
    const PathDependency& dependency(const Frame& frame, std::uint32_t child) const noexcept {
        return dependencies_[frame.first_child + child];
    }
    /// Few results depend on the path: nothing is written of the others.
    void set_dependency(Frame& frame, std::uint32_t child, const PathDependency& depends_on) noexcept {
        if (depends_on.none() && !frame.has_dependencies) return;
        frame.has_dependencies = true;
        dependencies_[frame.first_child + child] = depends_on;
    }
    /// Those of all children; none if no result depends on the path.
    std::span<PathDependency> dependencies(const Frame& frame) noexcept {
        if (!frame.has_dependencies) return {};
        return {dependencies_.data() + frame.first_child, frame.child_count};
    }

    std::uint64_t bytes() const noexcept {
        return children_.capacity() * sizeof(Child) + dependencies_.capacity() * sizeof(PathDependency) +
               frames_.capacity() * sizeof(Frame);
    }

  private:
    bool cyclic_;
    std::vector<Frame> frames_;
    std::vector<Child> children_;               ///< of all frames, one after the other
    std::vector<PathDependency> dependencies_;  ///< those of children that are not in use are empty
    std::uint32_t children_in_use_ = 0;
};

}  // namespace proofbase
