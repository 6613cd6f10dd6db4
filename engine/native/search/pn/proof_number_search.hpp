// Proof-number search: best-first growth of an AND/OR graph at a most-proving node.
// Allis, van der Meulen, van den Herik, Proof-number search, Artificial Intelligence 66 (1994), Figs. 4-9, and the
// current node of 4.2.
//
// The graph kind (tree.hpp, dag.hpp) with its backup policy (numbers.hpp) and initialisation policy (leaf.hpp), and
// the memory policy (memory.hpp) are template arguments; this loop knows none of them.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "search/api/any_search.hpp"
#include "search/api/search_of.hpp"
#include "search/api/search_request.hpp"
#include "search/policy/memory.hpp"
#include "search/run/checkpoint.hpp"
#include "search/run/stopwatch.hpp"
#include "search/solution/cyclic_solution.hpp"
#include "search/solution/graph_solution.hpp"

namespace proofbase {

template <Game G, class Graph, class Memory>
class ProofNumberSearch final : public SearchOf<G> {
  public:
    using Path = typename Graph::Path;

    /// `options` are the graph's own.
    template <class... Options>
    explicit ProofNumberSearch(const SearchRequest<G>& request, const Options&... options)
        : game_(request.game),
          known_(request.known),
          origin_(request.position),
          at_least_(request.at_least),
          algorithm_(request.algorithm.text()),
          algorithm_of_checkpoints_(request.algorithm.text_of_checkpoints()),
          graph_((reading(known_), request), options...),  // the mutex is held until the graph is made
          memory_(game_) {
        path_.push_back(graph_.root());
        report();
    }

    std::string algorithm() const override { return algorithm_; }
    void cancel() noexcept override { cancelled_.store(true, std::memory_order_relaxed); }

    Progress progress() const override {
        const std::scoped_lock lock(report_mutex_);
        return report_;
    }

    Outcome outcome() const override {
        const Numbers root = graph_.numbers(graph_.root().node);
        if (root.solved() && !believed_) return {Status::unknown, reason_};
        if (root.proved()) return {Status::proved, Reason::none};
        if (root.disproved()) return {Status::disproved, Reason::none};
        return {Status::unknown, reason_};
    }

    Outcome run(const Budget& budget) override {
        const Exclusive exclusive(running_);
        if (broken_) {
            throw std::logic_error("the search was broken off in mid-step: make a new one and restore its checkpoints");
        }
        const Stopwatch watch;
        const double before = seconds_;
        std::uint32_t tick = 0;
        double next_report = report_interval;
        reason_ = Reason::none;
        if constexpr (has_long_steps) graph_.until(budget.seconds ? watch.after(*budget.seconds) : Stopwatch::never());
        while (!graph_.numbers(graph_.root().node).solved()) {
            if (cancelled_.load(std::memory_order_relaxed)) {
                reason_ = Reason::cancelled;
            } else if (budget.nodes && graph_.created() >= *budget.nodes) {
                reason_ = Reason::nodes;
            } else if (tick++ % clock_interval == 0 || long_step_) {
                const double elapsed = watch.seconds();
                seconds_ = before + elapsed;
                if (elapsed >= next_report) {
                    report();
                    next_report = elapsed + report_interval;
                }
                if (budget.seconds && elapsed >= *budget.seconds) reason_ = Reason::seconds;
                if (budget.memory && memory() >= *budget.memory) reason_ = Reason::memory;
                if (reason_ == Reason::none && budget.memory) make_room(*budget.memory);
            }
            if (exhausted()) reason_ = Reason::memory;
            if (reason_ != Reason::none) break;
            try {
                slice(budget.nodes.value_or(std::numeric_limits<std::uint64_t>::max()));
            } catch (const std::bad_alloc&) {
                reason_ = Reason::memory;
                break;
            } catch (const Cancelled&) {
                reason_ = cancelled_.load(std::memory_order_relaxed) ? Reason::cancelled : Reason::seconds;
                break;
            }
        }
        if (reason_ == Reason::none && !believed_) believe();
        // A cancel() that came too late for this run is for the next one.
        if (reason_ == Reason::cancelled) cancelled_.store(false, std::memory_order_relaxed);
        seconds_ = before + watch.seconds();
        report();
        return outcome();
    }

    void solution(const typename SearchOf<G>::Sink& sink) override {
        const Exclusive exclusive(running_);
        if (outcome().status == Status::unknown) return;
        cancelled_.store(false, std::memory_order_relaxed);  // what came before was meant for a run
        memory_.emit(sink);
        const auto records_lock = reading(known_);
        if constexpr (two_levels) graph_.reprove(game_, graph_.root(), known_, sink, cancelled_);
        Solution(game_, graph_, known_, sink, cancelled_).below(graph_.root());
    }

    std::string checkpoint() override {
        const Exclusive exclusive(running_);
        std::string chunk = write_checkpoint(fingerprint(), seconds_, log_);
        log_ = {};
        return chunk;
    }

    /// Expands what the checkpoint says in its order (nodes get the same numbers again), then recalculates.
    void restore(std::string_view chunks) override {
        const Exclusive exclusive(running_);
        if (graph_.created() != 1 || path_.size() != 1) throw std::logic_error("restore() comes before run()");
        const Checkpoint restored = read_checkpoint(chunks, fingerprint());
        cancelled_.store(false, std::memory_order_relaxed);  // what came before was meant for a run
        broken_ = true;
        replay(restored.words);
        broken_ = false;
        if constexpr (Memory::keeps_all) {
            if (!repeats_updates()) graph_.recalculate_all();
        }
        path_.assign(1, graph_.root());
        seconds_ = restored.seconds;
        report();
    }

  private:
    static constexpr std::uint32_t clock_interval = 4;     // slices
    static constexpr std::uint32_t slice_expansions = 64;  // short enough for searches of slow Python games
    static constexpr double report_interval = 0.25;        // seconds
    static constexpr std::uint32_t most_given_up = 4096;   // leaves in one turn

    /// True where what a node holds depends on the order of the updates.
    bool repeats_updates() const noexcept {
        if constexpr (requires { graph_.repeats_updates(); }) return graph_.repeats_updates();
        return false;
    }

    /// Graphs in which an answer may rest on a repetition that is none on another path.
    static constexpr bool rests_on_repetition = requires { requires Graph::rests_on_repetition; };

    using Sink = const typename SearchOf<G>::Sink&;
    using Solution =
        typename std::conditional_t<rests_on_repetition, std::type_identity<SupportedSolution<G, Graph, Sink>>,
                                    std::type_identity<Extraction<G, Graph, Sink>>>::type;

    /// Graphs that develop a leaf in several steps, and add to the log what came out.
    static constexpr bool two_levels =
        requires(Graph graph, const std::vector<std::uint32_t>& log, std::size_t at) { graph.replay(Path(), log, at); };

    /// Graphs in which a step down may take long: they look at the flag of cancel() and at the clock on the way.
    static constexpr bool has_long_steps = requires(Graph graph) { graph.took_long(); };

    /// In the log: the number of leaves that follows was given up. No node has this number.
    static constexpr std::uint32_t given_up = 0xffffffff;

    void replay(const std::vector<std::uint32_t>& log) {
        const auto records_lock = reading(known_);
        for (std::size_t at = 0; at < log.size();) {
            if (cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
            if (known_ != nullptr && expansions_ % slice_expansions == 0) known_->mutex().yield_to_writers();
            const std::uint32_t node = log[at++];
            if constexpr (Memory::gives_up) {
                if (node == given_up) {
                    if (at == log.size()) throw InvalidCheckpoint("the checkpoint is cut off");
                    for (std::uint32_t leaves = log[at++]; leaves > 0 && !exhausted(); --leaves) {
                        graph_.give_up_least_proving();
                    }
                    continue;
                }
            }
            // Known records that came later may have settled a node that was expanded then: no harm while all is kept.
            const bool there = node < graph_.size();
            const bool known_since = there && graph_.numbers(graph_.ref(node)).solved() && !Memory::keeps_all;
            if (!there || graph_.expanded(graph_.ref(node)) || known_since) {
                throw InvalidCheckpoint("the checkpoint expands node " + std::to_string(node) + " out of turn");
            }
            path_ = way(node);
            if constexpr (two_levels) {
                graph_.replay(path_, log, at);
            } else {
                const bool settled = at < log.size() && log[at] == node;
                if (settled) ++at;
                develop(settled);
            }
            if constexpr (Memory::keeps_all) {  // the numbers follow from all at the end, where the order does not
                                                // matter
                if constexpr (requires { graph_.update_above(path_.back()); }) {
                    if (repeats_updates()) graph_.update_above(path_.back());
                }
            } else {
                pass_up();
            }
        }
        log_.clear();
    }

    /// The path to a node, or where a graph does not need it, the node as the only step.
    Path way(std::uint32_t node) const {
        if constexpr (requires { graph_.path(node); }) {
            return graph_.path(node);
        } else {
            return Path{graph_.step(node)};
        }
    }

    /// Some expansions under one read lock of the known records, until there are `most_nodes`.
    void slice(std::uint64_t most_nodes) {
        const auto records_lock = reading(known_);
        long_step_ = false;
        settle();
        descend();
        for (std::uint32_t i = 0; i < slice_expansions; ++i) {
            if (long_step_ || graph_.created() >= most_nodes || root_solved_or_cancelled()) return;
            grow();
            if (graph_.numbers(graph_.root().node).solved() || exhausted()) return;
            descend();
        }
    }

    /// To the leaf that is to be expanded next: at once, for the report shows the way there.
    void descend() {
        for (; graph_.expanded(path_.back().node); ++traversed_) {
            graph_.descend(path_);
            if constexpr (has_long_steps) long_step_ |= graph_.took_long();
            // On its way such a graph may settle nodes.
            if (rests_on_repetition && path_.size() == 1 && (long_step_ || root_solved_or_cancelled())) return;
        }
    }

    /// Develops the node at the end of the path and passes its numbers up. When the rules of a user's game fail or
    /// cancel() is called, nothing has happened, or settle() is still to be done: the search can go on, and its
    /// checkpoints are whole.
    void grow() {
        const std::uint32_t node = graph_.number(path_.back().node);
        const std::size_t before = log_.size();
        log_.push_back(node);
        try {
            if constexpr (two_levels) {
                if (!graph_.expand(path_, cancelled_, log_)) {
                    log_.pop_back();
                    return;  // the second search goes on when we are here again
                }
            } else if constexpr (requires { graph_.evaluate(path_); }) {
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
        pass_up();
    }

    /// Does again what the log says of the node at the end of the path: a leaf that was settled when it was selected,
    /// or an expansion.
    void develop(bool settled) {
        if constexpr (requires { graph_.evaluate(path_); }) {
            const bool again = graph_.evaluate(path_);
            if (settled) return;
            if (again && !Memory::keeps_all)
                throw InvalidCheckpoint("known records settle what the checkpoint expands");
        }
        if (settled) throw InvalidCheckpoint("the checkpoint settles what this search expands");
        expand();
    }

    std::uint64_t expansions() const noexcept {
        if constexpr (two_levels) return graph_.expansions();
        return expansions_;
    }

    void expand() {
        if constexpr (requires { graph_.expand(path_, cancelled_); }) {
            graph_.expand(path_, cancelled_);
        } else {
            graph_.expand(path_.back(), cancelled_);
        }
        ++expansions_;
    }

    void pass_up() {
        broken_ = true;  // should the memory end here
        changed_ = graph_.update(path_);
        broken_ = false;
        settle();
    }

    /// What the memory policy does after an update, and the way back on the path.
    void settle() {
        if (changed_ == 0) return;
        memory_.after_update(game_, graph_, known_, path_, changed_, cancelled_);
        if constexpr (requires { graph_.resume(changed_); }) {
            path_.resize(graph_.resume(changed_));
        } else {
            path_.resize(changed_);
        }
        changed_ = 0;
    }

    bool root_solved_or_cancelled() const noexcept {
        return graph_.numbers(graph_.root().node).solved() || cancelled_.load(std::memory_order_relaxed);
    }

    /// The answer is given when all that it rests on is there.
    void believe() {
        if constexpr (rests_on_repetition) {
            const auto records_lock = reading(known_);
            const typename SearchOf<G>::Sink nobody;
            try {
                believed_ = Solution(game_, graph_, known_, nobody, cancelled_).supports(graph_.root());
                if (!believed_) reason_ = Reason::repetition;
            } catch (const std::bad_alloc&) {
                reason_ = Reason::memory;
            } catch (const Cancelled&) {
                reason_ = Reason::cancelled;
            }
        }
    }

    /// True if too much was given up to go on.
    bool exhausted() const noexcept {
        if constexpr (Memory::gives_up) return graph_.exhausted();
        return false;
    }

    /// Lets the memory policy give up leaves when the memory is running out.
    void make_room(std::uint64_t budget) {
        if constexpr (Memory::gives_up) {
            if (changed_ != 0 || !graph_.expanded(graph_.root().node)) return;
            if (!memory_.is_short(graph_, memory(), budget)) return;
            log_.reserve(log_.size() + 2);
            const std::uint32_t leaves = memory_.make_room(graph_, most_given_up, cancelled_);
            log_.push_back(given_up);
            log_.push_back(leaves);
            path_.assign(1, graph_.root());
        }
    }

    std::uint64_t memory() const noexcept {
        return graph_.bytes() + memory_.bytes() + log_.capacity() * sizeof(log_[0]);
    }

    std::string fingerprint() const {
        std::string text =
            algorithm_of_checkpoints_ + " " + game_.name() + " at least " + std::to_string(at_least_) + " ";
        write_key(game_.key(origin_), game_.key_size(), text);
        return text;
    }

    void report() {
        const Numbers root = graph_.numbers(graph_.root().node);
        std::vector<std::uint32_t> line = best_line();
        const std::scoped_lock lock(report_mutex_);
        report_ = {graph_.created(), expansions(), graph_.updates(),    seconds_,        root.proof,
                   root.disproof,    memory(),     graph_.node_bytes(), std::move(line), traversed_};
    }

    decltype(auto) shown_path() const {
        if constexpr (requires { graph_.best_line(); }) {
            return graph_.best_line();
        } else {
            return (path_);
        }
    }

    /// The moves of the current path as they are played from the questioned position (the path may go through
    /// mirrored positions).
    std::vector<std::uint32_t> best_line() const {
        std::vector<std::uint32_t> line;
        typename G::Position position = origin_;
        typename G::Moves moves;
        const Path& path = shown_path();
        for (std::size_t i = 1; i < path.size(); ++i) {
            const auto key = game_.key(path[i].position);
            game_.moves(position, moves);
            for (std::size_t m = 0; m < moves.size(); ++m) {
                const auto child = game_.play(position, moves[m]);
                if (game_.key(child) != key) continue;
                line.push_back(moves[m]);
                position = child;
                break;
            }
        }
        return line;
    }

    G game_;
    const RecordTable<G>* known_;
    typename G::Position origin_;
    int at_least_;
    std::string algorithm_;
    std::string algorithm_of_checkpoints_;
    Graph graph_;
    typename Memory::template Of<G, Graph> memory_;
    Path path_;
    std::size_t changed_ = 0;  ///< path length that the last update gave, until settle() is done
    bool believed_ = !rests_on_repetition;
    bool long_step_ = false;          ///< in this slice: it ends early
    bool broken_ = false;             ///< an error left the graph half updated or half restored
    std::vector<std::uint32_t> log_;  ///< expansions since the last checkpoint
    std::uint64_t expansions_ = 0;
    std::uint64_t traversed_ = 0;
    double seconds_ = 0;
    Reason reason_ = Reason::none;
    std::atomic<bool> running_ = false;
    std::atomic<bool> cancelled_ = false;
    mutable std::mutex report_mutex_;
    Progress report_;
};

}  // namespace proofbase
