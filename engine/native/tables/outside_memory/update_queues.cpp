#include "tables/outside_memory/update_queues.hpp"

#include <filesystem>
#include <system_error>

#include "tables/files/crc32.hpp"

namespace proofbase {

bool QueueReader::next(std::vector<char>& out) {
    std::uint32_t head[2];
    {
        const std::scoped_lock lock(mutex_);
        if (at_ == length_) return false;
        const bool whole = length_ - at_ >= sizeof head && file_.read(at_, head, sizeof head).empty() &&
                           head[0] <= (length_ - at_ - sizeof head) / bytes_of_an_update;
        if (!whole) damaged();
        out.resize(head[0] * bytes_of_an_update);
        if (!file_.read(at_ + sizeof head, out.data(), out.size()).empty()) damaged();
        at_ += sizeof head + out.size();
    }
    if (crc32(out.data(), out.size()) != head[1]) damaged();
    return true;
}

void QueueReader::damaged() const {
    throw std::filesystem::filesystem_error("damaged updates of a class in", file_.directory(),
                                            std::make_error_code(std::errc::io_error));
}

void UpdateBuffers::flush(std::uint64_t part) {
    Buffer& buffer = buffers_[part];
    if (buffer.count == 0) return;
    const std::size_t size = buffer.count * bytes_of_an_update;
    const std::uint32_t head[2] = {buffer.count, crc32(buffer.data.get() + head_bytes, size)};
    std::memcpy(buffer.data.get(), head, sizeof head);
    queues_[part].append(buffer.data.get(), head_bytes + size);
    total_.fetch_add(head_bytes + size, std::memory_order_relaxed);
    buffer.count = 0;
}

}  // namespace proofbase
