// Files of checkpoints: plain values and arrays, one after the other, and the CRC-32 of everything before it (4 bytes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "tables/files/table_file.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// Removes a checkpoint, also one that was being written when its process was killed.
void remove_checkpoint(const std::filesystem::path& path);

/// Puts plain values and arrays into a file, one after the other.
class CheckpointWriter {
  public:
    /// All methods throw std::filesystem::filesystem_error.
    CheckpointWriter(const std::filesystem::path& path, const TableTask& task) : file_(path), task_(task) {}

    /// Throws TableWorkCancelled too.
    void bytes(const void* data, std::size_t size);

    template <class T>
    void value(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes(&value, sizeof value);
    }

    void text(const std::string& text);

    template <class Vector>
    void array(const Vector& array) {
        bytes(array.data(), array.size() * sizeof(array[0]));
    }

    /// An array, its length before it.
    template <class T>
    void vector(const std::vector<T>& given) {
        value(std::uint64_t{given.size()});
        array(given);
    }

    /// `durable`: NewFile::finish.
    void finish(bool durable = true);

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

    void bytes(void* data, std::size_t size);

    template <class T>
    void value(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes(&value, sizeof value);
    }

    void text(std::string& text);

    template <class Vector>
    void array(Vector& array) {
        bytes(array.data(), array.size() * sizeof(array[0]));
    }

    template <class T>
    void vector(std::vector<T>& taken) {
        std::uint64_t size = 0;
        value(size);
        whole_ = whole_ && size <= (file_.size() - at_) / sizeof(T);
        if (!whole_) return;
        taken.resize(size);
        array(taken);
    }

    /// Whether everything up to here was there, with its checksum, and nothing else.
    bool finish();

    bool whole() const noexcept { return whole_; }

  private:
    OpenFile file_;
    std::size_t at_ = 0;
    bool whole_ = true;
    std::uint32_t crc_ = 0;
};

}  // namespace proofbase
