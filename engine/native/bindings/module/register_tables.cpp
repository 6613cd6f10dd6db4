// Registers tables: reading, building and verifying them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "bindings/interfaces/any_tables.hpp"
#include "bindings/module/register.hpp"
#include "tables/files/block_cache.hpp"
#include "tables/files/compressed_table.hpp"
#include "tables/files/zstd.hpp"
#include "tables/work/build_limits.hpp"

namespace proofbase {

namespace {

std::string phase_name(const AnyTableWork& work) {
    static constexpr const char* names[] = {"waiting",  "preparing", "solving",   "writing",
                                            "checking", "ranking",   "confirming"};
    return names[static_cast<std::size_t>(work.task.phase.load())];
}

/// The functions of zstd, by their addresses from Python.
ZstdFunctions find_zstd() {
    const nb::gil_scoped_acquire gil;
    const auto found = nb::cast<std::map<std::string, std::uintptr_t>>(
        nb::module_::import_("proofbase.engine.zstd").attr("addresses")());
    return ZstdFunctions::by_name([&found](const char* name) { return found.at(name); });
}

BuildLimits limits(std::optional<std::uint64_t> memory, std::optional<std::uint64_t> longest_part) {
    BuildLimits out;
    if (memory) out.memory = *memory;
    out.longest_part = longest_part;
    return out;
}

std::vector<TableEntry> plan(const AnyTableWork& work, std::optional<std::uint64_t> memory,
                             std::optional<std::uint64_t> longest_part) {
    return work.plan(limits(memory, longest_part));
}

std::optional<TableReport> verify(AnyTableWork& work, std::uint32_t table_class, double checkpoint_seconds,
                                  std::optional<std::uint64_t> memory, std::optional<std::uint64_t> longest_part) {
    return work.verify(table_class, checkpoint_seconds, limits(memory, longest_part));
}

std::optional<Compression> compression(std::optional<int> level, std::uint64_t block) {
    return level ? std::optional(Compression{*level, block}) : std::nullopt;
}

bool build(AnyTableWork& work, double checkpoint_seconds, std::optional<std::uint64_t> memory,
           std::optional<std::uint64_t> longest_part, std::optional<int> level, std::uint64_t block) {
    return work.build(checkpoint_seconds, limits(memory, longest_part), compression(level, block));
}

bool rewrite(AnyTableWork& work, std::optional<int> level, std::uint64_t block) {
    return work.rewrite(compression(level, block));
}

unsigned threads_of(std::uint32_t asked) {
    return asked == 0 ? std::max(1u, std::thread::hardware_concurrency()) : asked;
}

}  // namespace

void register_tables(nb::module_& module) {
    using nb::arg;

    find_zstd_by(find_zstd);

    nb::class_<TableEntry>(module, "TableEntry", "A table of a directory, or one that tables of a size consist of.")
        .def_ro("name", &TableEntry::name, "Name of the table, as in records; its file is NAME.table.")
        .def_ro("table_class", &TableEntry::table_class,
                "Number of its class; 65,536 more for a table of plies beside that of the values.")
        .def_ro("plies", &TableEntry::plies, "Whether it holds plies to the end of the game.")
        .def_ro("class_name", &TableEntry::class_name)
        .def_ro("entries", &TableEntry::entries, "Positions of the class.")
        .def_ro("present", &TableEntry::present, "Whether there is a file.")
        .def_ro("bytes", &TableEntry::bytes, "Bytes of the file; 0 without a file, like the next two.")
        .def_ro("bits", &TableEntry::bits, "Bits of an entry.")
        .def_ro("lowest", &TableEntry::lowest, "The lowest value in it.")
        .def_ro("plain_bytes", &TableEntry::plain_bytes, "Bytes of the file in the plain form; 0 without a file.")
        .def_ro("block", &TableEntry::block, "Entries of a compressed block; 0 for a plain file.")
        .def_ro("checksum", &TableEntry::checksum,
                "Of the header and the checksums of all blocks: 64 bits that tell tables apart; 0 without a file.")
        .def_prop_ro(
            "build_memory", [](const TableEntry& entry) { return entry.needs.memory; },
            "In a plan: bytes of memory that building it takes at most, its states and the tables that it reads; 0 for "
            "one that is there, like the next four.")
        .def_prop_ro(
            "build_least_memory", [](const TableEntry& entry) { return entry.needs.least_memory; },
            "Bytes of memory with which it can be built; in parts if that is less than all it needs.")
        .def_prop_ro(
            "build_parts", [](const TableEntry& entry) { return entry.needs.parts; },
            "In so many parts it is built; 0: as a whole.")
        .def_prop_ro(
            "build_file", [](const TableEntry& entry) { return entry.needs.file; }, "Bytes of its file at most.")
        .def_prop_ro(
            "build_checkpoint", [](const TableEntry& entry) { return entry.needs.checkpoint; },
            "Bytes of its checkpoint while it is built, or of all files of its parts.")
        .def_prop_ro(
            "verify_memory", [](const TableEntry& entry) { return entry.verification.memory; },
            "In a plan: bytes of memory that verifying it takes at most; 0 for one that is missing, like the next "
            "three.")
        .def_prop_ro(
            "verify_least_memory", [](const TableEntry& entry) { return entry.verification.least_memory; },
            "Bytes of memory with which it can be verified; in parts if that is less than all it needs.")
        .def_prop_ro(
            "verify_parts", [](const TableEntry& entry) { return entry.verification.parts; },
            "In so many parts it is verified; 0: as a whole.")
        .def_prop_ro(
            "verify_disk", [](const TableEntry& entry) { return entry.verification.checkpoint; },
            "Bytes on the disk while it is verified, with checkpoints.");

    nb::class_<TableFinding>(module, "TableFinding", "An entry of a table that fails the verification.")
        .def_ro("entry", &TableFinding::entry, "Number of the position in its class.")
        .def_ro("value", &TableFinding::value, "The value in the table.")
        .def_ro("rule", &TableFinding::rule, "`value`, `moves`, `progress` or `damaged` (docs/tables.md).")
        .def_ro("detail", &TableFinding::detail);

    nb::class_<TableReport>(module, "TableReport", "The verification of one table.")
        .def_ro("checked", &TableReport::checked, "Entries looked at.")
        .def_ro("failed", &TableReport::failed, "Findings in all.")
        .def_ro("findings", &TableReport::findings, "The first ones, by entry.")
        .def_ro("longest", &TableReport::longest, "Plies of the longest line to an end or out of the class.")
        .def_ro("longest_entry", &TableReport::longest_entry, "Where it starts.");

    nb::class_<BlockCache>(module, "TableCache",
                           "Memory for the blocks of tables, shared by all Tables that are given it. Blocks that are "
                           "not asked for give way, so that they never take more than the limit; each block of a table "
                           "takes 16 bytes besides, in memory or not.")
        .def(nb::new_([](std::size_t limit) { return std::make_shared<BlockCache>(limit); }), arg("limit"),
             "Args:\n"
             "    limit: in bytes, 4 MiB (4,194,304) at least.\n\n"
             "Raises ValueError.")
        .def_prop_ro("limit", &BlockCache::limit)
        .def_prop_ro("used", &BlockCache::used, "Bytes of the blocks in memory.");

    nb::class_<AnyTables>(
        module, "Tables",
        "The tables of a game that a directory has when this object is made. Safe to share between threads.\n\n"
        "A block of a file is copied into memory when it is first asked for, and held against its checksum: what "
        "happens "
        "to the file later changes no value.")
        .def(nb::new_([](std::shared_ptr<AnyGame> game, const std::string& directory, bool tolerant,
                         std::shared_ptr<BlockCache> cache) {
                 return game->open_tables(directory, tolerant, std::move(cache));
             }),
             arg("game"), arg("directory"), arg("tolerant") = false, arg("cache").none() = nb::none(),
             "Args:\n"
             "    tolerant: damaged files and blocks have no values, and `damaged` reports them. Otherwise they raise "
             "DamagedTableError.\n"
             "    cache: takes the blocks; None if what was read is to stay in memory. A block that gave way is read "
             "and "
             "checked again when it is asked for.\n\n"
             "Raises NoTablesError for games without tables, DamagedTableError for files that are damaged or were "
             "built by other rules.")
        .def_prop_ro("directory", &AnyTables::directory)
        .def("entries", &AnyTables::entries, "The tables, by class.")
        .def("name", &AnyTables::name, arg("position"),
             "Name of the table that a position belongs in, None where none can have it.")
        .def("value", &AnyTables::value, arg("position"),
             "The exact value for the side to move, None where no table has the position. Raises DamagedTableError.")
        .def("plies", &AnyTables::plies, arg("position"),
             "Plies to the end of the game if the winner plays for the soonest and the loser for the latest, 0 for "
             "draws. None where no table holds plies. Raises DamagedTableError.")
        .def("own_plies", &AnyTables::own_plies, arg("position"),
             "The same by the table of the position itself, as the ranks of claims count them. None by a table of "
             "values, whatever there is beside it. Raises DamagedTableError.")
        .def("hold_values_alone", &AnyTables::hold_values_alone,
             "Whether some table of the game is there, and its own entries are no plies to the end of the game, "
             "whatever "
             "there is beside it.")
        .def("values", &AnyTables::values, arg("keys"), nb::sig("def values(self, keys: bytes) -> tuple[bytes, bytes]"),
             "Many values at once: keys stand one after the other, in any orientation.\n\n"
             "Returns:\n"
             "    A byte a key, 1 where a table has it, and a little-endian 32-bit integer a key: the value, else 0.")
        .def("histogram", &AnyTables::histogram, arg("table_class"), "How many entries each value has.")
        .def(
            "plies_histogram",
            [](const AnyTables& tables, std::uint32_t table_class) {
                nb::list out;
                for (const PliesCount& one : tables.plies_histogram(table_class)) {
                    out.append(nb::make_tuple(one.value, one.plies, one.count, one.first));
                }
                return out;
            },
            arg("table_class"),
            nb::sig("def plies_histogram(self, table_class: int) -> list[tuple[int, int, int, int]]"),
            "How many entries have which value and how many plies, draws left out.\n\n"
            "Returns:\n"
            "    By ascending plies: value, plies, number of entries, and the first of these. Nothing of a table that "
            "holds no plies.")
        .def(
            "won_in",
            [](const AnyTables& tables, std::uint32_t table_class, std::uint16_t plies, bool one_key, bool no_duals,
               std::uint64_t first,
               std::uint64_t last) { return tables.won_in(table_class, plies, one_key, no_duals, first, last); },
            arg("table_class"), arg("plies"), arg("one_key") = false, arg("no_duals") = false, arg("first") = 0,
            arg("last") = std::numeric_limits<std::uint64_t>::max(),
            "Entries of a table of plies that the side to move wins in so many plies.\n\n"
            "Args:\n"
            "    one_key: only those in which one move alone wins so soon.\n"
            "    no_duals: only those of them in which one move alone does after every longest defence, too.\n"
            "    first, last: the entries to look at: from the first one on, below the last.\n\n"
            "Raises ValueError of a table that holds no plies, and where a table that a move leads to is missing.")
        .def("position", &AnyTables::position, arg("table_class"), arg("entry"),
             nb::sig("def position(self, table_class: int, entry: int) -> typing.Any"),
             "The position with a number of a class, None where no position has the number.")
        .def("predecessors", &AnyTables::predecessors, arg("table_class"), arg("entry"),
             "Entries of the same class from which a move without a reward leads to this one, once a move.")
        .def("damaged", &AnyTables::damaged,
             "Tables of which some entries, or all, were found to be damaged so far: names, each with what is wrong. "
             "Only tolerant tables report.")
        .def("changed", &AnyTables::changed,
             "Whether a file has changed since it was opened; files that came later are not looked for.");

    nb::class_<AnyTableWork>(module, "TableWork",
                             "Builds and verifies the tables of a size. One call at a time; progress and cancel from "
                             "any thread.")
        .def(nb::new_([](std::shared_ptr<AnyGame> game, const std::string& directory, std::uint32_t size,
                         std::uint32_t threads,
                         bool plies) { return game->new_table_work(directory, size, threads_of(threads), plies); }),
             arg("game"), arg("directory"), arg("size"), arg("threads") = 0, arg("plies") = false,
             "Args:\n"
             "    size: what the game means by it: the stones of awari, the men of chess.\n"
             "    threads: 0 for one a processor.\n"
             "    plies: tables of plies beside those of values are to be built as well. (Those that there are belong "
             "to the other work anyway.)\n\n"
             "Raises NoTablesError, and ValueError if the game has no tables of plies beside those of values.")
        .def("restrict_to", &AnyTableWork::restrict_to, arg("table"),
             "Leaves only the table with this name, and those that it needs. Raises ValueError where no such table is "
             "built alone.")
        .def("plan", &plan, arg("memory").none() = nb::none(), arg("longest_part").none() = nb::none(),
             "The tables of that size, present and missing ones, and what `build` and `verify` with the same arguments "
             "need.")
        .def("build", &build, arg("checkpoint_seconds") = 60.0, arg("memory").none() = nb::none(),
             arg("longest_part").none() = nb::none(), arg("level").none() = nb::none(),
             arg("block") = Compression().block_entries,
             "Builds the missing tables; False if it was cancelled. Finished tables stay. The next call continues an "
             "unfinished class from its last checkpoint.\n\n"
             "Args:\n"
             "    memory: bytes; a class that needs more is built in parts, of which one is in memory at a time. None: "
             "no limit.\n"
             "    longest_part: positions; every class is built in parts, none of them longer (8,192 positions at "
             "least, 512 of tables of plies). None: by the memory.\n"
             "    level, block: as of `rewrite`; each table is compressed before the next one is built, those that are "
             "there too. None: the plain form.\n\n"
             "Raises ValueError if a class cannot be built with the memory.")
        .def("rewrite", &rewrite, arg("level").none() = Compression().level, arg("block") = Compression().block_entries,
             "Writes the tables that there are in another form, those that have it already excepted; False if it was "
             "cancelled. Finished tables stay.\n\n"
             "Args:\n"
             "    level: of zstd, 1 to 22; None for the plain form.\n"
             "    block: entries of a compressed block, a power of two from 1,024 to 1,048,576.\n\n"
             "Raises ValueError, DamagedTableError.")
        .def(
            "verify", &verify, arg("table_class"), arg("checkpoint_seconds") = 60.0, arg("memory").none() = nb::none(),
            arg("longest_part").none() = nb::none(),
            "Verifies one table (docs/tables.md); None if it was cancelled. The next call goes on from the last "
            "checkpoint, if the tables are the same.\n\n"
            "Args:\n"
            "    memory: bytes; a class that needs more is verified in parts, with files in the directory of the "
            "tables. None: no limit.\n"
            "    longest_part: entries; the class is verified in parts, none of them longer (512 entries at least). "
            "None: by the memory.\n\n"
            "Raises ValueError if the table, or one that it needs, is missing, or if the class cannot be verified with "
            "the memory. Raises OSError where files cannot be written.")
        .def(
            "cancel", [](AnyTableWork& work) { work.task.cancelled = true; },
            "Ends the call under way, and later ones.")
        .def_prop_ro("phase", &phase_name, "waiting, preparing, solving, writing, checking, ranking or confirming.")
        .def_prop_ro("table_class", [](const AnyTableWork& work) { return work.task.table_class.load(); })
        .def_prop_ro(
            "threshold", [](const AnyTableWork& work) { return work.task.threshold.load(); },
            "The value whose positions are being found.")
        .def_prop_ro(
            "done", [](const AnyTableWork& work) { return work.task.done.load(); },
            "Positions of the class that are finished in this phase.")
        .def_prop_ro(
            "size", [](const AnyTableWork& work) { return work.task.size.load(); }, "Positions of the class.")
        .def_prop_ro(
            "before", [](const AnyTableWork& work) { return work.task.before.load(); },
            "Positions of classes that are finished.")
        .def_prop_ro(
            "total", [](const AnyTableWork& work) { return work.task.total.load(); },
            "Positions of all classes; 0 before a build.");

    module.def(
        "users_table_work",
        [](const nb::object& game, const std::string& directory, std::uint32_t threads) {
            return users_table_work(game, directory, threads_of(threads));
        },
        arg("game"), arg("directory"), arg("threads") = 0,
        nb::sig("def users_table_work(game: typing.Any, directory: str, threads: int = 0) -> TableWork"),
        "Work on the tables of a user's own game, a NumberedGame of proofbase.engine.tables.numbered.");
}

}  // namespace proofbase
