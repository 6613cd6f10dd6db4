#include "records/evidence/pairing/pairing_check.hpp"

#include <cstddef>

namespace proofbase {

std::optional<std::string> pairing_fault(const AnyLineBoard& board, const LineSquares& own, const LineSquares& other,
                                         const LineSquares& empty, const Pairing& pairing) {
    for (const auto& [first, second] : pairing) {
        if (second >= most_line_squares || !empty[first] || !empty[second]) {
            return "a square of the pair " + std::to_string(first) + ", " + std::to_string(second) + " is not empty";
        }
    }
    for (const BoardLine& line : board.lines()) {
        if ((line.squares & other).any() || (line.spoilers & own).any()) continue;
        bool held = false;
        for (const auto& [first, second] : pairing) held = held || (line.squares[first] && line.squares[second]);
        if (held) continue;
        std::string names;
        for (std::size_t s = 0; s < most_line_squares; ++s) {
            if (line.squares[s]) names += " " + std::to_string(s);
        }
        return "the line" + names + " of the other side holds no pair";
    }
    return std::nullopt;
}

}  // namespace proofbase
