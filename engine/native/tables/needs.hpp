// What building and verifying a class take, and whether it is done as a whole or in parts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_format.hpp"
#include "tables/files/table_set.hpp"
#include "tables/plan/plan.hpp"
#include "tables/reached/reached_table.hpp"
#include "tables/retrograde/build_checkpoint.hpp"
#include "tables/retrograde/entry_state.hpp"
#include "tables/retrograde/sorted_exits.hpp"
#include "tables/verify/consistency.hpp"
#include "tables/verify/layer_state.hpp"
#include "tables/verify/plies_consistency.hpp"
#include "tables/work/build_limits.hpp"

namespace proofbase {

/// The header of the table of a class: that of the file, or the largest one that it can get.
template <HasTables G>
TableHeader largest_header(const TableSet<G>& tables, std::uint32_t table_class) {
    if (tables.table(table_class) != nullptr) return tables.table(table_class)->header();
    const G& game = tables.game();
    TableHeader missing;
    missing.entries = game.class_size(table_class);
    missing.bits = IndexedByDistance<G> ? TableHeader::most_bits
                                        : std::min<unsigned>(8, std::bit_width(2u * game.highest_value()));
    if constexpr (HasPlies<G>) {
        if (tables.holds_plies()) {
            missing.bits = with_entry_of_plies(game, table_class, [](auto entry) { return 8u * sizeof entry; });
        }
    }
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

/// What a class needs that is worked on in parts, whatever they are: it reads the tables of smaller classes.
template <HasTables G>
PartsDemand parts_demand(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads,
                         const BuildLimits& limits) {
    PartsDemand out;
    out.positions = tables.game().class_size(table_class);
    out.threads = threads;
    if (limits.longest_part) out.longest_part = *limits.longest_part;
    for (const std::uint32_t c : tables.game().class_needs(table_class)) add_table(out, largest_header(tables, c));
    return out;
}

/// What is expected of classes with entries for some numbers only, over all of them: how many entries there are, and
/// the bytes of one in memory and in the file.
constexpr std::uint64_t reached_at_most(std::uint64_t numbers) noexcept {
    return std::min(numbers, numbers / 64 + (1 << 20));
}
inline constexpr std::uint64_t bytes_of_listed = 2;   // a position without its value
inline constexpr std::uint64_t bytes_of_reached = 3;  // with it

/// Building the class with `size` numbers together with all others.
template <IndexedByReach G>
BuildNeeds needs_together(const G& game, std::uint64_t size) {
    BuildNeeds out;
    std::uint64_t reached = 0;
    const std::vector<std::uint32_t> classes = game.classes(0);
    for (auto c = classes.rbegin(); c != classes.rend(); ++c) {  // as they are listed, with marks of their numbers
        std::uint64_t marked = game.class_size(*c);
        reached += reached_at_most(marked);
        out.checkpoint += marked / ReachedNumbers::group * 8 + TableHeader::bytes;
        for (const std::uint32_t behind : game.class_needs(*c)) marked += game.class_size(behind);
        out.memory = std::max(out.memory, bytes_of_listed * reached + marked / 8);
    }
    out.memory = std::max(out.memory, bytes_of_reached * reached);
    out.least_memory = out.memory;
    out.checkpoint += bytes_of_listed * reached;
    out.file = TableHeader::bytes + 8 * (size / reached_block_entries + 1) + bytes_of_reached * reached_at_most(size);
    return out;
}

/// The moves of a class that is listed (tables/listed): an estimate, of some ten moves a position.
template <HasTables G>
constexpr std::uint64_t bytes_of_listed_class(std::uint64_t size) noexcept {
    return ListsMoves<G> ? 400 * size : 0;
}

/// Building a class.
template <HasTables G>
struct BuildPlanner {
    static constexpr bool only_as_a_whole = IndexedByReach<G> || IndexedByResets<G> || ListsMoves<G>;

    const TableSet<G>& tables;
    std::uint32_t table_class;

    PartsDemand demand(unsigned threads, const BuildLimits& limits) const {
        return parts_demand(tables, table_class, threads, limits);
    }

    /// By the tables that there are, and by the bits that the game's values can need where there is none yet.
    BuildNeeds as_a_whole() const {
        const bool plies = IndexedByDistance<G> || tables.holds_plies();
        const std::uint64_t size = tables.game().class_size(table_class);
        if constexpr (IndexedByReach<G>) return needs_together(tables.game(), size);
        std::uint64_t bytes_of_a_position = plies ? 3 : 2;
        if constexpr (HasPlies<G>) {
            if (plies) {
                bytes_of_a_position =
                    with_entry_of_plies(tables.game(), table_class, [](auto entry) { return 1 + 2 * sizeof entry; });
            }
        }
        BuildNeeds out;
        out.memory = bytes_of_a_position * size + demand(1, {}).tables + bytes_of_listed_class<G>(size);
        out.least_memory = out.memory;
        out.file = largest_header(tables, table_class).plain_bytes();
        if (!plies) out.checkpoint = TableHeader::bytes + 12 + 2 * size;
        return out;
    }

    std::optional<PartsPlan> plan(const PartsDemand& demand, std::uint64_t memory) const {
        std::uint64_t state = sizeof(typename ValueStates<G>::State);
        if constexpr (HasPlies<G>) {
            if (tables.holds_plies()) {
                state = with_entry_of_plies(tables.game(), table_class, [](auto entry) {
                    return sizeof(typename PliesStates<G, decltype(entry)>::State);
                });
            }
        }
        return build_plan(demand, state, bytes_of_an_exit, memory);
    }

    /// Whether there is a class that was begun in parts: it goes on in parts.
    bool begun_in_parts() const {
        const BuildCheckpoint checkpoint(tables.path(table_class), tables.header(table_class));
        return checkpoint.is_in_parts(tables.holds_plies() ? "plies" : "values");
    }
};

/// Verifying a class: its own table is read too.
template <HasTables G>
struct VerificationPlanner {
    static constexpr std::uint64_t most_bytes_of_a_report = 1 << 16;  // of a checkpoint that holds findings only
    static constexpr bool only_as_a_whole = IndexedByReach<G> || IndexedByResets<G> || ListsMoves<G>;

    const TableSet<G>& tables;
    std::uint32_t table_class;

    PartsDemand demand(unsigned threads, const BuildLimits& limits) const {
        PartsDemand out = parts_demand(tables, table_class, threads, limits);
        add_table(out, largest_header(tables, table_class));
        return out;
    }

    BuildNeeds as_a_whole() const {
        const bool plies = IndexedByDistance<G> || tables.holds_plies();
        const std::uint64_t size = tables.game().class_size(table_class);
        BuildNeeds out;
        if constexpr (IndexedByReach<G>) {
            for (const std::uint32_t c : classes_read_for(tables.game(), table_class)) {
                if (tables.table(c) != nullptr) out.memory += 2 * bytes_of_reached * tables.table(c)->bytes();
            }
            out.least_memory = out.memory;
            out.checkpoint = most_bytes_of_a_report;
            return out;
        }
        out.memory = demand(1, {}).tables + (plies ? 0 : 2 * size + 2 * (size / entries_of_a_mark + 1)) +
                     bytes_of_listed_class<G>(size);
        out.least_memory = out.memory;
        out.checkpoint = plies ? most_bytes_of_a_report : 2 * (2 * size + size / 128);
        return out;
    }

    std::optional<PartsPlan> plan(const PartsDemand& demand, std::uint64_t memory) const {
        constexpr auto bytes_of_a_lookup = [](std::uint64_t entry) { return 8 + entry / lookups_an_entry + 1; };
        if (tables.holds_plies()) {
            return plies_verification_plan(demand, bytes_of_a_lookup(sizeof(CheckedPlies)), lookups_an_entry,
                                           SortedLookups::most_entries, most_bytes_of_a_report, memory);
        }
        return verification_plan(demand, bytes_of_a_lookup(sizeof(CheckedEntry) + sizeof(LayerStateOf<G>)), memory);
    }

    static bool begun_in_parts() { return false; }
};

/// How a class is worked on in parts. Nothing if it is done as a whole, or cannot be done with the memory.
template <class Planner>
std::optional<PartsPlan> plan_in_parts(const Planner& planner, unsigned threads, const BuildLimits& limits) {
    const bool in_parts =
        limits.longest_part || planner.as_a_whole().memory > limits.memory || planner.begun_in_parts();
    if (planner.only_as_a_whole || !in_parts) return std::nullopt;
    return planner.plan(planner.demand(threads, limits), limits.memory);
}

/// What the work takes within the limits: more memory than they allow if that is not enough.
template <class Planner>
BuildNeeds needs_of(const Planner& planner, unsigned threads, const BuildLimits& limits) {
    BuildNeeds out = planner.as_a_whole();
    if (planner.only_as_a_whole) return out;
    const PartsDemand demand = planner.demand(threads, limits);
    out.least_memory = least_memory_in_parts(
        out.memory, [&](std::uint64_t memory) { return planner.plan(demand, memory).has_value(); });
    if (const auto parts = plan_in_parts(planner, threads, limits)) {
        out.memory = parts->memory;
        out.parts = parts->parts;
        out.checkpoint = parts->disk;
    }
    return out;
}

}  // namespace proofbase
