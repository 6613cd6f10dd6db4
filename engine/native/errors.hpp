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
//     InvalidCheckpoint   bytes that are not the checkpoint of this search
//   std::runtime_error
//     Contradiction       two claims of one position with lower > upper
#pragma once

#include <stdexcept>
#include <string>

namespace proofbase {

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
struct InvalidCheckpoint : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct Contradiction : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace proofbase
