#include "tables/verify/table_findings.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "errors.hpp"
#include "tables/files/table_format.hpp"
#include "tables/work/in_pieces.hpp"

namespace proofbase {

void TableFindings::add(std::uint64_t entry, int value, const char* rule, std::string detail) {
    const auto before = [](const TableFinding& a, const TableFinding& b) {
        return std::tie(a.entry, a.rule, a.detail) < std::tie(b.entry, b.rule, b.detail);
    };
    const std::scoped_lock held(lock_);
    ++report.failed;
    TableFinding finding{entry, value, rule, std::move(detail)};
    auto& kept = report.findings;
    kept.insert(std::upper_bound(kept.begin(), kept.end(), finding, before), std::move(finding));
    if (kept.size() > TableReport::most_findings) kept.pop_back();
}

void TableFindings::check_blocks(const TableFile& table, bool own, unsigned threads, const TableTask& task) {
    in_pieces(threads, table.header().blocks(), 64, task, [&](std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t block = from; block < to; ++block) {
            try {
                table.check(block);
            } catch (const DamagedTable& error) {
                add(own ? block * table.header().block_entries : 0, 0, "damaged", error.what());
            }
        }
    });
}

}  // namespace proofbase
