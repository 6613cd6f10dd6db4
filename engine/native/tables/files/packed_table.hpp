// What building a class reads and writes: the tables that it needs are checked, its own is written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "concepts.hpp"
#include "function_ref.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_file.hpp"
#include "tables/files/table_format.hpp"
#include "tables/files/table_set.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// Holds all blocks of a table against their checksums. Throws DamagedTable, TableWorkCancelled.
void check_blocks(const TableFile& table, unsigned threads, const TableTask& task);

/// The tables of the classes that a class needs, by class, all their blocks checked.
/// Throws std::invalid_argument (one is missing), DamagedTable, TableWorkCancelled.
template <HasTables G>
std::vector<const TableFile*> needed_tables(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads,
                                            TableTask& task) {
    const G& game = tables.game();
    std::vector<const TableFile*> out;
    for (const std::uint32_t c : game.class_needs(table_class)) {
        const TableFile* table = tables.table(c);
        if (table == nullptr) {
            throw std::invalid_argument("table " + tables.name(table_class) + " needs " + tables.name(c));
        }
        check_blocks(*table, threads, task);
        if (c >= out.size()) out.resize(c + 1);
        out[c] = table;
    }
    return out;
}

/// Blocks of a table that are packed in memory before they are written.
inline constexpr std::uint64_t blocks_together = 1024;

/// Writes a table of the plain form. `put_entries(from, to, out)` writes what the file holds for these numbers, each
/// below 2^header.bits; `get_ready(from, to)` is called before the entries with these numbers, those of `together`
/// blocks, are asked for.
/// Throws TableWorkCancelled, std::filesystem::filesystem_error.
void write_packed_table(const std::filesystem::path& path, const TableHeader& header, unsigned threads, TableTask& task,
                        std::uint64_t together,
                        FunctionRef<void(std::uint64_t, std::uint64_t, std::uint16_t*)> put_entries,
                        FunctionRef<void(std::uint64_t, std::uint64_t)> get_ready);

/// The same by `entry(i)`, the entry with the number i.
template <class Entry, class GetReady>
void write_table(const std::filesystem::path& path, const TableHeader& header, unsigned threads, TableTask& task,
                 std::uint64_t together, Entry&& entry, GetReady&& get_ready) {
    const auto put_entries = [&](std::uint64_t from, std::uint64_t to, std::uint16_t* out) {
        for (std::uint64_t i = from; i < to; ++i) out[i - from] = static_cast<std::uint16_t>(entry(i));
    };
    write_packed_table(path, header, threads, task, together, put_entries, get_ready);
}

/// The same for entries that are all at hand.
template <class Entry>
void write_table(const std::filesystem::path& path, const TableHeader& header, unsigned threads, TableTask& task,
                 Entry&& entry) {
    write_table(path, header, threads, task, blocks_together, entry, [](std::uint64_t, std::uint64_t) {});
}

}  // namespace proofbase
