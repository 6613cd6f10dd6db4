// The tables of one game in a directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "records/value_tables.hpp"
#include "tables/table_file.hpp"
#include "tables/table_format.hpp"

namespace proofbase {

/// Name of the table of a class: the name of its file, and the name in records that rest on the table.
template <Indexed G>
std::string table_name(const G& game, std::uint32_t table_class) {
    std::string name = game.name() + "-" + game.class_name(table_class);
    for (char& c : name) c = c == ':' ? '_' : c;
    return name;
}

template <Indexed G>
std::filesystem::path table_path(const std::filesystem::path& directory, const G& game, std::uint32_t table_class) {
    return directory / (table_name(game, table_class) + ".table");
}

/// The header that the table of a class must have, without lowest value and bits.
template <Indexed G>
TableHeader table_header(const G& game, std::uint32_t table_class) {
    TableHeader header;
    header.game = game.name();
    header.class_name = game.class_name(table_class);
    header.table_class = table_class;
    header.rules_version = static_cast<std::uint32_t>(game.rules_version());
    header.fingerprint = fingerprint(game, table_class);
    header.entries = game.class_size(table_class);
    return header;
}

/// The tables of a game that a directory has when the set is made.
template <Indexed G>
class TableSet final : public ValueTables<G> {
  public:
    using Position = typename G::Position;

    /// `classes`: the classes to look for. A directory that does not exist has no tables.
    /// Throws DamagedTable if a file is damaged, is of another class than its name says, or was built by other rules.
    TableSet(G game, std::filesystem::path directory, const std::vector<std::uint32_t>& classes)
        : game_(std::move(game)), directory_(std::move(directory)) {
        for (const std::uint32_t c : classes) open(c);
    }

    const G& game() const noexcept { return game_; }
    const std::filesystem::path& directory() const noexcept { return directory_; }

    /// The table of a class; null if there is none.
    const TableFile* table(std::uint32_t c) const noexcept { return c < files_.size() ? files_[c].get() : nullptr; }

    /// Classes that have a table, ascending.
    std::vector<std::uint32_t> classes() const {
        std::vector<std::uint32_t> out;
        for (std::uint32_t c = 0; c < files_.size(); ++c) {
            if (files_[c]) out.push_back(c);
        }
        return out;
    }

    /// Opens the table of a class if its file exists. Not while other threads read.
    void open(std::uint32_t c) {
        const std::filesystem::path path = table_path(directory_, game_, c);
        if (!std::filesystem::exists(path)) return;
        auto file = std::make_unique<TableFile>(path);
        const TableHeader& found = file->header();
        const TableHeader expected = table_header(game_, c);
        if (found.game != expected.game || found.table_class != c || found.entries != expected.entries) {
            throw DamagedTable("table " + path.string() + ": it is the table of " + found.game + ", " +
                               found.class_name);
        }
        if (found.rules_version != expected.rules_version || found.fingerprint != expected.fingerprint) {
            throw DamagedTable("table " + path.string() + ": it was built by other rules; build it again");
        }
        if (c >= files_.size()) files_.resize(c + 1);
        files_[c] = std::move(file);
    }

    std::optional<int> value(const Position& p) const override {
        const TableFile* file = table(game_.table_class(p));
        if (file == nullptr) return std::nullopt;
        return file->value(game_.table_rank(p));
    }

    std::string name(const Position& p) const override { return table_name(game_, game_.table_class(p)); }

  private:
    G game_;
    std::filesystem::path directory_;
    std::vector<std::unique_ptr<TableFile>> files_;  // by class
};

}  // namespace proofbase
