// A search for pairings (docs/strategies.md): depth first, a pair for the line with the fewest free squares; of its
// pairs that first which most lines hold, then the one whose squares are on the fewest lines. Where more lines are left
// than the free squares can hold pairs for, no pairing is there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "records/claims/pairings.hpp"
#include "records/evidence/pairing/line_board.hpp"

namespace proofbase {

/// One thread at a time.
class PairingFinder {
  public:
    explicit PairingFinder(const AnyLineBoard& board);

    /// A pairing by which the side to move (with the stones `own`) does not win; nothing if there is none, or if so
    /// many steps find none.
    std::optional<Pairing> find(const LineSquares& own, const LineSquares& other, std::uint32_t most_steps);

  private:
    using Lines = std::vector<LineSquares>;  ///< by their free squares, those that hold no pair yet

    /// Whether pairs for all of these lines were found; they are then in `pairing_`.
    bool hold(const Lines& lines);

    const AnyLineBoard& board_;
    std::uint32_t most_lines_of_a_pair_ = 0;
    std::uint32_t steps_left_ = 0;
    Pairing pairing_;
};

}  // namespace proofbase
