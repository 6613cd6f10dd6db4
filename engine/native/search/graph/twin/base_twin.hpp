// Graph kind `base-twin`, for games with cycles and without: Breuker, van den Herik, Uiterwijk, Allis, A solution to
// the GHI problem for best-first search, Theoretical Computer Science 252 (2001), section 5, Figs. 11 to 17.
//
// Every move leads to a node of its own with its own numbers; the first node of a position and bound is its base, the
// others are its twins, and only the base has children. What repeats a position of the current path is a possible draw:
// the mark goes up as long as nothing else is left, and where it comes to the node that was repeated, that node is
// settled by repetition whatever the path (Lemma 3). So whatever is settled here is true.
//
// What the paper calls an OR node is one whose side to move wants more than repetition gives, an AND node one that
// repetition satisfies; a draw of the paper is what repetition gives. Three places differ from the print, as in the
// reference (engine/reference/base_twin.py): sum and minimum in Fig. 17 are exchanged; a child's parent is the node
// that it was reached from; a possible draw below an AND node ends the choice of a child.
//
// As printed, the choice of a leaf may walk along every path of a graph. Where it takes too many steps, what repetition
// settles and the way to a leaf are found in the graph as a whole (repetition_region.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/api/any_search.hpp"
#include "search/graph/twin/repetition_region.hpp"
#include "search/graph/twin/twin_graph.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G, class Backup>
class BaseTwin : public TwinGraph<G, Backup> {
    using Graph = TwinGraph<G, Backup>;
    using Base = typename Graph::Base;
    using Graph::bases_, Graph::cancelled_, Graph::from_children, Graph::none, Graph::of, Graph::slots_, Graph::solved;

  public:
    using Graph::Graph, Graph::numbers, Graph::root, Graph::step;
    using Step = typename Graph::Step;
    /// The root, and the leaf to be expanded where one has been chosen: what is between them, the graph knows.
    using Path = std::vector<Step>;

    static constexpr bool rests_on_repetition = true;

    std::uint64_t updates() const noexcept { return updates_; }
    /// With what the last look at the whole graph took.
    std::uint64_t bytes() const noexcept { return Graph::bytes() + region_bytes_; }

    /// When a look at the whole graph is to be broken off: then descend() throws Cancelled, and can be called again.
    void until(std::chrono::steady_clock::time_point end) noexcept { end_ = end; }
    /// True once after a look at the whole graph.
    bool took_long() noexcept { return std::exchange(took_long_, false); }

    /// After an expansion, its numbers go up along the current path. The search goes on from the root.
    std::size_t update(const Path& path) {
        if (line_.empty()) line_.push_back(path.back().node);
        const std::uint32_t node = line_.back();
        const Base& base = bases_[slots_[node].base];
        slots_[base.slot].numbers = slots_[node].numbers = from_children(base);
        ++updates_;
        update_ancestors();
        return 1;
    }

    /// Fig. 12: goes down, and up again from what is a possible draw. Comes to a leaf, which is then the end of `path`,
    /// or to something that is settled, which goes up at once.
    void descend(Path& path) {
        if (look_) return give_up(path);
        enter(path.back().node);
        const std::uint32_t most_steps = std::clamp(bases_.size(), least_patience, most_patience);
        for (std::uint32_t steps = 0;; ++steps) {
            if (steps == most_steps) return give_up(path);
            const std::uint32_t node = line_.back();
            Base& base = bases_[slots_[node].base];
            const Numbers of_base = slots_[base.slot].numbers;
            if (of_base.solved()) {  // 1: the base has been solved
                slots_[node].numbers = of_base;
                return update_ancestors();
            }
            if (base.place != line_.size()) {  // 2: a repetition of what stands at its place
                slots_[node].mark = base.place;
                line_.pop_back();
                continue;
            }
            if (base.count == 0) {  // 3: a leaf
                return stop_at(node, path);
            }
            const auto [best, possible_draw] = best_child(base);  // 4: an inner node
            if (best != none) {
                enter(best);
            } else if (possible_draw) {
                const std::uint32_t mark = take_marks(base);
                if (mark == line_.size()) {  // a real one
                    slots_[base.slot].numbers = slots_[node].numbers =
                        base.repetition ? proved_numbers : disproved_numbers;
                    return update_ancestors();
                }
                slots_[node].mark = mark;
                base.place = 0;
                line_.pop_back();
            } else {  // all moves lead to what is proved for the other side
                slots_[base.slot].numbers = disproved_numbers;
            }
        }
    }

    /// The way to what the numbers of now point to, to be shown.
    Path best_line() const {
        Path line{root()};
        std::vector<std::uint32_t> met;
        while (true) {
            const std::uint32_t number = slots_[line.back().node].base;
            const Base& base = bases_[number];
            if (base.count == 0 || numbers(line.back().node).solved()) return line;
            for (const std::uint32_t before : met) {
                if (before == number) return line;
            }
            met.push_back(number);
            std::uint32_t best = base.first;
            for (std::uint32_t s = best + 1; s < base.first + base.count; ++s) {
                if (slots_[s].numbers.disproof < slots_[best].numbers.disproof) best = s;
            }
            line.push_back(step(slots_[best].base));
            line.back().node = best;
        }
    }

    /// New numbers for all nodes once the graph has been built again. The numbers of a search depend on the paths that
    /// it took; these here are as good, and what they settle is settled by the children.
    void recalculate_all() {
        bool changed = true;
        for (int round = 0; changed && round < rounds; ++round) {
            changed = false;
            for (std::uint32_t s = slots_.size(); s-- > 0;) {
                const Base& base = bases_[slots_[s].base];
                if (base.count == 0) continue;
                const Numbers now = from_children(base);
                if (now == slots_[s].numbers) continue;
                slots_[s].numbers = now;
                changed = true;
                if (now.solved()) slots_[base.slot].numbers = now;
            }
        }
    }

  private:
    static constexpr std::uint32_t least_patience = 4096;   // steps
    static constexpr std::uint32_t most_patience = 262144;  // tens of milliseconds
    static constexpr std::uint32_t clock = 4096;            // nodes between two looks at the clock
    static constexpr int rounds = 100;                      // in a cycle numbers may grow on and on

    void stop_at(std::uint32_t leaf, Path& path) const {
        Step step = this->step(slots_[leaf].base);
        step.node = leaf;
        path.push_back(std::move(step));
    }

    /// A look at the whole graph, in which it is or was. It may be broken off, and goes on later: nothing is expanded
    /// in between.
    struct Look {
        std::optional<RepetitionRegion> region;
        std::uint32_t next = 0;  ///< base to be settled if it is held
        bool settled = false;    ///< some base is
    };

    /// A round of spread().
    struct Round {
        std::uint32_t slots;   ///< left to look at
        std::uint32_t bases;   ///< likewise
        bool first = true;     ///< no round before has settled a base
        bool changed = false;  ///< this one has
    };

    /// The choice of a leaf takes too long: settles what repetition settles in the whole graph. If that is nothing, the
    /// side that wants more than repetition leads play to a leaf. Throws Cancelled.
    void give_up(Path& path) {
        took_long_ = true;
        if (!look_) {
            for (; !line_.empty(); leave()) take_marks(bases_[slots_[line_.back()].base]);
            look_.emplace();
        }
        std::optional<RepetitionRegion>& region = look_->region;
        if (!region) {
            if (spread()) return look_.reset();
            region.emplace(bases_.size());
        }
        find_region(*region);
        for (std::uint32_t& n = look_->next; n < bases_.size(); ++n) {
            tick();
            if (region->state(n) != RepetitionRegion::State::held) continue;
            slots_[bases_[n].slot].numbers = bases_[n].repetition ? proved_numbers : disproved_numbers;
            look_->settled = true;
        }
        if (look_->settled) {
            spread();
        } else {
            force_to_leaf(*region, path);
        }
        look_.reset();
    }

    void find_region(RepetitionRegion& region) {
        region_bytes_ = region.bytes();
        region.find(
            [&](std::uint32_t n, auto&& visit) {
                const Base& base = bases_[n];
                if (solved(n)) return;
                for (std::uint32_t s = base.first; s < base.first + base.count; ++s) {
                    const std::uint32_t child = slots_[s].base;
                    const bool inner = !solved(child) && bases_[child].count != 0;
                    const bool reached = inner ? bases_[child].repetition : of(child).proved();
                    visit(child, inner, (inner || solved(child)) && reached != base.repetition);
                }
            },
            [&](std::uint32_t n) { return bases_[n].repetition; }, [&] { tick(); });
        region_bytes_ = region.bytes();
    }

    void force_to_leaf(const RepetitionRegion& region, Path& path) {
        enter(path.back().node);
        while (bases_[slots_[line_.back()].base].count != 0) {
            const std::uint32_t n = slots_[line_.back()].base;
            const Base& base = bases_[n];
            std::uint32_t best = none;
            for (std::uint32_t s = base.first; s < base.first + base.count; ++s) {
                if (slots_[s].numbers.solved() || (!base.repetition && slots_[s].base != region.after(n))) continue;
                if (best == none || slots_[s].numbers.disproof < slots_[best].numbers.disproof) best = s;
            }
            enter(best);
        }
        stop_at(line_.back(), path);
    }

    /// Gives what is settled to all twins, and to all nodes that are settled by it, in rounds until nothing changes;
    /// true if any base was.
    bool spread() {
        if (!round_) round_ = Round{slots_.size(), bases_.size()};
        while (true) {
            for (; round_->slots > 0; --round_->slots) {
                tick();
                auto& slot = slots_[round_->slots - 1];
                if (!slot.numbers.solved() && solved(slot.base)) slot.numbers = of(slot.base);
            }
            for (; round_->bases > 0; --round_->bases) {
                tick();
                const Base& base = bases_[round_->bases - 1];
                if (base.count == 0 || slots_[base.slot].numbers.solved()) continue;
                const Numbers now = from_children(base);
                if (!now.solved()) continue;
                slots_[base.slot].numbers = now;
                round_->changed = true;
            }
            if (!round_->changed) break;
            round_ = Round{slots_.size(), bases_.size(), false};
        }
        const bool any = !round_->first;
        round_.reset();
        return any;
    }

    void tick() {
        if (++ticks_ % clock != 0) return;
        if (cancelled_->load(std::memory_order_relaxed) || std::chrono::steady_clock::now() >= end_) throw Cancelled();
    }

    void enter(std::uint32_t node) {
        line_.push_back(node);
        Base& base = bases_[slots_[node].base];
        if (base.place == 0) base.place = static_cast<std::uint32_t>(line_.size());
    }

    /// Fig. 13: the best child, if there is one, and whether a child is a possible draw.
    std::pair<std::uint32_t, bool> best_child(const Base& base) const {
        std::uint32_t best = none;
        std::uint32_t least = infinite;
        bool possible_draw = false;
        for (std::uint32_t s = base.first; s < base.first + base.count; ++s) {
            if (slots_[s].mark != 0) {
                possible_draw = true;
                if (base.repetition) return {none, true};  // who moves is content with a repetition
            } else if (slots_[s].numbers.disproof < least) {
                best = s;
                least = slots_[s].numbers.disproof;
            }
        }
        return {best, possible_draw};
    }

    /// The smallest mark of the children, which then have none.
    std::uint32_t take_marks(const Base& base) {
        std::uint32_t least = infinite;
        for (std::uint32_t s = base.first; s < base.first + base.count; ++s) {
            const std::uint32_t mark = std::exchange(slots_[s].mark, 0);
            if (mark != 0 && mark < least) least = mark;
        }
        return least;
    }

    /// Figs. 15 to 17: what is above the end of the current path takes its numbers from its children, then the path is
    /// left.
    void update_ancestors() {
        leave();
        while (!line_.empty()) {
            const std::uint32_t node = line_.back();
            const Base& base = bases_[slots_[node].base];
            const Numbers now = base.repetition ? from_children(base) : from_unmarked(base);
            slots_[node].numbers = now;
            if (now.solved()) slots_[base.slot].numbers = now;
            ++updates_;
            leave();
        }
    }

    /// The end of the current path.
    void leave() {
        Base& base = bases_[slots_[line_.back()].base];
        if (base.place == line_.size()) base.place = 0;
        line_.pop_back();
    }

    /// Fig. 16: children that are possible draws do not count, unless nothing else could prove the node.
    Numbers from_unmarked(const Base& base) {
        Backup unmarked;
        bool marked = false;
        for (std::uint32_t s = base.first; s < base.first + base.count; ++s) {
            if (std::exchange(slots_[s].mark, 0) != 0) {
                marked = true;
            } else {
                unmarked.add(slots_[s].numbers);
            }
        }
        const Numbers now = unmarked.result();
        return marked && now.proof == infinite ? from_children(base) : now;
    }

    std::uint64_t updates_ = 0;
    std::vector<std::uint32_t> line_;  ///< the current path: slots
    std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
    std::optional<Look> look_;
    std::optional<Round> round_;
    std::uint64_t region_bytes_ = 0;
    std::uint32_t ticks_ = 0;
    bool took_long_ = false;
};

}  // namespace proofbase
