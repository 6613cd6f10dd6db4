// Alpha-beta search with iterative deepening, with and without a transposition table, as the papers compare it with
// proof-number search: Allis, van der Meulen, van den Herik, Proof-number search, Artificial Intelligence 66
// (1994), 6.3.
//
// A search that answers one question has the window (at_least - 1, at_least); a search for the exact value has the
// whole range of values. Progress counts nodes as 6.4 of the paper does: of the search to depth i only the nodes at
// depth i.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "records/evidence/small_search/small_search_claims.hpp"
#include "search/alpha_beta/bounds_table.hpp"
#include "search/alpha_beta/depth_first_solution.hpp"
#include "search/alpha_beta/iterative_deepening.hpp"
#include "search/api/game_search.hpp"
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/run/checkpoint.hpp"
#include "search/run/search_run.hpp"

namespace proofbase {

template <Game G>
class AlphaBeta final : public SearchRun<G> {
    using Run = SearchRun<G>;

  public:
    using Sink = typename Run::Sink;
    using Table = BoundsTable<typename G::Key>;

    /// `table_bytes` is 0 for no table. `exact`: the search ends only with the exact value.
    AlphaBeta(const SearchRequest<G>& request, std::uint64_t table_bytes, bool exact)
        : Run(request),
          table_(table_bytes > 0 ? std::make_unique<Table>(table_bytes) : nullptr),
          deepening_(Run::game(), Run::records(), table_.get(), request.order, Run::root_position(),
                     exact ? -Run::game().highest_value() : Run::at_least() - 1,
                     exact ? Run::game().highest_value() : Run::at_least()) {
        Run::report();
    }

    std::optional<ValueBounds> value_bounds() const override {
        return ValueBounds{deepening_.lower(), deepening_.upper()};
    }

  private:
    static constexpr std::uint32_t visits_per_slice = Unproven<G> ? 1 : 64;  // users' rules may be slow
    static constexpr std::uint64_t bytes_for_solutions = 4ULL << 20;         // of the table, where the search has none

    Status answer() const override {
        if (!deepening_.done()) return Status::unknown;
        return deepening_.lower() >= Run::at_least() ? Status::proved : Status::disproved;
    }

    StopReason search(RunLimits& limits) override {
        return Run::search_in_slices(
            limits, [&] { return deepening_.done(); }, [&] { return deepening_.nodes(); }, [&] { return memory(); },
            [&](bool) {
                const auto records_lock = reading(Run::records());
                deepening_.run(visits_per_slice);
                return StopReason::none;
            });
    }

    /// Searches the positions of the solution again, with the table or a small one.
    void emit_solution(const Sink& sink) override {
        const auto records_lock = reading(Run::records());
        const auto own = table_ ? nullptr : std::make_unique<Table>(bytes_for_solutions);
        SmallSearchClaims<G> small_searches(Run::game(), Run::small_search_nodes());
        DepthFirstSolution<G, const Sink&> walk(Run::game(), Run::records(), table_ ? *table_ : *own, small_searches,
                                                sink, Run::cancelled());
        walk.emit(Run::root_position(), Run::at_least(), answer() == Status::proved);
    }

    /// The depth of the current iteration, and what that iteration began with; nothing if an earlier checkpoint has it.
    /// The table is not part of a checkpoint.
    [[gnu::cold]] std::vector<std::uint32_t>& checkpoint_words() override {
        if (deepening_.depth() > saved_depth_) {
            saved_depth_ = deepening_.depth();
            const auto& [nodes, expansions, best_line] = deepening_.iteration_start();
            checkpoint_words_ = {saved_depth_, static_cast<std::uint32_t>(best_line.size())};
            for (const std::uint64_t total : {nodes, expansions}) {
                checkpoint_words_.push_back(static_cast<std::uint32_t>(total));
                checkpoint_words_.push_back(static_cast<std::uint32_t>(total >> 32));
            }
            checkpoint_words_.insert(checkpoint_words_.end(), best_line.begin(), best_line.end());
        }
        return checkpoint_words_;
    }

    [[gnu::cold]] void restore_words(const std::vector<std::uint32_t>& words) override {
        const auto total = [&](std::size_t at) { return words[at] | std::uint64_t{words[at + 1]} << 32; };
        for (std::size_t at = 0; at < words.size();) {  // every chunk replaces the ones before it
            if (words.size() - at < 6 || words.size() - at - 6 < words[at + 1] || words[at] <= saved_depth_) {
                throw InvalidCheckpoint("the checkpoint is not one of alpha-beta search");
            }
            saved_depth_ = words[at];
            const auto line = words.begin() + static_cast<std::ptrdiff_t>(at + 6);
            deepening_.resume(saved_depth_, {total(at + 2), total(at + 4), {line, line + words[at + 1]}});
            at += 6 + words[at + 1];
        }
    }

    bool has_begun() const override { return deepening_.depth() != 0 || deepening_.nodes() != 0; }

    std::uint64_t memory() const noexcept { return deepening_.bytes() + (table_ ? table_->bytes() : 0); }

    /// Alpha-beta has no proof and disproof numbers: those in the report only say whether the question is answered.
    [[gnu::cold]] Progress totals() const override {
        Progress now;
        now.nodes = deepening_.nodes();
        now.expansions = deepening_.expansions();
        now.memory = memory();
        now.best_line.assign(deepening_.best_line().begin(), deepening_.best_line().end());
        if (const Status status = answer(); status != Status::unknown) {
            const Numbers numbers = status == Status::proved ? proved_numbers : disproved_numbers;
            now.proof = numbers.proof;
            now.disproof = numbers.disproof;
        }
        return now;
    }

    std::unique_ptr<Table> table_;
    IterativeDeepening<G> deepening_;
    std::uint32_t saved_depth_ = 0;  ///< of the last checkpoint
    std::vector<std::uint32_t> checkpoint_words_;
};

}  // namespace proofbase
