// The checkpoint file of a class that is being built: a build that was killed continues from it.
//
// The file is beside that of the table and holds the table's header (256 bytes, without lowest value and bits), the
// next threshold (8 bytes), the states, and the CRC-32 of everything before it (4 bytes). A damaged checkpoint, or one
// of another table, is ignored: the class is built from the start. A class that is built in parts has a file with the
// same name and other contents (build_in_parts.hpp), which begins with a text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "tables/files/checkpoint_file.hpp"
#include "tables/files/table_format.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

class BuildCheckpoint {
  public:
    /// `table`: path of the finished table.
    BuildCheckpoint(std::filesystem::path table, const TableHeader& header)
        : path_(std::move(table.replace_extension(".checkpoint"))), header_(header.written()) {}

    /// Throws TableWorkCancelled (nothing is changed then) and std::filesystem::filesystem_error.
    template <class States>
    void save(const States& states, int threshold, const TableTask& task) const {
        CheckpointWriter writer(path_, task);
        writer.bytes(header_.data(), header_.size());
        writer.value(std::int64_t{threshold});
        writer.array(states);
        writer.finish();
    }

    /// Fills in the states and returns the threshold to continue with; nothing if there is no checkpoint of this table.
    template <class States>
    std::optional<int> load(States& states) const {
        if (!std::filesystem::exists(path_)) return std::nullopt;
        CheckpointReader reader(path_);
        std::string header(header_.size(), '\0');
        std::int64_t threshold = 0;
        reader.bytes(header.data(), header.size());
        reader.value(threshold);
        if (header != header_) return std::nullopt;
        reader.array(states);
        if (reader.finish()) return static_cast<int>(threshold);
        std::fill(states.begin(), states.end(), 0);
        return std::nullopt;
    }

    /// The text with which the checkpoint of a class in parts begins. `entries`: what they are, values or plies.
    std::string identity_in_parts(const char* entries) const {
        return std::string("proofbase: a table of ") + entries + " that is built in parts, 1\n" + header_;
    }

    /// Whether there is a checkpoint of this table in parts.
    bool is_in_parts(const char* entries) const {
        if (!exists()) return false;
        std::string found;
        CheckpointReader(path_).text(found);
        return found == identity_in_parts(entries);
    }

    const std::filesystem::path& path() const noexcept { return path_; }
    bool exists() const { return std::filesystem::exists(path_); }
    void remove() const { remove_checkpoint(path_); }

  private:
    std::filesystem::path path_;
    std::string header_;
};

}  // namespace proofbase
