// Verification of a table of plies (docs/tables.md): by the rules, forwards. It does not matter which program built it.
//
// Every entry is what the entries of the positions after its moves make of it: won in one ply more than the soonest of
// those that are lost there; lost, if all are won there, in one ply more than the latest; else a draw. A finished game
// has its own entry. Wins and losses rest on fewer plies only, so none of them rests on a cycle, and one pass is
// enough. Positions, moves and play are those of the game, which searches use and which tests compare with the rules in
// Python; the builder has other code for all three.
//
// Tables of plies to a reset (resets_code.hpp) are verified likewise: positions have the counter 0, and a reset counts
// as one ply, whatever the position after it counts. An entry rests on fewer plies or on a reset, which nothing takes
// back.
//
// Tables that do not fit into the memory are read through a cache of blocks, the moves of many positions sorted by
// where they lead (plies_consistency.hpp): the entries of such a batch are a part of the class.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/block_cache.hpp"
#include "tables/files/plies_code.hpp"
#include "tables/files/resets_code.hpp"
#include "tables/files/table_set.hpp"
#include "tables/files/tables_with_cache.hpp"
#include "tables/plan/plan.hpp"
#include "tables/verify/plies_consistency.hpp"
#include "tables/verify/table_findings.hpp"
#include "tables/verify/table_report.hpp"
#include "tables/verify/verification_checkpoint.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <class G>
    requires(HasPlies<G> || IndexedByResets<G>)
class PliesVerification {
  public:
    /// `tables` has the table of this class and those of the classes that it needs. `plan`: in parts, for this class
    /// and these threads; then no block is read through `tables`.
    PliesVerification(const TableSet<G>& tables, std::uint32_t table_class, std::optional<PartsPlan> plan,
                      unsigned threads, std::chrono::milliseconds checkpoint_every, TableTask& task)
        : game_(tables.game()),
          tables_(tables),
          class_(table_class),
          size_(game_.class_size(table_class)),
          plan_(plan),
          threads_(threads),
          checkpoint_every_(checkpoint_every),
          task_(task) {}

    /// Goes on from a checkpoint if there is one. Throws TableWorkCancelled, DamagedTable,
    /// std::filesystem::filesystem_error.
    TableReport run() {
        task_.table_class = tables_.number(class_);
        task_.size = size_;
        task_.begin(TableTask::Phase::checking);
        if constexpr (!IndexedByResets<G>) {  // as a whole only
            if (plan_) check<false>(tables_with_cache(tables_, classes_read_for(game_, class_), plan_->cache));
        }
        if (!plan_) check<true>(tables_);
        return std::move(findings_.report);
    }

  private:
    static constexpr std::uint64_t piece = 1 << 14;
    static constexpr std::size_t batch = 128;                 // in memory: its cache misses overlap
    static constexpr std::uint64_t pieces_between_rests = 8;  // of a thread

    template <bool in_memory>
    void check(const TableSet<G>& tables) {
        const std::vector<const TableFile*> files = findings_.checked_tables(tables, class_, threads_, task_);
        findings_.report.checked = size_;
        if (findings_.report.failed > 0) return;  // entries of damaged blocks say nothing
        VerificationCheckpoint checkpoint(tables_read_for(tables, class_), checkpoint_every_, "plies\n");
        if (!checkpoint.load([this](CheckpointReader& reader) { take(reader); })) begin_anew();
        const std::uint64_t length = in_memory ? piece : plan_->length;
        std::vector<PliesConsistency<G, in_memory>> checks;
        for (unsigned number = 0; number < threads_; ++number) {
            checks.emplace_back(game_, class_, files, findings_, in_memory ? 0 : plan_->moves,
                                in_memory ? batch : length);
        }
        task_.done = checked_;
        while (checked_ < size_) {
            const std::uint64_t first = checked_;
            const std::uint64_t count = std::min(threads_ * pieces_between_rests * length, size_ - first);
            in_pieces(threads_, count, length, task_, [&](unsigned number, std::uint64_t from, std::uint64_t to) {
                const auto [largest, entry] = checks[number].check(first + from, first + to);
                take_largest(largest, entry);
                task_.done.fetch_add(to - from, std::memory_order_relaxed);
            });
            checked_ += count;
            checkpoint.save_if_due(task_, [this](CheckpointWriter& writer) { put(writer); });
        }
        checkpoint.remove();
    }

    void put(CheckpointWriter& writer) const {
        writer.value(checked_);
        writer.value(findings_.report.longest);
        writer.value(findings_.report.longest_entry);
        put_report(writer, findings_.report);
    }

    void take(CheckpointReader& reader) {
        reader.value(checked_);
        reader.value(findings_.report.longest);
        reader.value(findings_.report.longest_entry);
        take_report(reader, findings_.report);
    }

    void begin_anew() {
        findings_.report = {};
        findings_.report.checked = size_;
        checked_ = 0;
    }

    /// The largest of some entries, and the first number that has it. Any thread may call it.
    void take_largest(unsigned largest, std::uint64_t entry) {
        if (largest <= finished_entry) return;
        const std::uint32_t plies = IndexedByResets<G> ? plies_to_reset(largest) : plies_of_entry(largest);
        const std::scoped_lock lock(lock_);
        TableReport& report = findings_.report;
        if (plies < report.longest || (plies == report.longest && entry > report.longest_entry)) return;
        report.longest = plies;
        report.longest_entry = entry;
    }

    const G& game_;
    const TableSet<G>& tables_;
    std::uint32_t class_;
    std::uint64_t size_;
    std::optional<PartsPlan> plan_;
    unsigned threads_;
    std::chrono::milliseconds checkpoint_every_;
    TableTask& task_;
    std::uint64_t checked_ = 0;  // the first entries, which have been checked
    TableFindings findings_;
    std::mutex lock_;  // of the longest line
};

}  // namespace proofbase
