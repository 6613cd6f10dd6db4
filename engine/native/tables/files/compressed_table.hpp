// Writes a table that exists in another form: compressed, or plain again (docs/tables.md, "Compressed tables").
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "function_ref.hpp"
#include "tables/files/table_file.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// How a table is compressed.
struct Compression {
    static constexpr int lowest_level = 1;
    static constexpr int highest_level = 22;

    int level = 12;                      ///< of zstd
    std::uint64_t block_entries = 8192;  ///< a power of two, TableHeader::fewest_block_entries at least

    /// Throws std::invalid_argument.
    void check() const;
};

/// Writes a table of the compressed form. `entries(block)`: those of a block less the lowest value, one after the
/// other, with the low byte first where they have two. `prepare(from, to)` is called before the blocks of the entries
/// with these numbers, some megabytes, are asked for. Every block is read again from its compressed form and compared
/// before it is written.
///
/// Throws TableWorkCancelled (there is no file then), DamagedTable, std::filesystem::filesystem_error.
void write_compressed_table(const TableHeader& header, int level, const std::filesystem::path& path, unsigned threads,
                            TableTask& task, FunctionRef<std::vector<unsigned char>(std::uint64_t)> entries,
                            FunctionRef<void(std::uint64_t, std::uint64_t)> prepare);

/// Writes the entries of a table to a file, which may be the table's own: it is replaced when all of it is on the disk.
///
/// Args:
///     compression: nothing for the plain form.
///
/// Throws TableWorkCancelled (nothing is changed then), DamagedTable, std::filesystem::filesystem_error.
void rewrite_table(const TableFile& table, const std::filesystem::path& path,
                   const std::optional<Compression>& compression, unsigned threads, TableTask& task);

}  // namespace proofbase
