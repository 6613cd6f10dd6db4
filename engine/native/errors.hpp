// Exceptions of the native core. The bindings map each to the class of the same meaning in
// proofbase/engine/errors.py.
//
//   std::invalid_argument
//     UnknownGame         no family of that name
//       InvalidParameters the family exists, its parameters make no game
//     InvalidPosition     a text or an encoding that is no legal position
//     InvalidMove         a text that is no legal move
//     InvalidKey          bytes that encode no position
//     MalformedRecord     bytes that are no record (docs/record-encoding.md)
//     UnsuitableAlgorithm an algorithm name that does not exist, or that cannot treat the game
//     NoTables            a game that has no tables was asked for them
//     InvalidCheckpoint   bytes that are not the checkpoint of this search
//   std::runtime_error
//     GameLeftOut         a game that this build of the native core leaves out (PROOFBASE_GAMES)
//     Contradiction       two claims of one position with lower > upper
//     DamagedTable        a table file that is damaged, or was built by other rules
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace proofbase {

/// `text` in single quotes for a message: control characters and bytes that are no text shown as \xNN, and cut after
/// `limit` bytes, but never within a character.
std::string quoted(std::string_view text, std::size_t limit = 60);

/// The same for strings: where <iomanip> is included, argument-dependent lookup would choose std::quoted otherwise.
inline std::string quoted(const std::string& text, std::size_t limit = 60) {
    return quoted(std::string_view(text), limit);
}
inline std::string quoted(std::string& text, std::size_t limit = 60) {
    return quoted(std::string_view(text), limit);
}

struct UnknownGame : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct InvalidParameters : UnknownGame {
    using UnknownGame::UnknownGame;
};
struct InvalidPosition : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct InvalidMove : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct InvalidKey : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct MalformedRecord : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct UnsuitableAlgorithm : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct NoTables : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct InvalidCheckpoint : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct GameLeftOut : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct Contradiction : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct DamagedTable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace proofbase
