// Depth-first proof-number search (df-pn), one thread of it: Nagai, "Df-pn algorithm for searching AND/OR trees and its
// applications" (2002), with the thresholds of Pawlewicz and Lew, "Improving depth-first PN-search: 1 + epsilon trick"
// (2006).
//
// A node is searched until its proof or disproof number reaches a threshold. Then its numbers go into the table, and
// the search goes on at its parent. A frame of the stack keeps the numbers of all children of its node. They come from
// the table when the node is entered, then from the searches below the children, and now and then from the table again.
// So if the table has lost the entry of a child, the frame still has the numbers that the search of the child found. If
// the child got its first numbers back instead, the same search could be repeated without end.
//
// In games with cycles, a move back to a node of the path is answered by the repetition value of the game. Answers that
// depend on such a repetition stay with this thread (df_pn_ghi.hpp). The table holds only answers that are true on
// every path, and the numbers of unsolved nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "concepts.hpp"
#include "records/check/local_check.hpp"
#include "search/df_pn/df_pn_checkpoint.hpp"
#include "search/df_pn/df_pn_child.hpp"
#include "search/df_pn/df_pn_children.hpp"
#include "search/df_pn/df_pn_ghi.hpp"
#include "search/df_pn/df_pn_shared.hpp"
#include "search/df_pn/df_pn_stack.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/df_pn/path_dependency.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// One depth-first search from a root. It can stop after any expansion and go on later.
template <Game G>
class alignas(64) DfPnWorker {
  public:
    using Shared = DfPnShared<G>;
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Key = typename G::Key;
    using KeyWords = typename Shared::KeyWords;
    using Question = DfPnQuestion<KeyWords>;

    /// `thread` is the number of the thread. Every thread begins its lists of children at a different child. So where
    /// several children are equally good, the threads choose different ones.
    explicit DfPnWorker(Shared& shared, std::uint32_t thread = 0)
        : shared_(shared),
          game_(shared.game),
          thread_(thread),
          acyclic_(!has_repetition || game_.acyclic()),
          stack_(cyclic()) {}

    /// Starts the search of a node that no rule settles.
    void start(const Position& root, int bound) {
        clear_stack();
        result_ = {};
        push_node(root, {shared_.keys.words(game_.key(root)), bound}, {infinite, infinite}, 0);
    }

    bool started() const noexcept { return !stack_.empty() || result_.numbers.solved(); }
    bool solved() const noexcept { return result_.numbers.solved(); }

    /// Numbers and rank of the solved root, and the move that proves it.
    const DfPnEntry& result() const noexcept { return result_; }
    Move proving_move() const noexcept { return proving_move_; }

    std::uint64_t expansions() const noexcept { return expansions_; }

    /// Searches for at most so many expansions, or until the root is solved. If the rules throw an exception, the
    /// expansion has not happened.
    void search(std::uint64_t max_expansions) {
        const std::uint64_t start = expansions_;
        while (!stack_.empty() && expansions_ - start < max_expansions) {
            const DfPnBackup backup = back_up(stack_.top());
            if (reaches_threshold(stack_.top(), backup)) {
                finish_node(backup);
            } else {
                search_best_child(backup);
            }
        }
    }

    /// With several threads: leaves the uppermost node that another thread has solved, and everything below it.
    void leave_node_solved_by_others() {
        for (std::uint32_t index = 0; index < stack_.size(); ++index) {
            DfPnEntry entry;
            if (!shared_.table.find(stack_[index].node.question, entry) || !entry.numbers.solved()) continue;
            pop_frames(index + 1);
            return return_to_parent(entry, {}, Move{});
        }
    }

    /// The numbers of the root, as the search has them now.
    Numbers root_numbers() const {
        if (stack_.empty()) return result_.numbers;
        return back_up(stack_[0]).numbers(shared_.weak_numbers);
    }

    /// The moves from the root, which is at `position`, to the node that is searched now.
    std::vector<std::uint32_t> current_line(Position position) {
        std::vector<std::uint32_t> line;
        typename G::Moves moves;
        for (std::size_t i = 0; i + 1 < stack_.size() && i < Progress::max_line; ++i) {
            const KeyWords key = stack_.children(stack_[i])[stack_[i].current_child].question.key;
            game_.moves(position, moves);
            for (std::size_t m = 0; m < moves.size(); ++m) {  // the frame may hold a symmetric position
                const Position next = game_.play(position, moves[m]);
                if (shared_.keys.words(game_.key(next)) != key) continue;
                line.push_back(moves[m]);
                position = next;
                break;
            }
        }
        return line;
    }

    /// Length of the whole line.
    std::uint64_t line_moves() const noexcept { return stack_.size() > 0 ? stack_.size() - 1 : 0; }
    /// Abandons the search.
    void clear_stack() noexcept { pop_frames(0); }

    /// Limits the memory of what is kept beside the table.
    void limit_bytes(std::uint64_t bytes) noexcept {
        conditional_results_.limit_bytes(bytes);
        children_.limit_bytes(bytes / 4);
    }

    std::uint64_t bytes() const noexcept {
        return stack_.bytes() + path_.bytes() + conditional_results_.bytes() + children_.bytes() +
               checkpoint_log_.bytes();
    }

    /// The entries for the next checkpoint: those that were added since the last call of this function.
    std::vector<DfPnCheckpointEntry<Key>> take_checkpoint_entries() noexcept { return checkpoint_log_.take(); }

  private:
    using Child = DfPnChild<KeyWords>;
    using Stack = DfPnStack<Position, KeyWords>;
    using Frame = typename Stack::Frame;
    using PathNode = DfPnPathNode<KeyWords>;

    static constexpr std::uint64_t refresh_interval = 16;  // expansions

    static constexpr bool has_repetition = requires(const G& game, const Position& p) { game.repetition(p); };
    bool cyclic() const noexcept { return has_repetition && !acyclic_; }

    DfPnBackup back_up(const Frame& frame) const noexcept {
        return DfPnBackup(stack_.children(frame), shared_.virtual_numbers, shared_.weak_numbers);
    }

    bool reaches_threshold(const Frame& frame, const DfPnBackup& backup) const noexcept {
        return backup.proved() || backup.disproved() || backup.proof >= frame.thresholds.proof ||
               backup.disproof(shared_.weak_numbers) >= frame.thresholds.disproof;
    }

    /// The child's search ends when the child's disproof number is more than a quarter above that of the second-best
    /// child, or when the node's own numbers reach the node's thresholds.
    Numbers child_thresholds(const Frame& frame, const DfPnBackup& backup, const Child& best) const noexcept {
        Numbers thresholds;
        const std::uint64_t beyond_second = std::uint64_t{backup.second_disproof} + backup.second_disproof / 4 + 1;
        thresholds.disproof =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(frame.thresholds.proof, beyond_second));
        // In a parallel search, virtual numbers choose the child. Its disproof number may be above this threshold.
        thresholds.disproof = std::max(thresholds.disproof, best.numbers.disproof + 1);
        if (frame.thresholds.disproof == infinite) {
            thresholds.proof = infinite;
        } else if (shared_.weak_numbers) {
            thresholds.proof = frame.thresholds.disproof - (backup.unproved_children - 1);
        } else {
            const std::uint64_t other_children = backup.sum_of_proofs - best.numbers.proof;
            thresholds.proof = static_cast<std::uint32_t>(frame.thresholds.disproof - other_children);
        }
        return thresholds;
    }

    void search_best_child(const DfPnBackup& backup) {
        Frame& frame = stack_.top();
        frame.current_child = backup.best_child;
        const Child& best = stack_.children(frame)[backup.best_child];
        children_.prefetch(shared_, best);
        const Numbers thresholds = child_thresholds(frame, backup, best);
        push_node(game_.play(frame.position, static_cast<Move>(best.move)), best.question, thresholds, best.work());
    }

    /// Puts a node on the stack and expands it.
    void push_node(const Position& position, const Question& question, const Numbers& thresholds,
                   std::uint64_t earlier_work) {
        Frame& frame = stack_.push();
        frame.node.question = question;
        try {
            frame.position = position;
            frame.thresholds = thresholds;
            frame.earlier_work = earlier_work;
            frame.expansions_at_entry = expansions_;
            if (cyclic()) {
                const std::optional<int> rho = repetition_value(game_, frame.position);
                frame.may_recur = rho.has_value();
                frame.node.repetition_proves = rho && frame.node.question.bound <= *rho;
                path_.push(frame.node);
            }
            expand(frame);
        } catch (...) {
            if (cyclic() && path_.size() == stack_.size()) path_.pop();
            stack_.pop();
            throw;
        }
        frame.expansions_at_refresh = ++expansions_;
        announce_if_large(frame);
        if (earlier_work == 0 || stack_.size() == 1) return;
        // The node may have been solved below another parent since the parent was expanded.
        DfPnEntry entry;
        if (shared_.table.find(frame.node.question, entry) && entry.numbers.solved()) {
            return_to_parent(entry, {}, Move{});
        }
    }

    /// Generates the children of the top frame and looks them up.
    void expand(Frame& frame) {
        const Question& question = frame.node.question;
        const std::uint32_t room = children_.list(shared_, frame.position, question, frame.earlier_work > 0);
        Child* const children = stack_.reserve_children(room);
        const std::uint32_t count = children_.evaluate(shared_, frame.position, question, children);
        frame.rank_of_omitted_children = children_.rank_of_omitted();
        stack_.set_child_count(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children[i];
            if (child.numbers.disproved()) continue;
            if (shared_.records != nullptr && !children_.in_table(i)) {
                const auto leaf = shared_.look_up_record(child.question.key, child.question.bound);
                if (leaf) child.set_solved(leaf->numbers, leaf->rank);
            }
            if (!cyclic() || child.numbers.solved()) continue;
            const bool may_depend = path_.may_have(child.question) || conditional_results_.may_have(child.question);
            if (may_depend) stack_.set_dependency(frame, i, settle_by_path(child));
        }
        if (thread_ != 0) rotate_children(frame);
    }

    /// Each thread prefers another one of children with equal numbers.
    void rotate_children(const Frame& frame) {
        const std::span<Child> children = stack_.children(frame);
        const auto first =
            static_cast<std::ptrdiff_t>(std::uint64_t{children.size()} * thread_ / shared_.virtual_numbers.threads());
        std::rotate(children.begin(), children.begin() + first, children.end());
        const std::span<PathDependency> dependencies = stack_.dependencies(frame);
        if (!dependencies.empty()) std::rotate(dependencies.begin(), dependencies.begin() + first, dependencies.end());
    }

    /// Settles a child if it repeats a node of the path, or if one of its conditional results holds on this path.
    /// Returns what its result depends on.
    PathDependency settle_by_path(Child& child) {
        if (const auto index = path_.index_of(child.question)) {
            child.set_solved(path_[*index].repetition_proves ? proved_numbers : disproved_numbers, 0);
            return PathDependency::on(*index);
        }
        const auto settled_by_table = [this](const PathNode& node) {
            DfPnEntry entry;
            return shared_.table.find(node.question, entry) && entry.numbers.solved() &&
                   entry.numbers.proved() == node.repetition_proves;
        };
        const auto result = conditional_results_.find(child.question, path_, settled_by_table);
        if (!result) return {};
        child.set_solved(result->proved ? proved_numbers : disproved_numbers, 0);
        // If no condition depends on the path, the result holds on every path. Then it has to be in the table: the
        // parent's result may go into the table because of it, and the solution of the parent looks for it there.
        if (result->depends_on.none()) shared_.table.store(child.question, {child.numbers, 0, 0});
        return result->depends_on;
    }

    /// The top node has reached a threshold: its numbers go into the table and to its parent.
    void finish_node(const DfPnBackup& backup) {
        const Frame& frame = stack_.top();
        const Question& question = frame.node.question;
        DfPnEntry entry{backup.numbers(shared_.weak_numbers), 0, work(frame)};
        SolvedNode solved;
        if (entry.numbers.solved()) {
            solved = make_solved_node(frame, entry.numbers);
            entry.rank = solved.rank;
        }
        solved.depends_on.remove_last_node(static_cast<std::uint32_t>(stack_.size() - 1));
        if (solved.depends_on.none()) {
            checkpoint_log_.add({question.key, question.bound, entry}, frame.earlier_work,
                                shared_.table.max_bytes() / 16);
            shared_.table.store(question, entry);
        } else {
            conditional_results_.store(question, {entry.numbers.proved(), solved.depends_on}, path_);
        }
        return_to_parent(entry, solved.depends_on, solved.proving_move);
    }

    struct SolvedNode {
        std::uint32_t rank = 0;
        Move proving_move{};
        PathDependency depends_on;
    };

    /// What the answer of a solved node rests on: of a proved node, one disproved child, that with the fewest
    /// dependencies, and of several such children that with the smallest rank; of a disproved node, all children.
    SolvedNode make_solved_node(const Frame& frame, const Numbers& numbers) const {
        SolvedNode solved;
        std::uint32_t rank = numbers.proved() ? infinite : frame.rank_of_omitted_children;
        std::uint32_t fewest_dependencies = infinite;
        const std::span<const Child> children = stack_.children(frame);
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            const Child& child = children[i];
            if (!numbers.proved()) {
                rank = std::max(rank, child.rank());
                if (frame.has_dependencies) solved.depends_on.add(stack_.dependency(frame, i));
            } else if (child.numbers.disproved()) {
                const std::uint32_t dependencies = frame.has_dependencies ? stack_.dependency(frame, i).size() : 0;
                if (dependencies > fewest_dependencies) continue;
                if (dependencies == fewest_dependencies && child.rank() >= rank) continue;
                fewest_dependencies = dependencies;
                rank = child.rank();
                solved.proving_move = static_cast<Move>(child.move);
                if (frame.has_dependencies) solved.depends_on = stack_.dependency(frame, i);
            }
        }
        const bool is_safety_claim = frame.may_recur && frame.node.repetition_proves == numbers.proved();
        solved.rank = is_safety_claim ? 0 : rank + 1;
        return solved;
    }

    /// Removes the top frame and gives its result to the parent's frame.
    void return_to_parent(const DfPnEntry& entry, const PathDependency& depends_on, Move proving_move) {
        pop_frames(stack_.size() - 1);
        if (stack_.empty()) {
            result_ = entry;
            proving_move_ = proving_move;
            return;
        }
        Frame& parent = stack_.top();
        announce_if_large(parent);
        stack_.children(parent)[parent.current_child].set_entry(entry);
        stack_.set_dependency(parent, parent.current_child, depends_on);
        if (expansions_ - parent.expansions_at_refresh >= refresh_interval) refresh_children(parent);
    }

    /// Looks the unsolved children up in the table again, except the current child. In games with cycles only solved
    /// entries are taken: the numbers of an unsolved entry may come from another path, and a search that takes such
    /// numbers again and again might not end.
    void refresh_children(Frame& frame) {
        frame.expansions_at_refresh = expansions_;
        const std::span<Child> children = stack_.children(frame);
        for (const Child& child : children) {
            if (!child.numbers.solved()) shared_.table.prefetch(child.question.hash);
        }
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            Child& child = children[i];
            if (child.numbers.solved() || i == frame.current_child) continue;
            DfPnEntry entry;
            if (!shared_.table.find(child.question, entry)) continue;
            if (cyclic() && !entry.numbers.solved()) continue;
            child.set_entry(entry);
        }
    }

    /// Expansions below the node of a frame, in all visits.
    std::uint64_t work(const Frame& frame) const noexcept {
        return frame.earlier_work + (expansions_ - frame.expansions_at_entry);
    }

    /// Announces to the other threads that this thread searches below a node, if the node took much work.
    void announce_if_large(Frame& frame) noexcept {
        if (!shared_.virtual_numbers.parallel() || frame.announced) return;
        if (work(frame) < VirtualNumbers::least_work) return;
        frame.announced = true;
        shared_.virtual_numbers.enter(frame.node.question.hash);
    }

    /// Removes frames until `count` are left.
    void pop_frames(std::size_t count) {
        while (stack_.size() > count) {
            if (cyclic()) path_.pop();
            const Frame& frame = stack_.top();
            if (frame.announced) shared_.virtual_numbers.leave(frame.node.question.hash);
            stack_.pop();
        }
    }

    Shared& shared_;
    const G& game_;
    std::uint32_t thread_;
    bool acyclic_;
    Stack stack_;
    DfPnPath<KeyWords> path_;  ///< the nodes of the stack, in games with cycles
    DfPnConditionalResults<KeyWords> conditional_results_;
    DfPnChildren<G> children_;  ///< of the node that is expanded
    std::uint64_t expansions_ = 0;
    DfPnEntry result_;  ///< of the root
    Move proving_move_{};
    DfPnCheckpointLog<Key> checkpoint_log_;
};

}  // namespace proofbase
