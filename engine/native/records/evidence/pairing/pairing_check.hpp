// The check of claims by a pairing (docs/strategies.md): each line that the side to move could still fill holds a pair
// of empty squares.
#pragma once

#include <optional>
#include <string>

#include "records/claims/pairings.hpp"
#include "records/evidence/pairing/line_board.hpp"

namespace proofbase {

/// Why a pairing does not keep the side to move from winning; nothing if it does. `own`: the stones of the side to
/// move, `other`: those of the side of the pairing, `empty`: the empty squares.
std::optional<std::string> pairing_fault(const AnyLineBoard& board, const LineSquares& own, const LineSquares& other,
                                         const LineSquares& empty, const Pairing& pairing);

}  // namespace proofbase
