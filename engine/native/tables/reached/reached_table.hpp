// The positions and values of a table that has entries for some numbers only, in memory and in its file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "function_ref.hpp"
#include "tables/files/table_file.hpp"
#include "tables/files/table_format.hpp"
#include "tables/reached/reached_numbers.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

struct ReachedTable {
    ReachedNumbers numbers;
    std::vector<std::int8_t> values;  ///< in the order of the numbers

    std::optional<int> value(std::uint64_t number) const noexcept {
        const std::optional<std::uint64_t> place = numbers.find(number);
        return place ? std::optional<int>(values[*place]) : std::nullopt;
    }
};

/// Entries of a block of a table that is written.
inline constexpr std::uint64_t reached_block_entries = std::uint64_t{1} << 16;

/// Writes a table in the compressed form. `header`: lowest value, bits and form are filled in here. `unreached`: the
/// entry of all other numbers.
/// Throws TableWorkCancelled, std::filesystem::filesystem_error.
void write_reached_table(const ReachedTable& table, TableHeader header, int unreached,
                         const std::filesystem::path& path, unsigned threads, TableTask& task);

/// Reads a table. Calls `damaged(block, error)`, from any thread, for blocks that do not agree with their checksums.
/// Throws TableWorkCancelled.
ReachedTable read_reached_table(const TableFile& file, int unreached, unsigned threads, const TableTask& task,
                                FunctionRef<void(std::uint64_t, const std::exception&)> damaged);

}  // namespace proofbase
