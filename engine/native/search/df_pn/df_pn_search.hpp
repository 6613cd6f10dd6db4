// The search df-pn: one or more threads (df_pn_worker.hpp) share a table of fixed size (df_pn_table.hpp); the solution
// is collected at the end (df_pn_solution_graph.hpp).
//
// The nodes that df-pn reports are expansions: how often the children of a position were generated and looked up. A
// position is expanded again whenever the search comes back to it. So the number measures work, and not the size of the
// graph.
//
// A checkpoint holds solved nodes, and nodes whose numbers took much work (df_pn_checkpoint.hpp). A restored search
// finds its way again quickly, but not in the same steps.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "records/evidence/small_search/small_search_claims.hpp"
#include "search/api/game_search.hpp"
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/df_pn/df_pn_checkpoint.hpp"
#include "search/df_pn/df_pn_solution_graph.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/df_pn/df_pn_worker.hpp"
#include "search/run/search_run.hpp"
#include "search/run/search_threads.hpp"
#include "search/solution/graph_solution.hpp"

namespace proofbase {

/// Policies of df-pn with a number.
struct DfPnOptions {
    std::uint64_t table_bytes;  ///< 0: a quarter of the memory budget of the first run, or 256 MiB
    std::uint32_t threads;
    bool weak;
};

template <Game G>
class DfPnSearch final : public SearchRun<G> {
    using Run = SearchRun<G>;

  public:
    using Sink = typename Run::Sink;
    using Shared = DfPnShared<G>;
    using Worker = DfPnWorker<G>;
    using SolutionGraph = DfPnSolutionGraph<G>;
    using CheckpointEntry = DfPnCheckpointEntry<typename G::Key>;

    DfPnSearch(const SearchRequest<G>& request, const DfPnOptions& options)
        : Run(request),
          table_bytes_(options.table_bytes),
          shared_(request, options.weak, options.threads, Run::cancelled()),
          worker_bytes_(options.threads) {
        const auto records_lock = reading(Run::records());
        const auto& origin = Run::root_position();
        root_ = shared_.evaluator(origin, Run::at_least(), [&] { return shared_.game.key(origin); }).numbers;
        for (std::uint32_t i = 0; i < options.threads; ++i) workers_.push_back(std::make_unique<Worker>(shared_, i));
        Run::report();
    }

  private:
    static constexpr std::uint64_t slice_expansions = Unproven<G> ? 1 : 64;  // users' rules may be slow
    static constexpr std::uint64_t default_table_bytes = std::uint64_t{256} << 20;
    static constexpr std::uint64_t min_table_bytes = std::uint64_t{64} << 10;

    Status answer() const override {
        return root_.proved() ? Status::proved : root_.disproved() ? Status::disproved : Status::unknown;
    }

    StopReason search(RunLimits& limits) override {
        if (root_.solved()) return StopReason::none;
        try {
            prepare(limits.memory());
        } catch (const std::bad_alloc&) {
            return StopReason::memory;
        }
        if (root_.solved()) return StopReason::none;
        SearchThreads threads(limits);
        threads.run(
            workers_.size(), slice_expansions, [&] { return shared_.root_solved.load(std::memory_order_acquire); },
            [&] { return expansions_.load(std::memory_order_relaxed); }, [&] { return memory(); },
            [&] { Run::report_if_due(limits); },
            [&](std::size_t thread, std::uint64_t most, bool at_clock) { search_slice(thread, most, at_clock); });
        if (root_.solved()) {
            for (const auto& worker : workers_) worker->clear_stack();
        }
        const StopReason reason = threads.reason();
        return root_.solved() ? StopReason::none : reason;
    }

    void emit_solution(const Sink& sink) override {
        prepare(std::nullopt);
        const auto records_lock = reading(Run::records());
        while (true) {
            SolutionGraph graph(shared_, shared_.table.max_bytes() / 4);
            graph.collect(Run::root_position(), Run::at_least(), root_.proved());
            if (graph.all_ranked()) return emit_claims(graph, sink);
            // The chosen children form a cycle, since the table has lost entries. A larger table loses fewer.
            search_again_with_table(2 * shared_.table.max_bytes());
        }
    }

    [[gnu::cold]] std::vector<std::uint32_t>& checkpoint_words() override {
        std::vector<CheckpointEntry> entries;
        for (const auto& worker : workers_) {
            const auto added = worker->take_checkpoint_entries();
            entries.insert(entries.end(), added.begin(), added.end());
        }
        append_df_pn_checkpoint<typename G::Key>(expansions_.load(), shared_.keys, entries, checkpoint_words_);
        return checkpoint_words_;
    }

    [[gnu::cold]] void restore_words(const std::vector<std::uint32_t>& words) override {
        auto checkpoint = read_df_pn_checkpoint(words, Run::game().key(Run::root_position()), shared_.keys);
        expansions_ = checkpoint.expansions;
        restored_entries_ = std::move(checkpoint.entries);
    }

    bool has_begun() const override { return expansions_ > 0; }

    /// Makes the table when it is first needed. Looks up whether a restored search had already solved the root.
    void prepare(std::optional<std::uint64_t> memory) {
        if (shared_.table.max_bytes() == 0) {
            std::uint64_t bytes = table_bytes_;
            if (bytes == 0) bytes = memory ? std::max(*memory / 4, min_table_bytes) : default_table_bytes;
            shared_.table = DfPnTable<typename G::Key>(bytes, workers_.size() > 1);
            for (const auto& worker : workers_) worker->limit_bytes(bytes / 4 / workers_.size());
        }
        for (const auto& [key, bound, entry] : restored_entries_) shared_.table.store({key, bound}, entry);
        restored_entries_.clear();
        restored_entries_.shrink_to_fit();
        if (root_.solved()) return;
        DfPnEntry entry;
        const auto key = shared_.keys.words(shared_.game.key(Run::root_position()));
        const typename Worker::Question question(key, Run::at_least());
        if (shared_.table.find(question, entry) && entry.numbers.solved()) root_ = entry.numbers;
    }

    void search_slice(std::size_t thread, std::uint64_t max_expansions, bool look_at_others) {
        Worker& worker = *workers_[thread];
        const auto records_lock = reading(Run::records());
        const std::uint64_t before = worker.expansions();
        const auto count = [&] { return worker.expansions() - before; };
        try {
            if (!worker.started()) worker.start(Run::root_position(), Run::at_least());
            if (workers_.size() > 1 && look_at_others) worker.leave_node_solved_by_others();
            worker.search(max_expansions - count());
        } catch (...) {
            expansions_.fetch_add(count(), std::memory_order_relaxed);
            throw;
        }
        expansions_.fetch_add(count(), std::memory_order_relaxed);
        worker_bytes_[thread].store(worker.bytes(), std::memory_order_relaxed);
        if (!worker.solved()) return;
        const std::scoped_lock lock(root_mutex_);
        root_ = worker.result().numbers;
        shared_.root_solved.store(true, std::memory_order_release);
    }

    void search_again_with_table(std::uint64_t bytes) {
        shared_.table = DfPnTable<typename G::Key>(bytes, false, true);
        Worker worker(shared_);
        worker.limit_bytes(bytes / 4);
        worker.start(Run::root_position(), Run::at_least());
        while (!worker.solved()) {
            if (Run::is_cancelled()) throw Cancelled();
            worker.search(slice_expansions);
        }
    }

    /// Emits the claims of a collected solution. Every safety claim gets rank 0: its rank in the graph may be that of a
    /// leaf.
    void emit_claims(const SolutionGraph& graph, const Sink& sink) {
        const auto emit_claim = [&](const typename G::Key& key, Claim claim) {
            if (is_safety_claim(key, claim)) claim.rank = 0;
            sink(key, claim);
        };
        using Solution = GraphSolution<G, SolutionGraph, decltype(emit_claim)>;
        SmallSearchClaims<G> small_searches(shared_.game, Run::small_search_nodes());
        Solution(shared_.game, graph, Run::records(), small_searches, emit_claim, Run::cancelled())
            .emit_below(graph.root());
    }

    /// True if repetition alone would satisfy the claim.
    bool is_safety_claim(const typename G::Key& key, const Claim& claim) const {
        if (shared_.game.acyclic()) return false;
        const auto rho = repetition_value(shared_.game, position_of_key(shared_.game, key));
        return rho && (claim.side == Side::lower ? claim.bound <= *rho : claim.bound >= *rho);
    }

    std::uint64_t memory() const noexcept {
        std::uint64_t bytes = shared_.table.bytes() + shared_.keys.bytes();
        for (const auto& worker : worker_bytes_) bytes += worker.load(std::memory_order_relaxed);
        return bytes;
    }

    [[gnu::cold]] Progress totals() const override {
        Progress now;
        now.nodes = now.expansions = expansions_.load(std::memory_order_relaxed);
        const Numbers numbers = root_.solved() ? root_ : workers_[0]->root_numbers();
        now.proof = numbers.proof;
        now.disproof = numbers.disproof;
        now.memory = memory();
        now.node_memory = shared_.table.bytes();
        now.best_line = workers_[0]->current_line(Run::root_position());
        now.best_line_moves = workers_[0]->line_moves();
        return now;
    }

    std::uint64_t table_bytes_;
    Shared shared_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::atomic<std::uint64_t>> worker_bytes_;
    std::vector<CheckpointEntry> restored_entries_;  ///< until there is a table
    std::vector<std::uint32_t> checkpoint_words_;
    std::mutex root_mutex_;
    Numbers root_{1, 1};
    std::atomic<std::uint64_t> expansions_ = 0;
};

}  // namespace proofbase
