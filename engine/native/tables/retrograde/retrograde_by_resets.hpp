// Retrograde analysis of one class of positions of a game with a counter (IndexedByResets) by the plies to the next
// reset (resets_code.hpp), stage after stage of the class from the highest down: what resets lead to is known.
//
// A position that is mated is lost in 0 plies; one with a reset to a lost position is won in 1, one whose moves are all
// resets to won positions is lost in 1. Then for each number of plies n below that of the counter
//
//   of a position lost in n plies, every predecessor that is not known is won in n + 1
//   of a position won in n plies, every predecessor has one open move less; the last one makes it lost in n + 1, unless
//   a reset leads to a position that is not won (`safe`)
//
// What is left is a draw. The entries do not depend on the order of the work or on the number of threads. Three bytes a
// position, no parts, no checkpoint within a class.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "huge_pages.hpp"
#include "table_concepts.hpp"
#include "tables/files/needed_tables.hpp"
#include "tables/files/packed_table.hpp"
#include "tables/files/resets_code.hpp"
#include "tables/files/table_set.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <IndexedByResets G>
class RetrogradeByResets {
  public:
    /// `smaller`: has the tables of all classes that this class needs. `task` receives the progress.
    RetrogradeByResets(const TableSet<G>& smaller, std::uint32_t table_class, unsigned threads, TableTask& task)
        : smaller_(smaller),
          class_(table_class),
          size_(smaller.game().class_size(table_class)),
          threads_(threads),
          task_(task),
          moves_(smaller.game().class_moves(table_class)) {}

    /// Solves the class and writes its table.
    /// Throws TableWorkCancelled, DamagedTable (that of a smaller class), std::filesystem::filesystem_error.
    void run() {
        task_.table_class = class_;
        task_.size = size_;
        task_.begin(TableTask::Phase::preparing);
        needed_ = needed_tables(smaller_, class_, threads_, task_);
        entries_.resize(size_);
        open_.resize(size_);
        stages_.resize(size_);
        marks_.resize((size_ + chunk - 1) / chunk);
        next_marks_.resize(marks_.size());
        in_pieces(threads_, size_, piece, task_, [&](std::uint64_t from, std::uint64_t to) { find_stages(from, to); });
        task_.begin(TableTask::Phase::solving);
        for (unsigned stage = moves_.stages(); stage-- > 0;) solve(stage);
        task_.begin(TableTask::Phase::writing);
        TableHeader header = smaller_.header(class_);
        const unsigned largest = *std::max_element(entries_.begin(), entries_.end());
        header.bits = static_cast<std::uint32_t>(std::bit_width(largest | 1));
        write_table(smaller_.path(class_), header, threads_, task_,
                    [this](std::uint64_t i) { return unsigned{entries_[i]}; });
    }

  private:
    using Moves = decltype(std::declval<const G&>().class_moves(0));
    using Placement = typename Moves::Placement;
    using Bytes = std::vector<std::uint8_t, HugePages<std::uint8_t>>;

    static_assert(G::most_plies == most_plies_to_reset && reset_entry(most_plies_to_reset, true) < 256);

    static constexpr std::uint64_t piece = 1 << 14;
    static constexpr std::uint64_t chunk = 256;    // positions that share marks
    static constexpr std::uint8_t safe = 1 << 7;   // in `open_`
    static constexpr std::uint8_t no_stage = 255;  // of a number without a position

    void find_stages(std::uint64_t from, std::uint64_t to) {
        Placement men;
        for (std::uint64_t i = from; i < to; ++i) {
            const bool exists = moves_.men(i, men);
            stages_[i] = exists ? static_cast<std::uint8_t>(moves_.stage(men)) : no_stage;
            if (!exists) entries_[i] = no_position_entry;
        }
        task_.done.fetch_add(to - from, std::memory_order_relaxed);
    }

    void solve(unsigned stage) {
        in_pieces(threads_, size_, piece, task_,
                  [&](std::uint64_t from, std::uint64_t to) { prepare(from, to, stage); });
        // Moves that are no resets stay in the stage, forwards and backwards.
        for (unsigned plies = 0; plies < most_plies_to_reset; ++plies) {
            task_.threshold = static_cast<int>(plies);
            in_pieces(threads_, marks_.size(), 64, task_,
                      [&](std::uint64_t from, std::uint64_t to) { propagate(from, to, stage, plies); });
            std::swap(marks_, next_marks_);
            if (std::ranges::none_of(marks_, [](std::uint8_t mark) { return mark != 0; })) break;
        }
        std::ranges::fill(marks_, std::uint8_t{0});
    }

    /// Positions of a stage that are mated, or that their resets decide.
    void prepare(std::uint64_t from, std::uint64_t to, unsigned stage) {
        Placement men;
        std::uint64_t count = 0;
        for (std::uint64_t i = from; i < to; ++i) {
            if (stages_[i] != stage) continue;
            ++count;
            moves_.men(i, men);
            bool wins = false;
            unsigned marked_safe = 0;
            const ClassExits out = moves_.exits(men, [&](std::uint32_t c, std::uint64_t rank) {
                const auto after = c == class_ ? entries_[rank] : static_cast<unsigned>(needed_[c]->unchecked(rank));
                if (after == no_position_entry) throw std::logic_error("a move leads to a number without a position");
                const int value = value_of_entry(after, value_of_mated);
                wins |= value < 0;
                if (value <= 0) marked_safe = safe;
            });
            if (out.inside >= safe) throw std::length_error("a position with more than 127 moves");
            open_[i] = static_cast<std::uint8_t>(out.inside | marked_safe);
            if (out.finished) {
                if (*out.finished == 0) continue;
                set(i, finished_entry, marks_);
            } else if (wins) {
                set(i, reset_entry(1, true), next_marks_);
            } else if (open_[i] == 0) {
                set(i, reset_entry(1, false), next_marks_);
            }
        }
        task_.done.fetch_add(count, std::memory_order_relaxed);
    }

    /// The predecessors of the positions of some chunks that are decided in so many plies.
    void propagate(std::uint64_t from, std::uint64_t to, unsigned stage, unsigned plies) {
        std::vector<std::uint64_t> updates;
        Placement men;
        for (std::uint64_t c = from; c < to; ++c) {
            if (std::exchange(marks_[c], std::uint8_t{0}) == 0) continue;
            const std::uint64_t end = std::min((c + 1) * chunk, size_);
            for (std::uint64_t i = c * chunk; i < end; ++i) {
                const unsigned entry = std::atomic_ref(entries_[i]).load(std::memory_order_relaxed);
                if (entry < finished_entry || plies_to_reset(entry) != plies || stages_[i] != stage) continue;
                moves_.men(i, men);
                moves_.for_each_predecessor(men, [&](std::uint64_t number) {
                    __builtin_prefetch(&entries_[number], 1);
                    updates.push_back(number);
                });
                apply(updates, entry_before(entry, false));
            }
        }
    }

    void apply(std::vector<std::uint64_t>& updates, unsigned next) {
        const bool loses = value_of_entry(next, value_of_mated) < 0;
        for (const std::uint64_t i : updates) {
            if (std::atomic_ref(entries_[i]).load(std::memory_order_relaxed) != drawn_entry) continue;
            if (loses && std::atomic_ref(open_[i]).fetch_sub(1, std::memory_order_relaxed) != 1) continue;
            set(i, next, next_marks_);
        }
        updates.clear();
    }

    void set(std::uint64_t i, unsigned entry, std::vector<std::uint8_t>& marks) {
        std::uint8_t drawn = drawn_entry;
        const auto wanted = static_cast<std::uint8_t>(entry);
        std::atomic_ref(entries_[i]).compare_exchange_strong(drawn, wanted, std::memory_order_relaxed);
        std::atomic_ref(marks[i / chunk]).store(1, std::memory_order_relaxed);
    }

    const TableSet<G>& smaller_;
    std::uint32_t class_;
    std::uint64_t size_;
    unsigned threads_;
    TableTask& task_;
    Moves moves_;
    std::vector<const TableFile*> needed_;  // by class
    Bytes entries_;
    Bytes open_;  // moves that are no resets and not known to be lost by
    Bytes stages_;
    std::vector<std::uint8_t> marks_;       // chunks with positions that are decided in the plies that are propagated
    std::vector<std::uint8_t> next_marks_;  // those in one ply more
};

}  // namespace proofbase
