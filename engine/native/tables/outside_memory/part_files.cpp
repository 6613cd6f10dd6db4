#include "tables/outside_memory/part_files.hpp"

#include <algorithm>
#include <set>

#include "tables/files/checkpoint_file.hpp"
#include "tables/files/crc32.hpp"
#include "tables/files/table_file.hpp"
#include "tables/outside_memory/changed_states.hpp"
#include "tables/outside_memory/update_queues.hpp"

namespace proofbase {

std::filesystem::path PartFiles::queue(std::uint64_t part, std::uint64_t generation) const {
    return folder_ / ("updates-" + std::to_string(part) + "-" + std::to_string(generation));
}

std::optional<PartsManifest> PartFiles::load(const PartsPlan& plan, const TableTask& task) const {
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

void PartFiles::begin() const {
    remove();
    std::filesystem::create_directories(folder_);
}

void PartFiles::save_manifest(const PartsManifest& manifest, const TableTask& task, bool durable) const {
    CheckpointWriter writer(folder_ / "manifest", task);
    writer.text(header_);
    writer.value(manifest.length);
    writer.value(manifest.threshold);
    writer.value(manifest.highest);
    writer.array(manifest.parts);
    writer.finish(durable);
}

std::uint32_t PartFiles::save_states(std::uint64_t part, std::uint64_t generation, const EntryState* from,
                                     std::uint64_t count, const TableTask& task, bool durable) const {
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

bool PartFiles::read_states(std::uint64_t part, const PartRecord& record, EntryState* to, std::uint64_t count,
                            const TableTask& task) const {
    auto* bytes = reinterpret_cast<char*>(to);
    return read_states(part, record, count, task, [bytes](std::size_t at) { return bytes + at; });
}

std::uint32_t PartFiles::save_changes(std::uint64_t part, std::uint64_t generation, const std::vector<char>& packed,
                                      bool durable) const {
    NewFile file(changes(part, generation));
    file.write(packed.data(), packed.size());
    file.finish(durable);
    return crc32(packed.data(), packed.size());
}

std::optional<std::vector<char>> PartFiles::read_changes(std::uint64_t part, const PartRecord& record) const {
    std::vector<char> packed(record.changes * bytes_of_a_changed_state);
    const std::filesystem::path path = changes(part, record.changes_generation);
    if (packed.empty()) return packed;
    if (!std::filesystem::exists(path) || !OpenFile(path).read(0, packed.data(), packed.size()).empty() ||
        crc32(packed.data(), packed.size()) != record.changes_checksum) {
        return std::nullopt;
    }
    return packed;
}

void PartFiles::remove_old(std::uint64_t part, const PartRecord& before, const PartRecord& now) const {
    if (before.generation > 0 && before.generation != now.generation) {
        std::filesystem::remove(states(part, before.generation));
    }
    if (before.changes > 0 && (now.changes == 0 || before.changes_generation != now.changes_generation)) {
        std::filesystem::remove(changes(part, before.changes_generation));
    }
}

bool PartFiles::read_manifest(PartsManifest& out) const {
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

bool PartFiles::states_are_whole(const PartsManifest& manifest, std::uint64_t part, const TableTask& task) const {
    const PartRecord& record = manifest.parts[part];
    const std::filesystem::path path = states(part, record.generation);
    const std::uint64_t count = std::min(manifest.length, entries_ - part * manifest.length);
    if (!std::filesystem::exists(path) || std::filesystem::file_size(path) != 2 * count) return false;
    std::vector<char> bytes(chunk);
    return read_states(part, record, count, task, [&](std::size_t) { return bytes.data(); });
}

bool PartFiles::read_states(std::uint64_t part, const PartRecord& record, std::uint64_t count, const TableTask& task,
                            FunctionRef<char*(std::size_t)> place) const {
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

bool PartFiles::queue_is_whole(const std::filesystem::path& path, std::uint64_t length, const TableTask& task) {
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

}  // namespace proofbase
