#include "games/python_game.hpp"

#include <utility>

#include "games/python_game_state.hpp"

namespace proofbase {

namespace {

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

}  // namespace

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
    if (PyType_Check(game.ptr()))
        throw nb::type_error((shown(game) + " is a class: a game is an object of it").c_str());
    const nb::object name = attribute("name");
    if (!nb::isinstance<nb::str>(name) || nb::len(name) == 0) {
        throw nb::type_error(("the name of a game is a text, not " + shown(name)).c_str());
    }
    rules.name = rules.text("the name", name);
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
    rules.effort = nb::getattr(game, "effort", nb::none());
    const nb::object estimates = nb::getattr(game, "estimates_effort", nb::none());
    if (!estimates.is_none() &&
        !nb::cast<bool>(nb::bool_(rules.guarded("estimates_effort", [&] { return estimates(); })))) {
        rules.effort = nb::none();
    }
    rules.side = attribute("side");
    rules.key = attribute("key");
    rules.position = attribute("position");
    for (const char* other : {"initial", "parse", "text", "draw", "parse_move", "move_text"}) attribute(other);
}

bool PythonGame::Position::operator==(const Position& other) const {
    if (state_ == other.state_) return true;
    if (!state_ || !other.state_) return false;
    const nb::gil_scoped_acquire lock;
    try {
        return state_->object.equal(other.state_->object);
    } catch (nb::python_error& error) {
        raise_failure("the game", "__eq__", error);
    }
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
    return rules_->guarded("initial", [&] { return wrap(rules_->game.attr("initial")()); });
}

std::optional<int> PythonGame::terminal(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    auto& known = position.state_->terminal;
    if (!known) {
        const nb::object answer =
            rules_->guarded("terminal", [&] { return rules_->terminal(position.state_->object); });
        known = answer.is_none() ? std::nullopt : std::optional(rules_->value("terminal()", answer));
    }
    return *known;
}

void PythonGame::moves(const Position& position, Moves& out) const {
    const nb::gil_scoped_acquire lock;
    State& state = *position.state_;
    if (state.expanded) {
        out = state.moves;
    } else {
        check_line(position);
        std::vector<Move> moves = rules_->legal_moves(state.object);
        if (moves.empty() && !terminal(position)) {
            rules_->refuse("moves()", nb::tuple(), "but terminal() says that the game goes on in " + named(position));
        }
        out = moves;
        if (state.expanded) return;  // meanwhile, by the rules or by another thread
        state.moves = std::move(moves);
        state.children.assign(state.moves.size(), Position());
        state.rewards.assign(state.moves.size(), std::nullopt);
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
}

PythonGame::Position PythonGame::play(const Position& position, Move move) const {
    const nb::gil_scoped_acquire lock;
    State& state = *position.state_;
    if (const auto i = state.index(move); i && state.children[*i].state_) return state.children[*i];
    const Position child = rules_->guarded("play", [&] { return wrap(nb::object(rules_->play(state.object, move))); });
    child.state_->parent = position.state_;
    child.state_->move = move;
    child.state_->plies = state.plies + 1;
    if (!rules_->acyclic) check_repetition(position, move, child);
    // The rules may have called this function recursively, and the position may have lost its moves since.
    if (const auto i = state.index(move)) state.children[*i] = child;
    return child;
}

int PythonGame::reward(const Position& position, Move move) const {
    const nb::gil_scoped_acquire lock;
    State& state = *position.state_;
    if (const auto i = state.index(move); i && state.rewards[*i]) return *state.rewards[*i];
    const nb::object answer = rules_->guarded("reward", [&] { return rules_->reward(state.object, move); });
    const auto reward = static_cast<int>(rules_->number("reward()", answer, -2 * most_value, 2 * most_value));
    if (const auto i = state.index(move)) state.rewards[*i] = reward;
    return reward;
}

std::optional<int> PythonGame::repetition(const Position& position) const {
    if (rules_->acyclic) return std::nullopt;
    const nb::gil_scoped_acquire lock;
    auto& known = position.state_->repetition;
    if (!known) {
        const nb::object answer =
            rules_->guarded("repetition", [&] { return rules_->repetition(position.state_->object); });
        if (answer.is_none()) {
            rules_->refuse("repetition()", answer, "but a game with cycles says what an endless line is worth");
        }
        // Where no line comes back to the position, the repetition value may lie outside the range of values.
        known = static_cast<int>(rules_->number("repetition()", answer, -most_value, most_value));
    }
    return known;
}

int PythonGame::score(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    if (rules_->score.is_none()) return 0;
    const nb::object answer = rules_->guarded("score", [&] { return rules_->score(position.state_->object); });
    return static_cast<int>(rules_->number("score()", answer, -most_value, most_value));
}

int PythonGame::limit(const Position& position) const {
    if (rules_->limit.is_none()) return rules_->highest_value;
    const nb::gil_scoped_acquire lock;
    auto& known = position.state_->limit;
    if (!known) {
        const nb::object answer = rules_->guarded("limit", [&] { return rules_->limit(position.state_->object); });
        known = static_cast<int>(rules_->number("limit()", answer, 0, rules_->highest_value));
    }
    return *known;
}

bool PythonGame::estimates_effort() const noexcept {
    return !rules_->effort.is_none();
}

Estimate PythonGame::effort(const Position& position, int bound) const {
    const nb::gil_scoped_acquire lock;
    const nb::object answer = rules_->guarded("effort", [&] { return rules_->effort(position.state_->object, bound); });
    if (!PyTuple_Check(answer.ptr()) || PyTuple_Size(answer.ptr()) != 2) {
        rules_->refuse("effort()", answer, "which is no pair of numbers");
    }
    const auto number = [&](Py_ssize_t i) {
        return static_cast<std::uint32_t>(rules_->number("effort()", PyTuple_GetItem(answer.ptr(), i), 1, most_effort));
    };
    return {number(0), number(1), 0};
}

int PythonGame::side(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    const nb::object answer = rules_->guarded("side", [&] { return rules_->side(position.state_->object); });
    return static_cast<int>(rules_->number("side()", answer, 0, 1));
}

PythonGame::Key PythonGame::key(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    auto& known = position.state_->key;
    if (!known) {
        const nb::object answer = rules_->guarded("key", [&] { return rules_->key(position.state_->object); });
        if (!nb::isinstance<nb::bytes>(answer)) {
            rules_->refuse("key()", answer, "a key is bytes");
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
    return rules_->guarded("position", [&]() -> std::optional<Position> {
        try {
            return wrap(nb::object(rules_->position(nb::bytes(key.data(), key.size()))));
        } catch (nb::python_error& error) {
            if (error.matches(PyExc_ValueError)) return std::nullopt;  // InvalidKeyError is one
            throw;
        }
    });
}

PythonGame::Position PythonGame::representative(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    State& state = *position.state_;
    if (state.canonical && *state.canonical) return position;
    const Position found = position_of_key(*this, key(position));
    state.canonical = found == position;
    if (*state.canonical) return position;
    State& canonical = *found.state_;
    canonical.canonical = true;
    canonical.parent = state.parent;
    canonical.move = state.move;
    canonical.plies = state.plies;
    return found;
}

PythonGame::Key PythonGame::oriented_key(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    if (!position.state_->canonical) representative(position);
    return *position.state_->canonical ? key(position) : Key();
}

PythonGame::Position PythonGame::parse(std::string_view text) const {
    const nb::gil_scoped_acquire lock;
    return rules_->guarded(
        "parse", [&] { return wrap(nb::object(rules_->game.attr("parse")(nb::str(text.data(), text.size())))); });
}

std::string PythonGame::text(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    return rules_->text("text()", rules_->guarded("text", [&]() -> nb::object {
        return rules_->game.attr("text")(position.state_->object);
    }));
}

std::string PythonGame::draw(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    return rules_->text("draw()", rules_->guarded("draw", [&]() -> nb::object {
        return rules_->game.attr("draw")(position.state_->object);
    }));
}

PythonGame::Move PythonGame::parse_move(const Position& position, std::string_view text) const {
    const nb::gil_scoped_acquire lock;
    const nb::object answer = rules_->guarded("parse_move", [&]() -> nb::object {
        return rules_->game.attr("parse_move")(position.state_->object, nb::str(text.data(), text.size()));
    });
    return static_cast<Move>(rules_->number("parse_move()", answer, 0, most_move));
}

std::string PythonGame::move_text(const Position& position, Move move) const {
    const nb::gil_scoped_acquire lock;
    return rules_->text("move_text()", rules_->guarded("move_text", [&]() -> nb::object {
        return rules_->game.attr("move_text")(position.state_->object, move);
    }));
}

}  // namespace proofbase
