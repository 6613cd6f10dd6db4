// Sets of squares of the chessboard: a1 is bit 0, b1 bit 1, h8 bit 63.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace proofbase::chessboard {

using Squares = std::uint64_t;

inline constexpr Squares file_a = 0x0101010101010101ULL;
inline constexpr Squares file_h = file_a << 7;
inline constexpr Squares rank_1 = 0xff;
inline constexpr Squares rank_3 = rank_1 << 16;
inline constexpr Squares rank_8 = rank_1 << 56;

constexpr Squares square_set(int square) noexcept {
    return Squares{1} << square;
}

/// The lowest square of a set that is not empty.
constexpr int first_square(Squares set) noexcept {
    return std::countr_zero(set);
}

/// `visit(square)` for each square of a set, from a1 to h8.
template <class Visit>
constexpr void for_each_square(Squares set, Visit&& visit) {
    for (; set != 0; set &= set - 1) visit(first_square(set));
}

/// The board turned upside down: rank 1 for rank 8, files stay.
constexpr Squares turned(Squares set) noexcept {
    return __builtin_bswap64(set);
}

/// Left for right: file a for file h, ranks stay.
constexpr Squares mirrored(Squares set) noexcept {
    set = (set >> 1 & 0x5555555555555555ULL) | (set & 0x5555555555555555ULL) << 1;
    set = (set >> 2 & 0x3333333333333333ULL) | (set & 0x3333333333333333ULL) << 2;
    return (set >> 4 & 0x0f0f0f0f0f0f0f0fULL) | (set & 0x0f0f0f0f0f0f0f0fULL) << 4;
}

}  // namespace proofbase::chessboard
