// Files of checkpoints: plain values and arrays, one after the other, and the CRC-32 of everything before it (4 bytes).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>

#include "tables/files/crc32.hpp"
#include "tables/files/table_file.hpp"
#include "tables/table_task.hpp"

namespace proofbase {

/// Puts plain values and arrays into a file, one after the other.
class CheckpointWriter {
  public:
    /// All methods throw std::filesystem::filesystem_error.
    CheckpointWriter(const std::filesystem::path& path, const TableTask& task) : file_(path), task_(task) {}

    /// Throws TableWorkCancelled too.
    void bytes(const void* data, std::size_t size) {
        constexpr std::size_t chunk = std::size_t{1} << 20;
        for (std::size_t at = 0; at < size; at += chunk) {
            task_.stop_if_cancelled();
            const std::size_t count = std::min(chunk, size - at);
            crc_ = crc32(static_cast<const char*>(data) + at, count, crc_);
            file_.write(static_cast<const char*>(data) + at, count);
        }
    }

    template <class T>
    void value(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes(&value, sizeof value);
    }

    void text(const std::string& text) {
        value(std::uint64_t{text.size()});
        bytes(text.data(), text.size());
    }

    template <class Vector>
    void array(const Vector& array) {
        bytes(array.data(), array.size() * sizeof(array[0]));
    }

    /// `durable`: NewFile::finish.
    void finish(bool durable = true) {
        const std::uint32_t crc = crc_;
        file_.write(&crc, sizeof crc);
        file_.finish(durable);
    }

  private:
    NewFile file_;
    const TableTask& task_;
    std::uint32_t crc_ = 0;
};

/// Takes from a file what a CheckpointWriter put there. What was read counts only if `finish` says so.
class CheckpointReader {
  public:
    /// Throws std::filesystem::filesystem_error.
    explicit CheckpointReader(const std::filesystem::path& path) : file_(path) {}

    void bytes(void* data, std::size_t size) {
        whole_ = whole_ && size <= file_.size() - at_ && file_.read(at_, data, size).empty();
        if (!whole_) return;
        crc_ = crc32(data, size, crc_);
        at_ += size;
    }

    template <class T>
    void value(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes(&value, sizeof value);
    }

    void text(std::string& text) {
        std::uint64_t size = 0;
        value(size);
        whole_ = whole_ && size <= file_.size() - at_;
        if (!whole_) return;
        text.resize(size);
        bytes(text.data(), size);
    }

    template <class Vector>
    void array(Vector& array) {
        bytes(array.data(), array.size() * sizeof(array[0]));
    }

    /// Whether everything up to here was there, with its checksum, and nothing else.
    bool finish() {
        const std::uint32_t expected = crc_;
        std::uint32_t found = 0;
        value(found);
        return whole_ && found == expected && at_ == file_.size();
    }

    bool whole() const noexcept { return whole_; }

  private:
    OpenFile file_;
    std::size_t at_ = 0;
    bool whole_ = true;
    std::uint32_t crc_ = 0;
};

}  // namespace proofbase
