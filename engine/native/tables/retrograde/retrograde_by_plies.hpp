// Retrograde analysis of one class of positions by the plies to the end, from the smallest number to the highest
// (Thompson 1986, on endgames of chess). Moves out of the class lead to smaller tables, whose entries are known.
//
// Every position has its entry (plies_code.hpp) as soon as it is known; the number of its moves in the class that are
// not known to be lost by them (`open`); and what its moves out of the class come to: that it can never be lost
// (`safe`), and in how many plies it is won, or else lost, at the earliest. For each number of plies n:
//
//   a position whose moves out of the class win in n plies is won in n plies
//   a position that is not safe, with no open move, that its moves out of the class lose in n plies, is lost in n
//   of a position lost in n plies, every predecessor that is not known is won in n + 1
//   of a position won in n plies, every predecessor has one open move less; one that is not safe and has no open move
//   left is lost in n + 1 plies, or when its moves out of the class are, if that is later
//
// until no larger number of plies is waited for. What is left is a draw. The entries are those of the game: they do not
// depend on the order of the work or on the number of threads. There is no checkpoint within a class; finished classes
// stay. A class that does not fit into the memory is built in parts (plies_in_parts.hpp). With entries of
// one byte games end within 252 plies, and a position takes three bytes; with two it takes five, for games of up to
// 65,532 plies.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "huge_pages.hpp"
#include "table_concepts.hpp"
#include "tables/files/needed_tables.hpp"
#include "tables/files/packed_table.hpp"
#include "tables/files/plies_code.hpp"
#include "tables/files/table_set.hpp"
#include "tables/retrograde/moves_of_class.hpp"
#include "tables/work/atomic_extremes.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <HasPlies G, class Entry>
class RetrogradeByPlies {
  public:
    /// `smaller`: has the tables of all classes that this class needs. `task` receives the progress.
    RetrogradeByPlies(const TableSet<G>& smaller, std::uint32_t table_class, unsigned threads, TableTask& task)
        : game_(smaller.game()),
          smaller_(smaller),
          class_(table_class),
          size_(game_.class_size(table_class)),
          threads_(threads),
          task_(task),
          moves_(class_moves_of(game_, table_class)) {}

    /// Solves the class and writes its table.
    /// Throws TableWorkCancelled, DamagedTable (that of a smaller class), std::filesystem::filesystem_error.
    void run() {
        task_.table_class = smaller_.number(class_);
        task_.size = size_;
        task_.begin(TableTask::Phase::preparing);
        needed_ = needed_tables(smaller_, class_, threads_, task_);
        entries_.resize(size_);
        open_.resize(size_);
        exits_.resize(size_);
        marks_.resize((size_ + chunk - 1) / chunk);
        next_marks_.resize(marks_.size());
        in_pieces(threads_, size_, piece, task_, [&](std::uint64_t from, std::uint64_t to) { prepare(from, to); });
        task_.begin(TableTask::Phase::solving);
        for (unsigned entry = finished_entry; entry <= highest_.load(); ++entry) {
            task_.threshold = static_cast<int>(entry - finished_entry);
            in_pieces(threads_, marks_.size(), 64, task_,
                      [&](std::uint64_t from, std::uint64_t to) { solve(from, to, entry); });
            std::swap(marks_, next_marks_);
        }
        task_.begin(TableTask::Phase::writing);
        const auto written = [this](std::uint64_t i) {
            return entries_[i] == decided_by_exits ? drawn_entry : unsigned{entries_[i]};
        };
        TableHeader header = smaller_.header(class_);
        header.bits = static_cast<std::uint32_t>(std::bit_width(largest_entry(written)));
        write_table(smaller_.path(class_), header, threads_, task_, written);
    }

  private:
    using Moves = decltype(class_moves_of(std::declval<const G&>(), 0));
    using Placement = typename Moves::Placement;
    using Entries = std::vector<Entry, HugePages<Entry>>;

    static constexpr std::uint64_t piece = 1 << 14;
    static constexpr std::uint64_t chunk = 256;  // positions that share a mark
    // No move stays in the class: what is known comes in its turn.
    static constexpr Entry decided_by_exits = std::numeric_limits<Entry>::max();
    using Open = std::conditional_t<ListsMoves<G>, std::uint32_t, std::uint8_t>;
    static constexpr Open safe = Open{1} << (8 * sizeof(Open) - 1);  // in `open_`

    struct Exit {             // a move that leaves the class
        std::uint32_t index;  // of the position in its batch
        const TableFile* table;
        std::uint64_t rank;
    };

    void prepare(std::uint64_t from, std::uint64_t to) {
        constexpr std::uint64_t batch = 256;
        std::vector<Exit> exits;
        Placement men;
        for (std::uint64_t start = from; start < to; start += batch) {
            const std::uint64_t end = std::min(start + batch, to);
            exits.clear();
            for (std::uint64_t i = start; i < end; ++i) {
                if (!moves_.men(i, men)) {
                    entries_[i] = no_position_entry;
                    continue;
                }
                const auto index = static_cast<std::uint32_t>(i - start);
                const std::size_t before = exits.size();
                const ClassExits out = moves_.exits(men, [&](std::uint32_t c, std::uint64_t rank) {
                    const TableFile* table = c == no_table_class ? nullptr : needed_[c];
                    if (table != nullptr) table->prefetch(rank);
                    exits.push_back({index, table, rank});
                });
                if (out.inside >= safe) throw std::length_error("a position with more than 127 moves");
                if (out.finished) {
                    entries_[i] = *out.finished == 0 ? decided_by_exits : finished_entry;
                    open_[i] = safe;
                    marks_[i / chunk] = 1;
                    continue;
                }
                open_[i] = static_cast<Open>(out.inside);
                if (out.inside == 0 && exits.size() > before) entries_[i] = decided_by_exits;
            }
            for (const Exit& exit : exits) take_exit(start + exit.index, exit);
            raise_to(highest_, unsigned{*std::max_element(&exits_[start], &exits_[start] + (end - start))});
        }
        task_.done.fetch_add(to - from, std::memory_order_relaxed);
    }

    void take_exit(std::uint64_t i, const Exit& exit) {
        unsigned child = finished_entry;
        if (exit.table != nullptr) {
            child = unsigned(exit.table->unchecked(exit.rank));
        } else if (ListsMoves<G> && exit.rank == 0) {
            child = drawn_entry;
        }
        if (child == no_position_entry) throw std::logic_error("a move leads to a number without a position");
        const int worth = -value_of_entry(child, game_.end_value());
        const bool was_safe = (open_[i] & safe) != 0;
        if (worth < 0) {
            if (!was_safe) exits_[i] = std::max(exits_[i], plus_one(child));
            return;
        }
        if (!was_safe) exits_[i] = 0;  // what it loses by does not matter any more
        open_[i] |= safe;
        if (worth > 0 && (exits_[i] == 0 || plus_one(child) < exits_[i])) exits_[i] = plus_one(child);
    }

    static Entry plus_one(unsigned entry) {
        if (entry >= last_entry<Entry>) {
            throw std::length_error("a game of more than " + std::to_string(last_entry<Entry> - finished_entry) +
                                    " plies");
        }
        return static_cast<Entry>(entry + 1);
    }

    /// The positions of some chunks that have this entry: all that are found, and their predecessors.
    void solve(std::uint64_t from, std::uint64_t to, unsigned entry) {
        std::vector<std::uint64_t> updates;
        Placement men;
        const bool wins = value_of_entry(entry, game_.end_value()) > 0;
        std::uint64_t found = 0;
        for (std::uint64_t c = from; c < to; ++c) {
            const std::uint64_t end = std::min((c + 1) * chunk, size_);
            if (std::exchange(marks_[c], std::uint8_t{0}) == 0 && !is_awaited(c * chunk, end, entry)) continue;
            for (std::uint64_t i = c * chunk; i < end; ++i) {
                const Entry now = std::atomic_ref(entries_[i]).load(std::memory_order_relaxed);
                if (now != entry) {
                    if (exits_[i] != entry || (now != 0 && now != decided_by_exits)) continue;
                    const Open open = std::atomic_ref(open_[i]).load(std::memory_order_relaxed);
                    if (wins ? (open & safe) == 0 : open != 0) continue;
                    std::atomic_ref(entries_[i]).store(static_cast<Entry>(entry), std::memory_order_relaxed);
                }
                ++found;
                if (!moves_.men(i, men)) continue;
                moves_.for_each_predecessor(men, [&](std::uint64_t number) {
                    __builtin_prefetch(&entries_[number], 1);
                    updates.push_back(number);
                });
                if (updates.size() >= 256) apply(updates, entry, wins);
            }
        }
        apply(updates, entry, wins);
        task_.done.fetch_add(found, std::memory_order_relaxed);
    }

    /// Whether moves out of the class bring about this entry for a position of a range.
    bool is_awaited(std::uint64_t from, std::uint64_t to, unsigned entry) const noexcept {
        unsigned any = 0;  // without a way out: the compiler compares many bytes at once
        for (std::uint64_t i = from; i < to; ++i) any |= static_cast<unsigned>(exits_[i] == entry);
        return any != 0;
    }

    void set_entry(std::uint64_t i, Entry entry, bool& any) {
        Entry unknown = 0;
        if (!std::atomic_ref(entries_[i]).compare_exchange_strong(unknown, entry, std::memory_order_relaxed)) return;
        std::atomic_ref(next_marks_[i / chunk]).store(1, std::memory_order_relaxed);
        any = true;
    }

    void apply(std::vector<std::uint64_t>& updates, unsigned entry, bool wins) {
        const unsigned next = entry + 1;
        bool any = false;
        for (const std::uint64_t i : updates) {
            if (std::atomic_ref(entries_[i]).load(std::memory_order_relaxed) != 0) continue;
            // A position that is won for its predecessors settles them with their last open move only, and not before
            // their moves out of the class are lost too.
            if (wins && std::atomic_ref(open_[i]).fetch_sub(1, std::memory_order_relaxed) != 1) continue;
            if (wins && exits_[i] > next) continue;
            set_entry(i, plus_one(entry), any);
        }
        if (any) raise_to(highest_, next);
        updates.clear();
    }

    template <class Written>
    unsigned largest_entry(Written&& written) {
        std::atomic<unsigned> largest{1};
        in_pieces(threads_, size_, piece, task_, [&](std::uint64_t from, std::uint64_t to) {
            unsigned found = 0;
            for (std::uint64_t i = from; i < to; ++i) found = std::max(found, written(i));
            raise_to(largest, found);
        });
        return largest;
    }

    const G& game_;
    const TableSet<G>& smaller_;
    std::uint32_t class_;
    std::uint64_t size_;
    unsigned threads_;
    TableTask& task_;
    Moves moves_;
    std::vector<const TableFile*> needed_;  // by class
    Entries entries_;
    std::vector<Open, HugePages<Open>> open_;
    Entries exits_;                         // the entry that the moves out of the class bring about; 0 for none
    std::vector<std::uint8_t> marks_;       // chunks with positions that have the entry that is being propagated
    std::vector<std::uint8_t> next_marks_;  // those with positions that have the next one
    std::atomic<unsigned> highest_{finished_entry};  // the work goes on to this entry
};

}  // namespace proofbase
