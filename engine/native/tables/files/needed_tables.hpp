// The tables that building a class needs, checked before they are read.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "table_concepts.hpp"
#include "tables/files/table_file.hpp"
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

}  // namespace proofbase
