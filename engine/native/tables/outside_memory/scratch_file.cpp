#include "tables/outside_memory/scratch_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace proofbase {

void ScratchFile::open(const std::filesystem::path& directory) {
    directory_ = directory;
    std::string name = (directory / "scratch-XXXXXX").string();
    file_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (file_ < 0) fail("cannot create a file in");
    ::unlink(name.c_str());
}

void ScratchFile::append(const char* data, std::size_t size) {
    const std::scoped_lock lock(mutex_);
    write(length_, data, size);
    length_ += size;
}

void ScratchFile::write(std::uint64_t offset, const void* data, std::size_t size) const {
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

std::string ScratchFile::read(std::uint64_t offset, void* data, std::size_t size) const {
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

void ScratchFile::empty() {
    if (length_ > 0 && ::ftruncate(file_, 0) != 0) fail("cannot write a file in");
    length_ = 0;
}

void ScratchFile::fail(const char* what) const {
    throw std::filesystem::filesystem_error(what, directory_, std::error_code(errno, std::generic_category()));
}

}  // namespace proofbase
