// The 32 dark squares of checkers as sets of bits: square n of the usual numbering is bit n - 1, row by row from the
// top. Black moves down, to higher bits. White's view is the board turned by half.
//
//   row 0    .  0  .  1  .  2  .  3        even rows: down to the left is 4 bits on, down to the right 5
//   row 1    4  .  5  .  6  .  7  .        odd rows:  down to the left is 3 bits on, down to the right 4
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace proofbase::checkers {

using Squares = std::uint32_t;

inline constexpr Squares home_row = 0xf;
inline constexpr Squares king_row = 0xf0000000;
inline constexpr unsigned forward = 2;     ///< the first so many directions are those of men
inline constexpr unsigned directions = 4;  ///< down to the left, down to the right, up to the left, up to the right
inline constexpr int most_men = 12;        ///< of a side

constexpr Squares square_set(unsigned square) noexcept {
    return Squares{1} << square;
}

/// The squares next to those of a set in a direction.
constexpr Squares stepped(Squares s, unsigned direction) noexcept {
    constexpr Squares even = 0x0f0f0f0f;
    constexpr Squares odd = 0xf0f0f0f0;
    constexpr Squares left = 0x10101010;   // the squares of odd rows at the edge
    constexpr Squares right = 0x08080808;  // those of even rows
    switch (direction) {
        case 0:
            return (s & even) << 4 | (s & odd & ~left) << 3;
        case 1:
            return (s & even & ~right) << 5 | (s & odd) << 4;
        case 2:
            return (s & even) >> 4 | (s & odd & ~left) >> 5;
        default:
            return (s & even & ~right) >> 3 | (s & odd) >> 4;
    }
}

/// A set as the other side sees it: its bits in the opposite order.
constexpr Squares turned(Squares s) noexcept {
    s = (s >> 1 & 0x55555555) | (s & 0x55555555) << 1;
    s = (s >> 2 & 0x33333333) | (s & 0x33333333) << 2;
    s = (s >> 4 & 0x0f0f0f0f) | (s & 0x0f0f0f0f) << 4;
    s = (s >> 8 & 0x00ff00ff) | (s & 0x00ff00ff) << 8;
    return s >> 16 | s << 16;
}

inline constexpr std::uint8_t nowhere = 32;

/// By square and direction, the neighbour there, or `nowhere`.
inline constexpr auto neighbours = [] {
    std::array<std::array<std::uint8_t, directions>, 33> all{};
    for (auto& square : all) square.fill(nowhere);
    for (unsigned square = 0; square < 32; ++square) {
        for (unsigned d = 0; d < directions; ++d) {
            const Squares to = stepped(square_set(square), d);
            if (to != 0) all[square][d] = static_cast<std::uint8_t>(std::countr_zero(to));
        }
    }
    return all;
}();

/// Men as the side to move sees them: it moves down.
struct Position {
    Squares own = 0;
    Squares other = 0;
    Squares kings = 0;       ///< of both sides
    std::uint32_t side = 0;  ///< 0: Black is to move
    bool operator==(const Position&) const = default;
};

/// Why no position has these men, or nullptr.
inline const char* defect(Squares own, Squares other, Squares kings) noexcept {
    if ((own & other) != 0 || (kings & ~(own | other)) != 0) return "two men stand on a square, or a king is no man";
    if (std::popcount(own) > most_men || std::popcount(other) > most_men) return "a side has more than 12 men";
    if (other == 0) return "the side that has just moved has no men";
    if (((own & king_row) | (other & home_row)) & ~kings) return "a man on the last row is a king";
    return nullptr;
}

}  // namespace proofbase::checkers
