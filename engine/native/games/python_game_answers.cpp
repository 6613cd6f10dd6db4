// What the methods of a user's game answer or raise: checked, and turned into errors that name the game and the method.
#include "games/python_game_state.hpp"

namespace proofbase {

namespace {

constexpr std::size_t longest_shown = 60;

}  // namespace

std::string shown(nb::handle answer) {
    // ASCII, because the text of repr() may hold characters that no message can hold, and may not be cut at any byte.
    const nb::object ascii = nb::steal(PyObject_ASCII(answer.ptr()));
    if (!ascii.is_valid()) {  // a number of too many digits, say, or a repr() of the user's that fails
        PyErr_Clear();
        return std::string("an object of type ") + nb::borrow<nb::str>(answer.type().attr("__name__")).c_str();
    }
    std::string text = nb::borrow<nb::str>(ascii).c_str();
    if (text.size() > longest_shown) text = text.substr(0, longest_shown - 3) + "...";
    return text;
}

void raise_engine_error(const char* name, const std::string& message) {
    const nb::object kind = nb::module_::import_("proofbase.engine.errors").attr(name);
    const nb::object text =
        nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
    PyErr_SetObject(kind.ptr(), text.ptr());
    throw nb::python_error();
}

void raise_failure(const std::string& game, const char* method, nb::python_error& error) {
    const nb::object failure = nb::module_::import_("proofbase.engine.rules.failures")
                                   .attr("failure_of")(nb::str(game.data(), game.size()), method, error.value(),
                                                       error.traceback().is_valid() ? error.traceback() : nb::none());
    if (failure.is(error.value())) {
        error.restore();
    } else {
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(failure.ptr())), failure.ptr());
    }
    nb::python_error seen;
    if (seen.matches(PyExc_Exception)) throw seen;
    throw Interruption{std::move(seen)};
}

void PythonGame::Rules::refuse(const char* method, nb::handle answer, const std::string& what) const {
    raise_engine_error("BrokenGameError", name + ": " + method + " gave " + shown(answer) + ", " + what);
}

long long PythonGame::Rules::number(const char* method, nb::handle answer, long long least, long long most) const {
    if (!PyLong_Check(answer.ptr())) {
        refuse(method, answer, "which is no integer");
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(answer.ptr(), &overflow);
    if (overflow != 0 || value < least || value > most) {
        refuse(method, answer, "which is not from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
}

std::string PythonGame::Rules::text(const char* method, nb::handle answer) const {
    if (!nb::isinstance<nb::str>(answer)) refuse(method, answer, "which is no text");
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(answer.ptr(), &size);
    if (data == nullptr) {
        PyErr_Clear();
        refuse(method, answer, "which holds characters that are no Unicode text");
    }
    return std::string(data, static_cast<std::size_t>(size));
}

std::vector<PythonGame::Move> PythonGame::Rules::legal_moves(const nb::object& position) const {
    std::vector<Move> moves;
    const nb::object answer = guarded("moves", [&] { return this->moves(position); });
    const nb::object iterator = nb::steal(PyObject_GetIter(answer.ptr()));
    if (!iterator.is_valid()) {
        PyErr_Clear();
        refuse("moves()", answer, "which is no sequence of moves");
    }
    const auto next = [&] {
        return guarded("moves", [&] {
            nb::object move = nb::steal(PyIter_Next(iterator.ptr()));
            if (!move.is_valid() && PyErr_Occurred()) throw nb::python_error();
            return move;
        });
    };
    for (nb::object move = next(); move.is_valid(); move = next()) {
        moves.push_back(static_cast<Move>(number("a move of moves()", move, 0, most_move)));
    }
    std::vector<Move> sorted = moves;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
        refuse("moves()", answer, "in which move " + std::to_string(*twice) + " stands twice");
    }
    return moves;
}

}  // namespace proofbase
