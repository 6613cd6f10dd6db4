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

/// The tables that a verification of a class reads: those of the classes that it needs, then its own. Null where a
/// table is not there.
template <class G>
std::vector<const TableFile*> tables_read_for(const TableSet<G>& tables, std::uint32_t table_class) {
    std::vector<const TableFile*> out;
    for (const std::uint32_t c : tables.game().class_needs(table_class)) out.push_back(tables.table(c));
    out.push_back(tables.table(table_class));
    return out;
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
        std::vector<const TableFile*> files;
        std::vector<std::uint32_t> classes = tables.game().class_needs(table_class);
        classes.push_back(table_class);
        for (const std::uint32_t c : classes) {
            const TableFile* table = tables.table(c);
            if (table == nullptr) throw std::invalid_argument("table " + tables.name(c) + " is not there");
            check_blocks(*table, c == table_class, threads, task);
            if (c >= files.size()) files.resize(c + 1);
            files[c] = table;
        }
        return files;
    }

  private:
    std::mutex lock_;
};

}  // namespace proofbase
