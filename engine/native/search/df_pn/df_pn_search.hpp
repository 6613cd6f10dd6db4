// The search df-pn: one or more threads (df_pn_worker.hpp) over a table of fixed size (df_pn_table.hpp), the solution
// collected at the end (df_pn_proof.hpp).
//
// Its nodes are expansions: how often the children of a position were listed and looked up. A position is expanded
// again whenever the search comes back to it, so this says what was done and not how large the graph is.
//
// A checkpoint holds what was solved, and numbers that took much work (df_pn_notes.hpp): a restored search finds its
// way again quickly, but not in the same steps.
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
#include "search/df_pn/df_pn_proof.hpp"
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

template <Game G>
class DfPnSearch final : public SearchOf<G> {
  public:
    using Shared = DfPnShared<G>;
    using Worker = DfPnWorker<G>;

    DfPnSearch(const SearchRequest<G>& request, const DfPnOptions& options)
        : known_(request.known),
          origin_(request.position),
          at_least_(request.at_least),
          algorithm_(request.algorithm.text()),
          algorithm_of_checkpoints_(request.algorithm.text_of_checkpoints()),
          table_bytes_(options.table_bytes),
          shared_(request, options.weak, options.threads),
          held_(options.threads) {
        const auto gate = reading(known_);
        const Leaf leaf = shared_.evaluator(origin_, at_least_, [&] { return shared_.game.key(origin_); });
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
            for (const auto& worker : workers_) worker->release();
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
            DfPnProof<G> proof(shared_, known_, shared_.table.most_bytes() / 4);
            proof.collect(origin_, at_least_, root_.proved());
            if (proof.ranked()) return emit(proof, sink);
            // Choices lead in a circle, since the table has lost what would tell: again, with one that loses less.
            search_again(2 * shared_.table.most_bytes());
        }
    }

    std::string checkpoint() override {
        const Exclusive exclusive(running_);
        std::vector<DfPnNote<typename G::Key>> notes;
        for (const auto& worker : workers_) {
            auto more = worker->take_notes();
            notes.insert(notes.end(), more.begin(), more.end());
        }
        return write_notes<typename G::Key>(fingerprint(), seconds_, expansions_.load(), shared_.keys, notes);
    }

    void restore(std::string_view chunks) override {
        const Exclusive exclusive(running_);
        if (expansions_ > 0) throw std::logic_error("restore() comes before run()");
        auto restored = read_notes<typename G::Key>(chunks, fingerprint(), shared_.keys);
        seconds_ = restored.seconds;
        expansions_ = restored.expansions;
        restored_ = std::move(restored.notes);
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
        if (shared_.table.most_bytes() == 0) {
            std::uint64_t bytes = table_bytes_;
            if (bytes == 0) bytes = memory ? std::max(*memory / 4, least_table) : default_table;
            shared_.table = DfPnTable<typename G::Key>(bytes, workers_.size() > 1);
            for (const auto& worker : workers_) worker->limit_conditions(bytes / 4 / workers_.size());
        }
        for (const auto& note : restored_) {
            shared_.table.store(note.key, note.bound, hash_node(note.key, note.bound), note.entry);
        }
        restored_.clear();
        restored_.shrink_to_fit();
        if (root_.solved()) return;
        DfPnEntry entry;
        const auto key = shared_.keys.words(shared_.game.key(origin_));
        if (shared_.table.find(key, at_least_, hash_node(key, at_least_), entry) && entry.numbers.solved()) {
            root_ = entry.numbers;
        }
    }

    /// One thread of a run.
    void work(std::size_t number, Limits& limits) {
        double next_report = report_interval;
        try {
            for (std::uint32_t tick = 0; !limits.stop.load(std::memory_order_relaxed); ++tick) {
                if (shared_.finished.load(std::memory_order_acquire)) break;
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
            if (!worker.begun()) worker.begin(origin_, at_least_);
            if (workers_.size() > 1 && tick % clock_interval == 0) worker.look_around();
            worker.search(most - count());
        } catch (...) {
            expansions_.fetch_add(count(), std::memory_order_relaxed);
            throw;
        }
        expansions_.fetch_add(count(), std::memory_order_relaxed);
        held_[number].store(worker.bytes(), std::memory_order_relaxed);
        if (!worker.solved()) return;
        const std::scoped_lock lock(root_mutex_);
        root_ = worker.answer().numbers;
        shared_.finished.store(true, std::memory_order_release);
    }

    void search_again(std::uint64_t bytes) {
        shared_.table = DfPnTable<typename G::Key>(bytes, false);
        Worker worker(shared_);
        worker.limit_conditions(bytes / 4);
        worker.begin(origin_, at_least_);
        while (!worker.solved()) {
            if (shared_.cancelled.load(std::memory_order_relaxed)) throw Cancelled();
            worker.search(slice_expansions);
        }
    }

    /// Sends out the claims of a collected proof. A claim that repetition suits has no rank.
    void emit(const DfPnProof<G>& proof, const typename SearchOf<G>::Sink& sink) {
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
        GraphSolution<G, DfPnProof<G>, decltype(with_rank)>(shared_.game, proof, known_, with_rank, shared_.cancelled)
            .emit_below(proof.root());
    }

    std::uint64_t memory() const noexcept {
        std::uint64_t bytes = shared_.table.bytes() + shared_.keys.bytes();
        for (const auto& held : held_) bytes += held.load(std::memory_order_relaxed);
        return bytes;
    }

    std::string fingerprint() const {
        std::string text =
            algorithm_of_checkpoints_ + " " + shared_.game.name() + " at least " + std::to_string(at_least_) + " ";
        write_key(shared_.game.key(origin_), shared_.game.key_size(), text);
        return text;
    }

    void report() {
        Progress now;
        now.nodes = now.expansions = expansions_.load(std::memory_order_relaxed);
        now.seconds = seconds_;
        const Numbers numbers = root_.solved() ? root_ : workers_[0]->numbers();
        now.proof = numbers.proof;
        now.disproof = numbers.disproof;
        now.memory = memory();
        now.node_memory = shared_.table.bytes();
        now.best_line = workers_[0]->line(origin_);
        const std::scoped_lock lock(report_mutex_);
        report_ = std::move(now);
    }

    const RecordTable<G>* known_;
    typename G::Position origin_;
    int at_least_;
    std::string algorithm_;
    std::string algorithm_of_checkpoints_;
    std::uint64_t table_bytes_;
    Shared shared_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::atomic<std::uint64_t>> held_;     ///< bytes of each worker
    std::vector<DfPnNote<typename G::Key>> restored_;  ///< until there is a table
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
