// What the two workers of null-window search have in common (null_window_worker.hpp for games without cycles,
// depth_limited/depth_limited_worker.hpp for the others): the question about the root and its answer, the stack, the
// entries for the next checkpoint.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "search/api/search.hpp"
#include "search/null_window/null_window_checkpoint.hpp"
#include "search/null_window/null_window_moves.hpp"
#include "search/null_window/null_window_stack.hpp"

namespace proofbase {

template <Game G, class SharedByThreads, class FrameType, class TableEntry>
class NullWindowWorkerBase {
  public:
    using Shared = SharedByThreads;
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Key = typename G::Key;
    using Identity = typename Shared::Identity;
    using CheckpointEntry = NullWindowCheckpointEntry<Key, TableEntry>;

    bool started() const noexcept { return started_; }
    bool done() const noexcept { return done_; }

    /// Of a search that is done: a lower bound of the root's value if it reaches the question's bound, else an upper
    /// bound.
    int value() const noexcept { return value_; }
    /// The move that reaches the bound.
    Move best_move() const noexcept { return best_move_; }

    /// Positions whose moves were generated.
    std::uint64_t nodes() const noexcept { return nodes_; }

    /// The entries for the next checkpoint: those that were added since the last call of this function.
    std::vector<CheckpointEntry> take_checkpoint_entries() noexcept { return checkpoint_log_.take(); }

    /// The moves from the root to the node that is searched now.
    std::vector<std::uint32_t> current_line() const { return stack_.current_line(Progress::max_line); }

    /// Length of the whole line.
    std::uint64_t line_moves() const noexcept { return stack_.size(); }

    std::uint64_t bytes() const noexcept { return stack_.bytes() + moves_.bytes() + checkpoint_log_.bytes(); }

  protected:
    using Frame = FrameType;
    using Stack = NullWindowStack<G, Frame>;
    using Child = typename Stack::Child;
    using Moves = NullWindowMoves<G>;

    explicit NullWindowWorkerBase(Shared& shared) : shared_(shared), game_(shared.game) {}
    ~NullWindowWorkerBase() = default;

    void set_question(const Position& root, int bound) {
        root_ = root;
        root_bound_ = bound;
        started_ = true;
    }
    void forget_question() noexcept { started_ = done_ = false; }

    void set_answer(std::int32_t value, Move move) noexcept {
        value_ = value;
        best_move_ = move;
        done_ = true;
    }

    /// The number of bits of the nodes that the frame's node has taken.
    std::uint32_t work(const Frame& frame) const noexcept {
        return static_cast<std::uint32_t>(std::bit_width(nodes_ - frame.nodes_at_entry + 1));
    }

    Shared& shared_;
    const G& game_;
    Stack stack_;
    Moves moves_;
    Position root_{};
    int root_bound_ = 0;
    Move settled_move_{};  ///< of the node that was settled as it was entered, the last one
    std::uint64_t nodes_ = 0;
    NullWindowCheckpointLog<Key, TableEntry> checkpoint_log_;

  private:
    bool started_ = false;
    bool done_ = false;
    std::int32_t value_ = 0;
    Move best_move_{};
};

}  // namespace proofbase
