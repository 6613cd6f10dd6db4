// Registers record tables and the reports of checks.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include "bindings/conversion/argument.hpp"
#include "bindings/interfaces/any_tables.hpp"
#include "bindings/module/register.hpp"

namespace proofbase {

namespace {

nb::object next_chunk(AnyChunks& chunks) {
    nb::list chunk = chunks.next();
    if (nb::len(chunk) == 0) throw nb::stop_iteration();
    return chunk;
}

}  // namespace

void register_records(nb::module_& module) {
    using nb::arg;

    nb::class_<StopFlag>(module, "StopFlag", "Ends native calls that were given it. Any thread may set it.")
        .def(nb::init<>())
        .def("set", &StopFlag::set, "Ends these calls, and those to come: they raise SearchCancelledError.")
        .def_prop_ro("is_set", &StopFlag::is_set);

    nb::class_<Report>(module, "Report", "The result of a local check.")
        .def_ro("checked", &Report::checked, "Records looked at.")
        .def_ro("failed", &Report::failed, "Records with at least one finding.")
        .def_prop_ro(
            "findings", [](const Report& report) { return report.findings; },
            nb::sig("def findings(self) -> list[proofbase.engine.checking.local_check.Finding]"),
            "What fails, by ascending key.")
        .def("__repr__", [](const Report& report) {
            return nb::str("<report: {} checked, {} failed>").format(report.checked, report.failed);
        });

    nb::class_<AnyChunks>(module, "Chunks", "Iterator over lists of (key, record).")
        .def(
            "__iter__", [](nb::handle self) { return nb::borrow(self); }, nb::sig("def __iter__(self) -> Chunks"))
        .def("__next__", &next_chunk, nb::sig("def __next__(self) -> list[tuple[bytes, bytes]]"));

    nb::class_<AnyRecordTable>(
        module, "RecordTable",
        "Records of one game in memory, by exact key; merging keeps the undominated claims.\n\n"
        "Safe to share between threads: many readers (searches, checks, lookups) or one writer at a time, and long "
        "readers let writers in between. Records hold no sources: those of loaded records are dropped. Keys must have "
        "the size of the game's keys; whether they are keys of legal positions is what `check` finds out.")
        .def(nb::new_([](Argument<std::shared_ptr<AnyGame>> game) {
                 return game.value("RecordTable", "game")->new_records();
             }),
             arg("game"))
        .def("__len__", &AnyRecordTable::size, "Number of records.")
        .def_prop_ro("nbytes", &AnyRecordTable::bytes, "Bytes of memory.")
        .def("load", &AnyRecordTable::load, arg("items"), arg("faults") = nb::none(),
             nb::sig("def load(self, items: collections.abc.Iterable[tuple[bytes, bytes]], "
                     "faults: list[proofbase.engine.checking.local_check.Finding] | None = None) -> int"),
             "Merges (key, encoded record) pairs; returns how many were taken.\n\n"
             "Without `faults` the first bad one raises: InvalidKeyError (size of the key), MalformedRecordError, or "
             "ContradictionError naming both claims; those before it stay merged. With a list, bad ones are left out "
             "and appended to it as findings.")
        .def(
            "put",
            [](AnyRecordTable& table, Argument<nb::bytes> key, Argument<nb::bytes> record) {
                return table.put(key.value("put()", "key"), record.value("put()", "record"));
            },
            arg("key"), arg("record"), "Merges one encoded record; returns whether anything changed. Raises as `load`.")
        .def(
            "get",
            [](const AnyRecordTable& table, Argument<nb::bytes> key) { return table.get(key.value("get()", "key")); },
            arg("key"), nb::sig("def get(self, key: bytes) -> bytes | None"),
            "The encoded record of a key. Raises InvalidKeyError if the key's size is wrong.")
        .def("remove", &AnyRecordTable::remove, arg("keys"),
             nb::sig("def remove(self, keys: collections.abc.Iterable[bytes]) -> int"),
             "Removes records; returns how many there were.")
        .def(
            "chunks",
            [](const AnyRecordTable& table, nb::ssize_t size, bool well_founded, const StopFlag* stop) {
                if (size < 1) throw nb::value_error("a chunk has at least one record");
                return table.chunks(static_cast<std::size_t>(size), well_founded, stop);
            },
            arg("size") = 10'000, nb::kw_only(), arg("well_founded") = false, arg("stop").none() = nb::none(),
            nb::keep_alive<0, 1>(),
            "All records by ascending key, `size` at a time: the keys that the table has now, each with the record "
            "that "
            "the table has when its chunk is read.\n\n"
            "`well_founded`: claim by claim instead, by ascending rank, each as a record of its own. The claims that a "
            "progress claim rests on come before it, so a store that is written chunk after chunk is closed at any "
            "time.\n\n"
            "`stop`: ends the sorting of the keys or claims, which takes seconds for millions of them.\n\n"
            "Raises:\n"
            "    SearchCancelledError: `stop` was set.")
        .def("check", &AnyRecordTable::check, arg("keys") = nb::none(), nb::kw_only(), arg("zones") = false,
             nb::sig("def check(self, keys: collections.abc.Iterable[bytes] | None = None, *, zones: bool = False) "
                     "-> Report"),
             "The local check (docs/fact-model.md) of all records, or of those of `keys`.\n\n"
             "`zones`: replies outside the zone of a threat tree are not played out (docs/zones.md).\n\n"
             "If all records pass and none of the children they refer to is missing, every bound is true.")
        .def(
            "check_with",
            [](const AnyRecordTable& table, const AnyRecordTable* stored, nb::object keys, nb::ssize_t threads,
               const StopFlag* stop) {
                if (threads < 1) throw nb::value_error("a check has at least one thread");
                return table.check_with(stored, std::move(keys), static_cast<std::size_t>(threads), stop);
            },
            arg("stored").none(), arg("keys") = nb::none(), nb::kw_only(), arg("threads") = 1,
            arg("stop").none() = nb::none(),
            nb::sig("def check_with(self, stored: RecordTable | None, "
                    "keys: collections.abc.Iterable[bytes] | None = None, *, threads: int = 1, "
                    "stop: StopFlag | None = None) -> Report"),
            "The local check of all records, or of those of `keys`, whose claims may rest on the records of `stored` "
            "as "
            "well. The records of `stored` are not checked.\n\n"
            "Args:\n"
            "    stored: records of the same game, which writers may change meanwhile; None: there are none.\n"
            "    keys: canonical keys of this table.\n"
            "    threads: at most so many; one for a game whose rules are in Python.\n"
            "    stop: ends the check.\n\n"
            "Raises:\n"
            "    SearchCancelledError: `stop` was set.")
        .def("missing", &AnyRecordTable::missing, arg("keys") = nb::none(),
             nb::sig("def missing(self, keys: collections.abc.Iterable[bytes] | None = None) -> list[bytes]"),
             "Canonical keys of the children that the claims refer to and that have no record here, ascending.")
        .def("below", &AnyRecordTable::below, arg("root"), nb::sig("def below(self, root: bytes) -> list[bytes]"),
             "Keys of the records that a record rests on, directly or not, with its own, ascending.")
        .def("dependents", &AnyRecordTable::dependents, arg("keys"),
             nb::sig("def dependents(self, keys: collections.abc.Iterable[bytes]) -> list[bytes]"),
             "Keys of the records that fail the check once those of `keys` are removed, then once the failing records "
             "are "
             "removed too, and so on; ascending, without `keys`.")
        .def(
            "trimmed",
            [](const AnyRecordTable& table, Argument<nb::bytes> root,
               Argument<std::optional<std::int64_t>> small_search_nodes, double strategy_seconds,
               const StopFlag* stop) {
                return table.trimmed(root.value("trimmed()", "root"),
                                     visits_of_small_searches(small_search_nodes, "trimmed()"), strategy_seconds, stop);
            },
            arg("root"), arg("small_search_nodes") = nb::none(), nb::kw_only(), arg("strategy_seconds") = 0.0,
            arg("stop").none() = nb::none(),
            nb::sig("def trimmed(self, root: bytes, small_search_nodes: int | None = None, *, strategy_seconds: float "
                    "= 0.0, "
                    "stop: StopFlag | None = None) -> RecordTable"),
            "A small closed part of the records that a record rests on: the strongest claims of the root, of all other "
            "records the claims that are needed, of several proofs of a claim the smaller one, and small searches in "
            "place of the records below a claim.\n\n"
            "Args:\n"
            "    root: a canonical key; without a record here the result is empty.\n"
            "    small_search_nodes: positions that a small search may visit, at most 10000; 0: no new ones. None:\n"
            "        10000, or 500 where the rules are Python.\n"
            "    strategy_seconds: for so long strategies are looked for that are smaller than records, in games for\n"
            "        which there is a search for them (docs/strategies.md); ranks are then the empty squares.\n"
            "    stop: ends it.\n\n"
            "Raises:\n"
            "    ValueError: small_search_nodes is not from 0 to 10000.\n"
            "    SearchCancelledError: `stop` was set.")
        .def(
            "by_pairing",
            [](const AnyRecordTable& table, Argument<nb::bytes> key, Argument<int> at_least) {
                return table.by_pairing(key.value("by_pairing()", "key"), at_least.value("by_pairing()", "at_least"));
            },
            arg("key"), arg("at_least"), nb::sig("def by_pairing(self, key: bytes, at_least: int) -> bytes | None"),
            "A record of one claim by a pairing (docs/strategies.md), which answers whether the value of a position is "
            "at least so much; None where none is found. The records of the table are not asked.")
        .def("attach", &AnyRecordTable::attach, arg("tables"),
             "Lets searches, checks and answers that use these records ask tables as well: a position that a table has "
             "counts as its exact value with rank 0, without a record.")
        .def(
            "answers", &AnyRecordTable::answers, arg("keys"), arg("any_orientation") = false,
            nb::sig("def answers(self, keys: bytes | collections.abc.Iterable[bytes], any_orientation: bool = False) "
                    "-> tuple[bytes, bytes, bytes, bytes, bytes]"),
            "Answers for many positions, in columns: states, lowers, uppers, lower_ranks, upper_ranks.\n\n"
            "Args:\n"
            "    keys: keys one after the other (games with keys of one size), or an iterable of keys.\n"
            "    any_orientation: answer encodings that are not canonical as well; otherwise they are invalid.\n\n"
            "Returns:\n"
            "    states, one byte each: bit 0 lower is known, bit 1 upper is known, bit 2 the key is invalid, bit 3 a "
            "record is here, bit 4 the game is over there, bit 5 the value is a table's. Four columns of little-endian "
            "32-bit integers: bounds (signed; the range of the game's values where nothing is known) and ranks (0 "
            "there). An exact record comes before a table.");
}

}  // namespace proofbase
