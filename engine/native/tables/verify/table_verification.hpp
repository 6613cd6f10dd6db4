// Verification of a table (docs/tables.md): by the rules, forwards. It does not matter which program built the table.
//
// 1. Consistency. Every entry is the maximum of reward - value(child) over the moves that the rules give, or the
//    terminal value. Children in smaller classes are looked up in their tables, which have a verification of their own.
// 2. Progress. Consistency alone would let values other than 0 rest on a cycle. Every entry other than 0 gets a layer
//    that lower layers justify (table_layers.hpp), so an entry that only a cycle supports never gets one.
//
// Step 1 goes through the class in the order of the table (consistency.hpp). A class that needs more memory than there
// is is verified in parts instead (verification_in_parts.hpp). The verification shares the numbering and the
// predecessors with the builder; both are checked by the rules here.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_set.hpp"
#include "tables/verify/consistency.hpp"
#include "tables/verify/table_findings.hpp"
#include "tables/verify/table_layers.hpp"
#include "tables/verify/table_report.hpp"
#include "tables/verify/verification_checkpoint.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <Indexed G>
class TableVerification {
    using LayerState = LayerStateOf<G>;

  public:
    /// `tables` has the table of this class and those of the classes that it needs. Where it stands is saved about as
    /// often as `checkpoint_every` says.
    TableVerification(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads,
                      std::chrono::milliseconds checkpoint_every, TableTask& task)
        : game_(tables.game()),
          tables_(tables),
          class_(table_class),
          size_(game_.class_size(table_class)),
          threads_(threads),
          checkpoint_every_(checkpoint_every),
          task_(task) {}

    /// Goes on from a checkpoint if there is one. Throws TableWorkCancelled, std::filesystem::filesystem_error.
    TableReport run() {
        task_.table_class = class_;
        task_.size = size_;
        task_.begin(TableTask::Phase::checking);
        files_ = findings_.checked_tables(tables_, class_, threads_, task_);
        findings_.report.checked = size_;
        if (findings_.report.failed > 0) return std::move(findings_.report);  // values of damaged blocks say nothing
        VerificationCheckpoint checkpoint(tables_read_for(tables_, class_), checkpoint_every_);
        std::optional<TableLayers<G>> made;
        made.emplace(game_, class_, *files_[class_], threads_, task_);
        if (!checkpoint.load([&](CheckpointReader& reader) { take(reader, *made); })) {
            findings_.report = {};
            findings_.report.checked = size_;
            checked_ = ranked_ = moves_ = 0;
            made.emplace(game_, class_, *files_[class_], threads_, task_);
        }
        TableLayers<G>& layers = *made;
        const auto rest = [&] {
            checkpoint.save_if_due(task_, [&](CheckpointWriter& writer) { put(writer, layers); });
        };
        task_.done = checked_;
        while (checked_ < size_) {
            const std::uint64_t first = checked_;
            const std::uint64_t count = std::min(between_rests, size_ - first);
            in_pieces(threads_, count, piece, task_, [&](std::uint64_t from, std::uint64_t to) {
                Consistency<G, true> entries(game_, class_, files_, layers.fingerprint(), findings_, 0);
                moves_ += entries.check(first + from, first + to,
                                        [&](std::uint64_t i, LayerState state) { layers.set(i, state); });
                task_.done.fetch_add(to - from, std::memory_order_relaxed);
            });
            checked_ += count;
            rest();
        }
        task_.begin(TableTask::Phase::ranking);
        task_.done = ranked_;
        layers.find_layers([&] {
            ranked_ = task_.done;
            rest();
        });
        if (layers.update_fingerprint() != moves_) {  // an entry has no layer, or the predecessors are wrong
            task_.begin(TableTask::Phase::confirming);
            layers.confirm([this](std::uint64_t i) {
                findings_.add(i, stored(i), "moves", "its moves backwards and forwards do not agree");
            });
        }
        for (const std::uint64_t i : layers.entries_without_layer()) {
            findings_.add(i, stored(i), "progress",
                          "no line of play brings this value about: it rests on a cycle only");
        }
        std::tie(findings_.report.longest, findings_.report.longest_entry) = layers.longest();
        checkpoint.remove();
        return std::move(findings_.report);
    }

  private:
    static constexpr std::uint64_t piece = 1 << 14;
    static constexpr std::uint64_t between_rests = piece << 8;  // positions; some seconds

    void put(CheckpointWriter& writer, const TableLayers<G>& layers) const {
        writer.value(checked_);
        writer.value(ranked_);
        writer.value(moves_.load());
        put_report(writer, findings_.report);
        layers.put(writer);
    }

    void take(CheckpointReader& reader, TableLayers<G>& layers) {
        std::uint64_t moves = 0;
        reader.value(checked_);
        reader.value(ranked_);
        reader.value(moves);
        moves_ = moves;
        take_report(reader, findings_.report);
        layers.take(reader);
    }

    int stored(std::uint64_t i) const { return files_[class_]->unchecked(i); }

    const G& game_;
    const TableSet<G>& tables_;
    std::uint32_t class_;
    std::uint64_t size_;
    unsigned threads_;
    std::chrono::milliseconds checkpoint_every_;
    TableTask& task_;
    std::uint64_t checked_ = 0;            // entries whose consistency has been checked: the first ones
    std::uint64_t ranked_ = 0;             // entries whose predecessors have been updated
    std::vector<const TableFile*> files_;  // by class: this class and those that it needs
    std::atomic<std::uint64_t> moves_{0};  // sum of the fingerprints of the moves in the class to entries other than 0
    TableFindings findings_;
};

}  // namespace proofbase
