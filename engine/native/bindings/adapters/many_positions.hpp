// A list of positions from Python, in any of its forms, and the columns of the answers for Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/adapters/without_gil.hpp"
#include "bindings/conversion/positions.hpp"
#include "concepts.hpp"
#include "errors.hpp"
#include "games/python_game.hpp"
#include "search/api/solve_positions.hpp"

namespace proofbase {

namespace nb = nanobind;

/// Runs the handlers of signals that came meanwhile (Ctrl-C). Throws what they raise.
inline void check_interrupt() {
    const nb::gil_scoped_acquire with_gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// Lets other threads run for a moment, in a long loop that holds the GIL.
inline void let_others_run() {
    check_interrupt();
    const nb::gil_scoped_release without_gil;
}

/// Reads the items of a list of positions.
template <Notated G>
class PositionReader {
  public:
    using Position = typename G::Position;

    /// `read(index, text)` in Python reads texts of any form; most of those of native games are read here.
    PositionReader(const G& game, nb::handle read) : game_(game), read_(read) {}

    /// `list`: an iterable of items, or all keys packed into bytes. Throws InvalidPosition with the index of the item.
    std::vector<Position> read(nb::handle list) const {
        std::vector<Position> out;
        if (nb::isinstance<nb::bytes>(list)) {
            read_packed(view(nb::borrow<nb::bytes>(list)), out);
            return out;
        }
        out.reserve(nb::len_hint(list));
        for (const nb::handle item : list) {
            if (out.size() % items_between_pauses == items_between_pauses - 1) let_others_run();
            out.push_back(named(out.size(), [&] { return read_item(out.size(), item); }));
        }
        return out;
    }

  private:
    static constexpr std::size_t items_between_pauses = 4096;
    static constexpr std::string_view moves_prefix = "moves:";
    static constexpr bool in_python = std::is_same_v<G, PythonGame>;

    template <class Read>
    static Position named(std::size_t index, Read&& read) {
        const auto fail = [index](const std::exception& error) {
            return InvalidPosition("positions[" + std::to_string(index) + "]: " + error.what());
        };
        try {
            return read();
        } catch (const InvalidPosition& error) {
            throw fail(error);
        } catch (const InvalidMove& error) {
            throw fail(error);
        } catch (const InvalidKey& error) {
            throw fail(error);
        }
    }

    void read_packed(std::string_view packed, std::vector<Position>& out) const {
        const std::size_t size = game_.key_size();
        if (size == 0 || packed.size() % size != 0) {
            throw InvalidKey(size == 0 ? "keys of " + game_.name() + " vary in length: give them as a list"
                                       : std::to_string(packed.size()) + " bytes are not a whole number of keys of " +
                                             game_.name() + ", which have " + std::to_string(size) + " bytes");
        }
        out.reserve(packed.size() / size);
        for (std::size_t start = 0; start < packed.size(); start += size) {
            if (out.size() % items_between_pauses == items_between_pauses - 1) let_others_run();
            out.push_back(named(out.size(), [&] { return position_of(packed.substr(start, size)); }));
        }
    }

    Position read_item(std::size_t index, nb::handle item) const {
        if (PyUnicode_Check(item.ptr())) return read_text(index, item);
        if (PyBytes_Check(item.ptr())) return position_of(view(nb::borrow<nb::bytes>(item)));
        if constexpr (in_python) {
            return to_position(game_, item);
        } else {
            if (PyList_Check(item.ptr()) || PyTuple_Check(item.ptr())) return after_moves(item);
            const std::string type = nb::cast<std::string>(nb::str(item.type().attr("__name__")));
            throw nb::type_error(("positions[" + std::to_string(index) +
                                  "]: a position is a text (str), a key (bytes) or a list of moves, not " + type)
                                     .c_str());
        }
    }

    Position read_text(std::size_t index, nb::handle item) const {
        if constexpr (!in_python) {
            Py_ssize_t size = 0;
            if (const char* data = PyUnicode_AsUTF8AndSize(item.ptr(), &size)) {
                std::string_view text(data, static_cast<std::size_t>(size));
                if constexpr (MoveLists<G>) {
                    const bool marked = text.starts_with(moves_prefix);
                    const auto position = game_.after_moves(marked ? text.substr(moves_prefix.size()) : text);
                    if (position && !text.empty()) return *position;
                }
                try {
                    return game_.parse(text);
                } catch (const InvalidPosition&) {  // it may have another form
                }
            } else {
                PyErr_Clear();
            }
        }
        return to_position(game_, read_(index, item));
    }

    Position position_of(std::string_view bytes) const {
        if constexpr (in_python) {
            const auto position = game_.position(std::string(bytes));
            if (!position) throw InvalidKey(hex(bytes) + " is no key of a position of " + game_.name());
            return *position;
        } else {
            return to_position(game_, nb::bytes(bytes.data(), bytes.size()));
        }
    }

    Position after_moves(nb::handle numbers) const {
        Position position = game_.initial();
        typename G::Moves moves;
        for (const nb::handle number : numbers) {
            std::int64_t given = -1;
            if (PyBool_Check(number.ptr()) || !nb::try_cast<std::int64_t>(number, given, true)) given = -1;
            moves.clear();
            if (!game_.terminal(position)) game_.moves(position, moves);
            std::optional<typename G::Move> legal;
            for (std::size_t i = 0; i < moves.size(); ++i) {
                if (static_cast<std::int64_t>(moves[i]) == given) legal = moves[i];
            }
            if (!legal) {
                throw InvalidMove("move " + std::string(nb::repr(number).c_str()).substr(0, 60) +
                                  " is not the number of a legal move in " + game_.text(position));
            }
            position = game_.play(position, *legal);
        }
        return position;
    }

    const G& game_;
    nb::handle read_;
};

/// One field of all answers, as the bytes of an array.
template <class Item, class Field>
nb::bytearray column_of(const std::vector<SolvedPosition>& solved, Field&& field) {
    std::vector<Item> items;
    items.reserve(solved.size());
    for (const SolvedPosition& one : solved) items.push_back(static_cast<Item>(field(one)));
    return nb::bytearray(items.data(), items.size() * sizeof(Item));
}

/// The columns lower, upper, best_move (32 bits), nodes (64 bits) and status (8 bits) of the answers about a list.
/// `solve(algorithm, positions)` solves them; `by_questions(positions)` in Python those of games with cycles, which
/// null-window search cannot treat.
template <Notated G, class Solve>
nb::tuple solved_columns(const G& game, const GameFeatures& features, nb::handle list, nb::handle read,
                         nb::handle by_questions, const PositionsRequest& request, Solve&& solve) {
    if (!features.acyclic) {
        nb::list positions;
        for (const auto& position : PositionReader<G>(game, read).read(list)) {
            positions.append(from_position(game, position));
        }
        return nb::cast<nb::tuple>(by_questions(positions));
    }
    std::vector<SolvedPosition> solved;
    const std::string name = "null-window+threads-" + std::to_string(request.threads);
    const Algorithm algorithm = read_algorithm(name, features);  // refuses games that it cannot treat
    {
        const auto positions = PositionReader<G>(game, read).read(list);
        [[maybe_unused]] const WithoutGil<G> without_gil{};
        solved = solve(algorithm, positions);
    }
    return nb::make_tuple(
        column_of<std::int32_t>(solved, [](const auto& one) { return one.lower; }),
        column_of<std::int32_t>(solved, [](const auto& one) { return one.upper; }),
        column_of<std::int32_t>(solved, [](const auto& one) { return one.best_move; }),
        column_of<std::uint64_t>(solved, [](const auto& one) { return one.nodes; }),
        column_of<std::uint8_t>(solved, [](const auto& one) { return static_cast<std::uint8_t>(one.status); }));
}

}  // namespace proofbase
