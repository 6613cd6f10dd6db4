// Alpha-beta search with iterative deepening, with and without a transposition table, as the papers compare it with
// proof-number search: Allis, van der Meulen, van den Herik, Proof-number search, Artificial Intelligence 66
// (1994), 6.3.
//
// As a search for the answer to one question it has the window (at least - 1, at least), for the exact value the whole
// range. Progress counts nodes as 6.4 of the paper does: at depth i only those of the search to depth i.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "search/alpha_beta/bounds_table.hpp"
#include "search/alpha_beta/iterative_deepening.hpp"
#include "search/api/any_search.hpp"
#include "search/api/search_of.hpp"
#include "search/api/search_request.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/run/checkpoint.hpp"
#include "search/run/stopwatch.hpp"
#include "search/solution/depth_first_solution.hpp"

namespace proofbase {

template <Game G>
class AlphaBeta final : public SearchOf<G> {
  public:
    using Table = BoundsTable<typename G::Key>;

    /// `table_bytes` is 0 for no table. With `exact` the search goes on until it has the value.
    AlphaBeta(const SearchRequest<G>& request, std::uint64_t table_bytes, bool exact)
        : game_(request.game),
          known_(request.known),
          origin_(request.position),
          at_least_(request.at_least),
          algorithm_(request.algorithm.text()),
          algorithm_of_checkpoints_(request.algorithm.text_of_checkpoints()),
          table_(table_bytes > 0 ? std::make_unique<Table>(table_bytes) : nullptr),
          search_(game_, known_, table_.get(), request.order, origin_, exact ? -game_.highest_value() : at_least_ - 1,
                  exact ? game_.highest_value() : at_least_) {
        report();
    }

    std::string algorithm() const override { return algorithm_; }
    void cancel() noexcept override { cancelled_.store(true, std::memory_order_relaxed); }

    Progress progress() const override {
        const std::scoped_lock lock(report_mutex_);
        return report_;
    }

    Outcome outcome() const override {
        if (!search_.done()) return {Status::unknown, reason_};
        return {search_.lower() >= at_least_ ? Status::proved : Status::disproved, Reason::none};
    }

    std::optional<Limits> limits() const override { return Limits{search_.lower(), search_.upper()}; }

    Outcome run(const Budget& budget) override {
        const Exclusive exclusive(running_);
        const Stopwatch watch;
        const double before = seconds_;
        double next_report = report_interval;
        reason_ = Reason::none;
        while (!search_.done()) {
            const double elapsed = watch.seconds();
            seconds_ = before + elapsed;
            if (cancelled_.load(std::memory_order_relaxed)) reason_ = Reason::cancelled;
            if (budget.nodes && search_.nodes() >= *budget.nodes) reason_ = Reason::nodes;
            if (budget.seconds && elapsed >= *budget.seconds) reason_ = Reason::seconds;
            if (budget.memory && memory() >= *budget.memory) reason_ = Reason::memory;
            if (reason_ != Reason::none) break;
            if (elapsed >= next_report) {
                report();
                next_report = elapsed + report_interval;
            }
            try {
                const auto gate = reading(known_);
                search_.run(visits_a_slice);
            } catch (const std::bad_alloc&) {
                reason_ = Reason::memory;
                break;
            }
        }
        // A cancel() that came too late for this run is for the next one.
        if (reason_ == Reason::cancelled) cancelled_.store(false, std::memory_order_relaxed);
        seconds_ = before + watch.seconds();
        report();
        return outcome();
    }

    /// Searches the positions of the solution again, with the table or a small one.
    void solution(const typename SearchOf<G>::Sink& sink) override {
        const Exclusive exclusive(running_);
        if (outcome().status == Status::unknown) return;
        cancelled_.store(false, std::memory_order_relaxed);  // what came before was meant for a run
        const auto gate = reading(known_);
        const auto own = table_ ? nullptr : std::make_unique<Table>(table_for_solutions);
        WalkedSolution<G, const typename SearchOf<G>::Sink&> walk(game_, known_, table_ ? *table_ : *own, sink,
                                                                  cancelled_);
        walk.below(origin_, at_least_, search_.lower() >= at_least_);
    }

    /// The depth that was searched through last, the totals so far, and the line; the table is not kept.
    std::string checkpoint() override {
        const Exclusive exclusive(running_);
        std::vector<std::uint32_t> words;
        if (search_.depth() > saved_) {
            saved_ = search_.depth();
            words = {saved_, static_cast<std::uint32_t>(search_.line_before().size())};
            for (const std::uint64_t total : {search_.nodes_before(), search_.expansions_before()}) {
                words.push_back(static_cast<std::uint32_t>(total));
                words.push_back(static_cast<std::uint32_t>(total >> 32));
            }
            words.insert(words.end(), search_.line_before().begin(), search_.line_before().end());
        }
        return write_checkpoint(fingerprint(), seconds_, words);
    }

    void restore(std::string_view chunks) override {
        const Exclusive exclusive(running_);
        if (search_.depth() != 0 || search_.nodes() != 0) throw std::logic_error("restore() comes before run()");
        const Checkpoint restored = read_checkpoint(chunks, fingerprint());
        const std::vector<std::uint32_t>& words = restored.expansions;
        const auto total = [&](std::size_t at) { return words[at] | std::uint64_t{words[at + 1]} << 32; };
        for (std::size_t at = 0; at < words.size();) {  // the last counts
            if (words.size() - at < 6 || words.size() - at - 6 < words[at + 1] || words[at] <= saved_) {
                throw InvalidCheckpoint("the checkpoint is not one of alpha-beta search");
            }
            saved_ = words[at];
            const auto line = words.begin() + static_cast<std::ptrdiff_t>(at + 6);
            search_.resume(saved_, total(at + 2), total(at + 4), {line, line + words[at + 1]});
            at += 6 + words[at + 1];
        }
        seconds_ = restored.seconds;
        report();
    }

  private:
    static constexpr std::uint32_t visits_a_slice = 64;               // short enough for slow Python games
    static constexpr double report_interval = 0.25;                   // seconds
    static constexpr std::uint64_t table_for_solutions = 4ULL << 20;  // bytes

    std::uint64_t memory() const noexcept { return search_.bytes() + (table_ ? table_->bytes() : 0); }

    std::string fingerprint() const {
        std::string text =
            algorithm_of_checkpoints_ + " " + game_.name() + " at least " + std::to_string(at_least_) + " ";
        write_key(game_.key(origin_), game_.key_size(), text);
        return text;
    }

    /// Proof and disproof number stand for the answer only.
    void report() {
        const Status status = outcome().status;
        Progress now;
        now.nodes = search_.nodes();
        now.expansions = search_.expansions();
        now.seconds = seconds_;
        now.memory = memory();
        now.best_line.assign(search_.line().begin(), search_.line().end());
        if (status != Status::unknown) {
            const Numbers answer = status == Status::proved ? proved_numbers : disproved_numbers;
            now.proof = answer.proof;
            now.disproof = answer.disproof;
        }
        const std::scoped_lock lock(report_mutex_);
        report_ = std::move(now);
    }

    G game_;
    const RecordTable<G>* known_;
    typename G::Position origin_;
    int at_least_;
    std::string algorithm_;
    std::string algorithm_of_checkpoints_;
    std::unique_ptr<Table> table_;
    Deepening<G> search_;
    std::uint32_t saved_ = 0;  ///< depth of the last checkpoint
    double seconds_ = 0;
    Reason reason_ = Reason::none;
    std::atomic<bool> running_ = false;
    std::atomic<bool> cancelled_ = false;
    mutable std::mutex report_mutex_;
    Progress report_;
};

}  // namespace proofbase
