// The files of a class that is built in parts: a build that was killed continues from them.
//
// They are in a folder beside the table, NAME.parts: `states-P-G`, the states of part P; `changes-P-G`, those of
// them that have changed since (changed_states.hpp); `updates-P-G`, its queue (update_queues.hpp); and `manifest`,
// which says which of them count. A file that counts is never changed, queues excepted, which grow: files of the next
// generation G are written beside it, then the manifest is replaced, then the old ones are removed. What the manifest
// does not name, and what a queue has behind the length in the manifest, was left over by a build that was killed. If a
// file is missing or damaged the class is built from the start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "function_ref.hpp"
#include "tables/build/entry_state.hpp"
#include "tables/files/table_format.hpp"
#include "tables/plan/plan.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// What the manifest says of a part.
struct PartRecord {
    std::uint64_t generation = 0;  ///< of its states; 0 while they are not prepared
    std::uint64_t queue_generation = 0;
    std::uint64_t queue_bytes = 0;
    std::uint64_t changes_generation = 0;
    std::uint64_t changes = 0;           ///< states that have changed since its states were written
    std::uint32_t checksum = 0;          ///< CRC-32 of its states
    std::uint32_t changes_checksum = 0;  ///< CRC-32 of those that have changed
    std::int64_t awaited = 0;            ///< the threshold that it waits for: awaited_threshold
};

struct PartsManifest {
    std::uint64_t length = 0;    ///< positions of a part
    std::int32_t threshold = 0;  ///< to go on with; 0 while parts are being prepared
    std::int32_t highest = 0;    ///< the largest |value| of a move that leaves the class, so far
    std::vector<PartRecord> parts;
};

class PartFiles {
  public:
    /// `table`: path of the finished table.
    PartFiles(std::filesystem::path table, const TableHeader& header)
        : folder_(std::move(table.replace_extension(".parts"))), header_(header.written()), entries_(header.entries) {}

    bool exist() const { return std::filesystem::exists(folder_); }

    std::filesystem::path queue(std::uint64_t part, std::uint64_t generation) const;

    /// The manifest, if there is one of this table in parts for which the memory of the plan is enough, and all its
    /// files are whole. Removes what does not count. Throws std::filesystem::filesystem_error, TableWorkCancelled.
    std::optional<PartsManifest> load(const PartsPlan& plan, const TableTask& task) const;

    /// An empty folder.
    void begin() const;

    /// Throws TableWorkCancelled (nothing is changed then) and std::filesystem::filesystem_error, like the next ones.
    void save_manifest(const PartsManifest& manifest, const TableTask& task, bool durable) const;

    /// Writes the states of a part. Returns their checksum.
    std::uint32_t save_states(std::uint64_t part, std::uint64_t generation, const EntryState* from, std::uint64_t count,
                              const TableTask& task, bool durable) const;

    /// Reads the states of a part. False if they are not those that were written.
    bool read_states(std::uint64_t part, const PartRecord& record, EntryState* to, std::uint64_t count,
                     const TableTask& task) const;

    /// Writes the changed states of a part. Returns their checksum.
    std::uint32_t save_changes(std::uint64_t part, std::uint64_t generation, const std::vector<char>& packed,
                               bool durable) const;

    /// The changed states of a part; nothing if they are not those that were written.
    std::optional<std::vector<char>> read_changes(std::uint64_t part, const PartRecord& record) const;

    /// Removes the files that counted before and do not count any more, the queue excepted.
    void remove_old(std::uint64_t part, const PartRecord& before, const PartRecord& now) const;

    std::filesystem::path changes(std::uint64_t part, std::uint64_t generation) const {
        return folder_ / ("changes-" + std::to_string(part) + "-" + std::to_string(generation));
    }

    std::filesystem::path states(std::uint64_t part, std::uint64_t generation) const {
        return folder_ / ("states-" + std::to_string(part) + "-" + std::to_string(generation));
    }

    void remove() const { std::filesystem::remove_all(folder_); }

  private:
    static constexpr std::size_t chunk = std::size_t{1} << 20;

    bool read_manifest(PartsManifest& out) const;

    bool states_are_whole(const PartsManifest& manifest, std::uint64_t part, const TableTask& task) const;

    /// `place(at)`: where to put the bytes from `at` on.
    bool read_states(std::uint64_t part, const PartRecord& record, std::uint64_t count, const TableTask& task,
                     FunctionRef<char*(std::size_t)> place) const;

    static bool queue_is_whole(const std::filesystem::path& path, std::uint64_t length, const TableTask& task);

    std::filesystem::path folder_;
    std::string header_;
    std::uint64_t entries_;
};

}  // namespace proofbase
