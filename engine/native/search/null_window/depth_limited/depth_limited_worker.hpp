// Null-window search in games with cycles, one thread of it: searches of the root to 1, 2, 3, ... plies, each a
// depth-first search with a null window (null_window_worker.hpp) in which a node has three answers: the bound is
// reached, it is not, or that stays open to this depth.
//
// The search does not look for repetitions. A line that goes round in a circle ends at the depth, and stays open; so
// every answer is true on every path, and every entry of the table serves on every path and in every thread. What
// repetition alone decides is proved by a region of safety (safety_region.hpp). It is tried where a node stays open and
// no line comes back to the nodes above it: at the root and after rewards, and again when the depth has doubled.
//
// The stack is explicit, so the search can stop after any node, also in the middle of a region.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "concepts.hpp"
#include "search/null_window/depth_limited/deepening_depth.hpp"
#include "search/null_window/depth_limited/depth_limited_entry.hpp"
#include "search/null_window/depth_limited/depth_limited_frame.hpp"
#include "search/null_window/depth_limited/depth_limited_table.hpp"
#include "search/null_window/depth_limited/known_answers.hpp"
#include "search/null_window/depth_limited/open_regions.hpp"
#include "search/null_window/depth_limited/safety_region.hpp"
#include "search/null_window/null_window_moves.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/null_window_worker_base.hpp"
#include "search/run/thread_marks.hpp"

namespace proofbase {

template <Game G>
using DepthLimitedWorkerBase = NullWindowWorkerBase<G, NullWindowShared<G, DepthLimitedTable<typename G::Key>>,
                                                    DepthLimitedFrame<G>, DepthLimitedEntry>;

/// One search from a root.
template <Game G>
class DepthLimitedWorker : public DepthLimitedWorkerBase<G> {
    using Base = DepthLimitedWorkerBase<G>;

  public:
    using typename Base::Identity;
    using typename Base::Move;
    using typename Base::Position;
    using typename Base::Shared;
    using Region = SafetyRegion<G, Shared>;

    explicit DepthLimitedWorker(Shared& shared) : Base(shared), known_(shared), regions_(shared) {}

    /// Starts the search of a position that is not terminal. The move that reaches the bound is found in any case, even
    /// if the table settles the question. The caller holds the mutex of the stored records, here and in search().
    void start(const Position& root, int bound) {
        clear_stack();
        Base::set_question(root, bound);
        depth_ = DeepeningDepth(nodes_);
    }

    /// Searches at most so many nodes. If the rules throw an exception, the node has not been searched.
    void search(std::uint64_t max_nodes) {
        const std::uint64_t end = nodes_ + max_nodes;
        known_.look_for_records();
        while (!Base::done()) {
            if (stack_.empty()) {
                if (nodes_ >= end) return;
                push_root();
                continue;
            }
            if (regions_.top_belongs_to(stack_.size())) {
                if (nodes_ >= end) return;
                extend_region();
                continue;
            }
            Frame& frame = stack_.top();
            if (frame.next_child == frame.child_count || frame.left.none()) {
                finish_node();
                continue;
            }
            if (shared_.marks.parallel() && frame.next_child > 0)
                stack_.put_off_searched_children(frame, shared_.marks);
            if (!search_child(frame, end)) return;
        }
    }

    /// With several threads: leaves the uppermost node that another thread has settled, and everything below it.
    void leave_node_settled_by_others() {
        for (std::size_t index = 1; index < stack_.size(); ++index) {  // the root needs its best move
            const Frame& frame = stack_[index];
            Entry entry;
            if (!shared_.table.find(frame.identity, entry)) continue;
            DepthLimitedResult result;
            if (!settled_by(entry, frame.bound, result)) {
                if (!without_hopeless(entry, frame.bound, frame.depth, frame.left).none()) continue;
            }
            pop_frames(index + 1);
            return give_to_parent(result);
        }
    }

    /// Abandons the search.
    void clear_stack() noexcept {
        pop_frames(0);
        Base::forget_question();
    }

    std::uint64_t bytes() const noexcept { return Base::bytes() + regions_.bytes(); }

    /// From now on, every closed region is given to the function (SafetyRegion::for_each).
    void listen_to_regions(std::function<void(const Region&)> listener) { listener_ = std::move(listener); }

  private:
    using Entry = DepthLimitedEntry;
    using typename Base::Child;
    using typename Base::Frame;
    using typename Base::Moves;

    using Base::checkpoint_log_;
    using Base::game_;
    using Base::moves_;
    using Base::nodes_;
    using Base::settled_move_;
    using Base::shared_;
    using Base::stack_;
    using Base::work;

    /// Settles the next child of the top node, or puts it on the stack. False if that takes more nodes than there are.
    bool search_child(Frame& frame, std::uint64_t end) {
        const Child& child = stack_.children(frame)[frame.next_child];
        const int bound = child.reward - frame.bound + 1;
        WantedAnswers wanted = frame.left.of_child();
        Entry entry;
        DepthLimitedResult result;
        if (!known_.settle(child.position, child.identity, bound, entry, result)) {
            wanted = without_hopeless(entry, bound, frame.depth - 1, wanted);
            if (!wanted.none()) {
                if (nodes_ >= end) return false;
                const bool is_entry = child.reward != 0;
                if (!push(child.position, child.identity, bound, frame.depth - 1, wanted, entry, is_entry, result)) {
                    return true;
                }
            }
        }
        back_up(stack_.top(), result);
        return true;
    }

    void push_root() {
        const Identity identity = shared_.identity(Base::root_);
        Entry entry;
        shared_.table.find(identity, entry);
        DepthLimitedResult result;
        if (push(Base::root_, identity, Base::root_bound_, depth_.plies(), {}, entry, true, result))
            end_iteration(result, settled_move_);
    }

    /// Generates the moves of a node and puts it on the stack. If that settles it, or its depth leaves it open, and no
    /// region is to be tried, the node is not put there: then the result is true.
    bool push(const Position& position, const Identity& identity, int bound, std::uint32_t depth, WantedAnswers wanted,
              const Entry& entry, bool is_entry, DepthLimitedResult& result) {
        const std::uint32_t earlier_depth =
            entry.open_bound == bound ? std::max(entry.depth_without_lower, entry.depth_without_upper) : 0;
        // Copies: making room for children may move those that there are.
        const Position searched = position;
        const Identity searched_identity = identity;
        const auto generated = moves_.generate(shared_, stack_, searched, bound, entry.child);
        Frame frame{};
        frame.left = frame.wanted = wanted;
        frame.earlier_depth = earlier_depth;
        frame.bound = bound;
        frame.depth = depth;
        frame.best = generated.best;
        frame.best_move = generated.best_move;
        frame.height = generated.best != Moves::lowest;
        const bool reached = generated.cut_off || look_up_children(frame, generated.count);
        ++nodes_;
        if (reached) {
            settled_move_ = frame.best_move;
            Entry unused;  // not for the table: the children say as much
            result = conclude_reached(game_, searched, frame, unused);
            return true;
        }
        if (!is_entry && (frame.child_count == 0 || frame.left.none())) {
            Entry unused;
            result = conclude(game_, searched, frame, unused);
            return true;
        }
        frame.position = searched;
        frame.identity = searched_identity;
        frame.is_entry = is_entry;
        frame.nodes_at_entry = nodes_ - 1;
        const std::uint32_t count = frame.child_count;
        Frame& pushed = stack_.push(count);
        const std::uint32_t first_child = pushed.first_child;
        pushed = frame;
        pushed.first_child = first_child;
        return false;
    }

    /// Looks up all children of a new node. Keeps those that are to be searched, counts them in the frame, and takes
    /// what is known of the others. True if a child shows that the bound is reached.
    bool look_up_children(Frame& frame, std::uint32_t count) {
        Child* const children = stack_.free_children(count);
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Child& child = children[i];
            const int bound = child.reward - frame.bound + 1;
            Entry entry;
            DepthLimitedResult result;
            if (!known_.settle(child.position, child.identity, bound, entry, result)) {
                const WantedAnswers wanted = frame.left.of_child();
                const WantedAnswers left = without_hopeless(entry, bound, frame.depth - 1, wanted);
                if (frame.depth > 1 && !left.none()) {
                    if (kept != i) children[kept] = child;
                    ++kept;
                    if (wanted.reached && !left.reached) frame.leave_open(child);
                    continue;
                }
            }
            if (frame.take(child, result)) return true;
        }
        frame.child_count = kept;
        return false;
    }

    /// The next child of the frame has this result.
    void back_up(Frame& frame, const DepthLimitedResult& result) {
        const Child& child = stack_.children(frame)[frame.next_child++];
        if (shared_.marks.parallel() && nodes_ - frame.nodes_at_entry >= ThreadMarks::least_work)
            stack_.mark_path(shared_.marks);
        if (!frame.take(child, result)) return;
        if (frame.next_child > 1) moves_.note_late_cut_off(child.move, stack_.size() - 1, work(frame));
        Entry entry;
        const DepthLimitedResult reached = conclude_reached(game_, frame.position, frame, entry);
        settle_top(entry, reached);
    }

    /// No child of the top node is left that is of use.
    void finish_node() {
        const Frame& frame = stack_.top();
        if (frame.any_open && try_region(frame)) return;
        Entry entry;
        const DepthLimitedResult result = conclude(game_, frame.position, frame, entry);
        settle_top(entry, result);
    }

    /// The result of the top node goes into the table and to its parent.
    void settle_top(Entry entry, const DepthLimitedResult& result) {
        const Frame& frame = stack_.top();
        entry.child = frame.best_child;
        entry.work = work(frame);
        store(frame.position, frame.identity, entry, stack_.size() == 1 && result.answer != BoundAnswer::open);
        if (stack_.size() == 1) return end_iteration(result, frame.best_move);
        give_to_parent(result);
    }

    void store(const Position& position, const Identity& identity, const Entry& entry, bool log_always) {
        if (entry.work >= checkpoint_log_.least_work() || log_always) [[unlikely]] {
            checkpoint_log_.add({game_.key(position), entry});
        }
        shared_.table.store(identity, entry);
    }

    /// Removes the top node, which is not the root, and gives its result to the one that waits for it.
    void give_to_parent(const DepthLimitedResult& result) {
        const bool for_region = stack_.top().for_region;
        pop_frames(stack_.size() - 1);
        if (for_region) {
            regions_.top().receive(result.answer);
        } else {
            back_up(stack_.top(), result);
        }
    }

    void end_iteration(const DepthLimitedResult& result, Move move) {
        pop_frames(0);
        depth_.next(nodes_);
        if (result.answer == BoundAnswer::open) return;
        Base::set_answer(result.value, move);
    }

    /// Starts a region for the top node, if one is of use. It is tried once.
    bool try_region(const Frame& frame) {
        if (!frame.is_entry || frame.region_tried) return false;
        const bool reached = is_safety_claim(game_, frame.position, frame.bound, true);
        if (reached ? !frame.wanted.reached : !frame.wanted.below) return false;
        const std::uint64_t nodes_of_searches = nodes_ - nodes_of_regions_;
        const std::uint64_t nodes = stack_.size() == 1 ? nodes_of_searches : nodes_ - frame.nodes_at_entry;
        const std::uint64_t most_nodes = regions_.most_nodes(frame, nodes, nodes_of_searches, nodes_of_regions_);
        if (most_nodes == 0) return false;
        stack_.top().region_tried = true;
        regions_.open({frame.position, frame.identity, frame.bound}, reached, stack_.size(), nodes_ + most_nodes);
        return true;
    }

    void extend_region() {
        using Step = typename Region::Step;
        if (regions_.top_is_too_large(nodes_)) return regions_.close();  // the node stays open
        const auto known = [this](const Position& position, const Identity& identity, int bound, Entry& entry) {
            DepthLimitedResult result;
            return known_.settle(position, identity, bound, entry, result) ? result.answer : BoundAnswer::open;
        };
        const Step step = regions_.top().step(known);
        ++nodes_;
        ++nodes_of_regions_;
        if (step == Step::failed) return regions_.close();
        if (step == Step::closed) return close_region();
        if (step == Step::search) search_for_region();
    }

    void search_for_region() {
        const auto [position, identity, bound] = regions_.top().requested();
        const std::uint32_t depth = (stack_.top().depth + 1) / 2;
        Entry entry;
        shared_.table.find(identity, entry);
        DepthLimitedResult result;
        if (!without_hopeless(entry, bound, depth, {}).none() &&
            !push(position, identity, bound, depth, {}, entry, true, result)) {
            stack_.top().for_region = true;
            return;
        }
        regions_.top().receive(result.answer);
    }

    /// The questions of the region have the answers that repetition satisfies: they go into the table, and that of the
    /// top node to its parent.
    void close_region() {
        regions_.top().for_each_entry([this](const auto& question, const Entry& entry) {
            store(question.position, question.identity, entry, false);
        });
        if (listener_) listener_(regions_.top());
        Frame& frame = stack_.top();
        const bool reached = regions_.top().first_is_reached();
        frame.best_move = regions_.top().move_of_first();
        frame.best_child = 0;
        regions_.close();
        const int limit = value_limit(game_, frame.position);
        if (reached) return settle_top({frame.bound, limit}, {BoundAnswer::reached, frame.bound, 0});
        settle_top({-limit, frame.bound - 1}, {BoundAnswer::below, frame.bound - 1, 0});
    }

    /// Removes frames until `count` are left, and the region with its node.
    void pop_frames(std::size_t count) noexcept {
        regions_.close_above(count);
        stack_.pop_above(count, shared_.marks);
    }

    KnownAnswers<G, Shared> known_;
    OpenRegions<G, Shared> regions_;
    std::function<void(const Region&)> listener_;
    DeepeningDepth depth_;                ///< of the search of the root that is under way
    std::uint64_t nodes_of_regions_ = 0;  ///< without those of searches for a region
};

}  // namespace proofbase
