// The stack of a null-window search: a frame for each node from the root to the node that is searched now, with the
// node's moves that are still to be tried.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "search/null_window/node_identity.hpp"
#include "search/run/thread_marks.hpp"

namespace proofbase {

/// A move with the position after it.
template <Game G>
struct NullWindowChild {
    typename G::Position position;
    typename NodeIdentities<typename G::Key>::Identity identity;
    std::int32_t reward;  ///< of the move
    typename G::Move move;
    bool forced;  ///< at most one move is open then, or it is an ending: no entry in the table
};

/// A node with the question "value >= bound?".
template <Game G>
struct NullWindowFrame {
    typename G::Position position;
    typename NodeIdentities<typename G::Key>::Identity identity;
    std::int32_t bound;
    std::int32_t best;          ///< the largest value that a move so far has at most, or the bound that one reaches
    std::uint32_t first_child;  ///< of the stack's children
    std::uint32_t child_count;
    std::uint32_t next_child;  ///< the next one to try; the child that the frame above searches is the one before
    std::uint32_t best_child;  ///< its low bits (NullWindowEntry); 0: none
    std::uint32_t put_off;     ///< how many children are behind the others because other threads search them
    bool all_node;  ///< its moves are expected to fail, so threads share them; else the first to reach the bound
    bool marked;    ///< for the other threads (ThreadMarks)
    bool forced;    ///< at most one move is open: no entry in the table
    typename G::Move best_move;
    std::uint64_t nodes_at_entry;  ///< of the thread
};

template <Game G>
class NullWindowStack {
  public:
    using Frame = NullWindowFrame<G>;
    using Child = NullWindowChild<G>;

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    Frame& top() noexcept { return frames_[size_ - 1]; }
    const Frame& top() const noexcept { return frames_[size_ - 1]; }
    Frame& operator[](std::size_t index) noexcept { return frames_[index]; }
    const Frame& operator[](std::size_t index) const noexcept { return frames_[index]; }

    /// Room for `count` children of a node that is about to be pushed: behind those in use. References to frames stay
    /// valid, those to other children do not.
    [[gnu::always_inline]] Child* free_children(std::size_t count) {
        if (children_.size() < children_in_use_ + count) [[unlikely]]
            enlarge(count);
        return children_.data() + children_in_use_;
    }

    /// A new frame on top, with the first `count` of the free children. References to frames are no longer valid.
    [[gnu::always_inline]] Frame& push(std::uint32_t count) {
        if (frames_.size() == size_) [[unlikely]]
            frames_.emplace_back();
        Frame& frame = frames_[size_++];
        frame.first_child = static_cast<std::uint32_t>(children_in_use_);
        frame.child_count = count;
        frame.next_child = 0;
        children_in_use_ += count;
        return frame;
    }

    /// Removes the frame on top, and its mark.
    [[gnu::always_inline]] void pop(ThreadMarks& marks) noexcept {
        const Frame& frame = frames_[size_ - 1];
        if (frame.marked) marks.leave(frame.identity.hash);
        children_in_use_ = frame.first_child;
        --size_;
    }

    /// Removes frames, and their marks, until `count` are left.
    void pop_above(std::size_t count, ThreadMarks& marks) noexcept {
        while (size_ > count) pop(marks);
    }

    Child* children(const Frame& frame) noexcept { return children_.data() + frame.first_child; }
    const Child* children(const Frame& frame) const noexcept { return children_.data() + frame.first_child; }

    /// The moves from the root to the node that is searched now, at most so many.
    std::vector<std::uint32_t> current_line(std::size_t most) const {
        std::vector<std::uint32_t> line;
        for (std::size_t i = 0; i < size_ && i < most; ++i) {
            const Frame& frame = frames_[i];
            if (frame.next_child == frame.child_count) break;
            line.push_back(static_cast<std::uint32_t>(children(frame)[frame.next_child].move));
        }
        return line;
    }

    /// Chooses as the next child of a frame one that no other thread searches, if there is one.
    [[gnu::noinline]] void put_off_searched_children(Frame& frame, const ThreadMarks& marks) {
        Child* const first = children(frame);
        while (frame.next_child + frame.put_off < frame.child_count) {
            if (marks.count(first[frame.next_child].identity.hash) == 0) return;
            std::rotate(first + frame.next_child, first + frame.next_child + 1, first + frame.child_count);
            ++frame.put_off;
        }
    }

    /// Marks the node on top, and those above it in the tree, which have taken as many nodes.
    [[gnu::noinline]] void mark_path(ThreadMarks& marks) noexcept {
        for (std::size_t index = size_; index > 0 && !frames_[index - 1].marked; --index) {
            frames_[index - 1].marked = true;
            marks.enter(frames_[index - 1].identity.hash);
        }
    }

    std::uint64_t bytes() const noexcept {
        return frames_.capacity() * sizeof(Frame) + children_.capacity() * sizeof(Child);
    }

  private:
    [[gnu::noinline]] void enlarge(std::size_t count) { children_.resize(2 * (children_in_use_ + count)); }

    // Items beyond those in use are kept for their memory.
    std::vector<Frame> frames_;
    std::vector<Child> children_;  ///< of all frames, one after the other
    std::size_t size_ = 0;
    std::size_t children_in_use_ = 0;
};

}  // namespace proofbase
