// The interface of the tables of a game for Python, the same for all games.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tables/files/compressed_table.hpp"
#include "tables/verify/table_report.hpp"
#include "tables/work/build_limits.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

namespace nb = nanobind;

/// A table of a directory, or one that belongs to the tables of a size and may be missing.
struct TableEntry {
    std::string name;
    std::uint32_t table_class = 0;  ///< TableSet::number
    std::string class_name;
    std::uint64_t entries = 0;
    bool present = false;
    std::uint64_t bytes = 0;  ///< size of the file; 0 without a file, like the next two
    std::uint32_t bits = 0;
    std::int32_t lowest = 0;
    std::uint64_t plain_bytes = 0;  ///< size of the file in the plain form
    std::uint64_t block = 0;        ///< entries of a compressed block; 0 for a plain file
    std::uint64_t checksum = 0;     ///< of the file: TableFile::checksum
    BuildNeeds needs = {};          ///< of one that is missing
    BuildNeeds verification = {};   ///< of one that is there, for its verification
    bool plies = false;             ///< it holds plies
};

/// How many entries of a table of plies have this value and so many plies, and the first of them.
struct PliesCount {
    int value = 0;
    std::uint32_t plies = 0;
    std::uint64_t count = 0;
    std::uint64_t first = 0;
};

/// The tables of a directory, for reading.
class AnyTables {
  public:
    virtual ~AnyTables() = default;
    virtual std::string directory() const = 0;
    virtual std::vector<TableEntry> entries() const = 0;
    virtual std::optional<std::string> name(nb::handle position) const = 0;
    virtual std::optional<int> value(nb::handle position) const = 0;
    virtual std::optional<int> plies(nb::handle position) const = 0;
    /// By the table of the position itself, as the ranks of claims count them.
    virtual std::optional<int> own_plies(nb::handle position) const = 0;
    /// Whether some table of the game is there, and tables of values give the ranks of claims: they hold no plies to
    /// the end.
    virtual bool hold_values_alone() const = 0;
    virtual nb::tuple values(nb::bytes keys) const = 0;
    virtual std::map<int, std::uint64_t> histogram(std::uint32_t table_class) const = 0;
    virtual std::vector<PliesCount> plies_histogram(std::uint32_t table_class) const = 0;
    /// Entries from `first` on, below `last`, of positions that the side to move wins in so many plies.
    virtual std::vector<std::uint64_t> won_in(std::uint32_t table_class, std::uint32_t plies, bool one_key,
                                              bool no_duals, std::uint64_t first, std::uint64_t last) const = 0;
    virtual nb::object position(std::uint32_t table_class, std::uint64_t entry) const = 0;
    virtual std::vector<std::uint64_t> predecessors(std::uint32_t table_class, std::uint64_t entry) const = 0;
    virtual std::vector<std::pair<std::string, std::string>> damaged() const = 0;
    virtual bool changed() const = 0;
};

/// Work on the tables of a directory.
class AnyTableWork {
  public:
    virtual ~AnyTableWork() = default;
    /// Leaves only the table of that name and those that it needs. Throws std::invalid_argument where there is none.
    virtual void restrict_to(const std::string& table) = 0;
    virtual std::vector<TableEntry> plan(const BuildLimits& limits) const = 0;
    virtual bool build(double checkpoint_seconds, const BuildLimits& limits,
                       const std::optional<Compression>& compression) = 0;
    virtual bool rewrite(const std::optional<Compression>& compression) = 0;
    virtual std::optional<TableReport> verify(std::uint32_t table_class, double checkpoint_seconds,
                                              const BuildLimits& limits) = 0;

    TableTask task;
};

/// Work on the tables of a user's own game: `game` is a NumberedGame (engine/tables/numbered.py).
std::unique_ptr<AnyTableWork> users_table_work(const nb::object& game, const std::string& directory, unsigned threads);

}  // namespace proofbase
