// Updates of positions that are not in memory, on the disk: one queue, a file, for each part of a class.
//
// A queue is a row of blocks: the number of updates (4 bytes), the CRC-32 of what follows (4 bytes), and for each
// update the position's number in its part (4 bytes) and the value (1 byte). Threads collect updates in buffers and
// append a block when one is full.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "tables/outside_memory/scratch_file.hpp"
#include "tables/plan/plan.hpp"

namespace proofbase {

/// Reads the blocks between two places of a queue.
class QueueReader {
  public:
    QueueReader(const ScratchFile& file, std::uint64_t from, std::uint64_t to) : length_(to), file_(file), at_(from) {}

    /// Puts the updates of the next block into `out`, bytes_of_an_update each; false at the end. Any thread may call
    /// it. Throws std::filesystem::filesystem_error, also for a block that is damaged.
    bool next(std::vector<char>& out);

  private:
    [[noreturn]] void damaged() const;

    std::uint64_t length_;
    const ScratchFile& file_;
    std::mutex mutex_;
    std::uint64_t at_ = 0;
};

/// The updates that one thread has found and not yet appended to their queues.
class UpdateBuffers {
  public:
    UpdateBuffers(std::vector<ScratchFile>& queues, std::uint64_t capacity, std::atomic<std::uint64_t>& total)
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

    void flush(std::uint64_t part);

    std::vector<ScratchFile>& queues_;
    std::uint64_t updates_;  // of a full buffer
    std::vector<Buffer> buffers_;
    std::atomic<std::uint64_t>& total_;  // bytes of all queues
};

/// An update of a block.
inline std::pair<std::uint32_t, int> unpacked_update(const char* bytes) noexcept {
    std::uint32_t index;
    std::memcpy(&index, bytes, sizeof index);
    return {index, static_cast<std::int8_t>(bytes[4])};
}

}  // namespace proofbase
