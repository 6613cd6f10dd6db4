// Writing a table of the plain form: its entries are packed in threads.
#pragma once

#include <cstdint>
#include <filesystem>

#include "function_ref.hpp"
#include "tables/files/table_format.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// Blocks of a table that are packed in memory before they are written.
inline constexpr std::uint64_t packed_at_once = 1024;

/// Writes a table of the plain form. `put_entries(from, to, out)` writes what the file holds for these numbers, each
/// below 2^header.bits; `prepare(from, to)` is called before the entries with these numbers, those of `blocks_at_once`
/// blocks, are asked for.
/// Throws TableWorkCancelled, std::filesystem::filesystem_error.
void write_packed_table(const std::filesystem::path& path, const TableHeader& header, unsigned threads, TableTask& task,
                        std::uint64_t blocks_at_once,
                        FunctionRef<void(std::uint64_t, std::uint64_t, std::uint16_t*)> put_entries,
                        FunctionRef<void(std::uint64_t, std::uint64_t)> prepare);

/// The same by `entry(i)`, the entry with the number i.
template <class Entry, class Prepare>
void write_table(const std::filesystem::path& path, const TableHeader& header, unsigned threads, TableTask& task,
                 std::uint64_t blocks_at_once, Entry&& entry, Prepare&& prepare) {
    const auto put_entries = [&](std::uint64_t from, std::uint64_t to, std::uint16_t* out) {
        for (std::uint64_t i = from; i < to; ++i) out[i - from] = static_cast<std::uint16_t>(entry(i));
    };
    write_packed_table(path, header, threads, task, blocks_at_once, put_entries, prepare);
}

/// The same for entries that are all at hand.
template <class Entry>
void write_table(const std::filesystem::path& path, const TableHeader& header, unsigned threads, TableTask& task,
                 Entry&& entry) {
    write_table(path, header, threads, task, packed_at_once, entry, [](std::uint64_t, std::uint64_t) {});
}

}  // namespace proofbase
