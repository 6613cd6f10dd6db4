// A table file mapped into memory. The checksum of every block is checked when the block is first read; a damaged block
// is reported, and no entry of it is returned.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "tables/table_format.hpp"

namespace proofbase {

/// A file mapped for reading. Throws std::filesystem::filesystem_error.
class MappedFile {
  public:
    explicit MappedFile(const std::filesystem::path& path);
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    const unsigned char* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }

  private:
    const unsigned char* data_ = nullptr;
    std::size_t size_ = 0;
};

/// One table. Safe for any number of threads.
class TableFile {
  public:
    /// Throws DamagedTable if the file is not a whole table, and std::filesystem::filesystem_error.
    explicit TableFile(const std::filesystem::path& path);

    const std::filesystem::path& path() const noexcept { return path_; }
    const TableHeader& header() const noexcept { return header_; }

    /// The value of an entry below header().entries. Throws DamagedTable.
    int value(std::uint64_t i) const {
        const std::uint64_t block = i / TableHeader::block_entries;
        if (!(checked_[block / 64].load(std::memory_order_relaxed) >> (block % 64) & 1)) check(block);
        return unchecked(i);
    }

    void prefetch(std::uint64_t i) const noexcept { __builtin_prefetch(values_ + (i * bits_ >> 3)); }

    /// The value of an entry. Precondition: the entry's block has been checked.
    int unchecked(std::uint64_t i) const noexcept {
        return lowest_ + static_cast<int>(packed_entry(values_, bits_, i));
    }

    /// Checks a block by its checksum. Throws DamagedTable.
    void check(std::uint64_t block) const;

    /// Bytes of a block; after the last entry of the table they are zeros.
    const unsigned char* block(std::uint64_t number) const noexcept { return values_ + number * header_.block_bytes(); }

  private:
    [[noreturn]] void refuse(const std::string& why) const;

    std::filesystem::path path_;
    MappedFile file_;
    TableHeader header_;
    const unsigned char* values_ = nullptr;
    std::uint32_t bits_ = 1;
    std::int32_t lowest_ = 0;
    std::unique_ptr<std::atomic<std::uint64_t>[]> checked_;  // one bit per block: the block agrees with its checksum
};

/// Writes a file completely or not at all: under a temporary name, which is changed to the final name after the bytes
/// are on the disk.
class NewFile {
  public:
    /// All methods throw std::filesystem::filesystem_error.
    explicit NewFile(std::filesystem::path path);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();  ///< removes the temporary file unless finish() was called

    void write(const void* data, std::size_t size);
    void write_at(std::size_t offset, const void* data, std::size_t size);
    void finish();

  private:
    std::filesystem::path path_;
    std::filesystem::path temporary_;
    int file_ = -1;
};

}  // namespace proofbase
