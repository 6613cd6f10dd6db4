// Squares as text (h8), and the stones of a game of go-moku.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>

namespace proofbase {

/// The bit of a square on a board of at most 15 columns (gomoku::NarrowRows).
inline int bit_of(const char* square) {
    return square[0] - 'a' + 16 * (std::atoi(square + 1) - 1);
}

/// `-`: no square.
inline std::string text_of(int bit) {
    if (bit < 0) return "-";
    return static_cast<char>('a' + bit % 16) + std::to_string(bit / 16 + 1);
}

/// After moves from the empty board, the first one by the attacker.
template <class Attack>
typename Attack::Stones stones_after(const Attack& attack, std::span<const char* const> moves) {
    typename Attack::Stones s;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const int bit = bit_of(moves[i]);
        s = i % 2 == 0 ? attack.attacked(s, bit) : attack.defended(s, bit);
    }
    return s;
}

}  // namespace proofbase
