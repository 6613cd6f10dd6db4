// The findings of the verification of a table (table_verification.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace proofbase {

/// An entry that fails the verification. Rules: `value` (the entry is not the best of what its moves are worth),
/// `moves` (the numbering, the successors or the predecessors do not agree with the rules), `progress` (only a cycle
/// supports the value), `damaged` (the block does not agree with its checksum).
struct TableFinding {
    std::uint64_t entry;
    int value;
    std::string rule;
    std::string detail;
};

/// The verification of one class.
struct TableReport {
    static constexpr std::size_t most_findings = 100;

    std::uint64_t checked = 0;
    std::uint64_t failed = 0;
    std::vector<TableFinding> findings;  ///< those of the lowest entries, at most most_findings
    std::uint32_t longest = 0;           ///< the highest layer: plies to the end of the longest line in the class
    std::uint64_t longest_entry = 0;     ///< the first entry in that layer
};

}  // namespace proofbase
