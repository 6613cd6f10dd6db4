// How a table of plies is built in parts, by the memory that there is (retrograde_by_plies_in_parts.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "tables/outside_memory/parts_plan.hpp"
#include "tables/outside_memory/states_on_disk.hpp"

namespace proofbase {

/// Bytes of updates that a thread finds between two looks at the queues: those of the entries that share a mark.
inline constexpr std::uint64_t bytes_of_marked_updates = 128 * entries_of_a_mark * bytes_of_an_update;

/// Room on the disk that has to be left for what the threads have found and not yet written.
inline std::uint64_t plies_not_written(const PartsPlan& plan, unsigned threads) {
    return threads * (plan.parts * plan.buffer + bytes_of_marked_updates);
}

/// The plan with the largest parts for so much memory; nothing if that is too little. `state`: bytes of a position.
inline std::optional<PartsPlan> plies_parts_plan(const PartsDemand& demand, std::uint64_t state, std::uint64_t memory) {
    constexpr std::uint64_t block = states_of_a_block;
    constexpr std::uint64_t most_parts = 512;  // each has a file
    constexpr std::uint64_t longest_of_all = std::uint64_t{1} << 32;
    constexpr std::uint64_t largest_buffer = 1 << 16;
    // Two marks and an entry of two bytes for the positions of a mark, a checksum for a block of states.
    const std::uint64_t marks =
        4 * (demand.positions / entries_of_a_mark + 1) + 4 * (demand.positions / states_of_a_block + 1);
    const std::uint64_t fixed = demand.directories + demand.threads * bytes_of_lists + marks;
    if (memory <= fixed) return std::nullopt;
    const std::uint64_t spare = memory - fixed;
    PartsPlan out;
    // First the moves forwards: a cache that has room for all tables, or one for the blocks that are read just now, and
    // many moves sorted by where they lead.
    std::uint64_t for_exits = 0;
    if (demand.tables > 0) {
        const std::uint64_t fewest = fewest_bytes_of_cache(demand);
        if (fewest >= spare) return std::nullopt;
        const bool room_for_all = demand.tables + fewest <= spare;
        out.cache = room_for_all ? demand.tables + fewest : fewest;
        if (!room_for_all) for_exits = std::min(spare - fewest, demand.threads * most_bytes_of_exits);
    }
    out.exits = (for_exits / demand.threads + bytes_of_lists / 2) / (bytes_of_an_exit + state);
    // Then the plies, with a part and the buffers.
    const std::uint64_t aside = spare / 8;
    const std::uint64_t all = (demand.positions + block - 1) / block * block;
    out.length = std::min(
        {(spare - aside) / (block * state + 2) * block, all, std::max(demand.longest_part, block), longest_of_all});
    out.length -= out.length % block;
    if (out.length == 0) return std::nullopt;
    out.parts = (demand.positions + out.length - 1) / out.length;
    out.buffer = std::min(aside / (demand.threads * out.parts), largest_buffer);
    if (out.parts > most_parts || out.buffer < smallest_buffer) return std::nullopt;
    const std::uint64_t backwards =
        state * out.length + 2 * (out.length / block) + demand.threads * out.parts * out.buffer;
    out.memory = fixed + std::max(out.cache + for_exits, backwards);
    out.queues = std::max(demand.positions, 4 * plies_not_written(out, demand.threads));
    // The states and the queues, in the files that are worked with, in a checkpoint, and in that which replaces it.
    out.disk = 3 * (state * demand.positions + marks + out.queues + 4096);
    return out;
}

}  // namespace proofbase
