// A user's own game: rules written in Python (proofbase.engine.rules.Game) behind the native concept, so that every
// search and check runs on them. Every call may run Python code, so every call takes Python's global lock (GIL). A
// search of such a game keeps the lock during the whole run, because taking it again while other threads run is slow.
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
/// of rules into findings must not catch it.
struct Interruption {
    nb::python_error error;
};

class PythonGame {
  public:
    static constexpr std::string_view family = "python";

    /// A position of the user's game with the answers that its rules gave so far: Python is not asked twice as long as
    /// the position is among those expanded last. Positions are equal if the Python objects are.
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

    // All of these throw nb::python_error: with GameFailedError for what the user's rules raised (rules/failures.py),
    // or with BrokenGameError if the game gives an impossible answer; the message names the game, the method and the
    // answer. Searches play() the moves of a position after moves(): then these functions also notice a position that
    // comes back on the line of play although the game says that none does, and a repetition value that does not change
    // its sign along a move without a reward (BrokenGameError, too).

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

    /// key(position) if the position is the representative of its key; otherwise an empty string, which is no key.
    /// Users' games need not have encodings for the other orientations.
    Key oriented_key(const Position& position) const;
    std::size_t key_size() const noexcept { return 0; }

    /// position(key(position)), on the same line of play.
    Position representative(const Position& position) const;

    Position parse(std::string_view text) const;
    std::string text(const Position& position) const;
    std::string draw(const Position& position) const;
    Move parse_move(const Position& position, std::string_view text) const;
    std::string move_text(const Position& position, Move move) const;

    /// Whether the game has an effort() of its own (rules/game.py).
    bool estimates_effort() const noexcept;
    /// Both numbers are at least 1: the rules look ahead of nothing.
    Estimate effort(const Position& position, int bound) const;

    /// The user's object of a position, and back.
    nb::object object(const Position& position) const;
    Position wrap(nb::object object) const;

    /// The user's game.
    nb::object object() const;

    /// Throws BrokenGameError: `line` are positions of a game that calls itself acyclic, and the last one is the first
    /// one again, up to symmetry.
    [[noreturn]] void refuse_recurrence(const std::vector<Position>& line) const;

    /// Throws BrokenGameError: position(key) gives nothing for a key that key() gave.
    [[noreturn]] void refuse_key(const Key& key) const;

    /// The word of a user's game that no position comes back is not proven: searches watch for recurrences.
    static constexpr bool unproven = true;

  private:
    struct Rules;
    using State = Position::State;

    std::string named(const Position& position) const;
    std::string shown_line(const std::vector<Position>& line) const;
    void check_repetition(const Position& position, Move move, const Position& child) const;
    void check_line(const Position& position) const;
    void check_recurrence(State& below, State& above) const;
    std::shared_ptr<Rules> rules_;
};

static_assert(Game<PythonGame> && Notated<PythonGame> && Symmetric<PythonGame> && Scored<PythonGame> &&
              Limited<PythonGame> && Effort<PythonGame>);

}  // namespace proofbase
