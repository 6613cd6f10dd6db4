// Registers searches.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "bindings/conversion/argument.hpp"
#include "bindings/conversion/text.hpp"
#include "bindings/module/register.hpp"
#include "errors.hpp"
#include "search/null_window/window_sequence.hpp"

namespace proofbase {

namespace {

const char* to_text(Status status) {
    switch (status) {
        case Status::proved:
            return "proved";
        case Status::disproved:
            return "disproved";
        default:
            return "unknown";
    }
}

std::optional<std::string> to_text(StopReason reason) {
    switch (reason) {
        case StopReason::nodes:
            return "nodes";
        case StopReason::seconds:
            return "seconds";
        case StopReason::memory:
            return "memory";
        case StopReason::cancelled:
            return "cancelled";
        case StopReason::repetition:
            return "repetition";
        case StopReason::exhausted:
            return "exhausted";
        default:
            return std::nullopt;
    }
}

/// Throws ValueError for a threshold that all values of the game reach, or none.
void refuse_no_question(const AnyGame& game, std::int64_t at_least) {
    const int highest = game.highest_value();
    if (at_least > -highest && at_least <= highest) return;
    throw nb::value_error((game.name() + ": 'at least " + std::to_string(at_least) +
                           "' is no question: values are from " + std::to_string(-highest) + " to " +
                           std::to_string(highest) + ", so ask for " + std::to_string(-highest + 1) + " to " +
                           std::to_string(highest))
                              .c_str());
}

std::unique_ptr<AnySearch> new_search(Argument<std::shared_ptr<AnyGame>> given_game, nb::object position,
                                      Argument<int> threshold, Argument<nb::str> given_algorithm,
                                      std::shared_ptr<AnyRecordTable> known) {
    const std::shared_ptr<AnyGame> game = given_game.value("Search", "game");
    const int at_least = threshold.value("Search", "at_least");
    const nb::str algorithm = given_algorithm.value("Search", "algorithm");
    refuse_no_question(*game, at_least);
    return game->new_search(position, at_least, utf8<UnsuitableAlgorithm>(algorithm), std::move(known));
}

nb::list algorithms(const AnyGame& game) {
    nb::list out;
    for (const AlgorithmChoices& listing : game.algorithms()) {
        nb::list kinds;
        for (const PolicyChoices& kind : listing.kinds) kinds.append(nb::make_tuple(kind.kind, kind.policies));
        out.append(nb::make_tuple(listing.family, kinds));
    }
    return out;
}

std::optional<std::uint64_t> positive(const char* name, const std::optional<std::int64_t>& limit) {
    if (!limit) return std::nullopt;
    if (*limit <= 0) {
        throw nb::value_error((std::string(name) + " must be positive, not " + std::to_string(*limit)).c_str());
    }
    return static_cast<std::uint64_t>(*limit);
}

Outcome run(AnySearch& self, Argument<std::optional<std::int64_t>> max_nodes,
            Argument<std::optional<double>> max_seconds, Argument<std::optional<std::int64_t>> max_memory) {
    const std::optional<std::int64_t> nodes = max_nodes.value("run()", "nodes");
    const std::optional<double> seconds = max_seconds.value("run()", "seconds");
    const std::optional<std::int64_t> memory = max_memory.value("run()", "memory");
    Budget budget{positive("nodes", nodes), seconds, positive("memory", memory)};
    if (seconds && !(*seconds > 0)) {
        throw nb::value_error(("seconds must be positive, not " + std::to_string(*seconds)).c_str());
    }
    if (seconds && std::isinf(*seconds)) budget.seconds.reset();
    if (self.in_python()) return self.search().run(budget);  // Python code is interrupted by Python itself

    // The search runs in short turns, so that Ctrl-C takes effect.
    constexpr double turn = 0.2;
    const auto start = std::chrono::steady_clock::now();
    while (true) {
        const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const double left = seconds ? *seconds - passed : turn;
        Budget slice = budget;
        slice.seconds = std::clamp(left, 1e-6, turn);
        Outcome outcome;
        {
            const nb::gil_scoped_release without;
            outcome = self.search().run(slice);
        }
        const bool more = outcome.reason == StopReason::seconds && !(seconds && left <= turn);
        if (!more) return outcome;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
}

void find_value(AnySearch& self, Argument<std::optional<std::int64_t>> max_nodes,
                Argument<std::optional<std::int64_t>> max_memory) {
    const Budget budget{positive("nodes", max_nodes.value("find_value()", "nodes")), std::nullopt,
                        positive("memory", max_memory.value("find_value()", "memory"))};
    if (self.in_python()) return self.search().find_value(budget);
    const nb::gil_scoped_release without;
    self.search().find_value(budget);
}

nb::tuple solve_list(const std::shared_ptr<AnyGame>& game, nb::object positions, nb::callable read,
                     nb::callable by_questions, Argument<std::optional<std::int64_t>> at_least,
                     Argument<std::optional<std::int64_t>> nodes, Argument<std::optional<double>> seconds,
                     Argument<std::optional<std::int64_t>> total_nodes, Argument<std::optional<double>> total_seconds,
                     Argument<std::int64_t> table_mib, Argument<std::int64_t> threads) {
    const char* const name = "solve_positions()";
    const auto time = [&](const char* which, const Argument<std::optional<double>>& given) -> std::optional<double> {
        const std::optional<double> value = given.value(name, which);
        if (value && !(*value > 0)) {
            throw nb::value_error((std::string(which) + " must be positive, not " + std::to_string(*value)).c_str());
        }
        return value && std::isinf(*value) ? std::nullopt : value;
    };
    const auto between = [&](const char* which, std::int64_t value, std::int64_t most) {
        if (value >= 1 && value <= most) return static_cast<std::uint64_t>(value);
        throw nb::value_error(
            (std::string(which) + " is from 1 to " + std::to_string(most) + ", not " + std::to_string(value)).c_str());
    };
    PositionsRequest request;
    if (const auto bound = at_least.value(name, "at_least")) {
        refuse_no_question(*game, *bound);
        request.at_least = static_cast<int>(*bound);
    }
    request.nodes = positive("nodes", nodes.value(name, "nodes"));
    request.seconds = time("seconds", seconds);
    request.total_nodes = positive("total_nodes", total_nodes.value(name, "total_nodes"));
    request.total_seconds = time("total_seconds", total_seconds);
    request.table_bytes = between("table_mib", table_mib.value(name, "table_mib"), std::int64_t{1} << 24) << 20;
    request.threads = static_cast<std::uint32_t>(between("threads", threads.value(name, "threads"), 255));
    return game->solve_positions(positions, read, by_questions, request);
}

/// The questions that find a value, when each takes so many nodes.
std::vector<int> null_windows(int lower, int upper, int value, std::uint64_t nodes, std::uint64_t nodes_at_ends) {
    if (lower > value || value > upper) throw nb::value_error("the value lies outside of its limits");
    std::vector<int> bounds;
    WindowSequence windows({lower, upper}, nodes_at_ends);
    while (!windows.finished()) {
        const NullWindow window = windows.next();
        bounds.push_back(window.bound);
        if (window.most_nodes != 0 && nodes > window.most_nodes) {
            windows.given_up(window.most_nodes);
        } else {
            windows.answered(window, value >= window.bound ? window.bound : window.bound - 1, nodes);
        }
    }
    return bounds;
}

}  // namespace

void register_search(nb::module_& module) {
    using nb::arg;

    module.def("algorithms", &algorithms, arg("game"),
               nb::sig("def algorithms(game: Game) -> list[tuple[str, list[tuple[str, list[str]]]]]"),
               "The families of algorithms that treat a game, each with its kinds of policies and their names.\n\n"
               "A name of an algorithm is a family, with at most one policy of each kind after `+`; in `PREFIX-N`, N "
               "stands for a number. Not all policies go together.");

    module.def(
        "full_algorithm_name",
        [](const AnyGame& game, nb::str name) { return game.full_algorithm_name(utf8<UnsuitableAlgorithm>(name)); },
        arg("game"), arg("name"),
        "The name of an algorithm with all its policies, `auto` resolved; no search is made for it.\n\n"
        "Raises UnknownAlgorithmError if there is none of this name, or if it cannot treat the game.");

    module.def("describe_algorithms", &describe_algorithms,
               "The families of algorithms with all their policies, as Markdown: the tables of docs/algorithms.md.");

    nb::class_<Outcome>(module, "Outcome", "The state of a search.")
        .def_prop_ro(
            "status", [](const Outcome& outcome) { return to_text(outcome.status); },
            "`proved`, `disproved` or `unknown`.")
        .def_prop_ro(
            "reason", [](const Outcome& outcome) { return to_text(outcome.reason); },
            "Why the status is unknown: `nodes`, `seconds`, `memory` or `cancelled`, or `repetition` if the answer "
            "that was "
            "found rests on a repetition that does not occur on other paths. None otherwise.")
        .def("__repr__", [](const Outcome& outcome) {
            return std::string("<outcome: ") + to_text(outcome.status) +
                   (outcome.reason == StopReason::none ? "" : " (" + *to_text(outcome.reason) + ")") + ">";
        });

    nb::class_<Progress>(module, "Progress", "Totals since the search began.")
        .def_ro("nodes", &Progress::nodes, "Nodes created.")
        .def_ro("expansions", &Progress::expansions, "Nodes whose children were generated.")
        .def_ro("updates", &Progress::updates, "How often the numbers of a node were taken from those of its children.")
        .def_ro("seconds", &Progress::seconds, "Spent in run().")
        .def_prop_ro("nodes_per_second", &Progress::nodes_per_second)
        .def_ro("proof", &Progress::proof, "Proof number of the root; 2^32-1 stands for infinity.")
        .def_ro("disproof", &Progress::disproof, "Disproof number of the root; 2^32-1 stands for infinity.")
        .def_ro("memory", &Progress::memory, "Bytes.")
        .def_ro("node_memory", &Progress::node_memory, "Bytes of `memory` that hold nodes: not edges, not the index.")
        .def_ro("peak_nodes", &Progress::peak_nodes,
                "The most nodes that were held at one time; None where a search keeps a table in place of nodes.")
        .def_ro("best_line", &Progress::best_line,
                "The first 1000 moves from the questioned position to the most-proving node.")
        .def_ro("best_line_moves", &Progress::best_line_moves, "How many moves lead to that node in all.")
        .def_ro("replies_proved", &Progress::replies_proved,
                "Replies to the position that are proved, where the search proves them one after the other.")
        .def_ro("replies", &Progress::replies, "How many there are in all, but for symmetry; 0 for other searches.")
        .def_ro("traversed", &Progress::traversed,
                "Steps down to most-proving nodes, since this object was made (0 where a search does not count them).");

    module.def(
        "choose_algorithm",
        [](const std::shared_ptr<AnyGame>& game, const nb::object& position, bool nodes_used_up, bool memory_used_up) {
            const RecommendedAlgorithm choice = game->choose_algorithm(position, nodes_used_up, memory_used_up);
            return nb::make_tuple(choice.algorithm, choice.reason, choice.nodes);
        },
        arg("game"), arg("position").none() = nb::none(), nb::kw_only(), arg("nodes_used_up") = false,
        arg("memory_used_up") = false,
        nb::sig("def choose_algorithm(game: Game, position: object | None = None, *, nodes_used_up: bool = False, "
                "memory_used_up: bool = False) -> tuple[str, str, int | None]"),
        "The algorithm that `auto` stands for, why, and for how many nodes to try it (None: no limit).\n\n"
        "Args:\n"
        "    position: what is asked about; None: not known.\n"
        "    nodes_used_up: the algorithm to go on with when the first one has taken these nodes.\n"
        "    memory_used_up: the algorithm that continues when the first one has used up its memory.");

    module.def(
        "solve_positions", &solve_list, arg("game"), arg("positions"), arg("read"), arg("by_questions"), nb::kw_only(),
        arg("at_least").none(), arg("nodes").none(), arg("seconds").none(), arg("total_nodes").none(),
        arg("total_seconds").none(), arg("table_mib"), arg("threads"),
        nb::sig(
            "def solve_positions(game: Game, positions: object, read: collections.abc.Callable[[int, str], object], "
            "by_questions: collections.abc.Callable[[list[Any]], tuple[bytearray, ...]], *, "
            "at_least: int | None, nodes: int | None, seconds: float | None, total_nodes: int | None, "
            "total_seconds: float | None, table_mib: int, threads: int) -> tuple[bytearray, bytearray, bytearray, "
            "bytearray, bytearray]"),
        "The work of proofbase.engine.solve_positions(), which documents it.\n\n"
        "Args:\n"
        "    read: reads the text with this index where native code does not; returns the position.\n"
        "    by_questions: solves the positions of a game with cycles, as the columns that are returned.\n\n"
        "Returns:\n"
        "    The columns lower, upper, best_move (32 bits), nodes (64 bits) and status (8 bits) as bytes.");

    module.def(
        "null_windows", &null_windows, arg("lower"), arg("upper"), arg("value"), nb::kw_only(), arg("nodes") = 1,
        arg("nodes_at_ends") = WindowSequence::nodes_at_ends,
        "The questions `at least?` by which solve_positions() finds a value, in their order.\n\n"
        "Args:\n"
        "    lower, upper: limits of the value that are known before, both included.\n"
        "    value: what it is.\n"
        "    nodes: that the answer to every question takes.\n"
        "    nodes_at_ends: of all questions about the ends of the interval together; with more they are given up.");

    nb::class_<AnySearch>(module, "Search",
                          "One search for the answer to \"is the value of the position at least v for its side to "
                          "move?\"\n\n"
                          "Methods may be called from any thread; run() by one thread at a time.")
        .def(nb::new_(&new_search), arg("game"), arg("position"), arg("at_least"), nb::kw_only(),
             arg("algorithm") = "auto", arg("known").none() = nb::none(),
             "Args:\n"
             "    position: of `game`; for native games bytes.\n"
             "    at_least: the threshold, above -highest_value and up to highest_value.\n"
             "    algorithm: `auto`, or a family with policies after `+`, such as `pn-dag+effort`; `algorithms`\n"
             "        lists them.\n"
             "    known: records that settle what they can; the solution rests on them without holding them.\n\n"
             "Raises:\n"
             "    UnknownAlgorithmError: no such algorithm, or it cannot treat the game.\n"
             "    InvalidPositionError: the bytes encode no position.\n"
             "    ValueError: the threshold is no question, or `known` holds records of another game.")
        .def(
            "run", &run, arg("nodes") = nb::none(), arg("seconds") = nb::none(), arg("memory") = nb::none(),
            "Searches until the question is settled, a limit is reached or cancel() is called; may be called again.\n\n"
            "Args:\n"
            "    nodes: created since the search began.\n"
            "    seconds: of this call.\n"
            "    memory: bytes that the search holds.\n\n"
            "Raises:\n"
            "    ValueError: a limit is not positive.\n"
            "    RuntimeError: another call is under way.")
        .def(
            "find_value", &find_value, arg("nodes") = nb::none(), arg("memory") = nb::none(),
            "Asks what leads to the value of the position, whatever the question of this search is, until the value is "
            "known or a limit is reached; `limits` then says what is known. Searches other than null-window do "
            "nothing.\n\n"
            "What is known rests on the search alone: solution() does not show it, and checkpoint() does not hold "
            "it.\n\n"
            "Args:\n"
            "    nodes, memory: as for run(), which counts these nodes as well.\n\n"
            "Raises:\n"
            "    ValueError: a limit is not positive.\n"
            "    RuntimeError: another call is under way.")
        .def(
            "cancel", [](AnySearch& self) { self.search().cancel(); },
            "Ends the run under way, or the next one at once.\n\n"
            "A solution() under way, a restore() under way and one that is still to come raise SearchCancelledError.")
        .def(
            "progress", [](const AnySearch& self) { return self.search().progress(); },
            "From any thread, also while run() goes on.")
        .def_prop_ro(
            "status", [](const AnySearch& self) { return to_text(self.search().outcome().status); },
            "`proved`, `disproved` or `unknown`. Not while run() goes on.")
        .def_prop_ro(
            "reason", [](const AnySearch& self) { return to_text(self.search().outcome().reason); },
            "Why the last run ended without an answer. Not while run() goes on.")
        .def_prop_ro(
            "value_bounds",
            [](const AnySearch& self) -> nb::object {
                const std::optional<ValueBounds> bounds = self.search().value_bounds();
                if (!bounds) return nb::none();
                return nb::make_tuple(bounds->lower, bounds->upper);
            },
            nb::sig("def value_bounds(self) -> tuple[int, int] | None"),
            "What an alpha-beta search, or a null-window search of a game without cycles, knows of the value, both "
            "ends "
            "included; None for other searches. Not while run() goes on.")
        .def_prop_ro(
            "has_table", [](const AnySearch& self) { return self.search().has_table(); },
            "Whether there is a table that a later search may take over. Not while run() goes on.")
        .def(
            "take_table",
            [](AnySearch& self, AnySearch& earlier) { return self.search().take_table(earlier.search()); },
            arg("earlier"),
            "Takes over the transposition table of an earlier search of any position of the same game, which then has "
            "none: what is true of a position helps with every question. Only before the first run().\n\n"
            "Returns:\n"
            "    False if that cannot be; then nothing changes.\n\n"
            "Raises:\n"
            "    RuntimeError: a call of one of the two is under way.")
        .def_prop_ro(
            "algorithm", [](const AnySearch& self) { return self.search().algorithm(); },
            "The algorithm's name with all its policies.")
        .def(
            "solution",
            [](AnySearch& self, Argument<std::optional<std::int64_t>> small_search_nodes) {
                return self.solution(visits_of_small_searches(small_search_nodes, "solution()"));
            },
            arg("small_search_nodes") = nb::none(),
            nb::sig("def solution(self, small_search_nodes: int | None = None) -> RecordTable"),
            "The claims that settle the question; together with `known` they are closed below the position. No records "
            "while the question is open.\n\n"
            "Args:\n"
            "    small_search_nodes: a claim that a small search of at most so many positions settles rests on that\n"
            "        search, and the records below it are left out. 0: no claim does but those that the game's\n"
            "        look-ahead has settled. None: 10000, or 500 where the rules are Python.\n\n"
            "Raises:\n"
            "    ValueError: it is not from 0 to 10000.")
        .def(
            "checkpoint",
            [](AnySearch& self) {
                const std::string chunk = self.search().checkpoint();
                return nb::bytes(chunk.data(), chunk.size());
            },
            "The expansions since the last call. All chunks in order make the checkpoint.")
        .def(
            "restore",
            [](AnySearch& self, nb::object chunks) {
                std::string joined;
                if (nb::isinstance<nb::bytes>(chunks)) chunks = nb::make_tuple(chunks);
                for (nb::handle chunk : chunks) {
                    if (!nb::isinstance<nb::bytes>(chunk)) throw nb::type_error("a chunk of a checkpoint is bytes");
                    const auto bytes = nb::borrow<nb::bytes>(chunk);
                    joined.append(bytes.c_str(), bytes.size());
                }
                if (self.in_python()) return self.search().restore(joined);
                const nb::gil_scoped_release without;
                self.search().restore(joined);
            },
            arg("chunks"), nb::sig("def restore(self, chunks: bytes | collections.abc.Iterable[bytes]) -> None"),
            "Continues the search of these chunks (all of them, in order). Only before the first run().\n\n"
            "Raises:\n"
            "    InvalidCheckpointError: the chunks are damaged or those of another search.");
}

}  // namespace proofbase
