// What is the same in every search, whatever its algorithm: one call at a time, the budget, cancel(), reports, and the
// frame of checkpoints. A search fills in the functions below `protected`.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "search/api/game_search.hpp"
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/run/checkpoint.hpp"
#include "search/run/run_limits.hpp"
#include "search/run/stopwatch.hpp"

namespace proofbase {

template <Game G>
class SearchRun : public GameSearch<G> {
  public:
    using Sink = typename GameSearch<G>::Sink;

    [[gnu::cold]] std::string algorithm() const final { return algorithm_; }
    void cancel() noexcept final { cancelled_.store(true, std::memory_order_relaxed); }

    [[gnu::cold]] Progress progress() const final {
        const std::scoped_lock lock(report_mutex_);
        return report_;
    }

    Outcome outcome() const final {
        const Status status = answer();
        return {status, status == Status::unknown ? reason_ : StopReason::none};
    }

    Outcome run(const Budget& budget) final {
        const Exclusive exclusive(running_);
        reason_ = StopReason::none;
        RunLimits limits(budget, cancelled_, seconds_);
        reason_ = search(limits);
        // A cancel() that came too late for this run is for the next one.
        if (reason_ == StopReason::cancelled) cancelled_.store(false, std::memory_order_relaxed);
        seconds_ = limits.seconds_now();
        report();
        return outcome();
    }

    void find_value(const Budget& budget) final {
        const Exclusive exclusive(running_);
        RunLimits limits(budget, cancelled_, seconds_);
        if (search_value(limits) == StopReason::cancelled) cancelled_.store(false, std::memory_order_relaxed);
        seconds_ = limits.seconds_now();
        report();
    }

    void solution(const Sink& sink, std::uint32_t small_search_nodes) final {
        const Exclusive exclusive(running_);
        if (answer() == Status::unknown) return;
        forget_earlier_cancel();
        small_search_nodes_ = small_search_nodes;
        emit_solution(sink);
    }

    [[gnu::cold]] std::string checkpoint() final {
        const Exclusive exclusive(running_);
        std::vector<std::uint32_t>& words = checkpoint_words();
        std::string chunk = write_checkpoint(fingerprint(), seconds_, words);
        words = {};
        return chunk;
    }

    [[gnu::cold]] void restore(std::string_view chunks) final {
        const Exclusive exclusive(running_);
        if (has_begun()) throw std::logic_error("restore() comes before run()");
        const Checkpoint restored = read_checkpoint(chunks, fingerprint());
        if (cancelled_.exchange(false, std::memory_order_relaxed)) throw Cancelled();
        seconds_ = restored.seconds;
        restore_words(restored.words);
        report();
    }

    [[gnu::cold]] bool take_table(Search& earlier) final {
        auto* const other = dynamic_cast<SearchRun*>(&earlier);
        if (other == nullptr || other == this || other->game_.name() != game_.name()) return false;
        const Exclusive exclusive(running_);
        const Exclusive other_exclusive(other->running_);
        return !has_begun() && other->has_table() && take_table_of(*other);
    }

  protected:
    explicit SearchRun(const SearchRequest<G>& request)
        : game_(request.game),
          records_(request.records),
          root_position_(request.position),
          at_least_(request.at_least),
          algorithm_(request.algorithm.text()),
          algorithm_of_checkpoints_(request.algorithm.text_of_checkpoints()) {}

    /// The answer, as far as it may be given.
    virtual Status answer() const = 0;

    /// The progress to be reported, without the seconds.
    virtual Progress totals() const = 0;

    /// Searches until the question is settled (then StopReason::none) or one of the limits is reached.
    virtual StopReason search(RunLimits& limits) = 0;

    /// Searches for the value until it is known (then StopReason::none) or one of the limits is reached.
    virtual StopReason search_value(RunLimits& limits) {
        static_cast<void>(limits);
        return StopReason::none;
    }

    /// Emits the claims that the answer rests on, with small searches of up to small_search_nodes() positions. The
    /// answer is known.
    virtual void emit_solution(const Sink& sink) = 0;

    /// The words that the next checkpoint is to hold. checkpoint() empties them.
    virtual std::vector<std::uint32_t>& checkpoint_words() = 0;

    /// Takes up the search whose checkpoints hold these words. Throws InvalidCheckpoint.
    virtual void restore_words(const std::vector<std::uint32_t>& words) = 0;

    /// Takes over the table of another search, which has one; false if it is of no use here.
    virtual bool take_table_of(SearchRun& earlier) {
        static_cast<void>(earlier);
        return false;
    }

    /// True once there is anything that restore() would overwrite.
    virtual bool has_begun() const = 0;

    /// Searches in slices until `settled()` is true. Between slices, checks the limits against `nodes()` and
    /// `memory()`; the clock is read every fourth time only (every time by users' rules). `slice(at_clock)` searches
    /// one slice; `at_clock` says whether the clock was read. It returns StopReason::none, or why the search cannot go
    /// on.
    template <class Settled, class Nodes, class Memory, class Slice>
    StopReason search_in_slices(RunLimits& limits, Settled&& settled, Nodes&& nodes, Memory&& memory, Slice&& slice) {
        for (std::uint32_t number = 0; !settled(); ++number) {
            if (const StopReason reason = limits.reached(nodes()); reason != StopReason::none) return reason;
            const bool at_clock = number % slices_per_clock_check == 0 || check_clock_;
            check_clock_ = false;
            if (at_clock) {
                const StopReason reason = limits.reached_by_clock(memory());
                report_if_due(limits);
                if (reason != StopReason::none) return reason;
            }
            try {
                if (const StopReason reason = slice(at_clock); reason != StopReason::none) return reason;
            } catch (const std::bad_alloc&) {
                return StopReason::memory;
            } catch (const Cancelled&) {  // by cancel(), or by the deadline of a long step
                return is_cancelled() ? StopReason::cancelled : StopReason::seconds;
            }
        }
        return StopReason::none;
    }

    /// To be called in a slice that took long: the clock is read before the next slice.
    void check_clock_next() noexcept { check_clock_ = true; }

    void report_if_due(RunLimits& limits) {
        if (!limits.report_is_due()) return;
        seconds_ = limits.seconds();
        report();
    }

    /// Updates what progress() returns. The constructor of a search calls this at its end.
    [[gnu::cold]] void report() {
        Progress now = totals();
        now.seconds = seconds_;
        now.best_line_moves = std::max<std::uint64_t>(now.best_line_moves, now.best_line.size());
        if (now.best_line.size() > Progress::max_line) now.best_line.resize(Progress::max_line);
        const std::scoped_lock lock(report_mutex_);
        report_ = std::move(now);
    }

    const G& game() const noexcept { return game_; }
    /// The stored records, which settle leaves; may be null.
    const KnownRecords<G>* records() const noexcept { return records_; }
    const typename G::Position& root_position() const noexcept { return root_position_; }
    int at_least() const noexcept { return at_least_; }
    /// The flag that cancel() sets, for steps that take long.
    const std::atomic<bool>& cancelled() const noexcept { return cancelled_; }
    /// The most positions of a small search on which a claim of the solution may rest.
    std::uint32_t small_search_nodes() const noexcept { return small_search_nodes_; }
    bool is_cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }

  private:
    static constexpr std::uint32_t slices_per_clock_check = Unproven<G> ? 1 : 4;  // users' rules may be slow

    /// A cancel() that came before solution() was meant for a run: it does not cancel this call.
    void forget_earlier_cancel() noexcept { cancelled_.store(false, std::memory_order_relaxed); }

    /// Which search a checkpoint is of.
    [[gnu::cold]] std::string fingerprint() const {
        std::string text = checkpoint_fingerprint(algorithm_of_checkpoints_, game_.name(), at_least_);
        write_key(game_.key(root_position_), game_.key_size(), text);
        return text;
    }

    G game_;
    const KnownRecords<G>* records_;
    typename G::Position root_position_;
    int at_least_;
    std::string algorithm_;
    std::string algorithm_of_checkpoints_;
    double seconds_ = 0;
    StopReason reason_ = StopReason::none;
    bool check_clock_ = false;
    std::uint32_t small_search_nodes_ = 0;
    std::atomic<bool> running_ = false;
    std::atomic<bool> cancelled_ = false;
    mutable std::mutex report_mutex_;
    Progress report_;
};

}  // namespace proofbase
