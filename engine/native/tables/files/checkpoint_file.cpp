#include "tables/files/checkpoint_file.hpp"

#include <algorithm>

#include "tables/files/crc32.hpp"

namespace proofbase {

void remove_checkpoint(const std::filesystem::path& path) {
    std::filesystem::remove(path);
    std::filesystem::path unfinished = path;
    std::filesystem::remove(unfinished += NewFile::ending);
}

void CheckpointWriter::bytes(const void* data, std::size_t size) {
    constexpr std::size_t chunk = std::size_t{1} << 20;
    for (std::size_t at = 0; at < size; at += chunk) {
        task_.stop_if_cancelled();
        const std::size_t count = std::min(chunk, size - at);
        crc_ = crc32(static_cast<const char*>(data) + at, count, crc_);
        file_.write(static_cast<const char*>(data) + at, count);
    }
}

void CheckpointWriter::text(const std::string& text) {
    value(std::uint64_t{text.size()});
    bytes(text.data(), text.size());
}

void CheckpointWriter::finish(bool durable) {
    const std::uint32_t crc = crc_;
    file_.write(&crc, sizeof crc);
    file_.finish(durable);
}

void CheckpointReader::bytes(void* data, std::size_t size) {
    whole_ = whole_ && size <= file_.size() - at_ && file_.read(at_, data, size).empty();
    if (!whole_) return;
    crc_ = crc32(data, size, crc_);
    at_ += size;
}

void CheckpointReader::text(std::string& text) {
    std::uint64_t size = 0;
    value(size);
    whole_ = whole_ && size <= file_.size() - at_;
    if (!whole_) return;
    text.resize(size);
    bytes(text.data(), size);
}

bool CheckpointReader::finish() {
    const std::uint32_t expected = crc_;
    std::uint32_t found = 0;
    value(found);
    return whole_ && found == expected && at_ == file_.size();
}

}  // namespace proofbase
