// The tables of one game in a directory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "records/value_tables.hpp"
#include "table_concepts.hpp"
#include "tables/files/plies_code.hpp"
#include "tables/files/resets_code.hpp"
#include "tables/files/table_file.hpp"
#include "tables/files/table_format.hpp"
#include "tables/listed/lists_moves.hpp"

namespace proofbase {

/// What a table of a class holds.
enum class TableColumn : std::uint8_t {
    values,  ///< what the tables of the game hold: values, or plies (IndexedByPlies, IndexedByResets)
    plies    ///< plies, in a table beside that of the values (IndexedWithPlies)
};

/// What the name of the table of plies has behind the name of the class.
inline constexpr const char* plies_suffix = "-plies";

/// The number that Python has for a table: that of its class, and this beside it for a table of plies.
inline constexpr std::uint32_t plies_column_number = 0x10000;

/// The name of a game in those of its files.
inline std::string file_name(std::string game) {
    std::replace(game.begin(), game.end(), ':', '_');
    return game;
}

/// Name of the table of a class: the name of its file, and the name in records that rest on the table.
template <HasTables G>
std::string table_name(const G& game, std::uint32_t table_class, TableColumn column) {
    if constexpr (ListsMoves<G>) return game.table_name(table_class);
    std::string name = file_name(game.name()) + "-" + game.class_name(table_class);
    return column == TableColumn::plies ? name + plies_suffix : name;
}

/// The classes whose tables a verification of a class reads: those that it needs, then its own.
template <class G>
std::vector<std::uint32_t> classes_read_for(const G& game, std::uint32_t table_class) {
    std::vector<std::uint32_t> out = game.class_needs(table_class);
    out.push_back(table_class);
    return out;
}

/// The header that the table of a class must have, without lowest value and bits.
template <HasTables G>
TableHeader table_header(const G& game, std::uint32_t table_class, TableColumn column) {
    TableHeader header;
    header.game = game.name();
    header.class_name = game.class_name(table_class);
    if (column == TableColumn::plies) header.class_name += plies_suffix;
    header.table_class = table_class;
    header.rules_version = static_cast<std::uint32_t>(game.rules_version());
    header.plies = IndexedByPlies<G> || column == TableColumn::plies;
    header.resets = IndexedByResets<G>;
    if constexpr (ListsMoves<G>) {
        header.fingerprint = game.table_fingerprint(table_class);
    } else {
        header.fingerprint = fingerprint(game, table_class);
    }
    header.entries = game.class_size(table_class);
    return header;
}

/// A table whose entries, some or all, cannot be used.
struct DamageReport {
    std::string table;    ///< its name
    std::string message;  ///< the first thing that was found to be wrong
};

/// What a set does with files that are no tables of their classes, and with damaged blocks.
enum class Damage {
    refuse,    ///< throw DamagedTable
    leave_out  ///< have no values for the positions concerned, and report the table
};

/// The tables of a game that a directory has when the set is made.
template <HasTables G>
class TableSet final : public ValueTables<G> {
  public:
    using Position = typename G::Position;

    /// `classes`: the classes to look for. A directory that does not exist has no tables. `cache`: takes the blocks of
    /// the tables; null if what was read is to stay in memory.
    /// Throws DamagedTable if a file is damaged, is of another class than its name says, or was built by other rules
    /// (with Damage::refuse), and std::filesystem::filesystem_error.
    TableSet(G game, std::filesystem::path directory, const std::vector<std::uint32_t>& classes,
             Damage damage = Damage::refuse, TableColumn column = TableColumn::values,
             std::shared_ptr<BlockCache> cache = nullptr)
        : game_(std::move(game)),
          directory_(std::move(directory)),
          damage_(damage),
          column_(column),
          cache_(std::move(cache)) {
        for (const std::uint32_t c : classes) open(c);
    }

    const G& game() const noexcept { return game_; }
    const std::filesystem::path& directory() const noexcept { return directory_; }

    TableColumn column() const noexcept { return column_; }
    bool holds_plies() const noexcept { return IndexedByPlies<G> || column_ == TableColumn::plies; }

    /// The tables of plies beside these tables of values.
    void set_plies(std::shared_ptr<const TableSet> plies) { plies_ = std::move(plies); }
    bool knows_plies() const noexcept override { return holds_plies() || plies_ != nullptr; }
    std::uint32_t plies_to_end(const Position& p) const override {
        return static_cast<std::uint32_t>((plies_ ? *plies_ : *this).plies(p).value_or(0));
    }

    /// The number of the table of a class for Python.
    std::uint32_t number(std::uint32_t c) const noexcept {
        return column_ == TableColumn::plies ? c | plies_column_number : c;
    }

    std::string name(std::uint32_t c) const { return table_name(game_, c, column_); }
    std::filesystem::path path(std::uint32_t c) const { return directory_ / (file_name(name(c)) + ".table"); }
    /// The file of the checkpoint of a build of all tables of the game together.
    std::filesystem::path checkpoint_of_all() const { return directory_ / (file_name(game_.name()) + ".checkpoint"); }
    TableHeader header(std::uint32_t c) const { return table_header(game_, c, column_); }

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
        const std::filesystem::path path = this->path(c);
        const FileStamp stamp = stamp_of(path);
        std::error_code error;
        if (stamp.size < 0 && !std::filesystem::exists(std::filesystem::symlink_status(path, error))) return;
        young_ |= stamp.young();
        try {
            auto file = std::make_unique<TableFile>(path, cache_);
            check_header(*file, c);
            if (c >= files_.size()) files_.resize(c + 1);
            files_[c] = std::move(file);
        } catch (const DamagedTable& damaged) {
            if (damage_ == Damage::refuse) throw;
            refused_.emplace_back(path, stamp);
            report(c, damaged.what());
        } catch (const std::filesystem::filesystem_error& unreadable) {
            if (lacks_resources(unreadable.code())) throw;
            const std::string why = "table " + path.string() + ": it cannot be read: " + unreadable.code().message();
            if (damage_ == Damage::refuse) throw DamagedTable(why);
            refused_.emplace_back(path, stamp);
            report(c, why);
        }
    }

    std::optional<TableValue> entry(const Position& p) const override {
        const std::uint32_t c = game_.table_class(p);
        const TableFile* file = table(c);
        if (file == nullptr) return std::nullopt;
        return entry(p, *file, c, game_.table_rank(p));
    }

    /// What the open table of a position says of it.
    std::optional<TableValue> entry(const Position& p, const TableFile& file, std::uint32_t c,
                                    std::uint64_t rank) const {
        const std::optional<int> found = stored(file, c, rank);
        if (!found) return std::nullopt;
        if constexpr (IndexedByResets<G>) {
            return TableValue{value_with_counter(static_cast<unsigned>(*found), game_.counter(p)), 0};
        }
        if constexpr (HasPlies<G>) {
            if (holds_plies()) {
                const auto code = static_cast<unsigned>(*found);
                return TableValue{value_of_entry(code, game_.end_value()), plies_of_entry(code)};
            }
        }
        if constexpr (IndexedByReach<G>) {
            if (*found == game_.unreached_value()) return std::nullopt;
        }
        return TableValue{*found, 0};
    }

    /// Plies to the end of the game, if the winner plays for the soonest and the loser for the latest; 0 for draws.
    /// Nothing where no table holds them.
    std::optional<int> plies(const Position& p) const {
        if constexpr (HasPlies<G>) {
            const std::optional<TableValue> found = holds_plies() ? entry(p) : std::nullopt;
            if (found) return static_cast<int>(found->plies);
        }
        return std::nullopt;
    }

    std::string name(const Position& p) const override {
        const std::uint32_t c = game_.table_class(p);
        return c == no_table_class ? std::string() : name(c);
    }

    std::string damage(const Position& p) const override {
        const std::lock_guard lock(reporting_);
        const auto found = reports_.find(game_.table_class(p));
        return found == reports_.end() ? std::string() : found->second;
    }

    /// The tables of which some entries, or all, were found to be damaged so far (with Damage::leave_out).
    std::vector<DamageReport> damaged() const {
        const std::lock_guard lock(reporting_);
        std::vector<DamageReport> out;
        for (const auto& [c, message] : reports_) out.push_back({name(c), message});
        return out;
    }

    /// Whether a file has changed since it was opened. Files that came later are not looked for.
    bool changed() const noexcept {
        if (young_) return true;
        for (const auto& file : files_) {
            if (file && file->changed()) return true;
        }
        for (const auto& [path, stamp] : refused_) {
            if (stamp_of(path) != stamp) return true;
        }
        return false;
    }

  private:
    /// Says nothing of the file: it may be whole.
    static bool lacks_resources(const std::error_code& code) noexcept {
        return code == std::errc::too_many_files_open || code == std::errc::too_many_files_open_in_system ||
               code == std::errc::not_enough_memory;
    }

    void check_header(const TableFile& file, std::uint32_t c) const {
        const TableHeader& found = file.header();
        const TableHeader expected = header(c);
        if (found.game != expected.game || found.class_name != expected.class_name || found.table_class != c ||
            found.entries != expected.entries || found.plies != expected.plies || found.resets != expected.resets) {
            throw DamagedTable("table " + file.path().string() + ": it is the table of " + found.game + ", " +
                               found.class_name);
        }
        if (found.rules_version != expected.rules_version || found.fingerprint != expected.fingerprint) {
            throw DamagedTable("table " + file.path().string() + ": it was built by other rules; build it again");
        }
        if (std::abs(found.lowest) > game_.highest_value()) {
            throw DamagedTable("table " + file.path().string() + ": its lowest value is none of the game");
        }
    }

    /// What the file holds for a number.
    std::optional<int> stored(const TableFile& file, std::uint32_t c, std::uint64_t rank) const {
        if (const std::optional<int> found = file.find(rank)) [[likely]] {
            return found;
        }
        return entry_of_new_block(file, c, rank);
    }

    std::optional<int> entry_of_new_block(const TableFile& file, std::uint32_t c, std::uint64_t rank) const {
        if (damage_ == Damage::refuse) return file.value(rank);
        if (file.damaged(rank)) return std::nullopt;
        try {
            return file.value(rank);
        } catch (const DamagedTable& damaged) {
            report(c, damaged.what());
            return std::nullopt;
        }
    }

    void report(std::uint32_t c, const std::string& message) const {
        const std::lock_guard lock(reporting_);
        reports_.emplace(c, message);
    }

    G game_;
    std::filesystem::path directory_;
    Damage damage_;
    TableColumn column_;
    std::shared_ptr<BlockCache> cache_;
    std::shared_ptr<const TableSet> plies_;  // null where there are none beside
    bool young_ = false;                     // a file had changed so shortly before that a later change might not show
    std::vector<std::unique_ptr<TableFile>> files_;  // by class
    std::vector<std::pair<std::filesystem::path, FileStamp>> refused_;
    mutable std::mutex reporting_;
    mutable std::map<std::uint32_t, std::string> reports_;  // by class
};

}  // namespace proofbase
