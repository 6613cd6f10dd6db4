#include "tables/reached/listed_positions.hpp"

#include <utility>

#include "tables/files/checkpoint_file.hpp"

namespace proofbase {

ListingCheckpoint::ListingCheckpoint(std::filesystem::path path, const std::vector<TableHeader>& headers,
                                     std::chrono::milliseconds every)
    : path_(std::move(path)), identity_("proofbase: positions that can arise, for tables, 1\n"), clock_(every) {
    for (const TableHeader& header : headers) {
        identity_ += header.written();
        sizes_.emplace(header.table_class, header.entries);
    }
}

void ListingCheckpoint::save_if_due(const ListedPositions& positions, const TableTask& task) {
    if (has_all_ || !clock_.is_due()) return;
    const auto began = CheckpointClock::Clock::now();
    CheckpointWriter writer(path_, task);
    writer.text(identity_);
    writer.value(positions.listed);
    for (const auto& [c, size] : sizes_) positions.tables[c].numbers.put(writer);
    writer.value(std::uint64_t{positions.marks.size()});
    for (const auto& [c, marks] : positions.marks) {
        writer.value(c);
        marks.numbers().put(writer);
    }
    writer.finish();
    has_all_ = positions.listed == sizes_.size();
    clock_.saved(began);
}

bool ListingCheckpoint::load(ListedPositions& positions) {
    if (!std::filesystem::exists(path_)) return false;
    CheckpointReader reader(path_);
    std::string identity;
    reader.text(identity);
    if (identity != identity_) return false;
    ListedPositions found;
    found.tables.resize(positions.tables.size());
    reader.value(found.listed);
    for (const auto& [c, size] : sizes_) found.tables[c].numbers.take(reader);
    std::uint64_t marked = 0;
    reader.value(marked);
    std::map<std::uint32_t, ReachedNumbers> numbers;
    for (std::uint64_t k = 0; k < marked && reader.whole(); ++k) {
        std::uint32_t c = 0;
        reader.value(c);
        numbers[c].take(reader);
    }
    if (!reader.finish()) return false;
    for (const auto& [c, of_class] : numbers) {
        NumberMarks& marks = found.marks.try_emplace(c, sizes_.at(c)).first->second;
        of_class.for_each([&marks](std::uint64_t number) { marks.set(number); });
    }
    has_all_ = found.listed == sizes_.size();
    positions = std::move(found);
    return true;
}

}  // namespace proofbase
