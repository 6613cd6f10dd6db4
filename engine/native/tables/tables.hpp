// The tables of a game up to a size: building those that are missing, rewriting, verifying. This is the door to
//
//   retrograde/      retrograde analysis of a class in memory, by values and by plies
//   verify/          verification of a table in memory
//   reached/         both for tables of the positions that can arise
//   outside_memory/  both for a class whose states do not fit into the memory
//   files/           table files, their compression and cache, the tables of a directory, files of checkpoints
//   plan/            how a class is cut into parts
//   work/            progress, cancellation, threads, when a checkpoint is due
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/checkpoint_file.hpp"
#include "tables/files/compressed_table.hpp"
#include "tables/files/directory_lock.hpp"
#include "tables/files/table_set.hpp"
#include "tables/needs.hpp"
#include "tables/outside_memory/build_in_parts.hpp"
#include "tables/outside_memory/plies_in_parts.hpp"
#include "tables/outside_memory/values_in_parts.hpp"
#include "tables/outside_memory/verification_in_parts.hpp"
#include "tables/plan/plan.hpp"
#include "tables/reached/retrograde_by_reach.hpp"
#include "tables/reached/verification_by_reach.hpp"
#include "tables/retrograde/build_checkpoint.hpp"
#include "tables/retrograde/retrograde.hpp"
#include "tables/retrograde/retrograde_by_plies.hpp"
#include "tables/retrograde/retrograde_by_resets.hpp"
#include "tables/verify/plies_verification.hpp"
#include "tables/verify/table_verification.hpp"
#include "tables/work/build_limits.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <HasTables G>
class TableWork {
  public:
    /// `plies`: tables of plies beside those of values are wanted as well.
    /// Throws std::invalid_argument if the game has none.
    TableWork(G game, std::filesystem::path directory, std::vector<std::uint32_t> classes, unsigned threads, bool plies)
        : game_(std::move(game)),
          directory_(std::move(directory)),
          classes_(std::move(classes)),
          threads_(threads),
          plies_(plies) {
        if (plies && IndexedByPlies<G>) throw std::invalid_argument("tables of " + game_.name() + " hold plies anyway");
        if (plies && !HasPlies<G>) throw std::invalid_argument("tables of " + game_.name() + " cannot hold plies");
    }

    const G& game() const noexcept { return game_; }
    const std::vector<std::uint32_t>& classes() const noexcept { return classes_; }

    /// Leaves only the class whose table has that name, and those that it needs.
    /// Throws std::invalid_argument if there is no such table, or the game builds all its tables together.
    void restrict_to(const std::string& table) {
        std::set<std::uint32_t> needed;
        if constexpr (!IndexedByReach<G>) {
            for (auto c = classes_.rbegin(); c != classes_.rend(); ++c) {  // a class stands behind those that it needs
                if (!needed.contains(*c) && table_name(game_, *c, TableColumn::values) != table) continue;
                needed.insert(*c);
                for (const std::uint32_t need : game_.class_needs(*c)) needed.insert(need);
            }
        }
        if (needed.empty()) throw std::invalid_argument("there is no table " + table + " to be built alone");
        std::erase_if(classes_, [&](std::uint32_t c) { return !needed.contains(c); });
    }

    /// The tables as they are now.
    TableSet<G> tables(TableColumn column = TableColumn::values) const {
        return {game_, directory_, classes_, Damage::refuse, column};
    }

    /// Calls `visit(set, c)` for every table of this work in the order in which they are built: those of values, and
    /// those of plies that are wanted or there.
    template <class Visit>
    void for_each_table(Visit&& visit) const {
        const TableSet<G> values = tables();
        for (const std::uint32_t c : classes_) visit(values, c);
        if constexpr (IndexedWithPlies<G>) {
            const TableSet<G> plies = tables(TableColumn::plies);
            for (const std::uint32_t c : classes_) {
                if (plies_ || plies.table(c) != nullptr) visit(plies, c);
            }
        }
    }

    BuildNeeds build_needs(const TableSet<G>& tables, std::uint32_t c, const BuildLimits& limits) const {
        return needs_of(BuildPlanner<G>{tables, c}, threads_, limits);
    }

    /// Builds the tables that are missing, class after class, those that would need more memory than there is in parts.
    /// A finished table stays, also when a later class fails. `compression`: each table is compressed before the next
    /// one is built, those that are there too.
    /// Throws TableWorkCancelled, DamagedTable, std::filesystem::filesystem_error, std::invalid_argument (a class that
    /// cannot be built with the memory, or of the compression).
    void build(std::chrono::milliseconds checkpoint_every, const BuildLimits& limits,
               const std::optional<Compression>& compression, TableTask& task) {
        if (compression) compression->check();
        std::filesystem::create_directories(directory_);
        const DirectoryLock lock = build_lock();
        if constexpr (IndexedByReach<G>) {
            build_together(checkpoint_every, limits, task);
        } else {
            for (const Table& table : begin(task)) {
                task.stop_if_cancelled();
                if (table.present) {
                    forget(table_name(game_, table.c, table.column));
                } else {
                    build_class(table.c, table.column, checkpoint_every, limits, task);
                }
                if (compression) rewrite(table.c, table.column, compression, task);
                task.begin(TableTask::Phase::waiting);
                task.before += game_.class_size(table.c);
            }
        }
    }

    /// Writes the tables that there are in another form, those that have it already excepted: compressed, or plain
    /// where no compression is given. What was finished stays when it is stopped.
    /// Throws TableWorkCancelled, DamagedTable, std::invalid_argument (of the compression),
    /// std::filesystem::filesystem_error.
    void rewrite(const std::optional<Compression>& compression, TableTask& task) {
        if (compression) compression->check();
        if (!std::filesystem::exists(directory_)) return;
        const DirectoryLock lock = build_lock();
        for (const Table& table : begin(task)) {
            task.stop_if_cancelled();
            if (table.present) rewrite(table.c, table.column, compression, task);
            task.begin(TableTask::Phase::waiting);
            task.before += game_.class_size(table.c);
        }
    }

    BuildNeeds verification_needs(const TableSet<G>& tables, std::uint32_t c, const BuildLimits& limits) const {
        return needs_of(VerificationPlanner<G>{tables, c}, threads_, limits);
    }

    /// Verifies a table, one that would need more memory than there is in parts.
    /// Throws TableWorkCancelled, DamagedTable (a file that cannot be opened), std::invalid_argument (one that is
    /// missing, or the memory is too little), std::filesystem::filesystem_error.
    TableReport verify(std::uint32_t number, std::chrono::milliseconds checkpoint_every, const BuildLimits& limits,
                       TableTask& task) {
        const std::uint32_t c = number & ~plies_column_number;
        list_class(c, TableTask::Phase::checking, task);
        const TableSet<G> set(game_, directory_, classes_read_for(game_, c), Damage::refuse,
                              c == number ? TableColumn::values : TableColumn::plies);
        TableReport report = verify(set, c, checkpoint_every, limits, task);
        task.begin(TableTask::Phase::waiting);
        task.before += game_.class_size(c);
        return report;
    }

  private:
    /// Builds all tables of a game if one of them is missing.
    void build_together(std::chrono::milliseconds checkpoint_every, const BuildLimits& limits, TableTask& task)
        requires IndexedByReach<G>
    {
        const TableSet<G> present = tables();
        const std::vector<Table> all = begin(task);
        const auto missing = std::find_if(all.begin(), all.end(), [](const Table& one) { return !one.present; });
        if (missing == all.end()) return forget(file_name(game_.name()));
        const BuildNeeds needs = build_needs(present, missing->c, limits);
        if (needs.memory > limits.memory) refuse_memory(present, missing->c, needs);
        RetrogradeByReach<G>(present, {threads_, checkpoint_every}, task).run();
    }

    /// Removes the checkpoint of a build that was killed when its table was written already.
    void forget(const std::string& name) const {
        try {
            remove_checkpoint(directory_ / (name + ".checkpoint"));
        } catch (const std::filesystem::filesystem_error&) {
            // It does no harm: the table is there, and the directory may be one that only reads.
        }
    }

    [[noreturn]] static void refuse_memory(const TableSet<G>& tables, std::uint32_t c, const BuildNeeds& needs) {
        throw std::invalid_argument("table " + tables.name(c) + " needs " + std::to_string(needs.least_memory) +
                                    " bytes of memory at least");
    }

    /// Lists the moves of a class before the work on it, where the game wants that.
    void list_class(std::uint32_t c, TableTask::Phase phase, TableTask& task) const {
        if constexpr (ListsMoves<G>) {
            task.table_class = c;
            task.size = game_.class_size(c);
            task.begin(phase);
            game_.list_class(c, task);
        }
    }

    struct Table {
        std::uint32_t c;
        TableColumn column;
        bool present;
    };

    /// The tables of this work, of which `task` gets the number of positions.
    std::vector<Table> begin(TableTask& task) const {
        std::vector<Table> out;
        std::uint64_t total = 0;
        for_each_table([&](const TableSet<G>& set, std::uint32_t c) {
            out.push_back({c, set.column(), set.table(c) != nullptr});
            total += game_.class_size(c);
        });
        task.total = total;
        task.before = 0;
        return out;
    }

    void build_class(std::uint32_t c, TableColumn column, std::chrono::milliseconds checkpoint_every,
                     const BuildLimits& limits, TableTask& task) const {
        list_class(c, TableTask::Phase::preparing, task);
        const TableSet<G> needed(game_, directory_, game_.class_needs(c), Damage::refuse, column);
        const BuildNeeds needs = build_needs(needed, c, limits);
        if (needs.memory > limits.memory) refuse_memory(needed, c, needs);
        const BuildOptions options{threads_, checkpoint_every};
        std::optional<PartsPlan> parts;
        if constexpr (!BuildPlanner<G>::only_as_a_whole) {
            parts = plan_in_parts(BuildPlanner<G>{needed, c}, threads_, limits);
        }
        const BuildCheckpoint checkpoint(needed.path(c), needed.header(c));
        std::filesystem::remove_all(needed.path(c).replace_extension(".parts"));  // of a build by an older release
        if constexpr (HasPlies<G>) {
            if (needed.holds_plies()) {
                return with_entry_of_plies(game_, c, [&](auto entry) {
                    using Entry = decltype(entry);
                    if constexpr (!BuildPlanner<G>::only_as_a_whole) {
                        if (parts) return BuildInParts<PliesInParts<G, Entry>>(needed, c, *parts, options, task).run();
                    }
                    checkpoint.remove();  // of parts for which there is no memory any more
                    RetrogradeByPlies<G, Entry>(needed, c, threads_, task).run();
                });
            }
        }
        if constexpr (IndexedByResets<G>) return RetrogradeByResets<G>(needed, c, threads_, task).run();
        if constexpr (Indexed<G>) {
            if constexpr (!BuildPlanner<G>::only_as_a_whole) {
                if (parts) return BuildInParts<ValuesInParts<G>>(needed, c, *parts, options, task).run();
            }
            return Retrograde<G>(needed, c, options, task).run();
        }
    }

    /// The right to write tables. Throws std::runtime_error if another process has it.
    DirectoryLock build_lock() const {
        DirectoryLock lock(directory_ / "build.lock");
        if (lock.held()) return lock;
        throw std::runtime_error("tables are being built in " + directory_.string() + " by another process");
    }

    void rewrite(std::uint32_t c, TableColumn column, const std::optional<Compression>& compression,
                 TableTask& task) const {
        const TableSet<G> set(game_, directory_, {c}, Damage::refuse, column);
        const TableFile* table = set.table(c);
        if (table == nullptr) return;
        const TableHeader& header = table->header();
        if (!compression && !header.compressed) return;
        if (compression && header.compressed && header.block_entries == compression->block_entries) return;
        task.table_class = set.number(c);
        rewrite_table(*table, table->path(), compression, threads_, task);
    }

    TableReport verify(const TableSet<G>& set, std::uint32_t c, std::chrono::milliseconds checkpoint_every,
                       const BuildLimits& limits, TableTask& task) const {
        const BuildNeeds needs = verification_needs(set, c, limits);
        if (needs.memory > limits.memory) {
            throw std::invalid_argument("table " + set.name(c) + " needs " + std::to_string(needs.least_memory) +
                                        " bytes of memory at least to be verified");
        }
        if constexpr (IndexedByReach<G>) {
            return VerificationByReach<G>(set, c, threads_, checkpoint_every, task).run();
        } else {
            return verify(set, c, plan_in_parts(VerificationPlanner<G>{set, c}, threads_, limits), checkpoint_every,
                          task);
        }
    }

    TableReport verify(const TableSet<G>& set, std::uint32_t c, const std::optional<PartsPlan>& plan,
                       std::chrono::milliseconds checkpoint_every, TableTask& task) const {
        if constexpr (!Indexed<G>) {
            return PliesVerification<G>(set, c, plan, threads_, checkpoint_every, task).run();
        } else {
            if constexpr (HasPlies<G>) {
                if (set.holds_plies()) {
                    return PliesVerification<G>(set, c, plan, threads_, checkpoint_every, task).run();
                }
            }
            if constexpr (!VerificationPlanner<G>::only_as_a_whole) {
                if (plan) return VerificationInParts<G>(set, c, *plan, threads_, checkpoint_every, task).run();
            }
            return TableVerification<G>(set, c, threads_, checkpoint_every, task).run();
        }
    }

    G game_;
    std::filesystem::path directory_;
    std::vector<std::uint32_t> classes_;
    unsigned threads_;
    bool plies_;
};

}  // namespace proofbase
