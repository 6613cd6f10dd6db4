// Verification of a table (table_verification.hpp) with less memory than its layers take: the same checks, and the same
// report.
//
// 1. Consistency. The entries are checked in their order. Tables that do not fit into the memory are read through a
//    cache of blocks, the moves of many positions sorted by where they lead (consistency.hpp). The states go to the
//    disk.
// 2. Progress. Layers are found part by part (layers_in_parts.hpp). Where the fingerprints do not agree, the layers are
//    compared with those of the children (layers_by_moves.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "system.hpp"
#include "table_concepts.hpp"
#include "tables/files/block_cache.hpp"
#include "tables/files/table_set.hpp"
#include "tables/files/tables_with_cache.hpp"
#include "tables/outside_memory/layers_by_moves.hpp"
#include "tables/outside_memory/layers_in_parts.hpp"
#include "tables/outside_memory/states_on_disk.hpp"
#include "tables/plan/plan.hpp"
#include "tables/verify/consistency.hpp"
#include "tables/verify/table_findings.hpp"
#include "tables/verify/table_report.hpp"
#include "tables/verify/verification_checkpoint.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <Indexed G>
class VerificationInParts {
    using LayerState = LayerStateOf<G>;

  public:
    /// `tables`: those of the directory; no block is read through them. `plan`: for this class and these threads.
    VerificationInParts(const TableSet<G>& tables, std::uint32_t table_class, const PartsPlan& plan, unsigned threads,
                        std::chrono::milliseconds checkpoint_every, TableTask& task)
        : tables_(tables),
          game_(tables.game()),
          class_(table_class),
          size_(game_.class_size(table_class)),
          plan_(plan),
          threads_(threads),
          checkpoint_every_(checkpoint_every),
          task_(task) {}

    /// Goes on from a checkpoint if there is one whose parts are not longer. Throws TableWorkCancelled, DamagedTable,
    /// std::filesystem::filesystem_error, also where the directory of the tables cannot be written.
    TableReport run() {
        task_.table_class = class_;
        task_.size = size_;
        task_.begin(TableTask::Phase::checking);
        const std::vector<const TableFile*> read = tables_read_for(tables_, class_);
        if (std::find(read.begin(), read.end(), nullptr) == read.end()) {
            checkpoint_.emplace(read, checkpoint_every_, "in parts, 2\n");
        }
        if (plan_.all_in_memory) {
            check<true>(open(game_.class_needs(class_), 0));
        } else {
            check<false>(open(game_.class_needs(class_), plan_.cache));
        }
        give_memory_back();
        if (findings_.report.failed > 0 && checked_ < size_) return std::move(findings_.report);  // damaged blocks
        rank();
        give_memory_back();
        compare();
        checkpoint_->remove();
        return std::move(findings_.report);
    }

  private:
    static constexpr std::uint64_t piece = 1 << 14;
    static_assert(piece % states_of_a_block == 0);

    /// The tables of these classes and of the class itself.
    TableSet<G> open(std::vector<std::uint32_t> classes, std::uint64_t cache) const {
        classes.push_back(class_);
        return tables_with_cache(tables_, classes, cache);
    }

    template <class Put>
    void rest(Put&& put) {
        checkpoint_->save_if_due(task_, put);
    }

    void put(CheckpointWriter& writer) const {
        writer.value(plan_.length);
        writer.value(checked_);
        writer.value(ranked_);
        writer.value(moves_.load());
        put_report(writer, findings_.report);
        layers_->put(writer, checked_);
    }

    void take(CheckpointReader& reader) {
        std::uint64_t length = 0;
        std::uint64_t moves = 0;
        reader.value(length);
        reader.value(checked_);
        reader.value(ranked_);
        reader.value(moves);
        take_report(reader, findings_.report);
        moves_ = moves;
        const std::optional<PartsPlan> plan = plan_.with_length(length, size_);
        if (!reader.whole() || !plan || checked_ > size_) return;
        make_layers(*plan);
        layers_->take(reader, checked_);
    }

    void make_layers(const PartsPlan& plan) {
        layers_.emplace(game_, class_, tables_.directory(), plan, threads_, task_);
    }

    void begin_anew() {
        findings_.report = {};
        findings_.report.checked = size_;
        checked_ = ranked_ = moves_ = 0;
        make_layers(plan_);
    }

    /// Step 1. Leaves `checked_` below the size where blocks are damaged.
    template <bool in_memory>
    void check(const TableSet<G>& tables) {
        const std::vector<const TableFile*> files = findings_.checked_tables(tables, class_, threads_, task_);
        findings_.report.checked = size_;
        if (findings_.report.failed > 0) return;
        if (!checkpoint_->load([this](CheckpointReader& reader) { take(reader); })) begin_anew();
        std::vector<Consistency<G, in_memory>> checks;
        for (unsigned number = 0; number < threads_; ++number) {
            checks.emplace_back(game_, class_, files, layers_->fingerprint(), findings_, plan_.moves);
        }
        task_.done = checked_;
        // A piece has as many entries as there is room for their moves, so that the moves are sorted together.
        const std::uint64_t length = in_memory ? piece : (plan_.moves / lookups_an_entry / piece + 1) * piece;
        while (checked_ < size_) {
            const std::uint64_t first = checked_;
            const std::uint64_t count = std::min(std::max(piece << 8, threads_ * length), size_ - first);
            in_pieces(threads_, count, length, task_, [&](unsigned number, std::uint64_t from, std::uint64_t to) {
                std::vector<LayerState> states;
                std::uint64_t at = first + from;
                moves_ += checks[number].check(first + from, first + to, [&](std::uint64_t i, LayerState state) {
                    states.push_back(state);
                    if (states.size() < piece && i + 1 < first + to) return;
                    layers_->set(at, states.data(), states.size());
                    at += states.size();
                    states.clear();
                });
                task_.done.fetch_add(to - from, std::memory_order_relaxed);
            });
            checked_ += count;
            rest([this](CheckpointWriter& writer) { put(writer); });
        }
    }

    /// Step 2.
    void rank() {
        task_.begin(TableTask::Phase::ranking);
        task_.done = ranked_;
        const std::uint64_t fewest = 16 * threads_ * largest_block();
        const TableSet<G> own = open({}, fewest);
        layers_->find_layers(*own.table(class_), [&] {
            ranked_ = task_.done;
            rest([this](CheckpointWriter& writer) { put(writer); });
        });
    }

    /// Compares the layers with those of the children if they may be wrong, and finds the entries without one.
    void compare() {
        const TableSet<G> own = open({}, plan_.cache);
        const TableFile& table = *own.table(class_);
        LayersByMoves<G> layers(game_, class_, table, layers_->states(), plan_.moves, threads_, task_);
        if (layers_->update_fingerprint() != moves_) {  // an entry has no layer, or the predecessors are wrong
            task_.begin(TableTask::Phase::confirming);
            layers.confirm([&](std::uint64_t i) {
                findings_.add(i, table.value(i), "moves", "its moves backwards and forwards do not agree");
            });
        }
        layers.complete([&](std::uint64_t i) {
            findings_.add(i, table.value(i), "progress",
                          "no line of play brings this value about: it rests on a cycle only");
        });
        std::tie(findings_.report.longest, findings_.report.longest_entry) = layers.longest();
    }

    std::uint64_t largest_block() const { return tables_.table(class_)->header().block_bytes() + TableHeader::tail; }

    const TableSet<G>& tables_;
    const G& game_;
    std::uint32_t class_;
    std::uint64_t size_;
    PartsPlan plan_;
    unsigned threads_;
    std::chrono::milliseconds checkpoint_every_;
    TableTask& task_;
    std::optional<VerificationCheckpoint> checkpoint_;
    std::optional<LayersInParts<G>> layers_;
    std::uint64_t checked_ = 0;            // entries whose consistency has been checked: the first ones
    std::uint64_t ranked_ = 0;             // entries whose predecessors have been updated
    std::atomic<std::uint64_t> moves_{0};  // sum of the fingerprints of the moves in the class to entries other than 0
    TableFindings findings_;
};

}  // namespace proofbase
