// Updates of positions that are not in memory, on the disk: one queue, a file, for each part of a class.
//
// A queue is a row of blocks: the number of updates (4 bytes), the CRC-32 of what follows (4 bytes), and for each
// update the position's number in its part (4 bytes) and the value (1 byte). Threads collect updates in buffers and
// append a block when one is full.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tables/files/crc32.hpp"
#include "tables/files/table_file.hpp"
#include "tables/plan/plan.hpp"

namespace proofbase {

/// Bytes that are appended to the end of a file, whose length this object knows.
class AppendedFile {
  public:
    void open(std::filesystem::path path, std::uint64_t length) {
        path_ = std::move(path);
        length_ = length;
        synchronized_ = length == 0;
    }

    const std::filesystem::path& path() const noexcept { return path_; }
    std::uint64_t length() const noexcept { return length_; }

    /// Any thread may call it. Throws std::filesystem::filesystem_error.
    void append(const char* data, std::size_t size);

    /// Waits until the bytes are on the disk.
    void synchronize();

  private:
    struct Descriptor {
        explicit Descriptor(const std::filesystem::path& path)
            : number(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)) {
            if (number < 0) fail("cannot open", path);
        }
        Descriptor(const Descriptor&) = delete;
        Descriptor& operator=(const Descriptor&) = delete;
        ~Descriptor() { ::close(number); }
        int number;
    };

    [[noreturn]] static void fail(const char* what, const std::filesystem::path& path);

    std::filesystem::path path_;
    std::mutex mutex_;
    std::uint64_t length_ = 0;
    bool synchronized_ = true;
};

/// Reads the blocks of a queue. `File`: read(offset, data, size) says what prevented it, an empty string if nothing
/// did.
template <class File = OpenFile>
class QueueReader {
  public:
    /// Opens the file. Throws std::filesystem::filesystem_error.
    QueueReader(const std::filesystem::path& path, std::uint64_t length)
        requires std::same_as<File, OpenFile>
        : path_(path), length_(length) {
        if (length > 0) file_ = &opened_.emplace(path);
    }

    /// The blocks between two places of a file. `path`: its name in errors.
    QueueReader(const File& file, const std::filesystem::path& path, std::uint64_t from, std::uint64_t to)
        : path_(path), length_(to), file_(&file), at_(from) {}

    /// Puts the updates of the next block into `out`, bytes_of_an_update each; false at the end. Any thread may call
    /// it. Throws std::filesystem::filesystem_error, also for a block that is damaged.
    bool next(std::vector<char>& out) {
        std::uint32_t head[2];
        {
            const std::scoped_lock lock(mutex_);
            if (at_ == length_) return false;
            const bool whole = length_ - at_ >= sizeof head && file_->read(at_, head, sizeof head).empty() &&
                               head[0] <= (length_ - at_ - sizeof head) / bytes_of_an_update;
            if (!whole) damaged();
            out.resize(head[0] * bytes_of_an_update);
            if (!file_->read(at_ + sizeof head, out.data(), out.size()).empty()) damaged();
            at_ += sizeof head + out.size();
        }
        if (crc32(out.data(), out.size()) != head[1]) damaged();
        return true;
    }

  private:
    [[noreturn]] void damaged() const {
        throw std::filesystem::filesystem_error("damaged updates of a table", path_,
                                                std::make_error_code(std::errc::io_error));
    }

    std::filesystem::path path_;
    std::uint64_t length_;
    std::optional<File> opened_;
    const File* file_ = nullptr;
    std::mutex mutex_;
    std::uint64_t at_ = 0;
};

/// The updates that one thread has found and not yet appended to their queues.
template <class Queue = AppendedFile>
class UpdateBuffers {
  public:
    UpdateBuffers(std::vector<Queue>& queues, std::uint64_t capacity, std::atomic<std::uint64_t>& total)
        : queues_(queues),
          updates_((capacity - head_bytes) / bytes_of_an_update),
          buffers_(queues.size()),
          total_(total) {}

    void add(std::uint64_t part, std::uint32_t index_in_part, int value) {
        Buffer& buffer = buffers_[part];
        if (!buffer.data) buffer.data = std::make_unique<char[]>(head_bytes + updates_ * bytes_of_an_update);
        char* to = buffer.data.get() + head_bytes + buffer.count * bytes_of_an_update;
        std::memcpy(to, &index_in_part, sizeof index_in_part);
        to[4] = static_cast<char>(value);
        if (++buffer.count == updates_) flush(part);
    }

    /// Appends all of them. Throws std::filesystem::filesystem_error.
    void flush() {
        for (std::uint64_t part = 0; part < buffers_.size(); ++part) flush(part);
    }

  private:
    struct Buffer {
        std::unique_ptr<char[]> data;
        std::uint32_t count = 0;
    };

    static constexpr std::size_t head_bytes = 8;

    void flush(std::uint64_t part) {
        Buffer& buffer = buffers_[part];
        if (buffer.count == 0) return;
        const std::size_t size = buffer.count * bytes_of_an_update;
        const std::uint32_t head[2] = {buffer.count, crc32(buffer.data.get() + head_bytes, size)};
        std::memcpy(buffer.data.get(), head, sizeof head);
        queues_[part].append(buffer.data.get(), head_bytes + size);
        total_.fetch_add(head_bytes + size, std::memory_order_relaxed);
        buffer.count = 0;
    }

    std::vector<Queue>& queues_;
    std::uint64_t updates_;  // of a full buffer
    std::vector<Buffer> buffers_;
    std::atomic<std::uint64_t>& total_;  // bytes of all queues
};

extern template class QueueReader<OpenFile>;
extern template class UpdateBuffers<AppendedFile>;

/// An update of a block.
inline std::pair<std::uint32_t, int> unpacked_update(const char* bytes) noexcept {
    std::uint32_t index;
    std::memcpy(&index, bytes, sizeof index);
    return {index, static_cast<std::int8_t>(bytes[4])};
}

}  // namespace proofbase
