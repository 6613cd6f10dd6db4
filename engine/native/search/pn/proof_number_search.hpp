// Proof-number search: best-first search of an AND/OR graph, which expands a most-proving node at a time.
// Allis, van der Meulen, van den Herik, Proof-number search, Artificial Intelligence 66 (1994), Figs. 4-9, and the
// current node of 4.2.
//
// The graph with its backup policy (search_graph.hpp, proof_numbers.hpp) and the memory policy (memory.hpp) are
// template arguments; this loop knows none of them by name.
//
// The checkpoint is a log: the numbers of the expanded nodes in the order of their expansion. Three other things can
// happen to a node, and are logged as follows. A node that was solved by its evaluation when it was selected: its
// number twice. A leaf that a second search has developed: its number, then the result of that search. Leaves that were
// given up: the word `given_up`, then their count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "records/solution/trimmed_records.hpp"
#include "search/api/game_search.hpp"
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/search_graph.hpp"
#include "search/pn/memory.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/run/run_limits.hpp"
#include "search/run/search_run.hpp"
#include "search/run/stopwatch.hpp"
#include "search/solution/cyclic_solution.hpp"
#include "search/solution/graph_solution.hpp"

namespace proofbase {

/// The class that finds the claims which an answer of a graph rests on.
template <class G, class Graph, class Sink, bool rests_on_repetition>
struct SolutionOfGraph {
    using Type = GraphSolution<G, Graph, Sink>;
};
template <class G, class Graph, class Sink>
struct SolutionOfGraph<G, Graph, Sink, true> {
    using Type = CyclicSolution<G, Graph, Sink>;
};

template <Game G, SearchGraph Graph, class Memory>
    requires MemoryPolicy<Memory, G, Graph>
class ProofNumberSearch final : public SearchRun<G> {
    using Run = SearchRun<G>;

  public:
    using Path = typename Graph::Path;
    using Sink = typename Run::Sink;

    /// `options` are passed to the constructor of the graph.
    template <class... Options>
    explicit ProofNumberSearch(const SearchRequest<G>& request, const Options&... options)
        : Run(request), graph_(make_graph(request, options...)), memory_policy_(Run::game(), graph_) {
        path_.push_back(graph_.root());
        Run::report();
    }

  private:
    static constexpr GraphTraits traits = Graph::traits;
    // One where the rules are a user's: a slice by slow rules would outlast the time that a budget may be exceeded by.
    static constexpr std::uint32_t slice_expansions = Unproven<G> ? 1 : 64;
    static constexpr std::uint64_t slice_nodes = 4'096;          ///< those of games with up to 64 moves are no more
    static constexpr double seconds_between_reports = 0.25;      // while a checkpoint is restored
    static constexpr std::uint32_t max_given_up_at_once = 4096;  // leaves
    static constexpr std::uint32_t given_up = 0xffffffff;        // in the log; no node has this number

    using Solution = typename SolutionOfGraph<G, Graph, const Sink&, traits.rests_on_repetition>::Type;

    /// Stored records may settle the root, so they are locked while the graph is made.
    template <class... Options>
    [[gnu::cold]] static Graph make_graph(const SearchRequest<G>& request, const Options&... options) {
        const auto records_lock = reading(request.records);
        return Graph(request, options...);
    }

    Numbers root_numbers() const noexcept { return graph_.numbers(graph_.root().node); }

    Status answer() const override {
        const Numbers root = root_numbers();
        if (!root.solved() || !confirmed_) return Status::unknown;
        return root.proved() ? Status::proved : Status::disproved;
    }

    [[gnu::cold]] Progress totals() const override {
        Progress now;
        now.nodes = graph_.created();
        now.expansions = expansions();
        now.updates = graph_.updates();
        now.proof = root_numbers().proof;
        now.disproof = root_numbers().disproof;
        now.memory = memory();
        now.node_memory = graph_.node_bytes();
        now.peak_nodes = graph_.peak_nodes();
        if (!broken_) show_line(now);  // while a checkpoint is being restored the path leads nowhere
        now.traversed = traversed_;
        return now;
    }

    StopReason search(RunLimits& limits) override {
        if (broken_) {
            throw std::logic_error("the search was broken off in mid-step: make a new one and restore its checkpoints");
        }
        if constexpr (traits.watches_clock) graph_.set_deadline(limits.deadline());
        const StopReason reason = Run::search_in_slices(
            limits, [&] { return root_numbers().solved(); }, [&] { return graph_.created(); }, [&] { return memory(); },
            [&](bool at_clock) {
                if (at_clock && limits.memory()) give_up_leaves(*limits.memory());
                if (root_given_up()) return StopReason::memory;
                expand_slice(limits.max_nodes());
                return StopReason::none;
            });
        return reason == StopReason::none && !confirmed_ ? confirm_answer() : reason;
    }

    /// A memory policy that deletes nodes has kept claims of all of them, of which the answer needs few.
    void emit_solution(const Sink& sink) override {
        if constexpr (!Memory::may_delete) {
            emit_all(sink);
        } else {
            if (keeps_all() || Run::small_search_nodes() == 0) return emit_all(sink);
            using Records = RecordTable<G>;
            Records all(Run::game());
            Records needed(Run::game());
            emit_all([&](const typename G::Key& key, const Claim& claim) { all.add(key, claim); });
            const auto check_stop = [this] { stop_if(Run::cancelled()); };
            TrimmedRecords<G, Records> trimmed(all, Run::small_search_nodes(), check_stop);
            trimmed.collect(Run::game().key(Run::root_position()), needed);
            needed.for_each([&](const typename G::Key& key, const Claims& claims) {
                for (const Claim& claim : claims) sink(key, claim);
            });
        }
    }

    void emit_all(const Sink& sink) {
        memory_policy_.emit(sink);
        const auto records_lock = reading(Run::records());
        SmallSearchClaims<G> small_searches(Run::game(), Run::small_search_nodes());
        if constexpr (traits.develops_leaves_by_second_search) {
            const auto emit = [&]<class Tree>(const Tree& proof) {
                GraphSolution<G, Tree, const Sink&>(Run::game(), proof, Run::records(), small_searches, sink,
                                                    Run::cancelled())
                    .emit_below(proof.root());
            };
            graph_.search_again(Run::game(), graph_.root(), Run::records(), Run::cancelled(), emit);
        }
        Solution(Run::game(), graph_, Run::records(), small_searches, sink, Run::cancelled()).emit_below(graph_.root());
    }

    std::vector<std::uint32_t>& checkpoint_words() override { return log_; }

    bool has_begun() const override { return graph_.created() != 1 || path_.size() != 1; }

    /// Expands the nodes of the log in the order of the log, so that nodes get the same numbers again. Then
    /// recalculates the proof and disproof numbers.
    [[gnu::cold]] void restore_words(const std::vector<std::uint32_t>& words) override {
        broken_ = true;
        replay(words);
        if (keeps_all() && !repeats_updates()) graph_.recalculate_all(Run::cancelled());
        broken_ = false;
        path_.assign(1, graph_.root());
    }

    /// Expands some nodes under one read lock of the records. Stops early when the graph has `max_nodes` nodes, and
    /// where expansions create so many that the clock has to be read.
    void expand_slice(std::uint64_t max_nodes) {
        const auto records_lock = reading(Run::records());
        long_step_ = false;
        const std::uint64_t created_before = graph_.created();
        finish_update();
        descend();
        for (std::uint32_t i = 0; i < slice_expansions; ++i) {
            if (long_step_ || graph_.created() >= max_nodes || solved_or_cancelled()) break;
            expand_and_update();
            if (root_numbers().solved() || root_given_up()) break;
            descend();
            long_step_ |= graph_.created() > created_before + slice_nodes;
        }
        if (long_step_) Run::check_clock_next();
    }

    /// Extends the path to the leaf that is to be expanded next. This is done before a slice ends, so that reports show
    /// the way to that leaf.
    void descend() {
        while (graph_.expanded(path_.back().node)) {
            const std::size_t before = path_.size();
            graph_.descend(path_);
            traversed_ += path_.size() > before ? path_.size() - before : 1;
            note_long_step();
            // While it descends, such a graph may solve nodes, and come back to the root.
            if (traits.rests_on_repetition && path_.size() == 1 && (long_step_ || solved_or_cancelled())) return;
        }
    }

    /// Expands, evaluates or develops the leaf at the end of the path, and updates the nodes above it. If the rules of
    /// a user's game throw or cancel() is called, either nothing has happened, or only finish_update() is still to be
    /// done. In both cases the search can go on, and its checkpoints are complete.
    void expand_and_update() {
        const std::uint32_t node = graph_.number(path_.back().node);
        const std::size_t before = log_.size();
        // In small steps: most of the log's memory should be in use.
        if (log_.capacity() < before + 2) log_.reserve(before + before / 8 + 64);
        log_.push_back(node);
        try {
            if constexpr (traits.develops_leaves_by_second_search) {
                if (!graph_.develop(path_, Run::cancelled(), log_)) {
                    log_.pop_back();
                    return;  // the second search goes on when the search is here again
                }
            } else if constexpr (traits.evaluates_selected_leaves) {
                log_.push_back(node);
                if (!graph_.evaluate(path_)) {
                    log_.pop_back();
                    expand();
                }
            } else {
                expand();
            }
        } catch (...) {
            log_.resize(before);
            throw;
        }
        update();
    }

    void expand() {
        graph_.expand(path_, Run::cancelled());
        ++expansions_;
    }

    void update() {
        broken_ = true;  // until the update is done: memory may run out in the middle of it
        updated_length_ = graph_.update(path_);
        broken_ = false;
        note_long_step();
        finish_update();
    }

    /// Lets the memory policy act after an update. Then shortens the path to the node where the search goes on.
    void finish_update() {
        if (updated_length_ == 0) return;
        memory_policy_.after_update(Run::game(), graph_, Run::records(), path_, updated_length_, Run::cancelled());
        path_.resize(graph_.resume_length(updated_length_));
        updated_length_ = 0;
    }

    void note_long_step() {
        if constexpr (traits.watches_clock) long_step_ |= graph_.take_long_step();
    }

    bool solved_or_cancelled() const noexcept { return root_numbers().solved() || Run::is_cancelled(); }

    /// Checks whether the graph holds all claims that the root's answer rests on. Returns StopReason::none if so,
    /// otherwise why the answer is not confirmed.
    [[gnu::cold]] StopReason confirm_answer() {
        if constexpr (traits.rests_on_repetition) {
            const auto records_lock = reading(Run::records());
            const Sink no_sink;
            try {
                SmallSearchClaims<G> none(Run::game(), 0);
                Solution solution(Run::game(), graph_, Run::records(), none, no_sink, Run::cancelled());
                confirmed_ = solution.supports(graph_.root());
                return confirmed_ ? StopReason::none : StopReason::repetition;
            } catch (const std::bad_alloc&) {
                return StopReason::memory;
            } catch (const Cancelled&) {
                return StopReason::cancelled;
            }
        }
        return StopReason::none;
    }

    /// Lets the memory policy give up leaves when the memory is running out.
    void give_up_leaves(std::uint64_t budget) {
        if constexpr (Memory::gives_up_leaves) {
            if (updated_length_ != 0 || !graph_.expanded(graph_.root().node)) return;
            const std::uint64_t log_bytes = log_.capacity() * sizeof(log_[0]);
            if (!memory_policy_.is_short(graph_, log_bytes, budget)) return;
            log_.reserve(log_.size() + 2);
            const std::uint32_t leaves =
                memory_policy_.give_up_leaves(graph_, max_given_up_at_once, log_bytes, budget, Run::cancelled());
            log_.push_back(given_up);
            log_.push_back(leaves);
            path_.assign(1, graph_.root());
        }
    }

    /// True if so many leaves were given up that the root can neither be proved nor disproved.
    bool root_given_up() const noexcept {
        if constexpr (Memory::gives_up_leaves) return graph_.root_given_up();
        return false;
    }

    bool keeps_all() const noexcept { return memory_policy_.keeps_all(); }

    /// True where the numbers of a node depend on the order of the updates.
    bool repeats_updates() const noexcept {
        if constexpr (traits.depends_on_update_order) return graph_.repeats_updates();
        return false;
    }

    [[gnu::cold]] void replay(const std::vector<std::uint32_t>& log) {
        const auto records_lock = reading(Run::records());
        const Stopwatch watch;
        double next_report = seconds_between_reports;
        for (std::size_t at = 0; at < log.size();) {
            if (Run::is_cancelled()) throw Cancelled();
            if (expansions_ % slice_expansions == 0 && watch.seconds() >= next_report) {
                next_report = watch.seconds() + seconds_between_reports;
                Run::report();
            }
            if (Run::records() != nullptr && expansions_ % slice_expansions == 0)
                Run::records()->mutex().yield_to_writers();
            const std::uint32_t node = log[at++];
            if (Memory::gives_up_leaves && node == given_up) {
                replay_giving_up(log, at);
                continue;
            }
            // Records that were stored after the checkpoint may solve a node that it expands. That does no harm while
            // all nodes are kept. Otherwise the nodes below may be gone that the checkpoint expands next.
            const bool exists = node < graph_.size();
            const bool solved_since = exists && graph_.numbers(graph_.ref(node)).solved() && !keeps_all();
            if (!exists || graph_.expanded(graph_.ref(node)) || solved_since) {
                throw InvalidCheckpoint("the checkpoint expands node " + std::to_string(node) + " out of turn");
            }
            path_ = graph_.path_to(node);
            replay_expansion(log, at);
            if (!keeps_all()) {
                update();
            } else if constexpr (traits.depends_on_update_order) {
                if (repeats_updates()) graph_.update_above(path_.back());
            }
        }
        log_.clear();
    }

    [[gnu::cold]] void replay_giving_up(const std::vector<std::uint32_t>& log, std::size_t& at) {
        if constexpr (Memory::gives_up_leaves) {
            if (at == log.size()) throw InvalidCheckpoint("the checkpoint is cut off");
            for (std::uint32_t leaves = log[at++]; leaves > 0 && !root_given_up(); --leaves)
                graph_.give_up_least_proving();
        }
    }

    /// Repeats what the log says of the node at the end of the path; log[at] is the word after the number of the node.
    [[gnu::cold]] void replay_expansion(const std::vector<std::uint32_t>& log, std::size_t& at) {
        if constexpr (traits.develops_leaves_by_second_search) {
            graph_.replay_development(path_, log, at);
        } else {
            const bool solved_then = at < log.size() && log[at] == graph_.number(path_.back().node);
            if (solved_then) ++at;
            if constexpr (traits.evaluates_selected_leaves) {
                const bool solved_now = graph_.evaluate(path_);
                if (solved_then) return;
                if (solved_now && !keeps_all()) {
                    throw InvalidCheckpoint("known records settle what the checkpoint expands");
                }
            }
            if (solved_then) throw InvalidCheckpoint("the checkpoint settles what this search expands");
            expand();
        }
    }

    std::uint64_t expansions() const noexcept {
        if constexpr (traits.develops_leaves_by_second_search) return graph_.expansions();
        return expansions_;
    }

    std::uint64_t memory() const noexcept {
        return graph_.bytes() + memory_policy_.bytes() + log_.capacity() * sizeof(log_[0]);
    }

    /// The first moves of the shown path, played from the root position itself (the positions on the path may be
    /// symmetric ones), and the length of the path.
    [[gnu::cold]] void show_line(Progress& now) const {
        typename G::Position position = Run::root_position();
        typename G::Moves moves;
        const Path& path = graph_.shown_path(path_);
        now.best_line_moves = path.size() - 1;
        for (std::size_t i = 1; i < std::min(path.size(), Progress::max_line + 1); ++i) {
            const auto key = Run::game().key(path[i].position);
            Run::game().moves(position, moves);
            for (std::size_t m = 0; m < moves.size(); ++m) {
                const auto child = Run::game().play(position, moves[m]);
                if (Run::game().key(child) != key) continue;
                now.best_line.push_back(moves[m]);
                position = child;
                break;
            }
        }
    }

    Graph graph_;
    typename Memory::template For<G, Graph> memory_policy_;
    Path path_;
    std::vector<std::uint32_t> log_;                ///< since the last checkpoint
    std::size_t updated_length_ = 0;                ///< the result of the last graph_.update(); 0 after finish_update()
    bool confirmed_ = !traits.rests_on_repetition;  ///< the graph holds all claims that its answer rests on
    bool long_step_ = false;                        ///< a step of this slice took long, so the slice ends early
    bool broken_ = false;                           ///< an error left the graph half updated or half restored
    std::uint64_t expansions_ = 0;
    std::uint64_t traversed_ = 0;
};

}  // namespace proofbase
