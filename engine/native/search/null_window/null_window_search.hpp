// The search null-window: one or more threads (null_window_worker.hpp) share a table of fixed size
// (null_window_table.hpp); the solution is taken out by a walk that asks the search again (null_window_solution.hpp).
//
// The nodes that it reports are positions whose moves were generated. A position is searched again whenever the search
// comes back to it and the table has lost it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/api/game_search.hpp"
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/null_window/null_window_checkpoint.hpp"
#include "search/null_window/null_window_entry.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/null_window_solution.hpp"
#include "search/null_window/null_window_worker.hpp"
#include "search/null_window/position_solver.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/run/search_run.hpp"
#include "search/run/search_threads.hpp"

namespace proofbase {

/// Policies of null-window with a number.
struct NullWindowOptions {
    std::uint64_t table_bytes;  ///< 0: a quarter of the memory budget of the first run, or 256 MiB
    std::uint32_t threads;
};

template <Game G>
class NullWindowSearch final : public SearchRun<G> {
    using Run = SearchRun<G>;

  public:
    using Sink = typename Run::Sink;
    using Shared = NullWindowShared<G>;
    using Worker = NullWindowWorker<G>;
    using CheckpointEntry = typename Worker::CheckpointEntry;

    /// The nodes of a thread between two looks at what the other threads have settled on its path.
    static constexpr std::uint64_t nodes_between_looks = 128;

    NullWindowSearch(const SearchRequest<G>& request, const NullWindowOptions& options)
        : Run(request),
          table_bytes_(options.table_bytes),
          shared_(request, options.threads, Run::cancelled()),
          worker_bytes_(options.threads) {
        const auto records_lock = reading(Run::records());
        const auto& root = Run::root_position();
        const int limit = value_limit(shared_.game, root);
        known_ = {-limit, limit};
        const auto leaf =
            settled_leaf(shared_.game, Run::records(), root, Run::at_least(), [&] { return shared_.game.key(root); });
        if (leaf) settle(leaf->numbers.proved());
        for (std::uint32_t i = 0; i < options.threads; ++i) workers_.push_back(std::make_unique<Worker>(shared_));
        Run::report();
    }

    std::optional<ValueBounds> value_bounds() const override {
        ValueBounds known = known_;
        if (answer() == Status::proved) known.lower = std::max(known.lower, Run::at_least());
        if (answer() == Status::disproved) known.upper = std::min(known.upper, Run::at_least() - 1);
        return known;
    }

    /// What the table says is true of positions, whatever was asked.
    bool has_table() const override { return shared_.table.max_bytes() > 0; }

  private:
    // Short also where the rules are slow. Several threads look at each other's results between their slices.
    static constexpr std::uint64_t nodes_per_slice = Unproven<G> ? 1 : 1024;
    static constexpr std::uint64_t nodes_per_shared_slice = std::min(nodes_per_slice, nodes_between_looks);
    static constexpr std::uint64_t default_table_bytes = std::uint64_t{256} << 20;
    static constexpr std::uint64_t min_table_bytes = std::uint64_t{64} << 10;

    Status answer() const override { return answer_.load(std::memory_order_acquire); }
    bool settled() const noexcept { return answer_.load(std::memory_order_acquire) != Status::unknown; }
    void settle(bool proved) noexcept {
        answer_.store(proved ? Status::proved : Status::disproved, std::memory_order_release);
    }

    StopReason search(RunLimits& limits) override {
        if (settled()) return StopReason::none;
        try {
            prepare(limits.memory());
        } catch (const std::bad_alloc&) {
            return StopReason::memory;
        }
        if (settled()) return StopReason::none;
        SearchThreads threads(limits);
        threads.run(
            workers_.size(), workers_.size() > 1 ? nodes_per_shared_slice : nodes_per_slice, [&] { return settled(); },
            [&] { return nodes_.load(std::memory_order_relaxed); }, [&] { return memory(); },
            [&] { Run::report_if_due(limits); },
            [&](std::size_t thread, std::uint64_t most, bool) { search_slice(thread, most); });
        if (settled()) {
            for (const auto& worker : workers_) worker->clear_stack();
            note_bounds();
        }
        const StopReason reason = threads.reason();
        return settled() ? StopReason::none : reason;
    }

    /// An answer may say more of the value than was asked.
    void note_bounds() {
        NullWindowEntry entry;
        if (!shared_.table.find(shared_.identity(Run::root_position()), entry)) return;
        known_ = {std::max(known_.lower, int{entry.lower}), std::min(known_.upper, int{entry.upper})};
    }

    StopReason search_value(RunLimits& limits) override {
        try {
            prepare(limits.memory());
        } catch (const std::bad_alloc&) {
            return StopReason::memory;
        }
        const auto records_lock = reading(Run::records());
        const std::uint64_t before = nodes_;
        StopReason reason = StopReason::none;
        PositionSolver<G> solver(shared_);
        const SolvedPosition found =
            solver.solve(Run::root_position(), std::nullopt, [&](std::uint64_t nodes, std::uint64_t& most) {
                if (Run::records() != nullptr) Run::records()->mutex().yield_to_writers();
                nodes_ = before + nodes;
                reason = limits.reached(before + nodes);
                if (reason == StopReason::none) reason = limits.reached_by_clock(memory());
                most = std::min(most, limits.nodes_left(before + nodes));
                return reason;
            });
        nodes_ = before + found.nodes;
        note_bounds();
        if (reason == StopReason::none) known_ = {found.lower, found.upper};
        return reason;
    }

    void search_slice(std::size_t thread, std::uint64_t most_nodes) {
        Worker& worker = *workers_[thread];
        const auto records_lock = reading(Run::records());
        const std::uint64_t before = worker.nodes();
        try {
            if (!worker.started()) worker.start(Run::root_position(), Run::at_least());
            if (workers_.size() > 1) worker.leave_node_settled_by_others();
            worker.search(most_nodes);
        } catch (...) {
            nodes_.fetch_add(worker.nodes() - before, std::memory_order_relaxed);
            throw;
        }
        nodes_.fetch_add(worker.nodes() - before, std::memory_order_relaxed);
        worker_bytes_[thread].store(worker.bytes(), std::memory_order_relaxed);
        if (worker.done()) settle(worker.value() >= Run::at_least());
    }

    void emit_solution(const Sink& sink) override {
        prepare(std::nullopt);
        const auto records_lock = reading(Run::records());
        NullWindowSolution<G, const Sink&> walk(shared_, Run::small_search_nodes(), sink);
        walk.emit(Run::root_position(), Run::at_least(), answer() == Status::proved);
    }

    /// Makes the table when it is first needed. Looks up whether a restored search had already answered the question.
    void prepare(std::optional<std::uint64_t> memory) {
        if (shared_.table.max_bytes() == 0) {
            std::uint64_t bytes = table_bytes_;
            if (bytes == 0) bytes = memory ? std::max(*memory / 4, min_table_bytes) : default_table_bytes;
            shared_.table = {bytes, shared_.game.key_size(), shared_.game.highest_value(), workers_.size() > 1};
        }
        for (const auto& [key, entry] : restored_entries_) shared_.table.store(shared_.identities(key), entry);
        restored_entries_.clear();
        restored_entries_.shrink_to_fit();
        NullWindowEntry entry;
        if (settled() || !shared_.table.find(shared_.identity(Run::root_position()), entry)) return;
        if (entry.lower >= Run::at_least() || entry.upper < Run::at_least()) settle(entry.lower >= Run::at_least());
    }

    [[gnu::cold]] std::vector<std::uint32_t>& checkpoint_words() override {
        std::vector<CheckpointEntry> entries;
        for (const auto& worker : workers_) {
            auto added = worker->take_checkpoint_entries();
            std::move(added.begin(), added.end(), std::back_inserter(entries));
        }
        append_null_window_checkpoint(nodes_.load(), entries, checkpoint_words_);
        return checkpoint_words_;
    }

    [[gnu::cold]] void restore_words(const std::vector<std::uint32_t>& words) override {
        auto checkpoint = read_null_window_checkpoint(words, Run::game().key(Run::root_position()));
        nodes_ = checkpoint.nodes;
        restored_entries_ = std::move(checkpoint.entries);
    }

    [[gnu::cold]] bool take_table_of(Run& earlier) override {
        auto* const other = dynamic_cast<NullWindowSearch*>(&earlier);
        const bool alike = other != nullptr && other->table_bytes_ == table_bytes_ &&
                           (other->workers_.size() > 1) == (workers_.size() > 1);
        if (!alike || shared_.table.max_bytes() > 0) return false;
        shared_.table = std::exchange(other->shared_.table, {});
        shared_.identities =
            std::exchange(other->shared_.identities, NodeIdentities<typename G::Key>(shared_.game.key_size()));
        return true;
    }

    bool has_begun() const override { return nodes_ > 0; }

    std::uint64_t memory() const noexcept {
        std::uint64_t bytes = shared_.table.bytes() + shared_.identities.bytes();
        for (const auto& worker : worker_bytes_) bytes += worker.load(std::memory_order_relaxed);
        return bytes;
    }

    /// The search has no proof and disproof numbers: those in the report only say whether the question is answered.
    [[gnu::cold]] Progress totals() const override {
        Progress now;
        now.nodes = now.expansions = nodes_.load(std::memory_order_relaxed);
        if (settled()) {
            const Numbers numbers = answer() == Status::proved ? proved_numbers : disproved_numbers;
            now.proof = numbers.proof;
            now.disproof = numbers.disproof;
        }
        now.memory = memory();
        now.node_memory = shared_.table.bytes();
        now.best_line = workers_[0]->current_line();
        now.best_line_moves = workers_[0]->line_moves();
        return now;
    }

    std::uint64_t table_bytes_;
    Shared shared_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::atomic<std::uint64_t>> worker_bytes_;
    std::vector<CheckpointEntry> restored_entries_;  ///< until there is a table
    std::vector<std::uint32_t> checkpoint_words_;
    ValueBounds known_{};  ///< of the root's value
    std::atomic<Status> answer_ = Status::unknown;
    std::atomic<std::uint64_t> nodes_ = 0;
};

}  // namespace proofbase
