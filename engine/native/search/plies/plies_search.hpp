// The search df-pn-plies of `within:N:GAME`: asks for a win within 1, 3, 5 ... plies (of a position where the winner is
// not to move 2, 4, 6 ...) up to those that are left, with one table (plies_worker.hpp). Reported nodes are expansions,
// as those of df-pn.
//
// A refutation needs the shorter ones first: asked at once for 15 plies it may take a hundred times the nodes. A win is
// often seen at once. So where the shorter questions take long, the last one is tried for some expansions as well.
//
// A checkpoint holds the solved nodes with five plies left or more. A restored search does not take the same steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/plies/plies_solution.hpp"
#include "search/plies/plies_worker.hpp"
#include "search/policy/leaf.hpp"
#include "search/run/checkpoint_words.hpp"
#include "search/run/search_run.hpp"
#include "virtual_game/records.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

template <TellsWinningMoves I>
class PliesSearch final : public SearchRun<VirtualGame> {
    using Run = SearchRun<VirtualGame>;

  public:
    using Sink = typename Run::Sink;
    using Worker = PliesWorker<I>;

    /// `table_bytes`: 0 for a quarter of the memory budget of the first run, or 256 MiB.
    PliesSearch(const SearchRequest<VirtualGame>& request, std::uint64_t table_bytes)
        : Run(request),
          table_bytes_(table_bytes),
          worker_(Run::game(), Run::records(), InnerGame<I>::plies(request.position), Run::cancelled()),
          attacks_(request.at_least > 0) {
        const std::uint32_t left = InnerGame<I>::plies(request.position);
        plies_ = left - ((left % 2 == 1) != attacks_ && left > 0);
        asked_ = attacks_ ? 1 : 2;
        const auto records_lock = reading(Run::records());
        const auto key = [&] { return Run::game().key(Run::root_position()); };
        if (const auto leaf = settled_leaf(Run::game(), Run::records(), Run::root_position(), Run::at_least(), key)) {
            settle(leaf->numbers.proved());
        } else if (plies_ == 0) {
            settle(!attacks_);
        }
        Run::report();
    }

  private:
    static constexpr std::uint64_t nodes_per_slice = 512;
    /// The last question is tried between these numbers of expansions.
    static constexpr std::uint64_t trial_begins = std::uint64_t{1} << 14, trial_ends = 5 * trial_begins;
    static constexpr std::uint64_t default_table_bytes = std::uint64_t{256} << 20;
    static constexpr std::uint64_t min_table_bytes = std::uint64_t{64} << 10;

    Status answer() const override { return answer_; }
    /// `at_least`: whether the value is as high as was asked.
    void settle(bool at_least) noexcept { answer_ = at_least ? Status::proved : Status::disproved; }

    StopReason search(RunLimits& limits) override {
        if (answer_ != Status::unknown) return StopReason::none;
        try {
            prepare(limits.memory());
        } catch (const std::bad_alloc&) {
            return StopReason::memory;
        }
        return Run::search_in_slices(
            limits, [&] { return answer_ != Status::unknown; }, [&] { return worker_.expansions(); },
            [&] { return worker_.bytes(); },
            [&](bool) {
                search_slice(std::min(nodes_per_slice, limits.nodes_left(worker_.expansions())));
                return StopReason::none;
            });
    }

    void search_slice(std::uint64_t most_expansions) {
        const auto records_lock = reading(Run::records());
        const bool trial = worker_.expansions() >= trial_begins && worker_.expansions() < trial_ends;
        const std::uint32_t plies = trial ? plies_ : asked_;
        numbers_ = worker_.search(InnerGame<I>::position(Run::root_position()), plies, most_expansions);
        if (numbers_.proof == 0) {
            settle(attacks_);
        } else if (numbers_.disproof == 0) {
            asked_ = std::max<std::uint32_t>(plies, numbers_.known.no_win) + 1;
            asked_ += (asked_ % 2 == 1) != attacks_;
            if (asked_ > plies_) settle(!attacks_);
        }
    }

    void emit_solution(const Sink& sink) override {
        prepare(std::nullopt);
        const auto records_lock = reading(Run::records());
        const auto key = [&] { return Run::game().key(Run::root_position()); };
        const auto settled = settled_leaf(Run::game(), nullptr, Run::root_position(), Run::at_least(), key);
        if (settled) return;
        PliesSolution<I> solution(worker_, Run::game(), Run::records(), Run::small_search_nodes(), sink,
                                  Run::cancelled());
        solution.emit(InnerGame<I>::position(Run::root_position()), InnerGame<I>::plies(Run::root_position()), attacks_,
                      (answer_ == Status::proved) == attacks_);
    }

    /// Makes the table when it is first needed.
    void prepare(std::optional<std::uint64_t> memory) {
        if (worker_.table().max_bytes() == 0) {
            std::uint64_t bytes = table_bytes_;
            if (bytes == 0) bytes = memory ? std::max(*memory / 4, min_table_bytes) : default_table_bytes;
            worker_.table() = PliesTable<typename I::Key>(bytes);
        }
        for (const auto& entry : std::exchange(restored_, {})) worker_.restore(entry);
    }

    // A checkpoint: chunks of 2 words for the expansions | number of entries | entries of the key and a word for the
    // plies and what is known.

    [[gnu::cold]] std::vector<std::uint32_t>& checkpoint_words() override {
        append_two_words(worker_.expansions(), checkpoint_words_);
        const auto solved = worker_.take_solved();
        checkpoint_words_.push_back(static_cast<std::uint32_t>(solved.size()));
        for (const auto& [key, plies, known] : solved) {
            append_key(key, checkpoint_words_);
            checkpoint_words_.push_back(std::uint32_t{plies} | std::uint32_t{known.win} << 8 |
                                        std::uint32_t{known.no_win} << 16);
        }
        return checkpoint_words_;
    }

    [[gnu::cold]] void restore_words(const std::vector<std::uint32_t>& words) override {
        WordReader reader(words);
        while (!reader.at_end()) {
            worker_.set_expansions(reader.read_two_words());
            for (std::uint32_t count = reader.read_word(); count > 0; --count) {
                const auto key = reader.read_key(typename I::Key{});
                const std::uint32_t word = reader.read_word();
                restored_.push_back({key,
                                     static_cast<std::uint8_t>(word),
                                     {static_cast<std::uint8_t>(word >> 8), static_cast<std::uint8_t>(word >> 16)}});
            }
        }
    }

    bool has_begun() const override { return worker_.expansions() > 0; }

    [[gnu::cold]] Progress totals() const override {
        Progress now;
        now.nodes = now.expansions = worker_.expansions();
        const bool proved = answer_ == Status::proved;
        const auto number = [&](std::uint32_t own, bool zero) {
            return answer_ == Status::unknown ? own : zero ? 0 : infinite;
        };
        now.proof = number(attacks_ ? numbers_.proof : numbers_.disproof, proved);
        now.disproof = number(attacks_ ? numbers_.disproof : numbers_.proof, !proved);
        now.memory = worker_.bytes();
        now.node_memory = worker_.table().bytes();
        return now;
    }

    std::uint64_t table_bytes_;
    Worker worker_;
    bool attacks_;         ///< whether the one to move at the root is asked to win, else not to lose
    std::uint32_t plies_;  ///< that are left, the last of them the winner's
    std::uint32_t asked_;  ///< plies that the search is about now
    PliesNumbers numbers_;
    std::vector<typename Worker::Solved> restored_;  ///< until there is a table
    std::vector<std::uint32_t> checkpoint_words_;
    Status answer_ = Status::unknown;
};

}  // namespace proofbase
