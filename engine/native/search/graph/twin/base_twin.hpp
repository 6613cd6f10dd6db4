// Graph kind `base-twin`, for games with cycles and without: Breuker, van den Herik, Uiterwijk, Allis, A solution to
// the GHI problem for best-first search, Theoretical Computer Science 252 (2001), section 5, Figs. 11 to 17.
//
// Every move leads to a node of its own with its own numbers; the first node of a position and bound is its base node,
// the others are its twin nodes, and only the base node has children. A node whose move repeats a position of the
// current path is marked as a possible draw. Its parent is marked as well if no other child can be chosen there. When
// the mark reaches the node that was repeated, that node is solved by repetition on every path (Lemma 3). So every
// answer of this graph is true.
//
// A draw of the paper is here the value of repetition. An AND node of the paper is here a node that repetition proves
// for its side to move (`repetition_proves`), and an OR node is one that repetition disproves. Three details differ
// from the paper, as in the reference (papers/reference/base_twin.py): sum and minimum in Fig. 17 are exchanged; a
// child's parent is the node that the child was reached from; a possible draw below an AND node ends the choice of a
// child.
//
// In the paper's algorithm, the choice of a leaf may walk along every path of a graph. After too many steps, a scan of
// the whole graph takes its place: it finds the nodes that repetition solves, or else a way to a leaf
// (repetition_region.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/api/search.hpp"
#include "search/graph/search_graph.hpp"
#include "search/graph/twin/repetition_region.hpp"
#include "search/graph/twin/twin_graph.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G, class Backup>
class BaseTwin : public TwinGraph<G, Backup> {
    using Graph = TwinGraph<G, Backup>;
    using Graph::backup_, Graph::bases_, Graph::from_children, Graph::nodes_, Graph::none, Graph::numbers_of_base,
        Graph::settle, Graph::solved;
    using typename Graph::Base, typename Graph::Node;

  public:
    using Graph::Graph, Graph::numbers, Graph::root, Graph::step;
    using Step = typename Graph::Step;
    /// The root, and the leaf to be expanded where one has been chosen. The graph itself keeps the nodes between them.
    using Path = std::vector<Step>;

    static constexpr GraphTraits traits{
        .rests_on_repetition = true,
        .evaluates_selected_leaves = false,
        .develops_leaves_by_second_search = false,
        .deletes_nodes = false,
        .gives_up_leaves = false,
        .watches_clock = true,
        .depends_on_update_order = false,
    };

    std::uint64_t updates() const noexcept { return updates_; }
    /// Includes the memory of the last repetition region.
    std::uint64_t bytes() const noexcept { return Graph::bytes() + region_bytes_; }

    /// Sets the time at which a scan of the whole graph is to be broken off. Then descend() throws Cancelled, and can
    /// be called again.
    void set_deadline(std::chrono::steady_clock::time_point time) noexcept { deadline_ = time; }
    /// True once after a scan of the whole graph.
    bool take_long_step() noexcept { return std::exchange(scanned_, false); }

    void expand(const Path& path, const std::atomic<bool>& cancelled) {
        cancelled_ = &cancelled;
        this->create_children(path.back(), cancelled);
    }

    /// Passes the numbers of the node that was expanded up along the current path. The search goes on from the root.
    std::size_t update(const Path& path) {
        if (current_path_.empty()) current_path_.push_back(path.back().node);
        const std::uint32_t node = current_path_.back();
        const Base& base = bases_[nodes_[node].base];
        backup_.begin_update();
        nodes_[base.base_node].numbers = nodes_[node].numbers = from_children(node, base);
        backup_.copy(node, base.base_node);
        ++updates_;
        update_current_path();
        return 1;
    }

    std::size_t resume_length(std::size_t length) const noexcept { return length; }

    /// Fig. 12: goes down, and up again from possible draws, until it comes to a leaf or to a solved node. A leaf
    /// becomes the end of `path`. The numbers of a solved node are passed up at once.
    void descend(Path& path) {
        if (scan_) return fall_back_to_region(path);
        append_to_current_path(path.back().node);
        const std::uint32_t step_limit = std::clamp(bases_.size(), min_step_limit, max_step_limit);
        for (std::uint32_t steps = 0;; ++steps) {
            if (steps == step_limit) return fall_back_to_region(path);
            const std::uint32_t node = current_path_.back();
            Base& base = bases_[nodes_[node].base];
            const Numbers base_numbers = nodes_[base.base_node].numbers;
            if (base_numbers.solved()) {  // 1: the base has been solved
                settle(node, base_numbers);
                return update_current_path();
            }
            if (base.path_length != current_path_.size()) {  // 2: a node higher up on the path is repeated
                nodes_[node].draw_mark = base.path_length;
                current_path_.pop_back();
                continue;
            }
            if (base.count == 0) {  // 3: a leaf
                return select_leaf(node, path);
            }
            const auto [best, possible_draw] = best_child(node, base);  // 4: an inner node
            if (best != none) {
                append_to_current_path(best);
            } else if (possible_draw) {
                const std::uint32_t mark = clear_draw_marks(base);
                if (mark == current_path_.size()) {  // the node itself is repeated below: a real draw
                    settle(base.base_node, numbers_by_repetition(base));
                    settle(node, numbers_by_repetition(base));
                    return update_current_path();
                }
                nodes_[node].draw_mark = mark;
                base.path_length = 0;
                current_path_.pop_back();
            } else {  // every child is proved for the other side
                settle(base.base_node, disproved_numbers);
            }
        }
    }

    /// Holds only the base node: expanding it needs no ancestors.
    Path path_to(std::uint32_t number) const { return {step(number)}; }

    /// The path that the present numbers choose from the root: to a leaf, a solved node or a repetition.
    Path shown_path(const Path&) const {
        Path line{root()};
        std::unordered_set<std::uint32_t> met;
        while (true) {
            const std::uint32_t base_number = nodes_[line.back().node].base;
            const Base& base = bases_[base_number];
            if (base.count == 0 || numbers(line.back().node).solved()) return line;
            if (!met.insert(base_number).second) return line;
            std::uint32_t best = base.first_child;
            for (std::uint32_t n = best + 1; n < base.first_child + base.count; ++n) {
                if (nodes_[n].numbers.disproof < nodes_[best].numbers.disproof) best = n;
            }
            line.push_back(step(nodes_[best].base));
            line.back().node = best;
        }
    }

    /// Calculates new numbers for all nodes after a checkpoint was restored. The numbers of a search depend on the
    /// paths that it took, so the new numbers may differ from the old ones, but they are as good. A node is solved only
    /// by its children.
    void recalculate_all(const std::atomic<bool>& cancelled) {
        bool changed = true;
        for (int round = 0; changed && round < max_rounds; ++round) {
            changed = false;
            for (std::uint32_t n = nodes_.size(); n-- > 0;) {
                if (n % nodes_per_stop_check == 0) stop_if(cancelled);
                const Base& base = bases_[nodes_[n].base];
                if (base.count == 0) continue;
                const Numbers now = from_children(n, base);
                if (now == nodes_[n].numbers) continue;
                nodes_[n].numbers = now;
                changed = true;
                if (now.solved()) settle(base.base_node, now);
            }
        }
    }

  private:
    static constexpr std::uint32_t min_step_limit = 4096;
    static constexpr std::uint32_t max_step_limit = 262144;  // tens of milliseconds
    static constexpr std::uint32_t clock_interval = 4096;    // nodes
    static constexpr int max_rounds = 100;                   // in a cycle numbers may grow without end

    /// A scan of the whole graph that is under way. It may be broken off and go on later, since nothing is expanded
    /// meanwhile.
    struct Scan {
        std::optional<RepetitionRegion> region;
        std::uint32_t next = 0;      ///< the next base: if it is in the region, it will be solved
        bool solved_a_base = false;  ///< a base of the region was found and solved
    };

    /// A round of propagate_answers() that is under way. It goes over all nodes and then over all bases, from the last
    /// to the first.
    struct PropagationRound {
        std::uint32_t nodes_left;
        std::uint32_t bases_left;
        bool is_first = true;
        bool solved_a_base = false;
    };

    static Numbers numbers_by_repetition(const Base& base) noexcept {
        return base.repetition_proves ? proved_numbers : disproved_numbers;
    }

    /// Appends the leaf that is to be expanded to the path.
    void select_leaf(std::uint32_t leaf, Path& path) const {
        Step step = this->step(nodes_[leaf].base);
        step.node = leaf;
        path.push_back(std::move(step));
    }

    /// Called when the choice of a leaf takes too many steps. Propagates the answers of the graph; if that solves
    /// nothing, solves the nodes of the repetition region; if the region is empty, selects a leaf. Throws Cancelled.
    void fall_back_to_region(Path& path) {
        scanned_ = true;
        if (!scan_) {
            for (; !current_path_.empty(); remove_end_of_current_path()) {
                clear_draw_marks(bases_[nodes_[current_path_.back()].base]);
            }
            scan_.emplace();
        }
        std::optional<RepetitionRegion>& region = scan_->region;
        if (!region) {
            if (propagate_answers()) return scan_.reset();
            region.emplace(bases_.size());
        }
        find_region(*region);
        for (std::uint32_t& n = scan_->next; n < bases_.size(); ++n) {
            check_cancelled();
            if (region->state(n) != RepetitionRegion::State::inside) continue;
            settle(bases_[n].base_node, numbers_by_repetition(bases_[n]));
            scan_->solved_a_base = true;
        }
        if (scan_->solved_a_base) {
            propagate_answers();
        } else {
            select_leaf_by_forced_play(*region, path);
        }
        scan_.reset();
    }

    void find_region(RepetitionRegion& region) {
        region_bytes_ = region.bytes();
        region.find(
            [&](std::uint32_t n, auto&& visit) {
                const Base& base = bases_[n];
                if (solved(n)) return;
                for (std::uint32_t c = base.first_child; c < base.first_child + base.count; ++c) {
                    const std::uint32_t child = nodes_[c].base;
                    const bool inner = !solved(child) && bases_[child].count != 0;
                    const bool child_favours_its_mover =
                        inner ? bases_[child].repetition_proves : numbers_of_base(child).proved();
                    visit(child, inner, (inner || solved(child)) && child_favours_its_mover != base.repetition_proves);
                }
            },
            [&](std::uint32_t n) { return bases_[n].repetition_proves; }, [&] { check_cancelled(); });
        region_bytes_ = region.bytes();
    }

    /// Descends from the root and selects a leaf. Since the repetition region is empty, the side that repetition does
    /// not satisfy can force play to a leaf: where this side moves, the path takes the child that the region gives.
    /// Where the other side moves, the path takes the unsolved child with the least disproof number.
    void select_leaf_by_forced_play(const RepetitionRegion& region, Path& path) {
        append_to_current_path(path.back().node);
        while (bases_[nodes_[current_path_.back()].base].count != 0) {
            const std::uint32_t base_number = nodes_[current_path_.back()].base;
            const Base& base = bases_[base_number];
            std::uint32_t best = none;
            for (std::uint32_t n = base.first_child; n < base.first_child + base.count; ++n) {
                if (nodes_[n].numbers.solved()) continue;
                if (!base.repetition_proves && nodes_[n].base != region.child_towards_leaf(base_number)) continue;
                if (best == none || nodes_[n].numbers.disproof < nodes_[best].numbers.disproof) best = n;
            }
            append_to_current_path(best);
        }
        select_leaf(current_path_.back(), path);
    }

    /// Copies the numbers of solved bases to their twin nodes and solves bases by their children, in rounds until a
    /// round solves no base. True if a base was solved. Throws Cancelled; the next call goes on in the same round.
    bool propagate_answers() {
        if (!round_) round_ = PropagationRound{nodes_.size(), bases_.size()};
        while (true) {
            for (; round_->nodes_left > 0; --round_->nodes_left) {
                check_cancelled();
                Node& node = nodes_[round_->nodes_left - 1];
                if (!node.numbers.solved() && solved(node.base)) {
                    settle(round_->nodes_left - 1, numbers_of_base(node.base));
                }
            }
            for (; round_->bases_left > 0; --round_->bases_left) {
                check_cancelled();
                const std::uint32_t base = round_->bases_left - 1;
                if (bases_[base].count == 0 || solved(base)) continue;
                const Numbers now = answer_of_children(bases_[base]);
                if (!now.solved()) continue;
                settle(bases_[base].base_node, now);
                round_->solved_a_base = true;
            }
            if (!round_->solved_a_base) break;
            round_ = PropagationRound{nodes_.size(), bases_.size(), /*is_first=*/false};
        }
        // Every round but the last one has solved a base.
        const bool solved_any_base = !round_->is_first;
        round_.reset();
        return solved_any_base;
    }

    /// Every so many calls, throws Cancelled if time is over.
    void check_cancelled() {
        if (++checks_ % clock_interval != 0) return;
        if (cancelled_->load(std::memory_order_relaxed) || std::chrono::steady_clock::now() >= deadline_) {
            throw Cancelled();
        }
    }

    void append_to_current_path(std::uint32_t node) {
        current_path_.push_back(node);
        Base& base = bases_[nodes_[node].base];
        if (base.path_length == 0) base.path_length = static_cast<std::uint32_t>(current_path_.size());
    }

    void remove_end_of_current_path() {
        Base& base = bases_[nodes_[current_path_.back()].base];
        if (base.path_length == current_path_.size()) base.path_length = 0;
        current_path_.pop_back();
    }

    /// The numbers that the children of a base give, without any sets: enough to see whether they solve it.
    Numbers answer_of_children(const Base& base) const {
        NumberBackup numbers;
        for (std::uint32_t n = base.first_child; n < base.first_child + base.count; ++n) numbers.add(nodes_[n].numbers);
        return numbers.result();
    }

    /// Fig. 13: the best child of a node, if there is one, and whether a child is a possible draw.
    std::pair<std::uint32_t, bool> best_child(std::uint32_t node, const Base& base) const {
        std::uint32_t best = none;
        bool possible_draw = false;
        for (std::uint32_t n = base.first_child; n < base.first_child + base.count; ++n) {
            if (nodes_[n].draw_mark != 0) {
                possible_draw = true;
                if (base.repetition_proves) return {none, true};  // a draw satisfies the side to move
            } else if (nodes_[n].numbers.disproof == infinite) {
                continue;  // proved for the other side
            } else if (best == none || backup_.preferred(*this, node, n, best)) {
                best = n;
            }
        }
        return {best, possible_draw};
    }

    /// Removes the marks of possible draws from the children; returns the smallest mark, or `infinite`.
    std::uint32_t clear_draw_marks(const Base& base) {
        std::uint32_t least = infinite;
        for (std::uint32_t n = base.first_child; n < base.first_child + base.count; ++n) {
            const std::uint32_t mark = std::exchange(nodes_[n].draw_mark, 0);
            if (mark != 0 && mark < least) least = mark;
        }
        return least;
    }

    /// Figs. 15 to 17: the nodes above the end of the current path take their numbers from their children; then the
    /// current path is empty.
    void update_current_path() {
        remove_end_of_current_path();
        while (!current_path_.empty()) {
            const std::uint32_t node = current_path_.back();
            const Base& base = bases_[nodes_[node].base];
            const Numbers now = base.repetition_proves ? from_children(node, base) : from_unmarked_children(node, base);
            nodes_[node].numbers = now;
            if (now.solved()) settle(base.base_node, now);
            ++updates_;
            remove_end_of_current_path();
        }
    }

    /// Fig. 16: children that are possible draws do not count, unless no other child could prove the node.
    Numbers from_unmarked_children(std::uint32_t node, const Base& base) {
        bool any_marked = false;
        const Numbers now = backup_.take(*this, node, [&](auto&& visit) {
            for (std::uint32_t n = base.first_child; n < base.first_child + base.count; ++n) {
                if (nodes_[n].draw_mark != 0) {
                    any_marked = true;
                } else {
                    visit(n);
                }
            }
        });
        if (!any_marked) return now;
        clear_draw_marks(base);
        return now.proof == infinite ? from_children(node, base) : now;
    }

    std::uint64_t updates_ = 0;
    std::vector<std::uint32_t> current_path_;  ///< nodes from the root
    std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
    const std::atomic<bool>* cancelled_ = nullptr;  ///< of the last expansion
    std::optional<Scan> scan_;
    std::optional<PropagationRound> round_;
    std::uint64_t region_bytes_ = 0;
    std::uint32_t checks_ = 0;
    bool scanned_ = false;
};

}  // namespace proofbase
