// Proof-number search by several threads in one graph (shared_dag.hpp).
//
// A checkpoint holds the questions of the expanded nodes. A restored search expands the same nodes, in another order:
// its graph has the same nodes, and their numbers are other ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "records/small_search_claims.hpp"
#include "search/api/game_search.hpp"
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/dag/shared_dag.hpp"
#include "search/graph/search_graph.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/run/checkpoint_words.hpp"
#include "search/run/run_limits.hpp"
#include "search/run/search_run.hpp"
#include "search/run/search_threads.hpp"
#include "search/solution/graph_solution.hpp"

namespace proofbase {

template <Game G>
class SharedSearch final : public SearchRun<G> {
    using Run = SearchRun<G>;
    using Graph = SharedDag<G>;
    using Thread = typename Graph::Thread;
    using Key = typename G::Key;

  public:
    using Sink = typename Run::Sink;

    SharedSearch(const SearchRequest<G>& request, Orientation<G> orientation, std::size_t threads)
        : Run(request), graph_(make_graph(request, orientation, threads)) {
        Run::report();
    }

  private:
    static constexpr std::uint64_t slice_nodes = 256;

    /// What a checkpoint holds of an expanded node.
    struct Question {
        Key key;
        int bound;
    };

    /// Stored records may settle the root, so they are locked while the graph is made.
    static Graph make_graph(const SearchRequest<G>& request, const Orientation<G>& orientation, std::size_t threads) {
        const auto records_lock = reading(request.records);
        return Graph(request, orientation, threads);
    }

    Numbers root_numbers() const noexcept { return graph_.numbers(graph_.root().node); }

    Status answer() const override {
        const Numbers root = root_numbers();
        return root.proved() ? Status::proved : root.disproved() ? Status::disproved : Status::unknown;
    }

    StopReason search(RunLimits& limits) override {
        if (broken_) throw std::logic_error("a checkpoint was not restored to its end: make a new search");
        SearchThreads threads(limits);
        threads.run(
            graph_.threads(), slice_nodes, [&] { return root_numbers().solved(); },
            [&] { return graph_.total(&Thread::created); }, [&] { return graph_.bytes(); },
            [&] { Run::report_if_due(limits); },
            [&](std::size_t thread, std::uint64_t most, bool) { search_slice(graph_.thread(thread), most); });
        const StopReason reason = threads.reason();
        return root_numbers().solved() ? StopReason::none : reason;
    }

    void search_slice(Thread& me, std::uint64_t most_nodes) {
        if (!make_room()) return;
        const std::shared_lock graph_lock(index_mutex_);
        const auto records_lock = reading(Run::records());
        const std::uint64_t before = me.created.load(std::memory_order_relaxed);
        while (me.created.load(std::memory_order_relaxed) - before < most_nodes && !Run::is_cancelled()) {
            if (graph_.descend(me)) {
                graph_.expand(me);
            } else if (root_numbers().solved()) {
                return;
            } else {
                std::this_thread::yield();  // others have the leaves, or are passing up what they found
            }
        }
    }

    /// Makes room in the index for what all threads may create in their slices. False if the search was cancelled.
    bool make_room() {
        {
            const std::shared_lock graph_lock(index_mutex_);
            if (!graph_.index_is_full()) return true;
        }
        const std::scoped_lock alone(index_mutex_);
        return !graph_.index_is_full() || graph_.enlarge_index(Run::cancelled());
    }

    void emit_solution(const Sink& sink) override {
        const auto records_lock = reading(Run::records());
        SmallSearchClaims<G> small_searches(Run::game(), Run::small_search_nodes());
        GraphSolution<G, Graph, const Sink&>(Run::game(), graph_, Run::records(), small_searches, sink,
                                             Run::cancelled())
            .emit_below(graph_.root());
    }

    std::vector<std::uint32_t>& checkpoint_words() override {
        for (const std::uint32_t number : graph_.take_expanded()) {
            const auto [key, bound] = graph_.question(number);
            append_key(key, words_);
            words_.push_back(static_cast<std::uint32_t>(bound));
        }
        return words_;
    }

    /// Expands the nodes in their order, and those that do not exist yet in another round.
    void restore_words(const std::vector<std::uint32_t>& words) override {
        broken_ = true;
        std::vector<Question> left;
        const Key like = Run::game().key(Run::root_position());
        for (WordReader reader(words); !reader.at_end();) {
            Key key = reader.read_key(like);
            left.push_back({std::move(key), static_cast<std::int32_t>(reader.read_word())});
        }
        while (!left.empty()) {
            std::vector<Question> later;
            for (const Question& question : left) {
                if (!expand_again(question)) later.push_back(question);
            }
            if (later.size() == left.size()) break;
            left = std::move(later);
        }
        // Below a node that records settle which were stored since, some may not exist: they are not needed.
        if (!left.empty() && Run::records() == nullptr) {
            throw InvalidCheckpoint("the checkpoint expands a node that does not exist");
        }
        graph_.take_expanded();
        broken_ = false;
    }

    bool expand_again(const Question& question) {
        if (!make_room()) throw Cancelled();
        stop_if(Run::cancelled());
        const auto records_lock = reading(Run::records());
        return graph_.expand_again(graph_.thread(0), question.key, question.bound);
    }

    bool has_begun() const override { return graph_.total(&Thread::expansions) > 0; }

    Progress totals() const override {
        Progress now;
        now.nodes = graph_.total(&Thread::created);
        now.expansions = graph_.total(&Thread::expansions);
        now.updates = graph_.total(&Thread::updates);
        now.traversed = graph_.total(&Thread::traversed);
        now.proof = root_numbers().proof;
        now.disproof = root_numbers().disproof;
        now.memory = graph_.bytes();
        now.node_memory = graph_.node_bytes();
        show_line(now);
        return now;
    }

    /// As ProofNumberSearch::show_line, for the first thread: that one reports, so its path stands still.
    void show_line(Progress& now) const {
        const auto& path = graph_.thread(0).path;
        now.best_line_moves = path.empty() ? 0 : path.size() - 1;
        typename G::Position position = Run::root_position();
        typename G::Moves moves;
        for (std::size_t i = 1; i < std::min(path.size(), Progress::max_line + 1); ++i) {
            const auto key = Run::game().key(path[i].step.position);
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

    std::shared_mutex index_mutex_;  ///< held by a thread alone while it enlarges the index
    Graph graph_;
    std::vector<std::uint32_t> words_;
    bool broken_ = false;  ///< a checkpoint was restored in part
};

}  // namespace proofbase
