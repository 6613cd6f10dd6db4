// What building a class does around its solving: the tables that it needs are checked first, its own is written last.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_file.hpp"
#include "tables/files/table_format.hpp"
#include "tables/files/table_set.hpp"
#include "tables/table_task.hpp"

namespace proofbase {

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
        in_pieces(threads, table->header().blocks(), 256, task, [&](std::uint64_t from, std::uint64_t to) {
            for (std::uint64_t block = from; block < to; ++block) table->check(block);
        });
        if (c >= out.size()) out.resize(c + 1);
        out[c] = table;
    }
    return out;
}

/// Blocks of a table that are packed in memory before they are written.
inline constexpr std::uint64_t blocks_together = 1024;

/// Writes a table of the plain form. `entry(i)` is what the file holds for the number i, below 2^header.bits;
/// `get_ready(from, to)` is called before the entries with these numbers, those of `together` blocks, are asked for.
/// Throws TableWorkCancelled, std::filesystem::filesystem_error.
template <class Entry, class GetReady>
void write_table(const std::filesystem::path& path, const TableHeader& header, unsigned threads, TableTask& task,
                 std::uint64_t together, Entry&& entry, GetReady&& get_ready) {
    const auto pack_block = [&](std::uint64_t number, unsigned char* out) {
        const std::uint64_t from = number * header.block_entries;
        const std::uint64_t to = std::min(from + header.block_entries, header.entries);
        std::array<std::uint16_t, TableHeader::plain_block_entries> entries;
        for (std::uint64_t i = from; i < to; ++i) entries[i - from] = static_cast<std::uint16_t>(entry(i));
        pack_entries(entries.data(), to - from, header.bits, out);
    };
    NewFile file(path);
    std::vector<std::uint32_t> checksums(header.blocks());
    const std::string zeros(header.data_start(), '\0');
    file.write(zeros.data(), zeros.size());
    // All threads pack blocks and compute their checksums; this thread writes them, some megabytes at a time.
    std::vector<unsigned char> packed;
    for (std::uint64_t first = 0; first < header.blocks(); first += together) {
        const std::uint64_t count = std::min(together, header.blocks() - first);
        get_ready(first * header.block_entries, std::min((first + count) * header.block_entries, header.entries));
        packed.assign(count * header.block_bytes(), 0);
        in_pieces(threads, count, 16, task, [&](std::uint64_t from, std::uint64_t to) {
            for (std::uint64_t k = from; k < to; ++k) {
                unsigned char* block = packed.data() + k * header.block_bytes();
                pack_block(first + k, block);
                checksums[first + k] = crc32(block, header.block_bytes(), static_cast<std::uint32_t>(first + k));
            }
        });
        file.write(packed.data(), packed.size());
        task.done = std::min(header.entries, (first + count) * header.block_entries);
    }
    const std::string tail(TableHeader::tail, '\0');
    file.write(tail.data(), tail.size());
    const std::string written = header.written();
    file.write_at(0, written.data(), written.size());
    file.write_at(TableHeader::bytes, checksums.data(), checksums.size() * 4);
    file.finish();
}

/// The same for entries that are all at hand.
template <class Entry>
void write_table(const std::filesystem::path& path, const TableHeader& header, unsigned threads, TableTask& task,
                 Entry&& entry) {
    write_table(path, header, threads, task, blocks_together, entry, [](std::uint64_t, std::uint64_t) {});
}

}  // namespace proofbase
