// The files of a class that is built in parts: a build that was killed continues from them.
//
// They are in a folder beside the table, NAME.parts: `states-P-G`, the states of part P; `changes-P-G`, those of
// them that have changed since (changed_states.hpp); `updates-P-G`, its queue (update_queues.hpp); and `manifest`,
// which says which of them count. A file that counts is never changed, queues excepted, which grow: files of the next
// generation G are written beside it, then the manifest is replaced, then the old ones are removed. What the manifest
// does not name, and what a queue has behind the length in the manifest, was left over by a build that was killed. If a
// file is missing or damaged the class is built from the start.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tables/build/entry_state.hpp"
#include "tables/files/checkpoint_file.hpp"
#include "tables/files/crc32.hpp"
#include "tables/files/table_file.hpp"
#include "tables/files/table_format.hpp"
#include "tables/outside_memory/changed_states.hpp"
#include "tables/outside_memory/plan.hpp"
#include "tables/outside_memory/update_queues.hpp"
#include "tables/table_task.hpp"

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

    std::filesystem::path queue(std::uint64_t part, std::uint64_t generation) const {
        return folder_ / ("updates-" + std::to_string(part) + "-" + std::to_string(generation));
    }

    /// The manifest, if there is one of this table in parts for which the memory of the plan is enough, and all its
    /// files are whole. Removes what does not count. Throws std::filesystem::filesystem_error, TableWorkCancelled.
    std::optional<PartsManifest> load(const PartsPlan& plan, const TableTask& task) const {
        if (!std::filesystem::exists(folder_ / "manifest")) return std::nullopt;
        PartsManifest found;
        if (!read_manifest(found) || !plan.with_length(found.length, entries_)) return std::nullopt;
        std::set<std::filesystem::path> names{folder_ / "manifest"};
        for (std::uint64_t part = 0; part < found.parts.size(); ++part) {
            const PartRecord& record = found.parts[part];
            if (record.generation > 0) {
                if (!states_are_whole(found, part, task)) return std::nullopt;
                names.insert(states(part, record.generation));
            }
            if (record.changes > 0) {
                if (!read_changes(part, record)) return std::nullopt;
                names.insert(changes(part, record.changes_generation));
            }
            if (record.queue_bytes > 0) {
                const std::filesystem::path path = queue(part, record.queue_generation);
                if (!queue_is_whole(path, record.queue_bytes, task)) return std::nullopt;
                std::filesystem::resize_file(path, record.queue_bytes);
                names.insert(path);
            }
        }
        for (const auto& file : std::filesystem::directory_iterator(folder_)) {
            if (!names.contains(file.path())) std::filesystem::remove(file.path());
        }
        return found;
    }

    /// An empty folder.
    void begin() const {
        remove();
        std::filesystem::create_directories(folder_);
    }

    /// Throws TableWorkCancelled (nothing is changed then) and std::filesystem::filesystem_error, like the next ones.
    void save_manifest(const PartsManifest& manifest, const TableTask& task, bool durable) const {
        CheckpointWriter writer(folder_ / "manifest", task);
        writer.text(header_);
        writer.value(manifest.length);
        writer.value(manifest.threshold);
        writer.value(manifest.highest);
        writer.array(manifest.parts);
        writer.finish(durable);
    }

    /// Writes the states of a part. Returns their checksum.
    std::uint32_t save_states(std::uint64_t part, std::uint64_t generation, const EntryState* from, std::uint64_t count,
                              const TableTask& task, bool durable) const {
        NewFile file(states(part, generation));
        std::uint32_t crc = 0;
        const auto* bytes = reinterpret_cast<const char*>(from);
        for (std::size_t at = 0; at < 2 * count; at += chunk) {
            task.stop_if_cancelled();
            const std::size_t size = std::min(chunk, 2 * count - at);
            crc = crc32(bytes + at, size, crc);
            file.write(bytes + at, size);
        }
        file.finish(durable);
        return crc;
    }

    /// Reads the states of a part. False if they are not those that were written.
    bool read_states(std::uint64_t part, const PartRecord& record, EntryState* to, std::uint64_t count,
                     const TableTask& task) const {
        auto* bytes = reinterpret_cast<char*>(to);
        return read_states(part, record, count, task, [bytes](std::size_t at) { return bytes + at; });
    }

    /// Writes the changed states of a part. Returns their checksum.
    std::uint32_t save_changes(std::uint64_t part, std::uint64_t generation, const std::vector<char>& packed,
                               bool durable) const {
        NewFile file(changes(part, generation));
        file.write(packed.data(), packed.size());
        file.finish(durable);
        return crc32(packed.data(), packed.size());
    }

    /// The changed states of a part; nothing if they are not those that were written.
    std::optional<std::vector<char>> read_changes(std::uint64_t part, const PartRecord& record) const {
        std::vector<char> packed(record.changes * bytes_of_a_changed_state);
        const std::filesystem::path path = changes(part, record.changes_generation);
        if (packed.empty()) return packed;
        if (!std::filesystem::exists(path) || !OpenFile(path).read(0, packed.data(), packed.size()).empty() ||
            crc32(packed.data(), packed.size()) != record.changes_checksum) {
            return std::nullopt;
        }
        return packed;
    }

    /// Removes the files that counted before and do not count any more, the queue excepted.
    void remove_old(std::uint64_t part, const PartRecord& before, const PartRecord& now) const {
        if (before.generation > 0 && before.generation != now.generation) {
            std::filesystem::remove(states(part, before.generation));
        }
        if (before.changes > 0 && (now.changes == 0 || before.changes_generation != now.changes_generation)) {
            std::filesystem::remove(changes(part, before.changes_generation));
        }
    }

    std::filesystem::path changes(std::uint64_t part, std::uint64_t generation) const {
        return folder_ / ("changes-" + std::to_string(part) + "-" + std::to_string(generation));
    }

    std::filesystem::path states(std::uint64_t part, std::uint64_t generation) const {
        return folder_ / ("states-" + std::to_string(part) + "-" + std::to_string(generation));
    }

    void remove() const { std::filesystem::remove_all(folder_); }

  private:
    static constexpr std::size_t chunk = std::size_t{1} << 20;

    bool read_manifest(PartsManifest& out) const {
        CheckpointReader reader(folder_ / "manifest");
        std::string header;
        reader.text(header);
        reader.value(out.length);
        reader.value(out.threshold);
        reader.value(out.highest);
        if (!reader.whole() || header != header_ || out.length == 0) return false;
        out.parts.resize((entries_ + out.length - 1) / out.length);
        reader.array(out.parts);
        return reader.finish();
    }

    bool states_are_whole(const PartsManifest& manifest, std::uint64_t part, const TableTask& task) const {
        const PartRecord& record = manifest.parts[part];
        const std::filesystem::path path = states(part, record.generation);
        const std::uint64_t count = std::min(manifest.length, entries_ - part * manifest.length);
        if (!std::filesystem::exists(path) || std::filesystem::file_size(path) != 2 * count) return false;
        std::vector<char> bytes(chunk);
        return read_states(part, record, count, task, [&](std::size_t) { return bytes.data(); });
    }

    /// `place(at)`: where to put the bytes from `at` on.
    template <class Place>
    bool read_states(std::uint64_t part, const PartRecord& record, std::uint64_t count, const TableTask& task,
                     Place&& place) const {
        const OpenFile file(states(part, record.generation));
        std::uint32_t crc = 0;
        for (std::size_t at = 0; at < 2 * count; at += chunk) {
            task.stop_if_cancelled();
            const std::size_t size = std::min(chunk, 2 * count - at);
            if (!file.read(at, place(at), size).empty()) return false;
            crc = crc32(place(at), size, crc);
        }
        return crc == record.checksum;
    }

    static bool queue_is_whole(const std::filesystem::path& path, std::uint64_t length, const TableTask& task) {
        if (!std::filesystem::exists(path) || std::filesystem::file_size(path) < length) return false;
        try {
            QueueReader<> reader(path, length);
            std::vector<char> block;
            while (reader.next(block)) task.stop_if_cancelled();
            return true;
        } catch (const std::filesystem::filesystem_error&) {
            return false;
        }
    }

    std::filesystem::path folder_;
    std::string header_;
    std::uint64_t entries_;
};

}  // namespace proofbase
