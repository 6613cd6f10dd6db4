// A file for what does not fit into the memory. It has no name: what happens to the process, its room is free again.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>
#include <system_error>
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
    void open(const std::filesystem::path& directory) {
        directory_ = directory;
        std::string name = (directory / "scratch-XXXXXX").string();
        file_ = ::mkostemp(name.data(), O_CLOEXEC);
        if (file_ < 0) fail("cannot create a file in");
        ::unlink(name.c_str());
    }

    const std::filesystem::path& directory() const noexcept { return directory_; }

    /// Bytes that were appended since it was emptied.
    std::uint64_t length() const noexcept { return length_; }

    void append(const char* data, std::size_t size) {
        const std::scoped_lock lock(mutex_);
        write(length_, data, size);
        length_ += size;
    }

    void write(std::uint64_t offset, const void* data, std::size_t size) const {
        const auto* bytes = static_cast<const char*>(data);
        while (size > 0) {
            const ::ssize_t written = ::pwrite(file_, bytes, size, static_cast<::off_t>(offset));
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) fail("cannot write a file in");
            bytes += written;
            offset += static_cast<std::uint64_t>(written);
            size -= static_cast<std::size_t>(written);
        }
    }

    /// Returns what prevented it: an empty string if nothing did.
    std::string read(std::uint64_t offset, void* data, std::size_t size) const {
        auto* bytes = static_cast<char*>(data);
        while (size > 0) {
            const ::ssize_t got = ::pread(file_, bytes, size, static_cast<::off_t>(offset));
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return got < 0 ? std::strerror(errno) : "it ends too early";
            bytes += got;
            offset += static_cast<std::uint64_t>(got);
            size -= static_cast<std::size_t>(got);
        }
        return {};
    }

    /// Gives its room back. While no other thread uses it.
    void empty() {
        if (length_ > 0 && ::ftruncate(file_, 0) != 0) fail("cannot write a file in");
        length_ = 0;
    }

  private:
    [[noreturn]] void fail(const char* what) const {
        throw std::filesystem::filesystem_error(what, directory_, std::error_code(errno, std::generic_category()));
    }

    std::filesystem::path directory_;
    int file_ = -1;
    std::mutex mutex_;
    std::uint64_t length_ = 0;
};

}  // namespace proofbase
