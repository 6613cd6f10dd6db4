// Table files. A table's blocks are copied into memory one by one, each when it is first asked for, and held against
// their checksums there. So what happens to the file later (it is cut off, overwritten, or its disk fails) cannot end
// the process or change a value: a block was read whole and unchanged, or it is reported and no entry of it is
// returned. Memory has the plain form, also of compressed tables, whose blocks are decoded when they are read.
//
// The blocks of a table stay in memory, or they share a BlockCache with those of other tables: then a block that gave
// way is read and checked again, against the checksums that the file had when it was opened.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tables/files/block_cache.hpp"
#include "tables/files/table_format.hpp"

namespace proofbase {

/// What a file system says of the state of a file. Every change of its bytes changes the stamp, unless it comes within
/// the clock tick of the change before.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = -1;     ///< -1: there is no such file
    std::int64_t modified = 0;  ///< nanoseconds since the epoch, like the next one
    std::int64_t changed = 0;

    bool operator==(const FileStamp&) const = default;

    /// Changed so shortly before now that another change may have left the same stamp.
    bool young() const noexcept;
};

FileStamp stamp_of(const std::filesystem::path& path) noexcept;

/// An open file, read at any place. Safe for any number of threads.
class OpenFile {
  public:
    /// Throws std::filesystem::filesystem_error, also for what is no regular file.
    explicit OpenFile(const std::filesystem::path& path);
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile();

    std::size_t size() const noexcept { return static_cast<std::size_t>(stamp_.size); }  ///< when it was opened

    /// Whether the file is another than when it was opened.
    bool changed() const noexcept;

    /// Reads `size` bytes. Returns what prevented it: an empty string if nothing did.
    std::string read(std::size_t offset, void* data, std::size_t size) const;

  private:
    int file_ = -1;
    FileStamp stamp_;
};

/// Memory that takes room only where it was written to, in pages of up to 2 MB.
class SparseMemory {
  public:
    SparseMemory() = default;
    /// Throws std::bad_alloc.
    explicit SparseMemory(std::size_t size);
    SparseMemory(SparseMemory&& other) noexcept { swap(other); }
    SparseMemory& operator=(SparseMemory&& other) noexcept {
        swap(other);
        return *this;
    }
    ~SparseMemory();

    unsigned char* data() const noexcept { return data_; }

  private:
    void swap(SparseMemory& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }

    unsigned char* data_ = nullptr;
    std::size_t size_ = 0;
};

/// One table. Safe for any number of threads.
class TableFile {
  public:
    /// `cache`: takes the blocks; null if they are to stay in memory.
    /// Throws DamagedTable if the file is not a whole table, and std::filesystem::filesystem_error.
    explicit TableFile(const std::filesystem::path& path, std::shared_ptr<BlockCache> cache = nullptr);
    TableFile(const TableFile&) = delete;
    TableFile& operator=(const TableFile&) = delete;
    ~TableFile();

    const std::filesystem::path& path() const noexcept { return path_; }
    const TableHeader& header() const noexcept { return header_; }

    /// Whether the file is another than when it was opened: blocks that were not asked for so far may be damaged.
    bool changed() const noexcept { return file_.changed(); }

    /// Bytes of the file.
    std::size_t bytes() const noexcept { return file_.size(); }

    /// The checksum of header and blocks: tables with other entries, or in another form, have another
    /// one.
    std::uint64_t checksum() const;

    /// The value of an entry below header().entries. Throws DamagedTable.
    int value(std::uint64_t i) const {
        while (true) {
            if (const std::optional<int> found = find(i)) return *found;
            check(i >> block_shift_);
        }
    }

    /// The value of an entry if its block is in memory.
    std::optional<int> find(std::uint64_t i) const noexcept {
        const std::uint64_t block = i >> block_shift_;
        if (!cache_) [[likely]] {
            return marked(sound_, block) ? std::optional(unchecked(i)) : std::nullopt;
        }
        std::optional<int> found;
        cached_[block].read([&](const unsigned char* data) {
            const std::uint64_t first = block << block_shift_;
            found = lowest_ + static_cast<int>(packed_entry(data, bits_, i - first));
        });
        return found;
    }

    /// Whether the block of an entry was found to be damaged.
    bool damaged(std::uint64_t i) const noexcept { return marked(damaged_, i >> block_shift_); }

    void prefetch(std::uint64_t i) const noexcept {
        if (cache_) {
            __builtin_prefetch(&cached_[i >> block_shift_], 1);
        } else {
            __builtin_prefetch(values_ + (i * bits_ >> 3));
        }
    }

    /// The value of an entry. Precondition: the entry's block has been checked, and the table has no cache.
    int unchecked(std::uint64_t i) const noexcept {
        return lowest_ + static_cast<int>(packed_entry(values_, bits_, i));
    }

    /// Reads a block that is not in memory, and checks it by its checksum. Throws DamagedTable.
    void check(std::uint64_t block) const;

    /// The entries of a block less the lowest value, from the file, without keeping them. `Entry`: std::uint16_t, or
    /// std::uint8_t where the table has 8 bits at most. Throws DamagedTable.
    template <class Entry>
    void read_entries(std::uint64_t block, std::vector<Entry>& out) const;

  private:
    using Marks = std::unique_ptr<std::atomic<std::uint64_t>[]>;  // one bit per block

    static bool marked(const Marks& marks, std::uint64_t block) noexcept {
        // Who sees the mark of a sound block sees its bytes.
        return marks[block / 64].load(std::memory_order_acquire) >> (block % 64) & 1;
    }
    static void mark(const Marks& marks, std::uint64_t block) noexcept {
        marks[block / 64].fetch_or(std::uint64_t{1} << (block % 64), std::memory_order_release);
    }

    [[noreturn]] void refuse(const std::string& why) const;
    [[noreturn]] void refuse_block(std::uint64_t block, const std::string& why) const;

    void check_cached(std::uint64_t block) const;

    /// Reads what is between the parts of the file, and where its blocks are. Throws DamagedTable.
    void read_directory();

    /// Reads a block into memory. Returns what is wrong with it: an empty string if nothing is.
    std::string read_block(std::uint64_t block, unsigned char* to) const;
    std::string read_compressed_block(std::uint64_t block, unsigned char* to) const;
    /// The entries of a block of a compressed table.
    template <class Entry>
    std::string decompress_block(std::uint64_t block, std::vector<Entry>& entries) const;

    std::filesystem::path path_;
    OpenFile file_;
    TableHeader header_;
    std::unique_ptr<std::uint32_t[]> checksums_;  // by block, as they were when the file was opened
    std::vector<std::uint64_t> starts_;           // of a compressed table: by block, where it is; then the end
    std::shared_ptr<BlockCache> cache_;
    std::unique_ptr<CachedBlock[]> cached_;  // by block, with a cache; otherwise the blocks are in memory_
    SparseMemory memory_;
    unsigned char* values_ = nullptr;
    std::uint32_t bits_ = 1;
    std::int32_t lowest_ = 0;
    unsigned block_shift_ = 0;  // entries of a block: 2^block_shift_
    Marks sound_;               // without a cache
    Marks damaged_;
    mutable std::array<std::mutex, 16> reading_;  // by block: one thread writes the bytes of a block
};

/// Writes a file completely or not at all: under a temporary name, which is changed to the final name after the bytes
/// are on the disk.
class NewFile {
  public:
    static constexpr const char* ending = ".new";  ///< of the temporary file's name, behind that of the file

    /// All methods throw std::filesystem::filesystem_error.
    explicit NewFile(std::filesystem::path path);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();  ///< removes the temporary file unless finish() was called

    void write(const void* data, std::size_t size);
    void write_at(std::size_t offset, const void* data, std::size_t size);
    /// `durable`: waits until the bytes are on the disk. Otherwise the file outlasts the end of the process, and may
    /// not outlast that of the machine.
    void finish(bool durable = true);

  private:
    std::filesystem::path path_;
    std::filesystem::path temporary_;
    int file_ = -1;
};

}  // namespace proofbase
