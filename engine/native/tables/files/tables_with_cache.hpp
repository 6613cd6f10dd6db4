// The tables of a directory for work that keeps to a limit of memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "table_concepts.hpp"
#include "tables/files/block_cache.hpp"
#include "tables/files/table_set.hpp"

namespace proofbase {

/// The tables of these classes, like those of `tables`. `cache`: bytes for their blocks; 0: what was read stays in
/// memory. Throws DamagedTable, std::filesystem::filesystem_error.
template <HasTables G>
TableSet<G> tables_with_cache(const TableSet<G>& tables, const std::vector<std::uint32_t>& classes,
                              std::uint64_t cache) {
    return {tables.game(),  tables.directory(), classes,
            Damage::refuse, tables.column(),    cache > 0 ? std::make_shared<BlockCache>(cache, cache) : nullptr};
}

}  // namespace proofbase
