// Verification of a table of plies (docs/tables.md): by the rules, forwards. It does not matter which program built it.
//
// Every entry is what the entries of the positions after its moves make of it: won in one ply more than the soonest of
// those that are lost there; lost, if all are won there, in one ply more than the latest; else a draw. A finished game
// has its own entry. Wins and losses rest on fewer plies only, so none of them rests on a cycle, and one pass is
// enough. Positions, moves and play are those of the game, which searches use and which tests compare with the rules in
// Python; the builder has other code for all three.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/plies/plies_code.hpp"
#include "tables/table_report.hpp"
#include "tables/table_set.hpp"
#include "tables/table_task.hpp"
#include "tables/verification/table_findings.hpp"

namespace proofbase {

template <HasPlies G>
class PliesVerification {
  public:
    /// `tables` has the table of this class and those of the classes that it needs.
    PliesVerification(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads, TableTask& task)
        : game_(tables.game()),
          tables_(tables),
          class_(table_class),
          size_(game_.class_size(table_class)),
          threads_(threads),
          task_(task) {}

    /// Throws TableWorkCancelled.
    TableReport run() {
        task_.table_class = tables_.number(class_);
        task_.size = size_;
        task_.begin(TableTask::Phase::checking);
        files_ = findings_.checked_tables(tables_, class_, threads_, task_);
        findings_.report.checked = size_;
        if (findings_.report.failed > 0) return std::move(findings_.report);  // entries of damaged blocks say nothing
        in_pieces(threads_, size_, 1 << 14, task_, [&](std::uint64_t from, std::uint64_t to) { check(from, to); });
        find_longest();
        return std::move(findings_.report);
    }

  private:
    static constexpr std::size_t batch = 128;

    struct Child {
        const TableFile* table;  // null for a finished game without a table
        std::uint64_t rank;
    };
    struct Entry {
        std::uint64_t number;
        std::optional<unsigned> finished;
        std::size_t children_end;  // they begin where those of the entry before end
    };

    unsigned stored(std::uint64_t i) const { return static_cast<unsigned>(files_[class_]->unchecked(i)); }

    /// The finding of a wrong entry.
    void report(std::uint64_t i, const char* rule, std::string detail) {
        findings_.add(i, value_of_entry(stored(i), game_.end_value()), rule, std::move(detail));
    }

    static std::string words(unsigned entry) {
        if (entry == drawn_entry) return "a draw";
        if (entry == no_position_entry) return "no position";
        return "an end in " + std::to_string(entry - finished_entry) + " plies";
    }

    void check(std::uint64_t from, std::uint64_t to) {
        std::vector<Entry> entries;
        std::vector<Child> children;
        for (std::uint64_t i = from; i < to; ++i) {
            look_up(i, entries, children);
            if (entries.size() < batch && i + 1 < to) continue;
            std::size_t k = 0;
            for (const Entry& entry : entries) {
                unsigned expected = entry.finished.value_or(drawn_entry);
                if (!entry.finished) expected = best_of(&children[k], &children[k] + (entry.children_end - k));
                k = entry.children_end;
                if (expected == no_position_entry) {
                    report(entry.number, "moves", "a move leads to a number without a position");
                } else if (expected != stored(entry.number)) {
                    report(entry.number, "value",
                           "it says " + words(stored(entry.number)) + ", its moves make it " + words(expected));
                }
            }
            entries.clear();
            children.clear();
        }
        task_.done.fetch_add(to - from, std::memory_order_relaxed);
    }

    /// Lists the moves of a position, and has their entries fetched.
    void look_up(std::uint64_t i, std::vector<Entry>& entries, std::vector<Child>& children) {
        const std::optional<typename G::Position> p = game_.table_position(class_, i);
        if (!p) {
            if (stored(i) != no_position_entry) report(i, "value", "no position has this number");
            return;
        }
        if (game_.table_class(*p) != class_ || game_.table_rank(*p) != i) {
            report(i, "moves", "the position of this number has another number");
            return;
        }
        if (const std::optional<int> value = game_.terminal(*p)) {
            if (*value != 0 && *value != game_.end_value()) report(i, "moves", "a finished game has another value");
            entries.push_back({i, *value == 0 ? drawn_entry : finished_entry, children.size()});
            return;
        }
        const std::size_t first = children.size();
        typename G::Moves moves;
        game_.moves(*p, moves);
        for (std::size_t m = 0; m < moves.size(); ++m) {
            const typename G::Position child = game_.play(*p, moves[m]);
            const std::uint32_t c = game_.table_class(child);
            if (c == no_table_class && game_.terminal(child) == game_.end_value()) {
                children.push_back({nullptr, 0});
                continue;
            }
            if (c >= files_.size() || files_[c] == nullptr) {
                report(i, "moves", "a move leads to a class that the game does not name");
                children.resize(first);
                return;
            }
            const std::uint64_t rank = game_.table_rank(child);
            files_[c]->prefetch(rank);
            children.push_back({files_[c], rank});
        }
        entries.push_back({i, std::nullopt, children.size()});
    }

    /// The entry of a position with these children.
    unsigned best_of(const Child* from, const Child* to) const {
        unsigned soonest = 0;  // of those that are lost for the other side
        unsigned latest = 0;   // of those that are won for it
        bool drawn = false;
        for (; from != to; ++from) {
            const unsigned entry =
                from->table == nullptr ? finished_entry : static_cast<unsigned>(from->table->unchecked(from->rank));
            if (entry == no_position_entry) return no_position_entry;
            const int value = value_of_entry(entry, game_.end_value());
            if (value < 0 && (soonest == 0 || entry < soonest)) soonest = entry;
            if (value > 0) latest = std::max(latest, entry);
            drawn |= value == 0;
        }
        return soonest != 0 ? soonest + 1 : drawn ? drawn_entry : latest + 1;
    }

    void find_longest() {
        unsigned longest = finished_entry;
        for (std::uint64_t i = 0; i < size_; ++i) {
            if (stored(i) <= longest) continue;
            longest = stored(i);
            findings_.report.longest_entry = i;
        }
        findings_.report.longest = longest - finished_entry;
    }

    const G& game_;
    const TableSet<G>& tables_;
    std::uint32_t class_;
    std::uint64_t size_;
    unsigned threads_;
    TableTask& task_;
    std::vector<const TableFile*> files_;  // by class: this class and those that it needs
    TableFindings findings_;
};

}  // namespace proofbase
