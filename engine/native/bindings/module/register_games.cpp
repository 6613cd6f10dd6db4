// Registers games by name, and the class Game, with the same interface as proofbase.engine.rules.Game.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/conversion/argument.hpp"
#include "bindings/conversion/text.hpp"
#include "bindings/module/register.hpp"
#include "errors.hpp"

namespace proofbase {

namespace {

std::vector<GameFamily>& families() {
    static std::vector<GameFamily> all;
    return all;
}

std::shared_ptr<AnyGame> open_in(const GameFamily& family, std::string_view parameters) {
    for (std::size_t i = 0; i + 1 < family.classes.size(); ++i) {
        try {
            return family.classes[i](parameters);
        } catch (const UnknownGame&) {
            continue;  // the last class, which takes the most, says what is wrong
        }
    }
    return family.classes.back()(parameters);
}

/// Throws GameLeftOut for the name of a game that this build leaves out, and for `within:N:GAME` of one.
void refuse_left_out(std::string_view name) {
    const std::size_t colon = name.find(':');
    const std::string_view family = name.substr(0, colon);
    if (family == "within" && colon != std::string_view::npos) {
        const std::size_t second = name.find(':', colon + 1);
        if (second != std::string_view::npos) refuse_left_out(name.substr(second + 1));
    }
    for (const std::string& left_out : games_left_out()) {
        if (left_out == family) {
            throw GameLeftOut(left_out + " is not in this build of the native core (option PROOFBASE_GAMES)");
        }
    }
}

std::shared_ptr<AnyGame> open_game(std::string_view name) {
    refuse_left_out(name);
    const std::size_t colon = name.find(':');
    for (const GameFamily& family : families()) {
        if (family.name != name.substr(0, colon)) continue;
        try {
            const bool bare = colon == std::string_view::npos;
            if (!bare && colon + 1 == name.size()) throw UnknownGame(family.name + ": no parameters after the colon");
            return open_in(family, bare ? std::string_view() : name.substr(colon + 1));
        } catch (const UnknownGame& error) {
            throw InvalidParameters(error.what());
        }
    }
    throw UnknownGame("unknown game " + quoted(name));
}

nb::list game_families() {
    nb::list out;
    for (const GameFamily& family : families()) {
        nb::list examples;
        for (const std::string& example : family.examples) examples.append(nb::str(example.c_str()));
        out.append(nb::make_tuple(family.name, examples, family.description));
    }
    return out;
}

}  // namespace

std::vector<std::string> games_left_out() {
    std::vector<std::string> names;
    for (const auto name : std::views::split(std::string_view(PROOFBASE_GAMES_LEFT_OUT), ',')) {
        names.emplace_back(name.begin(), name.end());
    }
    return names;
}

void add_family(GameFamily family) {
    const auto known = std::ranges::find(families(), family.name, &GameFamily::name);
    if (known == families().end()) {
        families().push_back(std::move(family));
    } else {
        std::ranges::move(family.classes, std::back_inserter(known->classes));
    }
}

void register_games(nb::module_& module) {
    using nb::arg;

    nb::class_<AnyGame>(module, "Game",
                        "The rules of a game, with the methods of proofbase.engine.rules.Game.\n\n"
                        "Positions of native games are bytes: the encoding of the position in its own orientation. The "
                        "key is the smallest encoding under the game's symmetries. Positions of wrapped Python games "
                        "are the user's own objects.")
        .def_prop_ro("name", &AnyGame::name, "The canonical name with its parameters.")
        .def_prop_ro("rules_version", &AnyGame::rules_version)
        .def_prop_ro("highest_value", &AnyGame::highest_value, "Limit of the absolute value of every position.")
        .def_prop_ro("acyclic", &AnyGame::acyclic, "True when no line of play visits a position twice.")
        .def_prop_ro("key_size", &AnyGame::key_size, "Bytes of a key; 0 when keys vary in length.")
        .def("initial", &AnyGame::initial, nb::sig("def initial(self) -> typing.Any"))
        .def("terminal", &AnyGame::terminal, arg("position"),
             "The value for the side to move when the game is over, None when it goes on.")
        .def("moves", &AnyGame::moves, arg("position"), nb::sig("def moves(self, position: object) -> list[int]"),
             "The legal moves; none when the game is over.")
        .def(
            "play",
            [](const AnyGame& game, nb::handle position, Argument<std::int64_t> move) {
                return game.play(position, move.value("play()", "move"));
            },
            arg("position"), arg("move"), nb::sig("def play(self, position: object, move: int) -> typing.Any"),
            "The position after a move. Raises InvalidMoveError.")
        .def(
            "reward",
            [](const AnyGame& game, nb::handle position, Argument<std::int64_t> move) {
                return game.reward(position, move.value("reward()", "move"));
            },
            arg("position"), arg("move"))
        .def("repetition", &AnyGame::repetition, arg("position"),
             "What an endless line is worth to the side to move; None where there is none.")
        .def("limit", &AnyGame::limit, arg("position"), "Limit of the absolute value of a position.")
        .def("score", &AnyGame::score, arg("position"), "What the side to move is ahead so far, in rewards.")
        .def("side", &AnyGame::side, arg("position"))
        .def("key", &AnyGame::key, arg("position"), "The canonical key.")
        .def(
            "position",
            [](const AnyGame& game, Argument<nb::bytes> key) { return game.position(key.value("position()", "key")); },
            arg("key"), nb::sig("def position(self, key: bytes) -> typing.Any"),
            "The position of a canonical key. Raises InvalidKeyError.")
        .def(
            "parse",
            [](const AnyGame& game, Argument<nb::str> given) {
                const nb::str text = given.value("parse()", "text");
                return game.parse(utf8<InvalidPosition>(text));
            },
            arg("text"), nb::sig("def parse(self, text: str) -> typing.Any"),
            "The position of a text. Raises InvalidPositionError.")
        .def("text", &AnyGame::text, arg("position"))
        .def("draw", &AnyGame::draw, arg("position"), "The position on several lines.")
        .def(
            "parse_move",
            [](const AnyGame& game, nb::handle position, Argument<nb::str> given) {
                const nb::str text = given.value("parse_move()", "text");
                return game.parse_move(position, utf8<InvalidMove>(text));
            },
            arg("position"), arg("text"), nb::sig("def parse_move(self, position: object, text: str) -> int"),
            "The legal move of a text. Raises InvalidMoveError.")
        .def(
            "move_text",
            [](const AnyGame& game, nb::handle position, Argument<std::int64_t> move) {
                return game.move_text(position, move.value("move_text()", "move"));
            },
            arg("position"), arg("move"))
        .def("small_search_visits", &AnyGame::small_search_visits, arg("position"), arg("bound"), arg("depth"),
             arg("nodes"),
             "The small search (docs/fact-model.md): positions entered until `value(position) <= bound` is settled, at "
             "most `depth` plies deep; None where it is not settled with at most `nodes` of them.")
        .def("line_reaches", &AnyGame::line_reaches, arg("position"), arg("lower"), arg("line"),
             "Whether a forcing line of the side to move reaches a bound against every legal reply, by the rules alone "
             "(docs/fact-model.md): its moves and the replies in turn. False where the game is over.")
        .def("open_moves", &AnyGame::open_moves, arg("position"), arg("bound"),
             nb::sig("def open_moves(self, position: object, bound: int) "
                     "-> tuple[list[tuple[int, int, bool]], int | None, int | None]"),
             "What the game tells the search `null-window` about `value(position) >= bound?`, by proofs by hand.\n\n"
             "Returns:\n"
             "    The moves to try: (move, score for the order, whether only one reply is open). Of the others the "
             "largest value that one of them has at most, and that move; None where there are no others. If that value "
             "reaches the bound, the move has at least this value, and the moves to try do not count.\n\n"
             "Raises ValueError for games that do not tell, for finished games, and for bounds beyond `limit`.")
        .def("static_bounds", &AnyGame::static_bounds, arg("position"),
             nb::sig("def static_bounds(self, position: object) -> tuple[int, int]"),
             "Limits of the value by proofs by hand: (lower, upper), both included.\n\n"
             "Raises ValueError for games without them, and for finished games.")
        .def("winning_lines", &AnyGame::winning_lines, arg("positions"), arg("finder") = "dependency",
             arg("most_nodes") = 5000, arg("opponent") = false,
             nb::sig("def winning_lines(self, positions: collections.abc.Iterable[object], finder: str = 'dependency', "
                     "most_nodes: int = 5000, opponent: bool = False) -> tuple[list[list[int] | None], int, int, int, "
                     "float]"),
             "Lines by which the side to move wins by threats, for games that have them.\n\n"
             "Args:\n"
             "    finder: `dependency` (dependency-based search) or `sequences` (plain search of forced sequences); in "
             "renju `fours` (a shortest win by fours).\n"
             "    most_nodes: of one search.\n"
             "    opponent: whether the other side is the attacker, as if the side to move passed.\n\n"
             "Returns:\n"
             "    The lines (None where none was found), the nodes, the most nodes of one search, how many searches "
             "were "
             "cut short, and the seconds spent.\n\n"
             "Raises ValueError for other games, other finders, and finished games.")
        .def("winning_threats", &AnyGame::winning_threats, arg("positions"), arg("finder") = "threes",
             arg("most_nodes") = 100000, arg("opponent") = false,
             nb::sig("def winning_threats(self, positions: collections.abc.Iterable[object], finder: str = 'threes', "
                     "most_nodes: int = 100000, opponent: bool = False) "
                     "-> tuple[list[tuple[str, list[int] | None, int]], float]"),
             "Trees by which the side to move wins by threats, for games that have them (docs/search.md).\n\n"
             "Args:\n"
             "    finder: `threes` (threes and fours, df-pn), `fours` (continuous fours), `sequences` (one sequence of "
             "threats, dependency-based search) or `sequences-by-search` (the same, tested as by Allis 1994, 5.3.3).\n"
             "    most_nodes: of one search.\n"
             "    opponent: whether the other side is the attacker, as if the side to move passed.\n\n"
             "Returns:\n"
             "    For each position (`won`, `none` or `cut`, tree, nodes), and the seconds spent on all. `none`: these "
             "threats do not win; `cut`: not settled; `unproved`: a sequence passed the test of `sequences-by-search`, "
             "and a reply refutes it. Trees are given where the attacker wins: 0 (he wins at once, or "
             "leaves two squares that win), or his move + 1, a number of replies, and for each of them, ascending, the "
             "reply and the tree after it. Every other reply is followed by 0.\n\n"
             "Raises ValueError for other games, other finders, and finished games.")
        .def("behind_virtual_functions", &AnyGame::behind_virtual_functions,
             "The same game, all of whose searches run behind virtual functions: with the same nodes, claims and "
             "checkpoints as those that are compiled for the game's own type, and slower (docs/algorithms.md).")
        .def("__repr__", [](const AnyGame& game) { return "<native game " + game.name() + ">"; });

    module.def(
        "open_game",
        [](Argument<nb::str> given) {
            const nb::str name = given.value("open_game()", "name");
            return open_game(utf8<UnknownGame>(name));
        },
        arg("name"),
        "The native game of a name such as `connect-four:5x4`.\n\n"
        "Raises UnknownGameError, InvalidParametersError where the parameters make no game, or NativeCoreMissingError "
        "for a game that this build leaves out.");
    module.def("python_game", &wrap_python_game, arg("game"), nb::sig("def python_game(game: object) -> Game"),
               "Wraps a user's game (see proofbase.engine.rules.Game), so that searches and checks run on it.\n\n"
               "Raises TypeError or ValueError when it is no game.");
    module.def("game_families", &game_families, nb::sig("def game_families() -> list[tuple[str, list[str], str]]"),
               "Name, example names and description of every family of native games.");
    module.def("games_left_out", &games_left_out,
               "Names of the families that this build leaves out (option PROOFBASE_GAMES); none in a full build.");
}

}  // namespace proofbase
