#include "tables/files/needed_tables.hpp"

#include "tables/work/in_pieces.hpp"

namespace proofbase {

void check_blocks(const TableFile& table, unsigned threads, const TableTask& task) {
    in_pieces(threads, table.header().blocks(), 256, task, [&](std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t block = from; block < to; ++block) table.check(block);
    });
}

}  // namespace proofbase
