// What verifying a class takes, and whether it is verified as a whole or in parts (verification_in_parts.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/build/build_plan.hpp"
#include "tables/files/table_set.hpp"
#include "tables/outside_memory/parts_plan.hpp"
#include "tables/outside_memory/states_on_disk.hpp"
#include "tables/table_task.hpp"
#include "tables/verify/consistency.hpp"
#include "tables/verify/layer_state.hpp"
#include "tables/verify/plies_consistency.hpp"

namespace proofbase {

/// Of a checkpoint that holds findings only, at most.
inline constexpr std::uint64_t most_bytes_of_a_report = 1 << 16;

/// What a class that is verified in parts is given. All sizes are in bytes but for `length` and `lookups`.
struct VerificationPlan {
    std::uint64_t length = 0;  ///< entries of a part, a multiple of states_of_a_block
    std::uint64_t parts = 0;
    std::uint64_t buffer = 0;       ///< of a thread for updates of one part
    std::uint64_t queues = 0;       ///< of all updates on the disk, at most
    std::uint64_t cache = 0;        ///< for blocks of tables
    std::uint64_t lookups = 0;      ///< of a thread
    bool tables_in_memory = false;  ///< for the moves forwards
    std::uint64_t memory = 0;       ///< in all, at most
    std::uint64_t disk = 0;         ///< of its files and its checkpoint at most
};

/// The plan with the largest parts for so much memory; nothing if that is too little. `demand`: `tables` and the like
/// are those of all tables that the verification reads.
inline std::optional<VerificationPlan> verification_plan(const PartsDemand& demand, std::uint64_t memory) {
    constexpr std::uint64_t block = states_of_a_block;
    constexpr std::uint64_t most_parts = 512;  // each has a file
    constexpr std::uint64_t longest_of_all = std::uint64_t{1} << 32;
    constexpr std::uint64_t largest_buffer = 1 << 16;
    constexpr std::uint64_t bytes_of_a_lookup = 8 + (sizeof(CheckedEntry) + sizeof(LayerState)) / lookups_an_entry + 1;
    // Two marks for each chunk, a checksum for each block of states.
    const std::uint64_t marks =
        2 * (demand.positions / entries_of_a_mark + 1) + 4 * (demand.positions / states_of_a_block + 1);
    const std::uint64_t fixed = 2 * demand.directories + demand.threads * bytes_of_lists + marks;
    if (memory <= fixed) return std::nullopt;
    const std::uint64_t spare = memory - fixed;
    VerificationPlan out;
    // First the moves forwards, with tables or a cache and the lookups.
    const std::uint64_t fewest = fewest_bytes_of_cache(demand);
    out.tables_in_memory = demand.tables <= spare;
    out.cache = fewest;
    if (out.cache >= spare) return std::nullopt;
    out.lookups = std::min((spare - out.cache) / demand.threads, most_bytes_of_exits) / bytes_of_a_lookup;
    if (out.lookups < 4 * 1024) return std::nullopt;
    const std::uint64_t forwards =
        out.tables_in_memory ? demand.tables : out.cache + demand.threads * out.lookups * bytes_of_a_lookup;
    // Then the layers, with a part, the buffers, and a cache for the class itself.
    const std::uint64_t aside = fewest + spare / 8;
    if (aside >= spare) return std::nullopt;
    const std::uint64_t all = (demand.positions + block - 1) / block * block;
    out.length = std::min({(spare - aside) / 257 * 128, all, std::max(demand.longest_part, block), longest_of_all});
    out.length -= out.length % block;
    if (out.length == 0) return std::nullopt;
    out.parts = (demand.positions + out.length - 1) / out.length;
    out.buffer = std::min(spare / 8 / (demand.threads * out.parts), largest_buffer);
    if (out.parts > most_parts || out.buffer < smallest_buffer) return std::nullopt;
    const std::uint64_t backwards =
        fewest + 2 * out.length + out.length / 128 + demand.threads * out.parts * out.buffer;
    out.memory = fixed + std::max(forwards, backwards);
    const std::uint64_t not_written = demand.threads * (out.parts * out.buffer + bytes_between_looks);
    out.queues = std::max(demand.positions, 4 * not_written);
    // The states and the queues, in the files that are worked with, in a checkpoint, and in that which replaces it.
    out.disk = 3 * (2 * demand.positions + marks + out.queues + 4096);
    return out;
}

/// The same for a table of plies (plies_verification.hpp): a part is what is looked up together. Nothing goes to the
/// disk but the checkpoint.
inline std::optional<VerificationPlan> plies_verification_plan(const PartsDemand& demand, std::uint64_t memory) {
    constexpr std::uint64_t bytes_of_a_lookup = 8 + sizeof(CheckedPlies) / lookups_an_entry + 1;
    const std::uint64_t fixed = 2 * demand.directories + demand.threads * bytes_of_lists;
    const std::uint64_t fewest = fewest_bytes_of_cache(demand);
    if (memory <= fixed + fewest) return std::nullopt;
    const std::uint64_t spare = memory - fixed;
    VerificationPlan out;
    out.lookups = std::min((spare - fewest) / demand.threads, most_bytes_of_exits) / bytes_of_a_lookup;
    if (out.lookups < 4 * 1024) return std::nullopt;
    const std::uint64_t for_lookups = demand.threads * out.lookups * bytes_of_a_lookup;
    out.cache = std::min(spare - for_lookups, demand.tables + fewest);
    out.length = std::min({out.lookups / lookups_an_entry, std::uint64_t{SortedLookups::most_entries}, demand.positions,
                           std::max(demand.longest_part, states_of_a_block)});
    out.parts = (demand.positions + out.length - 1) / out.length;
    out.memory = fixed + out.cache + for_lookups;
    out.disk = most_bytes_of_a_report;
    return out;
}

/// What the verification of a class in parts needs whatever the parts are.
template <HasTables G>
PartsDemand verification_demand(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads,
                                const BuildLimits& limits) {
    PartsDemand out = parts_demand(tables, table_class, threads, limits);
    add_table(out, largest_header(tables, table_class));
    return out;
}

/// What verifying a class as a whole takes.
template <HasTables G>
BuildNeeds verification_needs_as_a_whole(const TableSet<G>& tables, std::uint32_t table_class) {
    const bool plies = tables.holds_plies();
    const std::uint64_t size = tables.game().class_size(table_class);
    const PartsDemand demand = verification_demand(tables, table_class, 1, {});
    BuildNeeds out;
    out.memory = out.least_memory = demand.tables + (plies ? 0 : 2 * size + 2 * (size / entries_of_a_mark + 1));
    out.checkpoint = plies ? most_bytes_of_a_report : 2 * (2 * size + size / 128);
    return out;
}

/// How a class is verified in parts with so much memory; nothing if that is too little.
template <HasTables G>
std::optional<VerificationPlan> plan_verification(const TableSet<G>& tables, const PartsDemand& demand,
                                                  std::uint64_t memory) {
    return tables.holds_plies() ? plies_verification_plan(demand, memory) : verification_plan(demand, memory);
}

/// How a class is verified in parts. Nothing if it is verified as a whole, or cannot be verified with the memory.
template <HasTables G>
std::optional<VerificationPlan> plan_verification(const TableSet<G>& tables, std::uint32_t table_class,
                                                  unsigned threads, const BuildLimits& limits) {
    if (!limits.longest_part && verification_needs_as_a_whole(tables, table_class).memory <= limits.memory) {
        return std::nullopt;
    }
    return plan_verification(tables, verification_demand(tables, table_class, threads, limits), limits.memory);
}

/// What verifying a class takes within the limits: more memory than they allow if that is not enough.
template <HasTables G>
BuildNeeds verification_needs(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads,
                              const BuildLimits& limits) {
    BuildNeeds out = verification_needs_as_a_whole(tables, table_class);
    const PartsDemand demand = verification_demand(tables, table_class, threads, limits);
    out.least_memory = least_memory_in_parts(
        out.memory, [&](std::uint64_t memory) { return plan_verification(tables, demand, memory).has_value(); });
    if (const auto parts = plan_verification(tables, table_class, threads, limits)) {
        out.memory = parts->memory;
        out.parts = parts->parts;
        out.checkpoint = parts->disk;
    }
    return out;
}

}  // namespace proofbase
