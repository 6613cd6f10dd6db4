// Work on the tables of a game up to a size: building those that are missing, verifying.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/compression/compressed_table.hpp"
#include "tables/directory_lock.hpp"
#include "tables/plies_verification.hpp"
#include "tables/retrograde.hpp"
#include "tables/retrograde_by_plies.hpp"
#include "tables/table_set.hpp"
#include "tables/table_task.hpp"
#include "tables/table_verification.hpp"

namespace proofbase {

/// What building a class takes: by the tables that there are, and by the bits that the game's values can need where
/// there is none yet.
template <HasTables G>
BuildNeeds build_needs(const TableSet<G>& tables, std::uint32_t table_class) {
    const G& game = tables.game();
    const auto header = [&](std::uint32_t c) {
        if (tables.table(c) != nullptr) return tables.table(c)->header();
        TableHeader missing;
        missing.entries = game.class_size(c);
        missing.bits = IndexedByPlies<G> ? 8 : std::min<unsigned>(8, std::bit_width(2u * game.highest_value()));
        return missing;
    };
    const std::uint64_t size = game.class_size(table_class);
    BuildNeeds out{(IndexedByPlies<G> ? 3 : 2) * size, header(table_class).plain_bytes(), 0};
    if constexpr (!IndexedByPlies<G>) out.checkpoint = TableHeader::bytes + 12 + 2 * size;
    for (const std::uint32_t c : game.class_needs(table_class)) {
        const TableHeader needed = header(c);
        out.memory += needed.blocks() * needed.block_bytes();
    }
    return out;
}

template <HasTables G>
class TableWork {
  public:
    TableWork(G game, std::filesystem::path directory, std::vector<std::uint32_t> classes, unsigned threads)
        : game_(std::move(game)), directory_(std::move(directory)), classes_(std::move(classes)), threads_(threads) {}

    const G& game() const noexcept { return game_; }
    const std::vector<std::uint32_t>& classes() const noexcept { return classes_; }

    /// The tables as they are now.
    TableSet<G> tables() const { return {game_, directory_, classes_}; }

    /// Builds the tables that are missing, class after class. A finished table stays, also when a later class fails.
    /// Throws TableWorkCancelled, DamagedTable, std::filesystem::filesystem_error.
    void build(std::chrono::milliseconds checkpoint_every, TableTask& task) {
        std::filesystem::create_directories(directory_);
        const DirectoryLock lock = build_lock();
        const std::vector<std::uint32_t> present = tables().classes();
        task.total = 0;
        task.before = 0;
        for (const std::uint32_t c : classes_) task.total += game_.class_size(c);
        for (const std::uint32_t c : classes_) {
            task.stop_if_cancelled();
            if (!std::binary_search(present.begin(), present.end(), c)) build_class(c, checkpoint_every, task);
            task.begin(TableTask::Phase::waiting);
            task.before += game_.class_size(c);
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
        const std::vector<std::uint32_t> present = tables().classes();
        task.total = 0;
        task.before = 0;
        for (const std::uint32_t c : present) task.total += game_.class_size(c);
        for (const std::uint32_t c : present) {
            task.stop_if_cancelled();
            rewrite(c, compression, task);
            task.begin(TableTask::Phase::waiting);
            task.before += game_.class_size(c);
        }
    }

    /// Throws TableWorkCancelled, DamagedTable (a file that cannot be opened), std::invalid_argument (one that is
    /// missing).
    TableReport verify(std::uint32_t c, std::chrono::milliseconds checkpoint_every, TableTask& task) {
        std::vector<std::uint32_t> needed = game_.class_needs(c);
        needed.push_back(c);
        const TableSet<G> set(game_, directory_, needed);
        TableReport report = verify(set, c, checkpoint_every, task);
        task.begin(TableTask::Phase::waiting);
        task.before += game_.class_size(c);
        return report;
    }

  private:
    /// Has the tables in memory that the class needs, and no others.
    void build_class(std::uint32_t c, std::chrono::milliseconds checkpoint_every, TableTask& task) const {
        const TableSet<G> needed(game_, directory_, game_.class_needs(c));
        if constexpr (IndexedByPlies<G>) {
            RetrogradeByPlies<G>(needed, c, threads_, task).run();
        } else {
            Retrograde<G>(needed, c, {threads_, checkpoint_every}, task).run();
        }
    }

    /// The right to write tables. Throws std::runtime_error if another process has it.
    DirectoryLock build_lock() const {
        DirectoryLock lock(directory_ / "build.lock");
        if (lock.held()) return lock;
        throw std::runtime_error("tables are being built in " + directory_.string() + " by another process");
    }

    void rewrite(std::uint32_t c, const std::optional<Compression>& compression, TableTask& task) const {
        const TableSet<G> set(game_, directory_, {c});
        const TableFile* table = set.table(c);
        if (table == nullptr) return;
        const TableHeader& header = table->header();
        if (!compression && !header.compressed) return;
        if (compression && header.compressed && header.block_entries == compression->block_entries) return;
        task.table_class = c;
        rewrite_table(*table, table->path(), compression, threads_, task);
    }

    TableReport verify(const TableSet<G>& set, std::uint32_t c, std::chrono::milliseconds checkpoint_every,
                       TableTask& task) const {
        if constexpr (IndexedByPlies<G>) {
            return PliesVerification<G>(set, c, threads_, task).run();  // one pass, a matter of seconds
        } else {
            return TableVerification<G>(set, c, threads_, checkpoint_every, task).run();
        }
    }

    G game_;
    std::filesystem::path directory_;
    std::vector<std::uint32_t> classes_;
    unsigned threads_;
};

}  // namespace proofbase
