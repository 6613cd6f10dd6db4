// The checkpoint file of a class that is being built: a build that was killed continues from it.
//
// The file is beside that of the table and holds the table's header (256 bytes, without lowest value and bits), the
// next threshold (8 bytes), the states, and the CRC-32 of everything before it (4 bytes). A damaged checkpoint, or one
// of another table, is ignored: the class is built from the start.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "tables/files/crc32.hpp"
#include "tables/files/table_file.hpp"
#include "tables/files/table_format.hpp"
#include "tables/table_task.hpp"

namespace proofbase {

class BuildCheckpoint {
  public:
    /// `table`: path of the finished table.
    BuildCheckpoint(std::filesystem::path table, const TableHeader& header)
        : path_(std::move(table.replace_extension(".checkpoint"))), header_(header.written()) {}

    /// Throws TableWorkCancelled (nothing is changed then) and std::filesystem::filesystem_error.
    template <class States>
    void save(const States& states, int threshold, const TableTask& task) const {
        NewFile file(path_);
        std::string start = header_ + std::string(8, '\0');
        std::memcpy(&start[header_.size()], &threshold, sizeof threshold);
        std::uint32_t crc = crc32(start.data(), start.size());
        file.write(start.data(), start.size());
        const auto* bytes = reinterpret_cast<const char*>(states.data());
        const std::size_t size = states.size() * sizeof(states[0]);
        for (std::size_t at = 0; at < size; at += chunk) {
            task.stop_if_cancelled();
            const std::size_t count = std::min(chunk, size - at);
            crc = crc32(bytes + at, count, crc);
            file.write(bytes + at, count);
        }
        file.write(&crc, sizeof crc);
        file.finish();
    }

    /// Fills in the states and returns the threshold to continue with; nothing if there is no checkpoint of this table.
    template <class States>
    std::optional<int> load(States& states) const {
        if (!std::filesystem::exists(path_)) return std::nullopt;
        const OpenFile file(path_);
        const std::size_t size = states.size() * sizeof(states[0]);
        const std::size_t start = header_.size() + 8;
        if (file.size() != start + size + 4) return std::nullopt;
        std::string before(start, '\0');
        if (!file.read(0, before.data(), start).empty()) return std::nullopt;
        if (before.compare(0, header_.size(), header_) != 0) return std::nullopt;
        std::uint32_t crc;
        if (!file.read(start, states.data(), size).empty() || !file.read(start + size, &crc, sizeof crc).empty() ||
            crc != crc32(states.data(), size, crc32(before.data(), start))) {
            std::fill(states.begin(), states.end(), 0);
            return std::nullopt;
        }
        int threshold;
        std::memcpy(&threshold, &before[header_.size()], sizeof threshold);
        return threshold;
    }

    const std::filesystem::path& path() const noexcept { return path_; }
    bool exists() const { return std::filesystem::exists(path_); }
    void remove() const { std::filesystem::remove(path_); }

  private:
    static constexpr std::size_t chunk = std::size_t{1} << 20;

    std::filesystem::path path_;
    std::string header_;
};

}  // namespace proofbase
