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
#include <bit>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "search/api/any_search.hpp"
#include "search/api/search_of.hpp"
#include "search/api/search_request.hpp"
#include "search/df_pn/df_pn_checkpoint.hpp"
#include "search/df_pn/df_pn_solution_graph.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/df_pn/df_pn_worker.hpp"
#include "search/run/stopwatch.hpp"
#include "search/solution/graph_solution.hpp"

namespace proofbase {

/// Policies of df-pn with a number.
struct DfPnOptions {
    std::uint64_t table_bytes;  ///< 0: a quarter of the memory budget of the first run, or 256 MiB
    std::uint32_t threads;
    bool weak;
};

template <Game G, class Initialisation>
class DfPnSearch final : public SearchOf<G> {
  public:
    using Shared = DfPnShared<G, Initialisation>;
    using Worker = DfPnWorker<G, Initialisation>;
    using SolutionGraph = DfPnSolutionGraph<G, Initialisation>;
    using CheckpointEntry = DfPnCheckpointEntry<typename G::Key>;

    /// `algorithm` is the resolved name.
    DfPnSearch(const SearchRequest<G>& request, const DfPnOptions& options, std::string algorithm)
        : known_(request.known),
          origin_(request.position),
          at_least_(request.at_least),
          algorithm_(std::move(algorithm)),
          table_bytes_(options.table_bytes),
          shared_(request.game, known_, request.order, options.weak, options.threads),
          worker_bytes_(options.threads) {
        const auto gate = reading(known_);
        const Leaf leaf = shared_.valuation(origin_, at_least_, [&] { return shared_.game.key(origin_); });
        root_ = leaf.numbers;
        for (std::uint32_t i = 0; i < options.threads; ++i) workers_.push_back(std::make_unique<Worker>(shared_, i));
        report();
    }

    std::string algorithm() const override { return algorithm_; }
    void cancel() noexcept override { shared_.cancelled.store(true, std::memory_order_relaxed); }

    Progress progress() const override {
        const std::scoped_lock lock(report_mutex_);
        return report_;
    }

    Outcome outcome() const override {
        if (root_.proved()) return {Status::proved, Reason::none};
        if (root_.disproved()) return {Status::disproved, Reason::none};
        return {Status::unknown, reason_};
    }

    Outcome run(const Budget& budget) override {
        const Exclusive exclusive(running_);
        reason_ = Reason::none;
        if (root_.solved()) return outcome();
        try {
            prepare(budget.memory);
        } catch (const std::bad_alloc&) {
            reason_ = Reason::memory;
            return outcome();
        }
        if (root_.solved()) return outcome();
        const Stopwatch watch;
        const double before = seconds_;
        Limits limits{budget, watch, before, Reason::none, nullptr, false, {}};
        {
            std::vector<std::jthread> others;
            for (std::size_t i = 1; i < workers_.size(); ++i) {
                others.emplace_back([this, i, &limits] { work(i, limits); });
            }
            work(0, limits);
        }
        if (root_.solved()) {
            for (const auto& worker : workers_) worker->clear_stack();
        }
        if (limits.error) std::rethrow_exception(limits.error);
        reason_ = root_.solved() ? Reason::none : limits.reason;
        // A cancel() that came too late for this run is for the next one.
        if (reason_ == Reason::cancelled) shared_.cancelled.store(false, std::memory_order_relaxed);
        seconds_ = before + watch.seconds();
        report();
        return outcome();
    }

    void solution(const typename SearchOf<G>::Sink& sink) override {
        const Exclusive exclusive(running_);
        if (!root_.solved()) return;
        shared_.cancelled.store(false, std::memory_order_relaxed);  // what came before was meant for a run
        prepare(std::nullopt);
        const auto gate = reading(known_);
        while (true) {
            SolutionGraph graph(shared_, shared_.table.max_bytes() / 4);
            graph.collect(origin_, at_least_, root_.proved());
            if (graph.all_ranked()) return emit(graph, sink);
            // The chosen children form a cycle, since the table has lost entries. A larger table loses fewer.
            search_again(2 * shared_.table.max_bytes());
        }
    }

    std::string checkpoint() override {
        const Exclusive exclusive(running_);
        std::vector<CheckpointEntry> entries;
        for (const auto& worker : workers_) {
            const auto added = worker->take_checkpoint_entries();
            entries.insert(entries.end(), added.begin(), added.end());
        }
        return write_df_pn_checkpoint<typename G::Key>(fingerprint(), seconds_, expansions_.load(), shared_.keys,
                                                       entries);
    }

    void restore(std::string_view chunks) override {
        const Exclusive exclusive(running_);
        if (expansions_ > 0) throw std::logic_error("restore() comes before run()");
        auto checkpoint = read_df_pn_checkpoint<typename G::Key>(chunks, fingerprint(), shared_.keys);
        seconds_ = checkpoint.seconds;
        expansions_ = checkpoint.expansions;
        restored_entries_ = std::move(checkpoint.entries);
        report();
    }

  private:
    static constexpr std::uint64_t slice_expansions = 64;  // short enough for searches of slow Python games
    static constexpr std::uint32_t clock_interval = 4;     // slices
    static constexpr std::uint64_t default_table = std::uint64_t{256} << 20;
    static constexpr std::uint64_t least_table = std::uint64_t{64} << 10;
    static constexpr double report_interval = 0.25;  // seconds

    /// Of one run, for all of its threads.
    struct Limits {
        const Budget& budget;
        const Stopwatch& watch;
        double before;
        Reason reason;
        std::exception_ptr error;
        std::atomic<bool> stop;
        std::mutex mutex;

        void end(Reason why) {
            const std::scoped_lock lock(mutex);
            if (reason == Reason::none) reason = why;
            stop.store(true, std::memory_order_relaxed);
        }
    };

    /// Makes the table when it is needed first, and looks up whether a restored search was at its end.
    void prepare(std::optional<std::uint64_t> memory) {
        if (shared_.table.max_bytes() == 0) {
            std::uint64_t bytes = table_bytes_;
            if (bytes == 0) bytes = memory ? std::max(*memory / 4, least_table) : default_table;
            shared_.table = DfPnTable<typename G::Key>(bytes, workers_.size() > 1);
            for (const auto& worker : workers_) worker->limit_conditional_results(bytes / 4 / workers_.size());
        }
        for (const auto& [key, bound, entry] : restored_entries_) shared_.table.store({key, bound}, entry);
        restored_entries_.clear();
        restored_entries_.shrink_to_fit();
        if (root_.solved()) return;
        DfPnEntry entry;
        const typename Worker::Question question(shared_.keys.words(shared_.game.key(origin_)), at_least_);
        if (shared_.table.find(question, entry) && entry.numbers.solved()) root_ = entry.numbers;
    }

    /// One thread of a run.
    void work(std::size_t number, Limits& limits) {
        double next_report = report_interval;
        try {
            for (std::uint32_t tick = 0; !limits.stop.load(std::memory_order_relaxed); ++tick) {
                if (shared_.root_solved.load(std::memory_order_acquire)) break;
                if (shared_.cancelled.load(std::memory_order_relaxed)) return limits.end(Reason::cancelled);
                std::uint64_t most = slice_expansions;
                if (limits.budget.nodes) {
                    const std::uint64_t so_far = expansions_.load(std::memory_order_relaxed);
                    if (so_far >= *limits.budget.nodes) return limits.end(Reason::nodes);
                    most = std::min(most, *limits.budget.nodes - so_far);
                }
                if (number == 0 && tick % clock_interval == 0) {
                    const double elapsed = limits.watch.seconds();
                    seconds_ = limits.before + elapsed;
                    if (elapsed >= next_report) {
                        report();
                        next_report = elapsed + report_interval;
                    }
                    if (limits.budget.seconds && elapsed >= *limits.budget.seconds) return limits.end(Reason::seconds);
                    if (limits.budget.memory && memory() >= *limits.budget.memory) return limits.end(Reason::memory);
                }
                slice(number, most, tick);
            }
        } catch (const std::bad_alloc&) {
            limits.end(Reason::memory);
        } catch (...) {
            const std::scoped_lock lock(limits.mutex);
            if (!limits.error) limits.error = std::current_exception();
            limits.stop.store(true, std::memory_order_relaxed);
        }
    }

    void slice(std::size_t number, std::uint64_t most, std::uint32_t tick) {
        Worker& worker = *workers_[number];
        const auto gate = reading(known_);
        const std::uint64_t before = worker.expansions();
        const auto count = [&] { return worker.expansions() - before; };
        try {
            if (!worker.started()) worker.start(origin_, at_least_);
            if (workers_.size() > 1 && tick % clock_interval == 0) worker.leave_node_solved_by_others();
            worker.search(most - count());
        } catch (...) {
            expansions_.fetch_add(count(), std::memory_order_relaxed);
            throw;
        }
        expansions_.fetch_add(count(), std::memory_order_relaxed);
        worker_bytes_[number].store(worker.bytes(), std::memory_order_relaxed);
        if (!worker.solved()) return;
        const std::scoped_lock lock(root_mutex_);
        root_ = worker.result().numbers;
        shared_.root_solved.store(true, std::memory_order_release);
    }

    void search_again(std::uint64_t bytes) {
        shared_.table = DfPnTable<typename G::Key>(bytes, false);
        Worker worker(shared_);
        worker.limit_conditional_results(bytes / 4);
        worker.start(origin_, at_least_);
        while (!worker.solved()) {
            if (shared_.cancelled.load(std::memory_order_relaxed)) throw Cancelled();
            worker.search(slice_expansions);
        }
    }

    /// Emits the claims of a collected solution. The rank of a safety claim is 0.
    void emit(const SolutionGraph& graph, const typename SearchOf<G>::Sink& sink) {
        const auto with_rank = [&](const typename G::Key& key, const Claim& claim) {
            if (!shared_.game.acyclic()) {
                const auto rho = repetition_value(shared_.game, *shared_.game.position(key));
                if (rho && (claim.side == Side::lower ? claim.bound <= *rho : claim.bound >= *rho)) {
                    Claim safe = claim;
                    safe.rank = 0;
                    return sink(key, safe);
                }
            }
            sink(key, claim);
        };
        Extraction<G, SolutionGraph, decltype(with_rank)>(shared_.game, graph, known_, with_rank, shared_.cancelled)
            .below(graph.root());
    }

    std::uint64_t memory() const noexcept {
        std::uint64_t bytes = shared_.table.bytes() + shared_.keys.bytes();
        for (const auto& held : worker_bytes_) bytes += held.load(std::memory_order_relaxed);
        return bytes;
    }

    std::string fingerprint() const {
        std::string text = algorithm_ + " " + shared_.game.name() + " at least " + std::to_string(at_least_) + " ";
        write_key(shared_.game.key(origin_), shared_.game.key_size(), text);
        return text;
    }

    void report() {
        Progress now;
        now.nodes = now.expansions = expansions_.load(std::memory_order_relaxed);
        now.seconds = seconds_;
        const Numbers numbers = root_.solved() ? root_ : workers_[0]->root_numbers();
        now.proof = numbers.proof;
        now.disproof = numbers.disproof;
        now.memory = memory();
        now.node_memory = shared_.table.bytes();
        now.best_line = workers_[0]->current_line(origin_);
        const std::scoped_lock lock(report_mutex_);
        report_ = std::move(now);
    }

    const RecordTable<G>* known_;
    typename G::Position origin_;
    int at_least_;
    std::string algorithm_;
    std::uint64_t table_bytes_;
    Shared shared_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::atomic<std::uint64_t>> worker_bytes_;
    std::vector<CheckpointEntry> restored_entries_;  ///< of a checkpoint, until the table is made
    std::mutex root_mutex_;
    Numbers root_{1, 1};
    std::atomic<std::uint64_t> expansions_ = 0;
    double seconds_ = 0;
    Reason reason_ = Reason::none;
    std::atomic<bool> running_ = false;
    mutable std::mutex report_mutex_;
    Progress report_;
};

}  // namespace proofbase
