// The tables of one game behind the interface for Python.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/adapters/game_tables.hpp"
#include "bindings/adapters/inner_tables.hpp"
#include "bindings/conversion/positions.hpp"
#include "bindings/interfaces/any_tables.hpp"
#include "table_concepts.hpp"
#include "tables/files/plies_code.hpp"
#include "tables/files/resets_code.hpp"
#include "tables/files/table_set.hpp"
#include "tables/tables.hpp"
#include "tables/unique_wins.hpp"
#include "virtual_game/attachable_tables.hpp"

namespace proofbase {

template <HasTables G>
TableEntry table_entry(const TableSet<G>& tables, std::uint32_t c) {
    const G& game = tables.game();
    const TableFile* table = tables.table(c);
    TableEntry entry{tables.name(c), tables.number(c), game.class_name(c), game.class_size(c), table != nullptr};
    entry.plies = IndexedByPlies<G> || tables.column() == TableColumn::plies;
    if (table != nullptr) {
        entry.bytes = table->bytes();
        entry.plain_bytes = table->header().plain_bytes();
        entry.checksum = table->checksum();
        entry.block = table->header().compressed ? table->header().block_entries : 0;
        entry.bits = table->header().bits;
        entry.lowest = table->header().lowest;
    }
    return entry;
}

template <HasTables G>
class TablesAdapter final : public AnyTables, public AttachableTablesOf<typename G::Position> {
  public:
    /// `cache`: takes the blocks; null if what was read is to stay in memory.
    TablesAdapter(const G& game, const std::filesystem::path& directory, Damage damage,
                  const std::shared_ptr<BlockCache>& cache) {
        const auto open = [&](TableColumn column) {
            return std::make_shared<TableSet<G>>(game, directory, game.classes(0xffff), damage, column, cache);
        };
        const auto tables = open(TableColumn::values);
        if constexpr (IndexedWithPlies<G>) {
            plies_ = open(TableColumn::plies);
            tables->set_plies(plies_);
        }
        tables_ = tables;
    }

    const G& game() const { return tables_->game(); }
    std::string game_name() const override { return game().name(); }
    std::shared_ptr<const ValueTables<G>> tables() const override { return tables_; }

    std::string directory() const override { return tables_->directory().string(); }

    std::vector<TableEntry> entries() const override {
        std::vector<TableEntry> out;
        for (const auto& set : {tables_, plies_}) {
            if (!set) continue;
            for (const std::uint32_t c : set->classes()) out.push_back(table_entry(*set, c));
        }
        return out;
    }

    std::optional<std::string> name(nb::handle position) const override {
        std::string found = tables_->name(load(position));
        return found.empty() ? std::nullopt : std::optional(std::move(found));
    }
    std::optional<int> value(nb::handle position) const override { return tables_->value(load(position)); }
    std::optional<int> plies(nb::handle position) const override {
        return (plies_ ? plies_ : tables_)->plies(load(position));
    }
    std::optional<int> own_plies(nb::handle position) const override { return tables_->plies(load(position)); }
    bool hold_values_alone() const override { return !tables_->holds_plies() && !tables_->classes().empty(); }

    /// Two passes over each batch, the first to locate the entries and the second to read them, so that the cache
    /// misses overlap.
    nb::tuple values(nb::bytes given) const override {
        constexpr std::size_t batch = 64;
        const G& game = tables_->game();
        const std::string_view bytes = view(given);
        const std::size_t size = game.key_size();
        if (size == 0 || bytes.size() % size != 0) {
            throw InvalidKey(std::to_string(bytes.size()) + " bytes are not a whole number of keys of " +
                             std::to_string(size) + " bytes");
        }
        const std::size_t count = bytes.size() / size;
        std::string known(count, '\0');
        std::string values(4 * count, '\0');
        {
            const nb::gil_scoped_release without_gil;
            const TableFile* files[batch];
            std::uint32_t classes[batch];
            std::uint64_t ranks[batch];
            std::optional<typename G::Position> positions[batch];
            for (std::size_t start = 0; start < count; start += batch) {
                const std::size_t here = std::min(batch, count - start);
                for (std::size_t i = 0; i < here; ++i) {
                    const auto key =
                        read_key(bytes.substr((start + i) * size, size), size, std::type_identity<typename G::Key>{});
                    auto& p = positions[i];
                    p = key ? game.position(*key) : std::nullopt;
                    classes[i] = p ? game.table_class(*p) : 0;
                    files[i] = p ? tables_->table(classes[i]) : nullptr;
                    if (files[i] == nullptr) continue;
                    ranks[i] = game.table_rank(*p);
                    files[i]->prefetch(ranks[i]);
                }
                for (std::size_t i = 0; i < here; ++i) {
                    if (files[i] == nullptr) continue;
                    const std::optional<TableValue> found =
                        tables_->entry(*positions[i], *files[i], classes[i], ranks[i]);
                    if (!found) continue;
                    const std::int32_t value = found->value;
                    known[start + i] = 1;
                    std::memcpy(&values[4 * (start + i)], &value, 4);
                }
            }
        }
        return nb::make_tuple(nb::bytes(known.data(), known.size()), nb::bytes(values.data(), values.size()));
    }

    std::map<int, std::uint64_t> histogram(std::uint32_t number) const override {
        const nb::gil_scoped_release without_gil;
        const TableFile& table = existing_table(number);
        std::vector<std::uint64_t> counts(std::size_t{1} << table.header().bits);
        count_entries(table, counts);
        std::map<int, std::uint64_t> out;
        for (std::size_t k = 0; k < counts.size(); ++k) {
            if (counts[k] == 0) continue;
            if constexpr (HasPlies<G>) {
                if (table.header().plies) {
                    const auto entry = static_cast<unsigned>(k);
                    if (entry != no_position_entry) out[value_of_entry(entry, game().end_value())] += counts[k];
                    continue;
                }
            }
            const int value = static_cast<int>(k) + table.header().lowest;
            if constexpr (IndexedByReach<G>) {
                if (value == game().unreached_value()) continue;
            }
            if constexpr (IndexedByResets<G>) {
                const auto entry = static_cast<unsigned>(k);
                if (entry != no_position_entry) out[value_with_counter(entry, 0)] += counts[k];
                continue;
            }
            out[value] = counts[k];
        }
        return out;
    }

    std::vector<PliesCount> plies_histogram(std::uint32_t number) const override {
        const nb::gil_scoped_release without_gil;
        const TableFile& table = existing_table(number);
        std::vector<PliesCount> out;
        if constexpr (HasPlies<G>) {
            if (!table.header().plies) return out;
            std::vector<PliesCount> counts(std::size_t{1} << table.header().bits);
            for (std::uint64_t i = 0; i < table.header().entries; ++i) {
                PliesCount& one = counts[static_cast<std::size_t>(table.value(i) - table.header().lowest)];
                if (one.count++ == 0) one.first = i;
            }
            for (std::size_t k = 0; k < counts.size(); ++k) {
                const auto entry = static_cast<unsigned>(k);
                const int value = value_of_entry(entry, game().end_value());
                if (counts[k].count == 0 || entry == no_position_entry || value == 0) continue;
                out.push_back({value, plies_of_entry(entry), counts[k].count, counts[k].first});
            }
        }
        return out;
    }

    std::vector<std::uint64_t> won_in(std::uint32_t number, std::uint32_t plies, bool one_key, bool no_duals,
                                      std::uint64_t first, std::uint64_t last) const override {
        const nb::gil_scoped_release without_gil;
        const TableFile& table = existing_table(number);
        if constexpr (HasPlies<G>) {
            const Ways ways = no_duals ? Ways::no_duals : one_key ? Ways::one_key : Ways::any;
            if (table.header().plies) {
                const auto& set = (number & plies_column_number) == 0 ? tables_ : plies_;
                return UniqueWins<G>(*set).won_in(table, plies, ways, first, last);
            }
        }
        throw std::invalid_argument("the table of class " + std::to_string(number) + " holds no plies");
    }

    nb::object position(std::uint32_t number, std::uint64_t entry) const override {
        if (entry >= existing_table(number).header().entries) throw nb::index_error("the table has no such entry");
        const std::uint32_t c = number & ~plies_column_number;
        const std::optional<typename G::Position> found = game().table_position(c, entry);
        return found ? from_position(game(), *found) : nb::none();
    }

    std::vector<std::uint64_t> predecessors(std::uint32_t number, std::uint64_t entry) const override {
        if (entry >= existing_table(number).header().entries) throw nb::index_error("the table has no such entry");
        const std::uint32_t c = number & ~plies_column_number;
        std::vector<std::uint64_t> out;
        if constexpr (IndexedByPlies<G>) {
            const auto moves = game().class_moves(c);
            typename decltype(game().class_moves(c))::Placement men;
            if (!moves.men(entry, men)) return out;
            moves.for_each_predecessor(men, [&](std::uint64_t before) {
                if (game().table_position(c, before)) out.push_back(before);
            });
        } else if constexpr (Indexed<G>) {
            game().for_each_predecessor(game().table_position(c, entry), [&](const typename G::Position& predecessor) {
                out.push_back(game().table_rank(predecessor));
            });
        }
        return out;
    }

    std::vector<std::pair<std::string, std::string>> damaged() const override {
        std::vector<std::pair<std::string, std::string>> out;
        for (const auto& set : {tables_, plies_}) {
            if (!set) continue;
            for (auto& report : set->damaged()) out.emplace_back(std::move(report.table), std::move(report.message));
        }
        return out;
    }

    bool changed() const override { return tables_->changed() || (plies_ && plies_->changed()); }

  private:
    typename G::Position load(nb::handle position) const { return to_position(tables_->game(), position); }

    /// Counts the entries of a table, less its lowest value.
    static void count_entries(const TableFile& table, std::vector<std::uint64_t>& counts) {
        std::vector<std::uint16_t> entries;
        for (std::uint64_t block = 0; block < table.header().blocks(); ++block) {
            table.read_entries(block, entries);
            for (const std::uint16_t entry : entries) ++counts[entry];
        }
    }

    const TableFile& existing_table(std::uint32_t number) const {
        const auto& set = (number & plies_column_number) == 0 ? tables_ : plies_;
        const TableFile* table = set ? set->table(number & ~plies_column_number) : nullptr;
        if (table == nullptr) throw std::invalid_argument("there is no table of class " + std::to_string(number));
        return *table;
    }

    std::shared_ptr<const TableSet<G>> tables_;
    std::shared_ptr<const TableSet<G>> plies_;  // null for games without such tables beside those of values
};

template <HasTables G>
class TableWorkAdapter : public AnyTableWork {
  public:
    TableWorkAdapter(const G& game, const std::filesystem::path& directory, std::uint32_t size, unsigned threads,
                     bool plies)
        : work_(game, directory, game.classes(size), threads, plies) {}

    void restrict_to(const std::string& table) override { work_.restrict_to(table); }

    std::vector<TableEntry> plan(const BuildLimits& limits) const override {
        std::vector<TableEntry> out;
        work_.for_each_table([&](const TableSet<G>& tables, std::uint32_t c) {
            out.push_back(table_entry(tables, c));
            if (tables.table(c) == nullptr) {
                out.back().needs = work_.build_needs(tables, c, limits);
            } else {
                out.back().verification = work_.verification_needs(tables, c, limits);
            }
        });
        return out;
    }

    bool build(double checkpoint_seconds, const BuildLimits& limits,
               const std::optional<Compression>& compression) override {
        const nb::gil_scoped_release without_gil;
        try {
            work_.build(milliseconds(checkpoint_seconds), limits, compression, task);
            return true;
        } catch (const TableWorkCancelled&) {
            return false;
        }
    }

    bool rewrite(const std::optional<Compression>& compression) override {
        const nb::gil_scoped_release without_gil;
        try {
            work_.rewrite(compression, task);
            return true;
        } catch (const TableWorkCancelled&) {
            return false;
        }
    }

    std::optional<TableReport> verify(std::uint32_t c, double checkpoint_seconds, const BuildLimits& limits) override {
        const nb::gil_scoped_release without_gil;
        try {
            return work_.verify(c, milliseconds(checkpoint_seconds), limits, task);
        } catch (const TableWorkCancelled&) {
            return std::nullopt;
        }
    }

  private:
    static std::chrono::milliseconds milliseconds(double seconds) {
        return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
    }

    TableWork<G> work_;
};

template <IndexedByPlies G>
class InnerTablesOf final : public InnerTables {
  public:
    InnerTablesOf(const G& game, const std::filesystem::path& directory, Damage damage,
                  const std::shared_ptr<BlockCache>& cache)
        : tables_(game, directory, game.classes(0xffff), damage, TableColumn::values, cache) {}

    std::optional<TableValue> entry(const void* p) const override { return tables_.entry(own(p)); }
    std::string name(const void* p) const override { return tables_.name(own(p)); }
    std::string damage(const void* p) const override { return tables_.damage(own(p)); }
    std::vector<DamageReport> damaged() const override { return tables_.damaged(); }
    bool changed() const override { return tables_.changed(); }

  private:
    using Position = typename G::Position;
    static const Position& own(const void* p) noexcept { return *std::launder(static_cast<const Position*>(p)); }

    TableSet<G> tables_;
};

template <HasTables G>
std::shared_ptr<AnyTables> tables_of(const G& game, const std::filesystem::path& directory, Damage damage,
                                     const std::shared_ptr<BlockCache>& cache) {
    return std::make_shared<TablesAdapter<G>>(game, directory, damage, cache);
}

template <HasTables G>
std::unique_ptr<AnyTableWork> table_work_of(const G& game, const std::filesystem::path& directory, std::uint32_t size,
                                            unsigned threads, bool plies) {
    return std::make_unique<TableWorkAdapter<G>>(game, directory, size, threads, plies);
}

template <IndexedByPlies G>
std::shared_ptr<const InnerTables> inner_tables_of(const G& game, const std::filesystem::path& directory, Damage damage,
                                                   const std::shared_ptr<BlockCache>& cache) {
    return std::make_shared<InnerTablesOf<G>>(game, directory, damage, cache);
}

}  // namespace proofbase
