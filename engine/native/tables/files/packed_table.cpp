#include "tables/files/packed_table.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tables/files/table_file.hpp"
#include "tables/work/in_pieces.hpp"

namespace proofbase {

void write_packed_table(const std::filesystem::path& path, const TableHeader& header, unsigned threads, TableTask& task,
                        std::uint64_t blocks_at_once,
                        FunctionRef<void(std::uint64_t, std::uint64_t, std::uint16_t*)> put_entries,
                        FunctionRef<void(std::uint64_t, std::uint64_t)> prepare) {
    const auto pack_block = [&](std::uint64_t number, unsigned char* out) {
        const std::uint64_t from = number * header.block_entries;
        const std::uint64_t to = std::min(from + header.block_entries, header.entries);
        std::array<std::uint16_t, TableHeader::plain_block_entries> entries;
        put_entries(from, to, entries.data());
        pack_entries(entries.data(), to - from, header.bits, out);
    };
    NewFile file(path);
    std::vector<std::uint32_t> checksums(header.blocks());
    const std::string zeros(header.data_start(), '\0');
    file.write(zeros.data(), zeros.size());
    // All threads pack blocks and compute their checksums; this thread writes them, some megabytes at a time.
    std::vector<unsigned char> packed;
    for (std::uint64_t first = 0; first < header.blocks(); first += blocks_at_once) {
        const std::uint64_t count = std::min(blocks_at_once, header.blocks() - first);
        prepare(first * header.block_entries, std::min((first + count) * header.block_entries, header.entries));
        packed.assign(count * header.block_bytes(), 0);
        in_pieces(threads, count, 16, task, [&](std::uint64_t from, std::uint64_t to) {
            for (std::uint64_t k = from; k < to; ++k) {
                unsigned char* block = packed.data() + k * header.block_bytes();
                pack_block(first + k, block);
                checksums[first + k] = crc32(block, header.block_bytes(), static_cast<std::uint32_t>(first + k));
            }
        });
        file.write(packed.data(), packed.size());
        task.done = std::min(header.entries, (first + count) * header.block_entries);
    }
    const std::string tail(TableHeader::tail, '\0');
    file.write(tail.data(), tail.size());
    const std::string written = header.written();
    file.write_at(0, written.data(), written.size());
    file.write_at(TableHeader::bytes, checksums.data(), checksums.size() * 4);
    file.finish();
}

}  // namespace proofbase
