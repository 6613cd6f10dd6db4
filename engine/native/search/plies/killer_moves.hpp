// Killer moves: the replies that refuted attacks last, by the plies that are left after them. What refutes one attack
// refutes many others that leave as many plies.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace proofbase {

template <class Move>
class KillerMoves {
  public:
    static constexpr std::size_t most = 4;
    /// The latest first; a move that stands for none is there until there are so many.
    using Moves = std::array<Move, most>;

    /// `plies`: below 256, left after the moves.
    const Moves& at(std::uint32_t plies) const noexcept { return moves_[plies]; }
    bool has(std::uint32_t plies, Move move) const noexcept {
        return std::find(at(plies).begin(), at(plies).end(), move) != at(plies).end();
    }

    void note(std::uint32_t plies, Move move) noexcept {
        Moves& moves = moves_[plies];
        const auto place = std::find(moves.begin(), moves.end() - 1, move);
        std::move_backward(moves.begin(), place, place + 1);
        moves.front() = move;
    }

  private:
    std::array<Moves, 256> moves_{};
};

}  // namespace proofbase
