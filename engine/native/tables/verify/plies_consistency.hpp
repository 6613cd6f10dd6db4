// The check of the entries of a table of plies by their moves (plies_verification.hpp), for tables in memory and for
// those that are read through a cache of blocks: the moves of many positions are collected, then their entries are
// looked up together (child_lookups.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/plies_code.hpp"
#include "tables/files/resets_code.hpp"
#include "tables/files/table_file.hpp"
#include "tables/verify/child_lookups.hpp"
#include "tables/verify/consistency.hpp"
#include "tables/verify/table_findings.hpp"

namespace proofbase {

/// What the verification knows of an entry of plies in a batch.
struct CheckedPlies {
    std::uint16_t stored;
    std::uint16_t soonest = 0;  ///< of the entries after its moves that are lost for the other side; 0 for none
    std::uint16_t latest = 0;   ///< of those that are won for it. With resets both are those before the moves
    bool drawn = false;         ///< a move leads to a draw, or the game is drawn
    bool no_position = false;   ///< a move leads to a number without a position
    bool finished = false;      ///< and not drawn
    bool settled = false;       ///< it was reported, or is right
};

/// What one thread checks. `in_memory`: the tables have no cache.
template <class G, bool in_memory>
    requires(HasPlies<G> || IndexedByResets<G>)
class PliesConsistency {
  public:
    /// `files`: by class, that of the class and those that it needs; their blocks have been checked. `most_lookups` and
    /// `most_entries`: of a batch.
    PliesConsistency(const G& game, std::uint32_t table_class, const std::vector<const TableFile*>& files,
                     TableFindings& findings, std::size_t most_lookups, std::size_t most_entries)
        : game_(game),
          class_(table_class),
          files_(files),
          findings_(findings),
          most_lookups_(most_lookups),
          most_entries_(most_entries),
          lookups_(files, most_lookups) {
        entries_.reserve(most_entries_);  // longer lists would be copied while they grow
    }

    /// Checks the entries with these numbers. Returns the largest one and the first number that has it. Throws
    /// DamagedTable.
    std::pair<unsigned, std::uint64_t> check(std::uint64_t from, std::uint64_t to) {
        std::pair<unsigned, std::uint64_t> largest{0, from};
        first_ = from;
        for (std::uint64_t i = from; i < to; ++i) {
            const auto stored = static_cast<std::uint16_t>(value(class_, i));
            if (stored > largest.first) largest = {stored, i};
            entries_.push_back({stored});
            list(i);
            const bool full = entries_.size() == most_entries_ || (!in_memory && lookups_.size() >= most_lookups_);
            if (full || i + 1 == to) finish_batch(i + 1);
        }
        return largest;
    }

  private:
    unsigned value(std::uint32_t c, std::uint64_t rank) const {
        if constexpr (in_memory) return static_cast<unsigned>(files_[c]->unchecked(rank));
        return static_cast<unsigned>(files_[c]->value(rank));
    }

    int end_value() const noexcept {
        if constexpr (IndexedByResets<G>)
            return value_of_mated;
        else
            return game_.end_value();
    }

    static std::string words(unsigned entry) {
        if (entry == drawn_entry) return "a draw";
        if (entry == no_position_entry) return "no position";
        if constexpr (IndexedByResets<G>) {
            const char* what = value_of_entry(entry, value_of_mated) < 0 ? "a loss" : "a win";
            return what + (" with a reset in " + std::to_string(plies_to_reset(entry)) + " plies");
        }
        return "an end in " + std::to_string(entry - finished_entry) + " plies";
    }

    /// The finding of a wrong entry, of which nothing more is said.
    void report(std::uint64_t i, const char* rule, std::string detail) {
        CheckedPlies& entry = entries_[i - first_];
        entry.settled = true;
        findings_.add(i, value_of_entry(entry.stored, end_value()), rule, std::move(detail));
    }

    /// Lists the moves of the position that was put into the batch last.
    [[gnu::always_inline]] void list(std::uint64_t i) {
        CheckedPlies& entry = entries_.back();
        const std::optional<typename G::Position> p = game_.table_position(class_, i);
        if (!p) {
            if (entry.stored != no_position_entry) report(i, "value", "no position has this number");
            entry.settled = true;
            return;
        }
        if (game_.table_class(*p) != class_ || game_.table_rank(*p) != i) {
            return report(i, "moves", "the position of this number has another number");
        }
        if (const std::optional<int> value = game_.terminal(*p)) {
            if (*value != 0 && *value != end_value()) {
                findings_.add(i, value_of_entry(entry.stored, end_value()), "moves",
                              "a finished game has another value");
            }
            entry.drawn = *value == 0;
            entry.finished = !entry.drawn;
            return;
        }
        const std::size_t first = lookups_.size();
        typename G::Moves moves;
        game_.moves(*p, moves);
        for (std::size_t m = 0; m < moves.size(); ++m) {
            const typename G::Position child = game_.play(*p, moves[m]);
            const std::uint32_t c = game_.table_class(child);
            if (c == no_table_class) {
                const std::optional<int> end = game_.terminal(child);
                if (end == 0 || end == end_value()) {
                    take(entry, *end == 0 ? drawn_entry : finished_entry, false);
                    continue;
                }
            }
            if (c >= files_.size() || files_[c] == nullptr) {
                lookups_.shorten(first);
                return report(i, "moves", "a move leads to a class that the game does not name");
            }
            bool is_reset = false;
            if constexpr (IndexedByResets<G>) is_reset = game_.counter(child) == 0;
            lookups_.add(c, game_.table_rank(child), entries_.size() - 1, is_reset);
        }
    }

    /// Takes in the entry after a move.
    [[gnu::always_inline]] void take(CheckedPlies& entry, unsigned child, [[maybe_unused]] bool is_reset) const {
        if (child == no_position_entry) entry.no_position = true;
        int value = -value_of_entry(child, end_value());
        if constexpr (IndexedByResets<G>) {
            child = entry_before(child, is_reset);
            value = value_of_entry(child, value_of_mated);
        }
        const auto found = static_cast<std::uint16_t>(child);
        if (value > 0 && (entry.soonest == 0 || found < entry.soonest)) entry.soonest = found;
        if (value < 0) entry.latest = std::max(entry.latest, found);
        if (value == 0) entry.drawn = true;
    }

    /// Compares the entries of the batch with what their moves make of them. The next one begins with the entry `next`.
    void finish_batch(std::uint64_t next) {
        lookups_.look_up([this](std::uint32_t, std::uint64_t, std::size_t index, int is_reset, int found) {
            take(entries_[index], static_cast<unsigned>(found), is_reset != 0);
        });
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            if (!entries_[k].settled) judge(first_ + k, entries_[k]);
        }
        first_ = next;
        entries_.clear();
    }

    void judge(std::uint64_t i, const CheckedPlies& entry) {
        constexpr unsigned plies_of_move = IndexedByResets<G> ? 0 : 1;  // it is counted already
        const unsigned expected = entry.finished       ? finished_entry
                                  : entry.soonest != 0 ? entry.soonest + plies_of_move
                                  : entry.drawn        ? drawn_entry
                                                       : entry.latest + plies_of_move;
        if (entry.no_position) return report(i, "moves", "a move leads to a number without a position");
        if (expected == no_position_entry) return report(i, "moves", "the game goes on, and there is no move");
        if (expected == entry.stored) return;
        report(i, "value", "it says " + words(entry.stored) + ", its moves make it " + words(expected));
    }

    const G& game_;
    std::uint32_t class_;
    const std::vector<const TableFile*>& files_;
    TableFindings& findings_;
    std::size_t most_lookups_;
    std::size_t most_entries_;
    std::uint64_t first_ = 0;  // entry of the batch
    std::conditional_t<in_memory, LookupsInMemory, SortedLookups> lookups_;
    std::vector<CheckedPlies> entries_;
};

}  // namespace proofbase
