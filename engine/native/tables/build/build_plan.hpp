// What building a class takes, and whether it is built as a whole or in parts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/build/build_checkpoint.hpp"
#include "tables/build/plies_state.hpp"
#include "tables/files/table_format.hpp"
#include "tables/files/table_set.hpp"
#include "tables/outside_memory/part_files.hpp"
#include "tables/outside_memory/parts_plan.hpp"
#include "tables/outside_memory/plies_parts_plan.hpp"
#include "tables/table_task.hpp"

namespace proofbase {

/// The header of the table of a class: that of the file, or the largest one that it can get.
template <HasTables G>
TableHeader largest_header(const TableSet<G>& tables, std::uint32_t table_class) {
    if (tables.table(table_class) != nullptr) return tables.table(table_class)->header();
    const G& game = tables.game();
    const bool beside_values = tables.column() == TableColumn::plies;
    TableHeader missing;
    missing.entries = game.class_size(table_class);
    missing.bits = beside_values       ? TableHeader::most_plies_bits
                   : IndexedByPlies<G> ? TableHeader::most_bits
                                       : std::min<unsigned>(8, std::bit_width(2u * game.highest_value()));
    return missing;
}

/// Adds a table that is read through a cache.
inline void add_table(PartsDemand& demand, const TableHeader& header) {
    constexpr std::uint64_t bytes_of_a_block = 56;    // its checksum, where it is in the file, its place in the cache
    constexpr std::uint64_t bytes_of_a_file = 2'048;  // locks, names
    demand.tables += header.blocks() * header.block_bytes();
    demand.largest_block = std::max<std::uint64_t>(demand.largest_block, header.block_bytes() + TableHeader::tail);
    demand.directories += header.blocks() * bytes_of_a_block + bytes_of_a_file;
}

/// What a class that is built in parts needs.
template <HasTables G>
PartsDemand parts_demand(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads,
                         const BuildLimits& limits) {
    PartsDemand out;
    out.positions = tables.game().class_size(table_class);
    out.threads = threads;
    if (limits.longest_part) out.longest_part = *limits.longest_part;
    for (const std::uint32_t c : tables.game().class_needs(table_class)) {
        add_table(out, largest_header(tables, c));
    }
    return out;
}

/// What building a class as a whole takes: by the tables that there are, and by the bits that the game's values can
/// need where there is none yet.
template <HasTables G>
BuildNeeds needs_as_a_whole(const TableSet<G>& tables, std::uint32_t table_class) {
    const bool beside_values = tables.column() == TableColumn::plies;
    const bool plies = IndexedByPlies<G> || beside_values;
    const std::uint64_t size = tables.game().class_size(table_class);
    BuildNeeds out;
    out.memory = (beside_values ? 5 : plies ? 3 : 2) * size;
    out.file = largest_header(tables, table_class).plain_bytes();
    if (!plies) out.checkpoint = TableHeader::bytes + 12 + 2 * size;
    for (const std::uint32_t c : tables.game().class_needs(table_class)) {
        const TableHeader needed = largest_header(tables, c);
        out.memory += needed.blocks() * needed.block_bytes();
    }
    out.least_memory = out.memory;
    return out;
}

/// How a class is built in parts with so much memory; nothing if that is too little.
template <HasTables G>
std::optional<PartsPlan> plan_in_parts(const TableSet<G>& tables, const PartsDemand& demand, std::uint64_t memory) {
    if constexpr (HasPlies<G>) {
        if (tables.holds_plies()) {
            return plies_parts_plan(demand, sizeof(typename PliesStates<PliesEntry<G>>::State), memory);
        }
    }
    return parts_plan(demand, memory);
}

/// Whether there is a class that was begun in parts.
template <HasTables G>
bool begun_in_parts(const TableSet<G>& tables, std::uint32_t table_class) {
    const TableHeader header = tables.header(table_class);
    if (tables.holds_plies()) return BuildCheckpoint(tables.path(table_class), header).exists();
    return PartFiles(tables.path(table_class), header).exist();
}

/// How a class is built in parts. Nothing if it is built as a whole, or cannot be built with the memory. A class that
/// was begun in parts goes on in parts.
template <HasTables G>
std::optional<PartsPlan> plan_in_parts(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads,
                                       const BuildLimits& limits) {
    const bool in_parts = limits.longest_part || needs_as_a_whole(tables, table_class).memory > limits.memory ||
                          begun_in_parts(tables, table_class);
    if (!in_parts) return std::nullopt;
    return plan_in_parts(tables, parts_demand(tables, table_class, threads, limits), limits.memory);
}

/// What building a class takes within the limits: more memory than they allow if that is not enough.
template <HasTables G>
BuildNeeds build_needs(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads,
                       const BuildLimits& limits) {
    BuildNeeds out = needs_as_a_whole(tables, table_class);
    const PartsDemand demand = parts_demand(tables, table_class, threads, limits);
    out.least_memory = least_memory_in_parts(
        out.memory, [&](std::uint64_t memory) { return plan_in_parts(tables, demand, memory).has_value(); });
    if (const auto parts = plan_in_parts(tables, table_class, threads, limits)) {
        out.memory = parts->memory;
        out.parts = parts->parts;
        out.checkpoint = parts->disk;
    }
    return out;
}

}  // namespace proofbase
