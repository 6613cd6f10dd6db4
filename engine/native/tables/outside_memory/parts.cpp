#include "tables/outside_memory/parts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace proofbase {

void AppendedFile::append(const char* data, std::size_t size) {
    const std::scoped_lock lock(mutex_);
    const Descriptor file(path_);
    for (std::size_t at = 0; at < size;) {
        const ::ssize_t written = ::pwrite(file.number, data + at, size - at, static_cast<::off_t>(length_ + at));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("cannot write", path_);
        at += static_cast<std::size_t>(written);
    }
    length_ += size;
    synchronized_ = false;
}

void AppendedFile::synchronize() {
    if (std::exchange(synchronized_, true)) return;
    const Descriptor file(path_);
    if (::fsync(file.number) != 0) fail("cannot write", path_);
}

void AppendedFile::fail(const char* what, const std::filesystem::path& path) {
    throw std::filesystem::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

template class QueueReader<OpenFile>;
template class QueueReader<ScratchFile>;
template class UpdateBuffers<AppendedFile>;
template class UpdateBuffers<ScratchFile>;
template class Parts<AppendedFile>;
template class Parts<ScratchFile>;

}  // namespace proofbase
