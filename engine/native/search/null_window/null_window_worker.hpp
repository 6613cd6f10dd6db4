// Null-window search, one thread of it: a depth-first search for the answer to "value >= bound?" (alpha-beta with the
// window bound - 1, bound: Pearl, "Scout", 1980; Plaat et al., "Best-first fixed-depth minimax algorithms", 1996), over
// a table of fixed size. After a move with the reward r the question for the other side has the bound r - bound + 1:
// its "no" is the first side's "yes".
//
// What a node gives to its parent and to the table is a value (fail-soft: Fishburn 1983): a lower bound of the node's
// value if it reaches the node's bound, else an upper bound. So it may say more than the answer.
//
// The stack is explicit: a line of play may be thousands of plies long, and the search can stop after any node.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "search/api/search.hpp"
#include "search/null_window/null_window_checkpoint.hpp"
#include "search/null_window/null_window_entry.hpp"
#include "search/null_window/null_window_moves.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/null_window_stack.hpp"
#include "search/policy/leaf.hpp"
#include "search/run/thread_marks.hpp"

namespace proofbase {

/// What a game searches its own endings with; of other games nothing.
template <Game G>
struct NoEndings {
    explicit NoEndings(const G&) noexcept {}
};
template <Game G>
struct EndingSearchOf {
    using Type = NoEndings<G>;
};
template <SearchesEndings G>
struct EndingSearchOf<G> {
    using Type = typename G::Endings;
};
template <Game G>
using EndingSearch = typename EndingSearchOf<G>::Type;

/// One search from a root.
template <Game G>
class NullWindowWorker {
  public:
    using Shared = NullWindowShared<G>;
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Key = typename G::Key;
    using Identity = typename Shared::Identity;
    using CheckpointEntry = NullWindowCheckpointEntry<Key>;

    explicit NullWindowWorker(Shared& shared) : shared_(shared), game_(shared.game), endings_(shared.game) {}

    bool started() const noexcept { return started_; }
    bool done() const noexcept { return done_; }

    /// What the search has shown: a lower bound of the root's value if it reaches the asked one, else an upper
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

    /// Starts the search of a position that is not terminal. Its moves are tried in any case, even if the table or the
    /// game settles the question, so that there is a best move. The caller holds the mutex of the stored records, here
    /// and in search().
    void start(const Position& root, int bound) {
        clear_stack();
        root_ = root;
        root_bound_ = bound;
        started_ = true;
    }

    /// Searches at most so many nodes; an ending that the game searches itself is counted with all of its nodes at
    /// once, and may take more. If the rules throw an exception, the node has not been searched.
    void search(std::uint64_t max_nodes) {
        const std::uint64_t end = nodes_ + max_nodes;
        look_for_records();
        if (stack_.empty() && !done_) {
            if (max_nodes == 0) return;
            push_root();
        }
        while (!done_) {
            Frame& frame = stack_.top();
            if (frame.next_child == frame.child_count) {
                finish_node();
                continue;
            }
            if (shared_.marks.parallel() && frame.all_node) stack_.put_off_searched_children(frame, shared_.marks);
            const Child& child = stack_.children(frame)[frame.next_child];
            const int bound = child.reward - frame.bound + 1;
            std::int32_t value;
            std::uint32_t table_move = 0;
            if (!settle(child, bound, value, table_move)) {
                if (nodes_ >= end) return;
                if (!push(child.position, child.identity, bound, table_move, child.forced, value)) continue;
            }
            back_up(stack_.top(), value);
        }
    }

    /// With several threads: leaves the uppermost node that another thread has settled, and everything below it.
    void leave_node_settled_by_others() {
        for (std::size_t index = 0; index < stack_.size(); ++index) {
            const Frame& frame = stack_[index];
            NullWindowEntry entry;
            if (!shared_.table.find(frame.identity, entry)) continue;
            const bool reached = entry.lower >= frame.bound;
            if (!reached && entry.upper >= frame.bound) continue;
            if (index == 0) return;  // the root needs its best move, which is on its way
            stack_.pop_above(index, shared_.marks);
            return back_up(stack_.top(), reached ? entry.lower : entry.upper);
        }
    }

    std::uint64_t bytes() const noexcept {
        std::uint64_t bytes = stack_.bytes() + moves_.bytes() + checkpoint_log_.bytes();
        if constexpr (SearchesEndings<G>) bytes += endings_.bytes();
        return bytes;
    }

    /// Abandons the search.
    void clear_stack() noexcept {
        stack_.pop_above(0, shared_.marks);
        started_ = done_ = false;
    }

  private:
    /// The children of a node are looked up first where lines are still so many plies longer.
    static constexpr std::size_t plies_below_look_ups = 4;
    /// A thread marks nodes that took so many nodes. Fewer than ThreadMarks::least_work: what two threads search twice
    /// costs more than the counters do.
    static constexpr std::uint64_t least_marked_work = 2;

    using Stack = NullWindowStack<G>;
    using Child = typename Stack::Child;
    using Frame = typename Stack::Frame;
    using Moves = NullWindowMoves<G>;

    /// The number of bits of the nodes that the frame's node has taken.
    std::uint32_t work(const Frame& frame) const noexcept {
        return static_cast<std::uint32_t>(std::bit_width(nodes_ - frame.nodes_at_entry + 1));
    }

    void look_for_records() noexcept {
        has_records_ = shared_.records != nullptr && shared_.records->size() > 0;
        has_tables_ = shared_.records != nullptr && shared_.records->tables() != nullptr;
        moves_.ask_records(has_records_);
    }

    /// Answers "value >= bound?" of a child without a search: a lower bound of its value that reaches the bound, or an
    /// upper bound below it. If that fails, `table_move` is what the table says of the best move.
    [[gnu::always_inline]] bool settle(const Child& child, int bound, std::int32_t& value, std::uint32_t& table_move) {
        const auto settled_by = [&](int lower, int upper) {
            value = lower >= bound ? lower : upper;
            return lower >= bound || upper < bound;
        };
        if constexpr (SearchesEndings<G>) {
            if (child.forced && game_.is_ending(child.position)) {
                const std::uint64_t before = endings_.nodes();
                value = endings_.value(child.position, bound);
                nodes_ += endings_.nodes() - before;
                return true;
            }
        }
        NullWindowEntry entry;
        if (!child.forced && shared_.table.find(child.identity, entry)) {
            if (settled_by(entry.lower, entry.upper)) return true;
            table_move = entry.child;
        }
        return (has_records_ || has_tables_) && settle_by_records(child.position, bound, value);
    }

    [[gnu::noinline]] bool settle_by_records(const Position& position, int bound, std::int32_t& value) const {
        const auto leaf = shared_.leaf_by_store(position, bound);
        if (leaf) value = leaf->numbers.proved() ? bound : bound - 1;
        return leaf.has_value();
    }

    void push_root() {
        std::int32_t value;
        const Identity identity = shared_.identity(root_);
        NullWindowEntry entry;
        const std::uint32_t table_move = shared_.table.find(identity, entry) ? entry.child : 0;
        if (push(root_, identity, root_bound_, table_move, false, value)) end(value, settled_move_);
    }

    /// Generates the moves of a node and puts it on the stack. If the rules settle it the node is not put there: then
    /// the result is true, with the value.
    [[gnu::always_inline]] bool push(const Position& position, const Identity& identity, int bound,
                                     std::uint32_t table_move, bool forced, std::int32_t& value) {
        // A copy: making room for children may move those that there are.
        const Position searched = position;
        const Identity searched_identity = identity;
        auto generated = moves_.generate(shared_, stack_, searched, bound, table_move);
        ++nodes_;
        if (stack_.size() + plies_below_look_ups <= deepest_) look_up_children(generated, bound);
        if (generated.cut_off || generated.count == 0) {
            value = generated.best;
            settled_move_ = generated.best_move;
            return true;
        }
        Frame& frame = stack_.push(generated.count);
        frame.position = searched;
        frame.identity = searched_identity;
        frame.bound = bound;
        frame.best = generated.best;
        frame.best_child = 0;
        frame.put_off = 0;
        frame.all_node = stack_.size() > 1 && !stack_[stack_.size() - 2].all_node;
        frame.marked = false;
        frame.forced = forced;
        frame.best_move = generated.best_move;
        frame.nodes_at_entry = nodes_;
        deepest_ = std::max(deepest_, stack_.size());
        return false;
    }

    /// Settles what it can of the generated children by the table, before any of them is searched (Schaeffer, Plaat,
    /// "New advances in alpha-beta searching", 1996: enhanced transposition cut-offs).
    void look_up_children(typename Moves::Generated& generated, int bound) {
        Child* const children = stack_.free_children(generated.count);
        std::uint32_t left = 0;
        for (std::uint32_t i = 0; i < generated.count && !generated.cut_off; ++i) {
            const Child& child = children[i];
            NullWindowEntry entry{};
            const bool found = !child.forced && shared_.table.find(child.identity, entry);
            const bool reaches = found && child.reward - entry.upper >= bound;
            if (!reaches && !(found && child.reward - entry.lower < bound)) {
                if (left != i) children[left] = child;
                ++left;
                continue;
            }
            const std::int32_t value = child.reward - (reaches ? entry.upper : entry.lower);
            if (value > generated.best) {
                generated.best = value;
                generated.best_move = child.move;
            }
            generated.cut_off = reaches;
        }
        generated.count = left;
    }

    /// The next child of the frame has this value.
    [[gnu::always_inline]] void back_up(Frame& frame, std::int32_t value) {
        const Child& child = stack_.children(frame)[frame.next_child++];
        if (shared_.marks.parallel() && nodes_ - frame.nodes_at_entry >= least_marked_work)
            stack_.mark_path(shared_.marks);
        frame.all_node = true;
        value = child.reward - value;
        if (value <= frame.best) return;
        frame.best = value;
        frame.best_child = NullWindowEntry::child_of(child.identity.hash);
        frame.best_move = child.move;
        if (value < frame.bound) return;
        if (frame.next_child > 1) {
            moves_.note_late_cut_off(child.move, stack_.size() - 1, work(frame));
        }
        frame.next_child = frame.child_count;
    }

    /// All moves of the top node were tried, or one has reached its bound: the result goes into the table and to its
    /// parent.
    [[gnu::always_inline]] void finish_node() {
        const Frame& frame = stack_.top();
        const int limit = value_limit(game_, frame.position);
        const bool reached = frame.best >= frame.bound;
        const std::int32_t value = frame.best;
        const NullWindowEntry entry{reached ? value : -limit, reached ? limit : value, frame.best_child, work(frame)};
        if (entry.work >= checkpoint_log_.least_work() || stack_.size() == 1) [[unlikely]] {
            checkpoint_log_.add({game_.key(frame.position), entry});
        }
        if (!frame.forced) shared_.table.store(frame.identity, entry);
        if (stack_.size() == 1) return end(value, frame.best_move);
        stack_.pop(shared_.marks);
        back_up(stack_.top(), value);
    }

    void end(std::int32_t value, Move move) {
        stack_.pop_above(0, shared_.marks);
        value_ = value;
        best_move_ = move;
        done_ = true;
    }

    Shared& shared_;
    const G& game_;
    Stack stack_;
    Moves moves_;
    Position root_{};
    int root_bound_ = 0;
    Move settled_move_{};  ///< of the node that was settled as it was entered, the last one
    std::uint64_t nodes_ = 0;
    NullWindowCheckpointLog<Key> checkpoint_log_;
    bool started_ = false;
    bool done_ = false;
    std::int32_t value_ = 0;
    Move best_move_{};
    [[no_unique_address]] EndingSearch<G> endings_;
    bool has_records_ = false;
    bool has_tables_ = false;
    std::size_t deepest_ = 0;  ///< the largest stack so far
};

}  // namespace proofbase
