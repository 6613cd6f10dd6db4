// A user's own game: rules written in Python (proofbase.engine.rules.Game) behind the native concept, so that every
// search and check runs on them. Every call may run Python code, so each takes Python's global lock (GIL); whoever
// runs a search of such a game keeps the lock all along, because taking it again while other threads run is slow.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concepts.hpp"

namespace proofbase {

namespace nb = nanobind;

/// An interrupt (Ctrl-C, SystemExit) that came while Python rules ran. Not a std::exception: code that turns failures
/// of rules into findings must let it pass.
struct Interruption {
    nb::python_error error;
};

class PythonGame {
  public:
    static constexpr std::string_view family = "python";

    /// A position of the user's game with what was asked of it so far: no question goes to Python twice as long as the
    /// position is among the last that were expanded. Equal if the Python objects are.
    class Position {
      public:
        Position() = default;
        bool operator==(const Position& other) const;

      private:
        friend class PythonGame;
        struct State;
        std::shared_ptr<State> state_;
    };
    using Move = std::uint32_t;
    using Moves = std::vector<Move>;
    using Key = std::string;

    /// Raises TypeError or ValueError (as nb::builtin_exception) if an attribute is missing or makes no sense.
    explicit PythonGame(nb::object game);

    std::string name() const;
    int rules_version() const noexcept;
    bool acyclic() const noexcept;
    int highest_value() const noexcept;

    // All of these throw nb::python_error with the user's exception, or Python's TypeError or ValueError if the game
    // answers with something that cannot be: the message names the game, the method and the answer.

    Position initial() const;
    std::optional<int> terminal(const Position& position) const;
    void moves(const Position& position, Moves& out) const;
    Position play(const Position& position, Move move) const;
    int reward(const Position& position, Move move) const;
    std::optional<int> repetition(const Position& position) const;
    int score(const Position& position) const;
    int limit(const Position& position) const;
    int side(const Position& position) const;
    Key key(const Position& position) const;
    std::optional<Position> position(const Key& key) const;

    /// key(position) if the position is the one that its key stands for; otherwise an empty string, which is no key:
    /// users' games need not be able to encode the other orientations.
    Key oriented_key(const Position& position) const;
    std::size_t key_size() const noexcept { return 0; }

    Position parse(std::string_view text) const;
    std::string text(const Position& position) const;
    std::string draw(const Position& position) const;
    Move parse_move(const Position& position, std::string_view text) const;
    std::string move_text(const Position& position, Move move) const;

    /// The user's object of a position, and back.
    nb::object object(const Position& position) const;
    Position wrap(nb::object object) const;

    /// The user's game.
    nb::object object() const;

  private:
    struct Rules;
    std::shared_ptr<Rules> rules_;
};

}  // namespace proofbase
