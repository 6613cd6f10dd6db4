// How a class is built in parts, by the memory that there is (retrograde_in_parts.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "tables/files/table_format.hpp"

namespace proofbase {

/// What a class that is built in parts is given. All sizes are in bytes but for `length`.
struct PartsPlan {
    std::uint64_t length =
        0;  ///< positions of a part, a multiple of those of a block of a table; the last part has the rest
    std::uint64_t parts = 0;
    std::uint64_t cache = 0;   ///< for blocks of smaller tables
    std::uint64_t exits = 0;   ///< moves that leave the class, collected by a thread
    std::uint64_t buffer = 0;  ///< of a thread for updates of one part
    std::uint64_t queues = 0;  ///< of all updates on the disk, at most
    std::uint64_t memory = 0;  ///< in all, at most
    std::uint64_t disk = 0;    ///< of all its files at most, the table excepted
};

/// What a class that is to be built in parts needs whatever the parts are.
struct PartsDemand {
    std::uint64_t positions = 0;
    std::uint64_t tables = 0;         ///< bytes of the smaller tables that it reads, in memory
    std::uint64_t largest_block = 0;  ///< bytes of their largest block
    std::uint64_t directories = 0;    ///< bytes in memory that these tables take without their blocks
    unsigned threads = 1;
    std::uint64_t longest_part = std::numeric_limits<std::uint64_t>::max();  ///< positions
};

inline constexpr std::uint64_t most_stack_entries = 1 << 15;   ///< of a thread
inline constexpr std::uint64_t bytes_of_lists = 1 << 20;       ///< of a thread, buffers of updates excepted
inline constexpr std::uint64_t bytes_of_an_update = 5;         ///< on the disk
inline constexpr std::uint64_t bytes_of_an_exit = 16;          ///< of a move that leaves the class, in memory
inline constexpr std::uint64_t most_bytes_of_exits = 1 << 26;  ///< of a thread
inline constexpr std::uint64_t bytes_of_a_small_visit =
    100'000;                                           ///< of a part: its changed states, its place in the manifest
inline constexpr std::uint64_t smallest_buffer = 256;  ///< of updates
inline constexpr std::uint64_t blocks_written_together = 64;     ///< of a table
inline constexpr std::uint64_t bytes_between_looks = 80 * 1024;  ///< of updates that a thread finds in a batch

/// Room on the disk that has to be left for what the threads have found and not yet written.
inline std::uint64_t bytes_not_written(const PartsPlan& plan, unsigned threads) {
    return threads * (plan.parts * plan.buffer + bytes_between_looks);
}

/// The least cache for the smaller tables: a thread has to have some blocks there.
inline std::uint64_t fewest_bytes_of_cache(const PartsDemand& demand) {
    return 16 * demand.threads * demand.largest_block;
}

/// The plan with the largest parts for so much memory; nothing if that is too little.
inline std::optional<PartsPlan> parts_plan(const PartsDemand& demand, std::uint64_t memory) {
    constexpr std::uint64_t block = TableHeader::plain_block_entries;
    constexpr std::uint64_t longest_of_all = std::uint64_t{1} << 32;  // queues have 32 bits for a position
    constexpr std::uint64_t largest_buffer = 1 << 16;
    const std::uint64_t fixed = demand.directories + demand.threads * bytes_of_lists;
    if (memory <= fixed) return std::nullopt;
    const std::uint64_t spare = memory - fixed;
    PartsPlan out;
    std::uint64_t for_exits = 0;
    if (demand.tables > 0) {
        // A cache that has room for all tables; or one for the blocks that are read just now, and many moves sorted by
        // where they lead.
        const std::uint64_t fewest = fewest_bytes_of_cache(demand);
        const bool room_for_all = demand.tables + fewest <= spare / 4;
        out.cache = room_for_all ? demand.tables + fewest : fewest;
        if (!room_for_all) {
            for_exits = std::min(std::max(spare / 4, fewest) - fewest, demand.threads * most_bytes_of_exits);
        }
        out.exits = (for_exits / demand.threads + bytes_of_lists / 2) / bytes_of_an_exit;
    }
    // The cache and the exits are there while the states are prepared, the buffers while they are solved.
    const std::uint64_t aside = std::max(out.cache + for_exits, spare / 16);
    if (aside >= spare) return std::nullopt;
    const std::uint64_t all = (demand.positions + block - 1) / block * block;
    out.length = std::min({(spare - aside) / 2, all, std::max(demand.longest_part, block), longest_of_all});
    out.length -= out.length % (out.length < block * blocks_written_together ? block : block * blocks_written_together);
    if (out.length == 0) return std::nullopt;
    out.parts = (demand.positions + out.length - 1) / out.length;
    out.buffer = std::min(spare / 16 / (demand.threads * out.parts), largest_buffer);
    if (out.buffer < smallest_buffer) return std::nullopt;
    out.memory = fixed + 2 * out.length + std::max(out.cache + for_exits, demand.threads * out.parts * out.buffer);
    out.queues = std::max(2 * demand.positions, 4 * bytes_not_written(out, demand.threads));
    out.disk = 2 * demand.positions + 2 * out.length + out.queues + 4096 + bytes_of_a_small_visit * out.parts;
    return out;
}

/// The least memory for which `plan(memory)` has a plan, within an eighth; `most` if that is not more.
template <class Plan>
std::uint64_t least_memory_in_parts(std::uint64_t most, Plan&& plan) {
    std::uint64_t memory = bytes_of_lists;
    while (memory < most && !plan(memory)) memory += memory / 8;
    return std::min(memory, most);
}

}  // namespace proofbase
