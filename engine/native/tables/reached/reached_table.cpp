#include "tables/reached/reached_table.hpp"

#include <bit>

#include "errors.hpp"
#include "tables/files/compressed_table.hpp"
#include "tables/work/in_pieces.hpp"

namespace proofbase {

void write_reached_table(const ReachedTable& table, TableHeader header, int unreached,
                         const std::filesystem::path& path, unsigned threads, TableTask& task) {
    header.compressed = true;
    header.block_entries = reached_block_entries;
    header.lowest = table.values.empty() ? 0 : *std::min_element(table.values.begin(), table.values.end());
    header.bits = static_cast<std::uint32_t>(std::bit_width(static_cast<unsigned>(unreached - header.lowest)));
    static_assert(reached_block_entries == ReachedNumbers::group);
    constexpr int level = 5;  // higher ones take several times as long, and save a few percent
    task.size = header.entries;
    task.begin(TableTask::Phase::writing);
    const auto entries = [&](std::uint64_t block) {
        const std::uint64_t count = std::min(header.block_entries, header.entries - block * header.block_entries);
        std::vector<unsigned char> out(count, static_cast<unsigned char>(unreached - header.lowest));
        for (std::uint64_t k = table.numbers.start(block); k < table.numbers.start(block + 1); ++k) {
            const std::uint64_t in_block = table.numbers.number(block, k) % header.block_entries;
            out[in_block] = static_cast<unsigned char>(table.values[k] - header.lowest);
        }
        return out;
    };
    write_compressed_table(header, level, path, threads, task, entries, [](std::uint64_t, std::uint64_t) {});
}

namespace {

/// Calls visit(index, entry) for the entries that are not `none`. Most are.
template <class Visit>
void for_each_other(const std::vector<std::uint8_t>& entries, std::uint8_t none, Visit&& visit) {
    const std::uint64_t nothing = 0x0101010101010101ULL * none;
    const std::size_t size = entries.size();
    std::size_t k = 0;
    for (; k + 8 <= size; k += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, entries.data() + k, 8);
        if (eight == nothing) continue;
        for (std::size_t i = k; i < k + 8; ++i) {
            if (entries[i] != none) visit(i, entries[i]);
        }
    }
    for (; k < size; ++k) {
        if (entries[k] != none) visit(k, entries[k]);
    }
}

}  // namespace

ReachedTable read_reached_table(const TableFile& file, int unreached, unsigned threads, const TableTask& task,
                                FunctionRef<void(std::uint64_t, const std::exception&)> damaged) {
    const TableHeader& header = file.header();
    const auto none = static_cast<std::uint8_t>(unreached - header.lowest);
    // All threads read some megabytes of entries; this thread puts them together.
    const std::uint64_t together = std::max<std::uint64_t>(16, (std::uint64_t{1} << 24) / header.block_entries);
    ReachedTable out;
    std::vector<std::vector<std::pair<std::uint32_t, std::int8_t>>> found(together);
    for (std::uint64_t first = 0; first < header.blocks(); first += together) {
        const std::uint64_t count = std::min(together, header.blocks() - first);
        in_pieces(threads, count, 1, task, [&](std::uint64_t from, std::uint64_t to) {
            thread_local std::vector<std::uint8_t> entries;
            for (std::uint64_t k = from; k < to; ++k) {
                found[k].clear();
                try {
                    file.read_entries(first + k, entries);
                } catch (const DamagedTable& error) {
                    damaged(first + k, error);
                    continue;
                }
                for_each_other(entries, none, [&](std::size_t i, std::uint8_t entry) {
                    found[k].emplace_back(static_cast<std::uint32_t>(i),
                                          static_cast<std::int8_t>(entry + header.lowest));
                });
            }
        });
        for (std::uint64_t k = 0; k < count; ++k) {
            for (const auto& [index, value] : found[k]) {
                out.numbers.add((first + k) * header.block_entries + index);
                out.values.push_back(value);
            }
        }
    }
    return out;
}

}  // namespace proofbase
