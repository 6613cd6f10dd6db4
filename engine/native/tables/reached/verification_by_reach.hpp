// Verification of a table of the positions that can arise (IndexedByReach), entry by entry by the rules
// (docs/tables.md): the moves of a position that has an entry lead to positions that have entries, and the entry is the
// best of them. The initial position has one in the table of its class. So every position that can arise has its value
// in a table.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_set.hpp"
#include "tables/reached/reached_table.hpp"
#include "tables/verify/table_findings.hpp"
#include "tables/verify/table_report.hpp"
#include "tables/verify/verification_checkpoint.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <IndexedByReach G>
class VerificationByReach {
  public:
    /// `tables` has the table of this class and those of the classes that it needs. Where it stands is saved about as
    /// often as `checkpoint_every` says.
    VerificationByReach(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads,
                        std::chrono::milliseconds checkpoint_every, TableTask& task)
        : game_(tables.game()),
          tables_(tables),
          class_(table_class),
          threads_(threads),
          checkpoint_every_(checkpoint_every),
          task_(task) {
        reached_.resize(table_class + 1);
    }

    /// Goes on from a checkpoint if there is one. Throws TableWorkCancelled, std::invalid_argument (a table is not
    /// there), std::filesystem::filesystem_error.
    TableReport run() {
        task_.table_class = class_;
        task_.size = game_.class_size(class_);
        task_.begin(TableTask::Phase::checking);
        for (const std::uint32_t c : classes_read_for(game_, class_)) read(c);
        if (findings_.report.failed > 0) return std::move(findings_.report);  // values of damaged blocks say nothing
        const ReachedTable& table = reached_[class_];
        VerificationCheckpoint checkpoint(tables_read_for(tables_, class_), checkpoint_every_, "by reach\n");
        if (!checkpoint.load([this](CheckpointReader& reader) { take(reader); })) {
            findings_.report = {};
            checked_ = 0;
            check_initial();
        }
        findings_.report.checked = table.numbers.size();
        task_.done = ReachedNumbers::group * checked_;
        while (checked_ < table.numbers.groups()) {
            const std::uint64_t first = checked_;
            const std::uint64_t count =
                std::min<std::uint64_t>(threads_ * groups_between_rests, table.numbers.groups() - first);
            in_pieces(threads_, count, 1, task_, [&](std::uint64_t from, std::uint64_t to) {
                for (std::uint64_t group = first + from; group < first + to; ++group) {
                    for (std::uint64_t k = table.numbers.start(group); k < table.numbers.start(group + 1); ++k) {
                        check(table.numbers.number(group, k), table.values[k]);
                    }
                }
                task_.done += ReachedNumbers::group * (to - from);
            });
            checked_ += count;
            checkpoint.save_if_due(task_, [this](CheckpointWriter& writer) { put(writer); });
        }
        checkpoint.remove();
        return std::move(findings_.report);
    }

  private:
    using Position = typename G::Position;

    static constexpr std::uint64_t groups_between_rests = 512;  // of a thread; less than a second

    void put(CheckpointWriter& writer) const {
        writer.value(checked_);
        put_report(writer, findings_.report);
    }

    void take(CheckpointReader& reader) {
        reader.value(checked_);
        take_report(reader, findings_.report);
    }

    void check_initial() {
        const Position initial = game_.initial();
        if (game_.table_class(initial) == class_ && !reached_[class_].numbers.find(game_.table_rank(initial))) {
            report(game_.table_rank(initial), game_.unreached_value(), "moves", "the initial position has no entry");
        }
    }

    void read(std::uint32_t c) {
        const TableFile& file = existing_table(tables_, c);
        if (c >= reached_.size()) reached_.resize(c + 1);
        reached_[c] = read_reached_table(file, game_.unreached_value(), threads_, task_,
                                         [&](std::uint64_t block, const std::exception& error) {
                                             const std::uint64_t first = block * file.header().block_entries;
                                             report(c == class_ ? first : 0, 0, "damaged", error.what());
                                         });
    }

    void check(std::uint64_t number, int stored) {
        const std::optional<Position> p = game_.table_position(class_, number);
        if (!p || game_.table_class(*p) != class_ || game_.table_rank(*p) != number) {
            return report(number, stored, "moves", "no position has this number");
        }
        int best = std::numeric_limits<int>::min();
        if (const std::optional<int> finished = game_.terminal(*p)) {
            best = *finished;
        } else {
            typename G::Moves moves;
            game_.moves(*p, moves);
            for (std::size_t m = 0; m < moves.size(); ++m) {
                const Position child = game_.play(*p, moves[m]);
                const std::uint32_t c = game_.table_class(child);
                if (c >= reached_.size() || game_.reward(*p, moves[m]) != 0) {
                    return report(number, stored, "moves", "a move leads to a class that the game does not name");
                }
                const std::optional<int> found = reached_[c].value(game_.table_rank(child));
                if (!found) {
                    return report(number, stored, "moves",
                                  "the position after " + game_.move_text(*p, moves[m]) + " has no entry");
                }
                best = std::max(best, -*found);
            }
        }
        if (best != stored) report(number, stored, "value", "its moves are worth " + std::to_string(best));
    }

    void report(std::uint64_t number, int value, const char* rule, std::string detail) {
        findings_.add(number, value, rule, std::move(detail));
    }

    const G& game_;
    const TableSet<G>& tables_;
    std::uint32_t class_;
    unsigned threads_;
    std::chrono::milliseconds checkpoint_every_;
    TableTask& task_;
    std::uint64_t checked_ = 0;  // the first groups of numbers, which have been checked
    TableFindings findings_;
    std::vector<ReachedTable> reached_;  // by class
};

}  // namespace proofbase
