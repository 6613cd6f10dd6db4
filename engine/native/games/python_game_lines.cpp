// Lines of play of a user's game: what the game promises of them, held against the lines that searches play.
#include <algorithm>
#include <utility>

#include "errors.hpp"
#include "games/python_game.hpp"
#include "games/python_game_state.hpp"

namespace proofbase {

namespace {

// On a line up to this length, each position is compared with all before it. A longer line is looked through as a whole
// at every so many plies: a position that comes back is noticed a little later.
constexpr std::uint32_t short_line = 256;
constexpr std::uint32_t long_line_interval = 64;
constexpr std::size_t most_moves_shown = 40;

}  // namespace

std::string PythonGame::named(const Position& position) const {
    const nb::gil_scoped_acquire lock;
    try {
        return quoted(text(position), 100);
    } catch (nb::python_error&) {
        return shown(position.state_->object);
    }
}

/// "from FIRST the moves 1 5 7 lead back to it": a move of the line is one that leads to the key of its next position.
std::string PythonGame::shown_line(const std::vector<Position>& line) const {
    Position position = wrap(line.front().state_->object);
    const Position first = position;
    std::string moves;
    Moves legal;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Key next = key(line[i]);
        this->moves(position, legal);
        for (const Move move : legal) {
            const Position child = play(position, move);
            if (key(child) != next) continue;
            if (i <= most_moves_shown) moves += (i > 1 ? " " : "") + move_text(position, move);
            position = child;
            break;
        }
    }
    const std::size_t count = line.size() - 1;
    if (count > most_moves_shown) moves += " ... (" + std::to_string(count) + " moves)";
    std::string text = "from " + named(first) + " the moves " + moves + " lead back to ";
    return text + (position == first ? "it" : named(position) + ", the same position up to symmetry");
}

void PythonGame::refuse_recurrence(const std::vector<Position>& line) const {
    const nb::gil_scoped_acquire lock;
    raise_engine_error("BrokenGameError", name() + ": acyclic is True, but " + shown_line(line));
}

void PythonGame::refuse_key(const Key& key) const {
    const nb::gil_scoped_acquire lock;
    const std::string shown_key = shown(nb::bytes(key.data(), key.size()));
    raise_engine_error("BrokenGameError", name() + ": key() gave " + shown_key + ", and position() refuses it");
}

/// Throws if the position has been on its line before, and the game does not allow that.
void PythonGame::check_line(const Position& position) const {
    State& state = *position.state_;
    const auto hashed = [&](State& one) {
        if (one.hash == 0) {
            one.hash = rules_->guarded("__hash__", [&] {
                const Py_hash_t hash = PyObject_Hash(one.object.ptr());
                if (hash == -1 && PyErr_Occurred()) throw nb::python_error();
                return hash;
            });
        }
        return one.hash;
    };
    const Py_hash_t hash = hashed(state);
    if (state.plies > short_line && state.plies % long_line_interval != 0) return;
    if (state.plies <= short_line) {
        for (State* above = state.parent.get(); above != nullptr; above = above->parent.get()) {
            if (hashed(*above) == hash) check_recurrence(state, *above);
        }
        return;
    }
    std::vector<State*> line;
    for (State* one = &state; one != nullptr; one = one->parent.get()) {
        hashed(*one);
        line.push_back(one);
    }
    std::stable_sort(line.begin(), line.end(), [](const State* a, const State* b) { return a->hash < b->hash; });
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i - 1]->hash == line[i]->hash) check_recurrence(*line[i - 1], *line[i]);
    }
}

/// Throws if `below` is the position of `above` again, which the game denies, or by a line with a reward.
void PythonGame::check_recurrence(State& below, State& above) const {
    if (!rules_->guarded("__eq__", [&] { return below.object.equal(above.object); })) return;
    std::vector<Position> line;
    for (State* one = &below;; one = one->parent.get()) {
        line.push_back(wrap(one->object));
        if (one == &above) break;
    }
    std::reverse(line.begin(), line.end());
    if (rules_->acyclic) refuse_recurrence(line);
    for (State* one = &below; one != &above; one = one->parent.get()) {
        const int reward = this->reward(wrap(one->parent->object), one->move);
        if (reward == 0) continue;
        raise_engine_error("BrokenGameError", name() + ": " + shown_line(line) + ", and one of them has the reward " +
                                                  std::to_string(reward) + ": in a cycle every reward is 0");
    }
}

/// Throws if a move without a reward does not turn the sign of repetition(). A finished game is not asked: no line
/// comes back to it.
void PythonGame::check_repetition(const Position& position, Move move, const Position& child) const {
    if (terminal(child) || reward(position, move) != 0) return;
    const int here = *repetition(position);
    const int there = *repetition(child);
    if (there == -here) return;
    raise_engine_error("BrokenGameError", name() + ": repetition() is " + std::to_string(here) + " in " +
                                              named(position) + " and " + std::to_string(there) + " after the move " +
                                              move_text(position, move) +
                                              ", which has no reward: both are of the side to move, so the second is " +
                                              "minus the first");
}

}  // namespace proofbase
