// The consistency check of the entries of a class (table_verification.hpp), for tables in memory and for those that are
// read through a cache of blocks.
//
// The moves of many positions are collected, then their values are looked up together. In memory these are few
// positions at a time, whose cache misses overlap. Otherwise they are as many as there is room for, sorted by where the
// moves lead, so that all entries of a block are read together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_file.hpp"
#include "tables/verify/child_lookups.hpp"
#include "tables/verify/layer_state.hpp"
#include "tables/verify/table_findings.hpp"

namespace proofbase {

inline constexpr std::size_t lookups_an_entry = 4;  ///< a batch has no more entries than lookups by this number

/// What the verification knows of an entry in a batch.
struct CheckedEntry {
    static constexpr std::int16_t no_worth = std::numeric_limits<std::int16_t>::min();

    std::int16_t stored;
    std::int16_t best;         ///< that its moves are worth; no_worth without any
    std::uint16_t inside = 0;  ///< moves in the class that are worth the value
    bool leaves = false;       ///< a move out of the class is worth the value
    bool finished = false;
};
static_assert(sizeof(CheckedEntry) == 8);

/// What one thread checks. `in_memory`: the tables have no cache.
template <Indexed G, bool in_memory>
class Consistency {
    using LayerState = LayerStateOf<G>;

  public:
    /// `files`: by class, that of the class and those that it needs; their blocks have been checked. `most_lookups`: of
    /// a batch.
    Consistency(const G& game, std::uint32_t table_class, const std::vector<const TableFile*>& files,
                MoveFingerprint fingerprint, TableFindings& findings, std::size_t most_lookups)
        : game_(game),
          class_(table_class),
          files_(files),
          fingerprint_(fingerprint),
          findings_(findings),
          most_lookups_(most_lookups),
          most_entries_(in_memory ? batch : std::min(most_lookups / lookups_an_entry + 1, SortedLookups::most_entries)),
          lookups_(files, most_lookups) {
        entries_.reserve(most_entries_);  // longer lists would be copied while they grow
    }

    /// Checks the entries with these numbers, and calls `take(i, state)` for each of them, with the layer that follows
    /// from its moves, or the moves that it waits for. Returns the sum of the fingerprints of the moves in the class to
    /// entries other than 0. Throws DamagedTable.
    template <class Take>
    std::uint64_t check(std::uint64_t from, std::uint64_t to, Take&& take) {
        moves_ = 0;
        first_ = from;
        TablePlacement<G> p = table_placement(game_, class_, from);
        for (std::uint64_t i = from; i < to; ++i) {
            if (i > from) game_.table_next(p);
            list(p, i);
            const bool full = entries_.size() == most_entries_ || (!in_memory && lookups_.size() >= most_lookups_);
            if (full || i + 1 == to) finish_batch(i + 1, take);
        }
        return moves_;
    }

  private:
    using Position = typename G::Position;

    static constexpr std::size_t batch = 128;

    int value(std::uint32_t c, std::uint64_t rank) const {
        if constexpr (in_memory) return files_[c]->unchecked(rank);
        return files_[c]->value(rank);
    }

    /// Puts an entry into the batch, with its children.
    [[gnu::always_inline]] void list(const Position& p, std::uint64_t i) {
        CheckedEntry entry{static_cast<std::int16_t>(value(class_, i)), CheckedEntry::no_worth};
        if (game_.table_class(p) != class_ || game_.table_rank(p) != i) {
            report(i, "moves", "the position of this number has another number");
            entry.stored = reported;
        } else if (const std::optional<int> terminal = game_.terminal(p)) {
            entry.best = static_cast<std::int16_t>(*terminal);
            entry.finished = true;
        } else {
            const std::size_t first = lookups_.size();
            bool foreign = false;
            for_each_child_by_rules(game_, p, [&](const Position& child, int reward) {
                const std::uint32_t c = game_.table_class(child);
                if constexpr (ListsMoves<G>) {
                    if (c == no_table_class) {  // finished there
                        const auto worth = static_cast<std::int16_t>(reward - *game_.terminal(child));
                        entry.best = std::max(entry.best, worth);
                        entry.leaves |= worth == entry.stored;
                        return;
                    }
                }
                foreign |= c >= files_.size() || files_[c] == nullptr || (c == class_ && reward != 0);
                if (foreign) return;
                lookups_.add(c, game_.table_rank(child), entries_.size(), reward);
            });
            if (foreign) {
                report(i, "moves", "a move leads to a class that the game does not name");
                entry.stored = reported;
                lookups_.shorten(first);
            }
        }
        entries_.push_back(entry);
    }

    /// Compares the entries of the batch with what their moves are worth. The next one begins with the entry `next`.
    template <class Take>
    [[gnu::always_inline]] void finish_batch(std::uint64_t next, Take&& take) {
        lookups_.look_up([this](std::uint32_t c, std::uint64_t rank, std::size_t index, int reward, int found) {
            CheckedEntry& entry = entries_[index];
            const int worth = reward - found;
            if (worth > entry.best) entry.best = static_cast<std::int16_t>(worth);
            const bool stays = c == class_;
            if (stays && found != 0) moves_ += fingerprint_(first_ + index, rank);
            if (worth != entry.stored) return;
            if (stays) {
                ++entry.inside;
            } else {
                entry.leaves = true;
            }
        });
        for (std::size_t k = 0; k < entries_.size(); ++k) take(first_ + k, judged(first_ + k, entries_[k]));
        first_ = next;
        entries_.clear();
    }

    LayerState judged(std::uint64_t i, const CheckedEntry& entry) {
        // An entry that was reported gets a layer all the same, so that the entries that rest on it are not reported
        // too.
        if (entry.stored == reported) return given_layer<LayerState>(1);
        if (entry.best != entry.stored) {
            report(i, "value",
                   "its moves are worth " +
                       (entry.best == CheckedEntry::no_worth ? "nothing" : std::to_string(entry.best)));
            return given_layer<LayerState>(1);
        }
        if (entry.finished) return given_layer<LayerState>(0);
        if (entry.stored > 0 ? entry.leaves : entry.stored < 0 && entry.inside == 0) return given_layer<LayerState>(1);
        if (entry.inside > most_awaited<LayerState>) throw std::length_error("a position with too many moves");
        return awaiting_moves<LayerState>(entry.stored, entry.stored > 0 ? 1 : entry.stored < 0 ? entry.inside : 0);
    }

    void report(std::uint64_t i, const char* rule, std::string detail) {
        findings_.add(i, value(class_, i), rule, std::move(detail));
    }

    static constexpr std::int16_t reported = std::numeric_limits<std::int16_t>::max();  // in place of a value

    const G& game_;
    std::uint32_t class_;
    const std::vector<const TableFile*>& files_;
    MoveFingerprint fingerprint_;
    TableFindings& findings_;
    std::size_t most_lookups_;
    std::size_t most_entries_;
    std::uint64_t first_ = 0;  // entry of the batch
    std::uint64_t moves_ = 0;
    std::conditional_t<in_memory, LookupsInMemory, SortedLookups> lookups_;
    std::vector<CheckedEntry> entries_;
};

}  // namespace proofbase
