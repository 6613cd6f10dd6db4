// How a class is cut into parts, by the memory that there is: for building it and for the layers of a verification, by
// levels, and for the verification of plies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace proofbase {

inline constexpr std::uint64_t states_of_a_block = 512;        ///< on the disk
inline constexpr std::uint64_t entries_of_a_mark = 256;        ///< entries that share a mark: a half of a block
inline constexpr std::uint64_t bytes_of_lists = 1 << 20;       ///< of a thread, buffers of updates excepted
inline constexpr std::uint64_t bytes_of_an_update = 5;         ///< on the disk
inline constexpr std::uint64_t most_bytes_of_moves = 1 << 26;  ///< of a thread, for moves that it collects
inline constexpr std::uint64_t smallest_buffer = 256;          ///< of updates
inline constexpr std::uint64_t fewest_lookups = 4 * 1024;      ///< that a thread of a verification collects

/// What a class that is worked on in parts is given. All sizes are in bytes but for `length` and `moves`.
struct PartsPlan {
    std::uint64_t length = 0;  ///< positions of a part, a multiple of those of a block; the last part has the rest
    std::uint64_t parts = 0;
    std::uint64_t buffer = 0;    ///< of a thread for updates of one part
    std::uint64_t queues = 0;    ///< of all updates on the disk, at most
    std::uint64_t unqueued = 0;  ///< of updates that a thread finds between two looks at the queues
    std::uint64_t cache = 0;     ///< for blocks of tables
    std::uint64_t moves = 0;     ///< that a thread collects before the tables are asked
    bool all_in_memory = false;  ///< the moves forwards read tables that are in memory, and no cache
    std::uint64_t memory = 0;    ///< in all, at most
    std::uint64_t disk = 0;      ///< of all its files at most, the table excepted

    /// Room on the disk that has to be left for what the threads have found and not yet written.
    std::uint64_t not_written(unsigned threads) const { return threads * (parts * buffer + unqueued); }

    /// Bytes of all queues from which on no thread finds more.
    std::uint64_t most_queued(unsigned threads) const { return queues - not_written(threads); }

    /// The same with parts of another length, those of a checkpoint; nothing if the memory is not enough for them.
    std::optional<PartsPlan> with_length(std::uint64_t other, std::uint64_t positions) const;
};

/// What a class that is worked on in parts needs whatever the parts are.
struct PartsDemand {
    std::uint64_t positions = 0;
    std::uint64_t tables = 0;         ///< bytes of the tables that it reads, in memory
    std::uint64_t largest_block = 0;  ///< bytes of their largest block
    std::uint64_t directories = 0;    ///< bytes in memory that these tables take without their blocks
    unsigned threads = 1;
    std::uint64_t longest_part = std::numeric_limits<std::uint64_t>::max();  ///< positions

    /// The least cache for the tables: a thread has to have some blocks there.
    std::uint64_t fewest_bytes_of_cache() const { return 16 * threads * largest_block; }
};

/// How the memory is shared out among a part and the buffers.
struct PartsShare {
    std::uint64_t bytes_of_a_block = 0;  ///< of a part in memory
    std::uint64_t aside = 0;             ///< bytes that are not for the part
    std::uint64_t buffers = 0;           ///< bytes for all buffers
};

/// Cuts the class into the longest parts for which there is room. False if the memory is too little.
bool cut_into_parts(PartsPlan& out, const PartsDemand& demand, std::uint64_t spare, const PartsShare& share);

/// What levels take whatever they are: of a class that is built, or of a verification.
struct LevelsDemand {
    std::uint64_t state = 2;             ///< bytes of a position
    std::uint64_t bytes_of_a_mark = 2;   ///< in memory, for the positions of a mark
    std::uint64_t flags_of_a_block = 2;  ///< bytes in memory for a block of the part
    std::uint64_t cache = 0;             ///< bytes of a cache while levels are found
    std::uint64_t unqueued = 80 * 1024;  ///< PartsPlan::unqueued

    /// Bytes of the marks, and of a checksum for each block.
    std::uint64_t marks(std::uint64_t positions) const {
        return bytes_of_a_mark * (positions / entries_of_a_mark + 1) + 4 * (positions / states_of_a_block + 1);
    }
};

/// Puts the parts of levels into a plan that knows what the moves forwards take, `forwards` bytes of all but `fixed`.
/// False if the memory is too little.
bool cut_into_levels(PartsPlan& out, const PartsDemand& demand, const LevelsDemand& levels, std::uint64_t fixed,
                     std::uint64_t spare, std::uint64_t forwards);

/// The plan for building a class, with the largest parts for so much memory; nothing if that is too little. `state`:
/// bytes of a position. A move that leaves the class takes `bytes_of_an_exit`.
std::optional<PartsPlan> build_plan(const PartsDemand& demand, std::uint64_t state, std::uint64_t bytes_of_an_exit,
                                    std::uint64_t memory);

/// The plan for a verification of values. `demand`: `tables` and the like are those of all tables that it reads.
std::optional<PartsPlan> verification_plan(const PartsDemand& demand, std::uint64_t bytes_of_a_lookup,
                                           std::uint64_t memory);

/// The plan for a verification of plies: a part is what is looked up together, `most_entries` at most. Nothing goes to
/// the disk but the checkpoint of `disk` bytes.
std::optional<PartsPlan> plies_verification_plan(const PartsDemand& demand, std::uint64_t bytes_of_a_lookup,
                                                 std::uint64_t lookups_an_entry, std::uint64_t most_entries,
                                                 std::uint64_t disk, std::uint64_t memory);

/// The least memory for which `plan(memory)` has a plan, within an eighth; `most` if that is not more.
template <class Plan>
std::uint64_t least_memory_in_parts(std::uint64_t most, Plan&& plan) {
    std::uint64_t memory = bytes_of_lists;
    while (memory < most && !plan(memory)) memory += memory / 8;
    return std::min(memory, most);
}

}  // namespace proofbase
