#include "tables/plan/plan.hpp"

#include <algorithm>

namespace proofbase {

bool cut_into_parts(PartsPlan& out, const PartsDemand& demand, std::uint64_t spare, const PartsShare& share) {
    constexpr std::uint64_t longest_of_all = std::uint64_t{1} << 32;  // queues have 32 bits for a position
    constexpr std::uint64_t largest_buffer = 1 << 16;
    constexpr std::uint64_t most_parts = 512;  // each has an open file
    constexpr std::uint64_t block = states_of_a_block;
    if (share.aside >= spare) return false;
    const std::uint64_t all = (demand.positions + block - 1) / block * block;
    out.length = std::min({(spare - share.aside) / share.bytes_of_a_block * block, all,
                           std::max(demand.longest_part, block), longest_of_all});
    out.length -= out.length % block;
    if (out.length == 0) return false;
    out.parts = (demand.positions + out.length - 1) / out.length;
    out.buffer = std::min(share.buffers / (demand.threads * out.parts), largest_buffer);
    if (out.parts > most_parts || out.buffer < smallest_buffer) return false;
    out.queues = std::max(demand.positions, 4 * out.not_written(demand.threads));
    return true;
}

bool cut_into_levels(PartsPlan& out, const PartsDemand& demand, const LevelsDemand& levels, std::uint64_t fixed,
                     std::uint64_t spare, std::uint64_t forwards) {
    out.unqueued = levels.unqueued;
    const PartsShare share{.bytes_of_a_block = states_of_a_block * levels.state + levels.flags_of_a_block,
                           .aside = levels.cache + spare / 8,
                           .buffers = spare / 8};
    if (!cut_into_parts(out, demand, spare, share)) return false;
    const std::uint64_t backwards = levels.cache + out.length / states_of_a_block * share.bytes_of_a_block +
                                    demand.threads * out.parts * out.buffer;
    out.memory = fixed + std::max(forwards, backwards);
    // The states and the queues, in the files that are worked with, in a checkpoint, and in that which replaces it.
    out.disk = 3 * (levels.state * demand.positions + levels.marks(demand.positions) + out.queues + 4096);
    return true;
}

std::optional<PartsPlan> build_plan(const PartsDemand& demand, std::uint64_t state, std::uint64_t bytes_of_an_exit,
                                    std::uint64_t memory) {
    const LevelsDemand levels{.state = state,
                              .bytes_of_a_mark = 4,  // two marks, and the entry that one of its positions awaits
                              .unqueued = 128 * entries_of_a_mark * bytes_of_an_update};
    const std::uint64_t fixed = demand.directories + demand.threads * bytes_of_lists + levels.marks(demand.positions);
    if (memory <= fixed) return std::nullopt;
    const std::uint64_t spare = memory - fixed;
    PartsPlan out;
    // First the moves forwards: a cache that has room for all tables, or one for the blocks that are read just now, and
    // many moves sorted by where they lead.
    std::uint64_t for_exits = 0;
    if (demand.tables > 0) {
        const std::uint64_t fewest = demand.fewest_bytes_of_cache();
        if (fewest >= spare) return std::nullopt;
        const bool room_for_all = demand.tables + fewest <= spare;
        out.cache = room_for_all ? demand.tables + fewest : fewest;
        if (!room_for_all) for_exits = std::min(spare - fewest, demand.threads * most_bytes_of_moves);
    }
    out.moves = (for_exits / demand.threads + bytes_of_lists / 2) / (bytes_of_an_exit + state);
    if (!cut_into_levels(out, demand, levels, fixed, spare, out.cache + for_exits)) return std::nullopt;
    return out;
}

std::optional<PartsPlan> verification_plan(const PartsDemand& demand, std::uint64_t bytes_of_a_lookup,
                                           std::uint64_t memory) {
    const std::uint64_t fewest = demand.fewest_bytes_of_cache();
    const LevelsDemand levels{.flags_of_a_block = 4, .cache = fewest};
    const std::uint64_t fixed =
        2 * demand.directories + demand.threads * bytes_of_lists + levels.marks(demand.positions);
    if (memory <= fixed + fewest) return std::nullopt;
    const std::uint64_t spare = memory - fixed;
    PartsPlan out;
    out.all_in_memory = demand.tables <= spare;
    out.cache = fewest;
    out.moves = std::min((spare - fewest) / demand.threads, most_bytes_of_moves) / bytes_of_a_lookup;
    if (out.moves < fewest_lookups) return std::nullopt;
    const std::uint64_t forwards =
        out.all_in_memory ? demand.tables : out.cache + demand.threads * out.moves * bytes_of_a_lookup;
    if (!cut_into_levels(out, demand, levels, fixed, spare, forwards)) return std::nullopt;
    return out;
}

std::optional<PartsPlan> plies_verification_plan(const PartsDemand& demand, std::uint64_t bytes_of_a_lookup,
                                                 std::uint64_t lookups_an_entry, std::uint64_t most_entries,
                                                 std::uint64_t disk, std::uint64_t memory) {
    const std::uint64_t fixed = 2 * demand.directories + demand.threads * bytes_of_lists;
    const std::uint64_t fewest = demand.fewest_bytes_of_cache();
    if (memory <= fixed + fewest) return std::nullopt;
    const std::uint64_t spare = memory - fixed;
    PartsPlan out;
    out.moves = std::min((spare - fewest) / demand.threads, most_bytes_of_moves) / bytes_of_a_lookup;
    if (out.moves < fewest_lookups) return std::nullopt;
    const std::uint64_t for_lookups = demand.threads * out.moves * bytes_of_a_lookup;
    out.cache = std::min(spare - for_lookups, demand.tables + fewest);
    out.length = std::min({out.moves / lookups_an_entry, most_entries, demand.positions,
                           std::max(demand.longest_part, states_of_a_block)});
    out.parts = (demand.positions + out.length - 1) / out.length;
    out.memory = fixed + out.cache + for_lookups;
    out.disk = disk;
    return out;
}

std::optional<PartsPlan> PartsPlan::with_length(std::uint64_t other, std::uint64_t positions) const {
    if (other == 0 || other > length || other % states_of_a_block != 0) return std::nullopt;
    PartsPlan out = *this;
    out.length = other;
    out.parts = (positions + other - 1) / other;
    out.buffer = buffer * parts / out.parts;
    if (out.buffer < smallest_buffer) return std::nullopt;
    return out;
}

}  // namespace proofbase
