#include "tables/files/compressed_table.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

#include "tables/files/crc32.hpp"
#include "tables/files/packed_table.hpp"
#include "tables/files/zstd.hpp"
#include "tables/work/in_pieces.hpp"

namespace proofbase {

namespace {

/// The entries of a part of a table, less the lowest value. The blocks of the file do not stay in memory.
class PartOfTable {
  public:
    PartOfTable(const TableFile& table, unsigned threads, const TableTask& task)
        : table_(table), threads_(threads), task_(task) {}

    /// Reads the entries from `from`, a multiple of the largest blocks' entries, to below `to`.
    void read(std::uint64_t from, std::uint64_t to) {
        from_ = from;
        entries_.resize(to - from);
        const std::uint64_t size = table_.header().block_entries;
        in_pieces(threads_, (to - from + size - 1) / size, 1, task_, [&](std::uint64_t first, std::uint64_t last) {
            std::vector<std::uint16_t> block;
            for (std::uint64_t k = first; k < last; ++k) {
                table_.read_entries(from_ / size + k, block);
                std::copy_n(block.begin(), std::min<std::uint64_t>(size, entries_.size() - k * size),
                            entries_.begin() + static_cast<std::ptrdiff_t>(k * size));
            }
        });
    }

    std::uint16_t operator[](std::uint64_t i) const { return entries_[i - from_]; }

  private:
    const TableFile& table_;
    unsigned threads_;
    const TableTask& task_;
    std::uint64_t from_ = 0;
    std::vector<std::uint16_t> entries_;
};

/// The entries of a block of a new file, one after the other, with the low byte first where they have two.
std::vector<unsigned char> plain_block(const PartOfTable& part, const TableHeader& written, std::uint64_t block) {
    const std::uint64_t from = block * written.block_entries;
    const std::uint64_t count = std::min(written.block_entries, written.entries - from);
    const std::size_t bytes = written.entry_bytes();
    std::vector<unsigned char> out(count * bytes);
    for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint16_t entry = part[from + k];
        out[k * bytes] = static_cast<unsigned char>(entry);
        if (bytes == 2) out[k * bytes + 1] = static_cast<unsigned char>(entry >> 8);
    }
    return out;
}

/// A block of a compressed file. Throws std::runtime_error if zstd does not give back what it was given.
std::vector<unsigned char> compressed(const std::vector<unsigned char>& entries, int level) {
    thread_local ZstdCompressor compressor;
    thread_local ZstdDecompressor decompressor;
    std::vector<unsigned char> out(ZstdCompressor::bound(entries.size()));
    out.resize(compressor.compress(entries.data(), entries.size(), out.data(), out.size(), level));
    std::vector<unsigned char> again(entries.size());
    if (!decompressor.decompress(out.data(), out.size(), again.data(), again.size()) || again != entries) {
        throw std::runtime_error("zstd does not give back what it compressed");
    }
    return out;
}

}  // namespace

void write_compressed_table(const TableHeader& header, int level, const std::filesystem::path& path, unsigned threads,
                            TableTask& task, FunctionRef<std::vector<unsigned char>(std::uint64_t)> entries,
                            FunctionRef<void(std::uint64_t, std::uint64_t)> prepare) {
    NewFile file(path);
    const std::string zeros(header.data_start(), '\0');
    file.write(zeros.data(), zeros.size());
    std::vector<std::uint32_t> directory(2 * header.blocks());  // the checksums, then the sizes
    // All threads compress some megabytes of entries; this thread writes them.
    const std::uint64_t together = std::max<std::uint64_t>(16, (std::uint64_t{1} << 22) / header.block_entries);
    for (std::uint64_t first = 0; first < header.blocks(); first += together) {
        const std::uint64_t count = std::min(together, header.blocks() - first);
        prepare(first * header.block_entries, std::min((first + count) * header.block_entries, header.entries));
        std::vector<std::vector<unsigned char>> frames(count);
        in_pieces(threads, count, 1, task, [&](std::uint64_t from, std::uint64_t to) {
            for (std::uint64_t k = from; k < to; ++k) {
                const std::uint64_t block = first + k;
                frames[k] = compressed(entries(block), level);
                directory[block] = crc32(frames[k].data(), frames[k].size(), static_cast<std::uint32_t>(block));
                directory[header.blocks() + block] = static_cast<std::uint32_t>(frames[k].size());
            }
        });
        for (const auto& frame : frames) file.write(frame.data(), frame.size());
        task.done = std::min(header.entries, (first + count) * header.block_entries);
    }
    const std::string tail(TableHeader::tail, '\0');
    file.write(tail.data(), tail.size());
    const std::string written = header.written();
    file.write_at(0, written.data(), written.size());
    file.write_at(TableHeader::bytes, directory.data(), directory.size() * 4);
    file.finish();
}

void Compression::check() const {
    if (level < lowest_level || level > highest_level) {
        throw std::invalid_argument("levels of compression are 1 to 22");
    }
    if (!std::has_single_bit(block_entries) || block_entries < TableHeader::fewest_block_entries ||
        block_entries > TableHeader::most_block_entries) {
        throw std::invalid_argument("blocks have a power of two of entries, 1024 to 1048576");
    }
}

void rewrite_table(const TableFile& table, const std::filesystem::path& path,
                   const std::optional<Compression>& compression, unsigned threads, TableTask& task) {
    TableHeader header = table.header();
    task.size = header.entries;
    task.begin(TableTask::Phase::writing);
    header.compressed = compression.has_value();
    header.block_entries = compression ? compression->block_entries : TableHeader::plain_block_entries;
    PartOfTable part(table, threads, task);
    const auto read = [&](std::uint64_t from, std::uint64_t to) { part.read(from, to); };
    if (compression) {
        compression->check();
        const auto entries = [&](std::uint64_t block) { return plain_block(part, header, block); };
        write_compressed_table(header, compression->level, path, threads, task, entries, read);
    } else {
        write_table(path, header, threads, task, packed_at_once, [&](std::uint64_t i) { return part[i]; }, read);
    }
}

}  // namespace proofbase
