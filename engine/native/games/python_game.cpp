#include "games/python_game.hpp"

#include <nanobind/stl/string.h>

#include <limits>

namespace proofbase {

namespace {

// Moves are stored as witnesses in records, which hold numbers below 2^31.
constexpr long long most_move = std::numeric_limits<std::int32_t>::max();
constexpr long long most_value = (1 << 29) - 1;  // a reward less a bound, plus one, stays below 2^31
constexpr std::size_t longest_key = 255;
constexpr std::size_t remembered = 256;  // positions whose children are kept

/// Deletes an object that holds Python objects, from a thread that may not hold the lock. After Python has ended
/// nothing is deleted.
template <class T>
void drop(T* held) {
    if (!Py_IsInitialized()) return;
    const nb::gil_scoped_acquire lock;
    delete held;
}

std::string shown(nb::handle answer) {
    // ASCII, because the text of repr() may hold characters that no message can hold, and may not be cut at any byte.
    const nb::object ascii = nb::steal(PyObject_ASCII(answer.ptr()));
    if (!ascii.is_valid()) throw nb::python_error();
    std::string text = nb::borrow<nb::str>(ascii).c_str();
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    return text;
}

/// Calls Python; lets ordinary exceptions through as they are and interrupts as Interruption.
template <class Call>
auto guarded(Call&& call) {
    try {
        return call();
    } catch (nb::python_error& error) {
        if (error.matches(PyExc_Exception)) throw;
        throw Interruption{std::move(error)};
    }
}

}  // namespace

struct PythonGame::Position::State {
    nb::object object;
    std::optional<std::optional<int>> terminal;
    std::optional<int> limit;
    std::optional<std::string> key;
    std::optional<bool> canonical;
    bool expanded = false;
    std::vector<Move> moves;
    std::vector<Position> children;  // by index of the move; without a state until played

    void drop_children() {
        expanded = false;
        moves.clear();
        children.clear();
    }
};

struct PythonGame::Rules {
    nb::object game;
    nb::object terminal, moves, play, reward, repetition, score, limit, side, key, position;
    std::string name;
    int version = 1;
    int highest_value = 1;
    bool acyclic = true;
    std::vector<std::shared_ptr<Position::State>> last;  // ring of the positions expanded last
    std::size_t next = 0;

    [[noreturn]] void refuse(const char* method, nb::handle answer, const std::string& what) const {
        throw nb::value_error((name + ": " + method + " gave " + shown(answer) + ", " + what).c_str());
    }

    /// An integer answer within limits.
    long long number(const char* method, nb::handle answer, long long least, long long most) const {
        if (!PyLong_Check(answer.ptr())) {
            throw nb::type_error((name + ": " + method + " gave " + shown(answer) + ", which is no integer").c_str());
        }
        int overflow = 0;
        const long long value = PyLong_AsLongLongAndOverflow(answer.ptr(), &overflow);
        if (overflow != 0 || value < least || value > most) {
            refuse(method, answer, "which is not from " + std::to_string(least) + " to " + std::to_string(most));
        }
        return value;
    }

    int value(const char* method, nb::handle answer) const {
        return static_cast<int>(number(method, answer, -highest_value, highest_value));
    }
};

PythonGame::PythonGame(nb::object game) : rules_(new Rules, drop<Rules>) {
    Rules& rules = *rules_;
    rules.game = game;
    rules.name = "the game";
    const auto attribute = [&](const char* name) {
        nb::object found = nb::getattr(game, name, nb::object());
        if (!found.is_valid()) {
            throw nb::type_error(
                (shown(game) + " is no game: it has no attribute '" + name + "' (see proofbase.engine.rules.Game)")
                    .c_str());
        }
        return found;
    };
    const nb::object name = attribute("name");
    if (!nb::isinstance<nb::str>(name) || nb::len(name) == 0) {
        throw nb::type_error(("the name of a game is a text, not " + shown(name)).c_str());
    }
    rules.name = nb::cast<std::string>(name);
    rules.version = static_cast<int>(rules.number("rules_version", attribute("rules_version"), 1, most_move));
    rules.highest_value = static_cast<int>(rules.number("highest_value", attribute("highest_value"), 1, most_value));
    rules.acyclic = nb::cast<bool>(nb::bool_(attribute("acyclic")));
    rules.terminal = attribute("terminal");
    rules.moves = attribute("moves");
    rules.play = attribute("play");
    rules.reward = attribute("reward");
    rules.repetition = attribute("repetition");
    rules.score = nb::getattr(game, "score", nb::none());
    rules.limit = nb::getattr(game, "limit", nb::none());
    rules.side = attribute("side");
    rules.key = attribute("key");
    rules.position = attribute("position");
    for (const char* other : {"initial", "parse", "text", "draw", "parse_move", "move_text"}) attribute(other);
}

bool PythonGame::Position::operator==(const Position& other) const {
    if (state_ == other.state_) return true;
    if (!state_ || !other.state_) return false;
    const nb::gil_scoped_acquire lock;
    return guarded([&] { return state_->object.equal(other.state_->object); });
}

std::string PythonGame::name() const {
    return rules_->name;
}
int PythonGame::rules_version() const noexcept {
    return rules_->version;
}
bool PythonGame::acyclic() const noexcept {
    return rules_->acyclic;
}
int PythonGame::highest_value() const noexcept {
    return rules_->highest_value;
}
nb::object PythonGame::object() const {
    return rules_->game;
}

nb::object PythonGame::object(const Position& position) const {
    return position.state_->object;
}

PythonGame::Position PythonGame::wrap(nb::object object) const {
    Position position;
    position.state_ = std::shared_ptr<Position::State>(new Position::State, drop<Position::State>);
    position.state_->object = std::move(object);
    return position;
}

PythonGame::Position PythonGame::initial() const {
    const nb::gil_scoped_acquire lock;
    return guarded([&] { return wrap(rules_->game.attr("initial")()); });
}

std::optional<int> PythonGame::terminal(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    auto& known = position.state_->terminal;
    if (!known) {
        const nb::object answer = guarded([&] { return rules_->terminal(position.state_->object); });
        known = answer.is_none() ? std::nullopt : std::optional(rules_->value("terminal()", answer));
    }
    return *known;
}

void PythonGame::moves(const Position& position, Moves& out) const {
    const nb::gil_scoped_acquire lock;
    Position::State& state = *position.state_;
    if (!state.expanded) {
        std::vector<Move> moves;
        guarded([&] {
            for (nb::handle move : rules_->moves(state.object)) {
                moves.push_back(static_cast<Move>(rules_->number("a move of moves()", move, 0, most_move)));
            }
        });
        if (moves.empty() && !terminal(position)) {
            rules_->refuse("moves()", nb::tuple(), "but terminal() says that the game goes on in " + text(position));
        }
        state.moves = std::move(moves);
        state.children.assign(state.moves.size(), Position());
        state.expanded = true;
        if (rules_->last.size() < remembered) {
            rules_->last.push_back(position.state_);
        } else {
            // The position that leaves the ring loses its children. A caller that still holds it may expand it again.
            const auto old = std::exchange(rules_->last[rules_->next], position.state_);
            rules_->next = (rules_->next + 1) % remembered;
            if (old != position.state_) old->drop_children();
        }
    }
    out = state.moves;
}

PythonGame::Position PythonGame::play(const Position& position, Move move) const {
    const nb::gil_scoped_acquire lock;
    Position::State& state = *position.state_;
    const auto played = [&] { return wrap(guarded([&] { return rules_->play(state.object, move); })); };
    for (std::size_t i = 0; state.expanded && i < state.moves.size(); ++i) {
        if (state.moves[i] != move) continue;
        if (state.children[i].state_) return state.children[i];
        const Position child = played();
        // The rules may have called this function recursively, and the position may have lost its moves since.
        if (state.expanded && i < state.children.size()) state.children[i] = child;
        return child;
    }
    return played();
}

int PythonGame::reward(const Position& position, Move move) const {
    const nb::gil_scoped_acquire lock;
    const nb::object answer = guarded([&] { return rules_->reward(position.state_->object, move); });
    return static_cast<int>(rules_->number("reward()", answer, -2 * most_value, 2 * most_value));
}

std::optional<int> PythonGame::repetition(const Position& position) const {
    if (rules_->acyclic) return std::nullopt;
    const nb::gil_scoped_acquire lock;
    const nb::object answer = guarded([&] { return rules_->repetition(position.state_->object); });
    if (answer.is_none()) {
        rules_->refuse("repetition()", answer, "but a game with cycles says what an endless line is worth");
    }
    // Where no line comes back to the position, the repetition value may lie outside the range of values.
    return static_cast<int>(rules_->number("repetition()", answer, -most_value, most_value));
}

int PythonGame::score(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    if (rules_->score.is_none()) return 0;
    const nb::object answer = guarded([&] { return rules_->score(position.state_->object); });
    return static_cast<int>(rules_->number("score()", answer, -most_value, most_value));
}

int PythonGame::limit(const Position& position) const {
    if (rules_->limit.is_none()) return rules_->highest_value;
    const nb::gil_scoped_acquire lock;
    auto& known = position.state_->limit;
    if (!known) {
        const nb::object answer = guarded([&] { return rules_->limit(position.state_->object); });
        known = static_cast<int>(rules_->number("limit()", answer, 0, rules_->highest_value));
    }
    return *known;
}

int PythonGame::side(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    const nb::object answer = guarded([&] { return rules_->side(position.state_->object); });
    return static_cast<int>(rules_->number("side()", answer, 0, 1));
}

PythonGame::Key PythonGame::key(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    auto& known = position.state_->key;
    if (!known) {
        const nb::object answer = guarded([&] { return rules_->key(position.state_->object); });
        if (!nb::isinstance<nb::bytes>(answer)) {
            throw nb::type_error((name() + ": key() gave " + shown(answer) + ", a key is bytes").c_str());
        }
        const nb::bytes bytes = nb::borrow<nb::bytes>(answer);
        if (bytes.size() == 0 || bytes.size() > longest_key) {
            rules_->refuse("key()", answer, "a key has 1 to 255 bytes");
        }
        known.emplace(bytes.c_str(), bytes.size());
    }
    return *known;
}

std::optional<PythonGame::Position> PythonGame::position(const Key& key) const {
    const nb::gil_scoped_acquire lock;
    try {
        return wrap(rules_->position(nb::bytes(key.data(), key.size())));
    } catch (nb::python_error& error) {
        if (error.matches(PyExc_ValueError)) return std::nullopt;  // InvalidKeyError is one
        if (error.matches(PyExc_Exception)) throw;
        throw Interruption{std::move(error)};
    }
}

PythonGame::Key PythonGame::oriented_key(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    const Key key = this->key(position);
    auto& known = position.state_->canonical;
    if (!known) {
        const auto representative = this->position(key);
        if (!representative) {
            throw nb::value_error((name() + ": position(key(p)) fails for p = " + text(position)).c_str());
        }
        known = *representative == position;
    }
    return *known ? key : Key();
}

PythonGame::Position PythonGame::parse(std::string_view text) const {
    const nb::gil_scoped_acquire lock;
    return guarded([&] { return wrap(rules_->game.attr("parse")(nb::str(text.data(), text.size()))); });
}

std::string PythonGame::text(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    return guarded([&] { return nb::cast<std::string>(rules_->game.attr("text")(position.state_->object)); });
}

std::string PythonGame::draw(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    return guarded([&] { return nb::cast<std::string>(rules_->game.attr("draw")(position.state_->object)); });
}

PythonGame::Move PythonGame::parse_move(const Position& position, std::string_view text) const {
    const nb::gil_scoped_acquire lock;
    const nb::object answer = guarded(
        [&] { return rules_->game.attr("parse_move")(position.state_->object, nb::str(text.data(), text.size())); });
    return static_cast<Move>(rules_->number("parse_move()", answer, 0, most_move));
}

std::string PythonGame::move_text(const Position& position, Move move) const {
    const nb::gil_scoped_acquire lock;
    return guarded(
        [&] { return nb::cast<std::string>(rules_->game.attr("move_text")(position.state_->object, move)); });
}

}  // namespace proofbase
