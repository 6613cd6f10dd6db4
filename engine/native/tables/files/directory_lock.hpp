// A lock that one worker at a time has in a directory, until the object is destroyed or the process ends.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace proofbase {

class DirectoryLock {
  public:
    /// `path`: the file of the lock, which stays. The lock is not held if another worker, in this process or another
    /// one, holds it, or if nothing can be written there.
    explicit DirectoryLock(const std::filesystem::path& path)
        : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
        if (file_ < 0 || ::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
        ::close(file_);
        file_ = -1;
    }
    DirectoryLock(DirectoryLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    DirectoryLock& operator=(DirectoryLock&&) = delete;
    ~DirectoryLock() {
        if (file_ >= 0) ::close(file_);
    }

    bool held() const noexcept { return file_ >= 0; }

  private:
    int file_;
};

}  // namespace proofbase
