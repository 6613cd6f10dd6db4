// What a user's game and its positions hold. Only the sources of PythonGame include this header.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/python_game.hpp"

namespace proofbase {

// Moves are stored as witnesses in records, which hold numbers below 2^31.
inline constexpr long long most_move = std::numeric_limits<std::int32_t>::max();
inline constexpr long long most_value = (1 << 29) - 1;  // a reward less a bound, plus one, stays below 2^31
inline constexpr long long most_effort = 1'000'000;

/// Throws the error of a class of proofbase/engine/errors.py.
[[noreturn]] void raise_engine_error(const char* name, const std::string& message);

/// Throws what callers see of an exception that the rules raised (rules/failures.py).
[[noreturn]] void raise_failure(const std::string& game, const char* method, nb::python_error& error);

/// An object for a message: ASCII, and short.
std::string shown(nb::handle answer);

struct PythonGame::Position::State {
    nb::object object;
    std::optional<std::optional<int>> terminal;
    std::optional<int> limit;
    std::optional<int> repetition;
    std::optional<std::string> key;
    std::optional<bool> canonical;
    bool expanded = false;
    std::vector<Move> moves;
    std::vector<Position> children;           // by index of the move; without a state until played
    std::vector<std::optional<int>> rewards;  // by index of the move

    // The line of play by which the position came up: none for the first position of a line.
    std::shared_ptr<State> parent;
    Move move = 0;            // from the parent
    std::uint32_t plies = 0;  // since the first position of the line
    Py_hash_t hash = 0;       // of the object, once the line was checked

    ~State() {
        // Not by recursion: a line may have millions of plies.
        for (auto above = std::move(parent); above && above.use_count() == 1;) above = std::move(above->parent);
    }

    void drop_children() {
        expanded = false;
        moves.clear();
        rewards.clear();
        // Python code that their end may run finds none here.
        const std::vector<Position> dropped = std::exchange(children, {});
    }

    std::optional<std::size_t> index(Move move) const {
        if (!expanded) return std::nullopt;
        const auto found = std::find(moves.begin(), moves.end(), move);
        if (found == moves.end()) return std::nullopt;
        return static_cast<std::size_t>(found - moves.begin());
    }
};

struct PythonGame::Rules {
    nb::object game;
    nb::object terminal, moves, play, reward, repetition, score, limit, side, key, position;
    nb::object effort;  // none where the game estimates none
    std::string name;
    int version = 1;
    int highest_value = 1;
    bool acyclic = true;
    std::vector<std::shared_ptr<Position::State>> last;  // ring of the positions expanded last
    std::size_t next = 0;

    ~Rules() {
        // Positions hold their children, and children the position that they come from.
        for (const auto& state : last) state->drop_children();
    }

    /// Throws BrokenGameError: "NAME: METHOD gave ANSWER, WHAT".
    [[noreturn]] void refuse(const char* method, nb::handle answer, const std::string& what) const;
    /// An integer answer within limits.
    long long number(const char* method, nb::handle answer, long long least, long long most) const;
    /// A text that a method gives.
    std::string text(const char* method, nb::handle answer) const;
    /// The answer of moves(): numbers, each once.
    std::vector<Move> legal_moves(const nb::object& position) const;

    /// Calls Python for a method of the game: what it raises becomes a GameFailedError; interrupts an Interruption.
    template <class Call>
    auto guarded(const char* method, Call&& call) const {
        try {
            return call();
        } catch (nb::python_error& error) {
            raise_failure(name, method, error);
        }
    }

    int value(const char* method, nb::handle answer) const {
        return static_cast<int>(number(method, answer, -highest_value, highest_value));
    }
};

}  // namespace proofbase
