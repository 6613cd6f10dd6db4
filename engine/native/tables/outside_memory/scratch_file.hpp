// A file for what does not fit into the memory. It has no name: what happens to the process, its room is free again.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>

namespace proofbase {

/// Any thread may call the methods, those that move and open excepted. All but `read` throw
/// std::filesystem::filesystem_error.
class ScratchFile {
  public:
    ScratchFile() = default;
    ScratchFile(ScratchFile&& other) noexcept
        : directory_(std::move(other.directory_)), file_(std::exchange(other.file_, -1)), length_(other.length_) {}
    ScratchFile& operator=(ScratchFile&&) = delete;
    ~ScratchFile() {
        if (file_ >= 0) ::close(file_);
    }

    /// `directory`: on whose file system it is.
    void open(const std::filesystem::path& directory);

    const std::filesystem::path& directory() const noexcept { return directory_; }

    /// Bytes that were appended since it was emptied.
    std::uint64_t length() const noexcept { return length_; }

    void append(const char* data, std::size_t size);

    void write(std::uint64_t offset, const void* data, std::size_t size) const;

    /// Returns what prevented it: an empty string if nothing did.
    std::string read(std::uint64_t offset, void* data, std::size_t size) const;

    /// Gives its room back. While no other thread uses it.
    void empty();

  private:
    [[noreturn]] void fail(const char* what) const;

    std::filesystem::path directory_;
    int file_ = -1;
    std::mutex mutex_;
    std::uint64_t length_ = 0;
};

}  // namespace proofbase
