// The findings of a verification, collected from any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tables/files/table_file.hpp"
#include "tables/files/table_set.hpp"
#include "tables/verify/table_report.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// The tables of classes_read_for in that order. Null where one is not there.
template <class G>
std::vector<const TableFile*> tables_read_for(const TableSet<G>& tables, std::uint32_t table_class) {
    std::vector<const TableFile*> out;
    for (const std::uint32_t c : classes_read_for(tables.game(), table_class)) out.push_back(tables.table(c));
    return out;
}

/// The table of a class. Throws std::invalid_argument: it is not there.
template <class G>
const TableFile& existing_table(const TableSet<G>& tables, std::uint32_t table_class) {
    const TableFile* table = tables.table(table_class);
    if (table == nullptr) throw std::invalid_argument("table " + tables.name(table_class) + " is not there");
    return *table;
}

class TableFindings {
  public:
    TableReport report;

    /// Keeps the findings of the lowest entries, whatever the order in which the threads report them.
    void add(std::uint64_t entry, int value, const char* rule, std::string detail);

    /// Holds the blocks of a table against their checksums. `own`: it is the table that is being verified.
    void check_blocks(const TableFile& table, bool own, unsigned threads, const TableTask& task);

    /// The tables of a class and of those that it needs, by class, all blocks held against their checksums. Throws
    /// std::invalid_argument: a table is not there.
    template <class G>
    std::vector<const TableFile*> checked_tables(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads,
                                                 const TableTask& task) {
        std::vector<const TableFile*> files(table_class + 1);
        for (const std::uint32_t c : classes_read_for(tables.game(), table_class)) {
            const TableFile& table = existing_table(tables, c);
            check_blocks(table, c == table_class, threads, task);
            if (c >= files.size()) files.resize(c + 1);
            files[c] = &table;
        }
        return files;
    }

  private:
    std::mutex lock_;
};

}  // namespace proofbase
