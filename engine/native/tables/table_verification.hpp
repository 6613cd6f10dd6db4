// Verification of a table (docs/tables.md): by the rules, forwards. It does not matter which program built the table.
//
// 1. Consistency. Every entry is the maximum of reward - value(child) over the moves that the rules give, or the
//    terminal value. Children in smaller classes are looked up in their tables, which have a verification of their own.
// 2. Progress. Consistency alone would let values other than 0 rest on a cycle. Every entry other than 0 gets a layer
//    that lower layers justify (table_layers.hpp), so an entry that only a cycle supports never gets one.
//
// Step 1 goes through the class in the order of the table and looks up the children of a batch of positions together.
// The verification shares the numbering and the predecessors with the builder; both are checked by the rules here.
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
#include "tables/table_findings.hpp"
#include "tables/table_layers.hpp"
#include "tables/table_report.hpp"
#include "tables/table_set.hpp"
#include "tables/table_task.hpp"
#include "tables/verification_checkpoint.hpp"

namespace proofbase {

template <Indexed G>
class TableVerification {
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
        std::vector<const TableFile*> read;
        for (const std::uint32_t c : game_.class_needs(class_)) read.push_back(files_[c]);
        read.push_back(files_[class_]);
        VerificationCheckpoint checkpoint(read, checkpoint_every_);
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
                Consistency(*this, layers, first + from, first + to).check();
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
        if (layers.updated_moves() != moves_) {  // an entry has no layer, or the predecessors are wrong
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

    /// The consistency check of the entries of a piece.
    class Consistency {
      public:
        Consistency(TableVerification& verification, TableLayers<G>& layers, std::uint64_t from, std::uint64_t to)
            : verification_(verification), game_(verification.game_), layers_(layers), from_(from), to_(to) {}

        void check() {
            Position p = game_.table_position(verification_.class_, from_);
            for (std::uint64_t i = from_; i < to_; ++i) {
                if (i > from_) game_.table_next(p);
                look_up(p, i);
                if (entries_.size() == batch || i + 1 == to_) check_batch();
            }
            verification_.moves_.fetch_add(moves_, std::memory_order_relaxed);
            verification_.task_.done.fetch_add(to_ - from_, std::memory_order_relaxed);
        }

      private:
        using Position = typename G::Position;

        static constexpr std::size_t batch = 128;

        struct Child {
            std::uint32_t table_class;
            int reward;
            std::uint64_t rank;
        };

        struct Entry {
            std::uint64_t index;
            std::optional<int> terminal;
            std::size_t children_end;  // in children_; they begin where those of the entry before end
        };

        /// Puts an entry into the batch, with its children, whose values are prefetched.
        void look_up(const Position& p, std::uint64_t i) {
            if (game_.table_class(p) != verification_.class_ || game_.table_rank(p) != i) {
                report(i, "moves", "the position of this number has another number");
                return;
            }
            const std::size_t first = children_.size();
            const std::optional<int> terminal = game_.terminal(p);
            bool foreign = false;
            if (!terminal) {
                for_each_child_by_rules(game_, p, [&](const Position& child, int reward) {
                    const std::uint32_t c = game_.table_class(child);
                    foreign |= c >= verification_.files_.size() || verification_.files_[c] == nullptr ||
                               (c == verification_.class_ && reward != 0);
                    if (foreign) return;
                    const std::uint64_t rank = game_.table_rank(child);
                    verification_.files_[c]->prefetch(rank);
                    children_.push_back({c, reward, rank});
                });
            }
            if (foreign) {
                report(i, "moves", "a move leads to a class that the game does not name");
                children_.resize(first);
                return;
            }
            entries_.push_back({i, terminal, children_.size()});
        }

        /// Compares the entries of the batch with what their moves are worth.
        void check_batch() {
            std::size_t k = 0;
            for (const Entry& entry : entries_) {
                const int stored = verification_.stored(entry.index);
                std::optional<int> best = entry.terminal;
                unsigned inside = 0;  // moves in the class that are worth the value
                bool leaves = false;  // a move out of the class is worth the value
                for (; k < entry.children_end; ++k) {
                    const Child& child = children_[k];
                    const int value = verification_.files_[child.table_class]->unchecked(child.rank);
                    const int worth = child.reward - value;
                    if (!best || worth > *best) best = worth;
                    const bool stays = child.table_class == verification_.class_;
                    if (stays && value != 0) moves_ += layers_.move_fingerprint(entry.index, child.rank);
                    if (worth != stored) continue;
                    if (stays) {
                        ++inside;
                    } else {
                        leaves = true;
                    }
                }
                if (best != stored) {
                    report(entry.index, "value", "its moves are worth " + (best ? std::to_string(*best) : "nothing"));
                } else if (entry.terminal) {
                    layers_.set_layer(entry.index, 0);
                } else if (stored > 0 ? leaves : stored < 0 && inside == 0) {
                    layers_.set_layer(entry.index, 1);
                } else {
                    if (inside > TableLayers<G>::most_awaited) {
                        throw std::length_error("a position with too many moves");
                    }
                    layers_.await_moves(entry.index, stored, stored > 0 ? 1 : stored < 0 ? inside : 0);
                }
            }
            entries_.clear();
            children_.clear();
        }

        /// Reports an entry. The entry gets a layer all the same, so that the entries that rest on it are not reported
        /// too.
        void report(std::uint64_t i, const char* rule, std::string detail) {
            verification_.findings_.add(i, verification_.stored(i), rule, std::move(detail));
            layers_.set_layer(i, 1);
        }

        TableVerification& verification_;
        const G& game_;
        TableLayers<G>& layers_;
        std::uint64_t from_;
        std::uint64_t to_;
        std::uint64_t moves_ = 0;
        std::vector<Child> children_;
        std::vector<Entry> entries_;
    };

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
