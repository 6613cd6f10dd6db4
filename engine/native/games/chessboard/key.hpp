// Keys of both games over the chessboard: 25 bytes, a big-endian number of three fields.
//
//   8 bytes   the occupied squares, bit 0 for a1 to bit 63 for h8, as the side to move sees the board
//   16 bytes  a digit of 4 bits for each man in the order of squares, the first man's at the low end: 0 pawn, 1 knight,
//             2 bishop, 3 rook, 4 queen, 5 king of the side to move; 8 to 13 those of the other side; 14 a pawn of the
//             other side that may be captured in passing
//   1 byte    rights to castle (1, 2: king's, queen's side of the side to move; 4, 8: of the other side), and 128 for
//             Black to move
//
// Keys have no side. Without rights to castle the key is the smaller one of the position's and its mirror image's.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "games/chessboard/board.hpp"
#include "games/chessboard/rules.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

inline constexpr std::size_t key_bytes = 25;
using Key = std::array<std::uint8_t, key_bytes>;

/// The digits of the men: those of the first 16 in `low`, the others in `high`.
struct Digits {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    auto operator<=>(const Digits& d) const noexcept { return high != d.high ? high <=> d.high : low <=> d.low; }
    bool operator==(const Digits&) const = default;
};

/// The four bits of each man's digit as sets of squares.
inline std::array<Squares, 4> digit_planes(const Board& b) noexcept {
    const Squares queens = b.diagonal & b.straight;
    const Squares passed = b.en_passant != 0 ? square_set(b.en_passant - 8) : 0;
    return {b.knights | (b.straight ^ queens) | b.kings, (b.diagonal ^ queens) | (b.straight ^ queens) | passed,
            queens | b.kings | passed, b.other()};
}

inline Digits digits_of(const Board& b, Squares occupied) noexcept {
    const std::array<Squares, 4> planes = digit_planes(b);
    Digits out;
#ifdef __BMI2__
    for (std::size_t i = 0; i < 4; ++i) {
        const std::uint64_t bits = _pext_u64(planes[i], occupied);
        out.low |= _pdep_u64(bits, 0x1111111111111111ULL << i);
        out.high |= _pdep_u64(bits >> 16, 0x1111111111111111ULL << i);
    }
#else
    int place = 0;
    for_each_square(occupied, [&](int square) {
        std::uint64_t digit = 0;
        for (std::size_t i = 0; i < 4; ++i) digit |= (planes[i] >> square & 1) << i;
        (place < 64 ? out.low : out.high) |= digit << place % 64;
        place += 4;
    });
#endif
    return out;
}

inline Key written(Squares occupied, const Digits& digits, unsigned flags) noexcept {
    Key key;
    for (std::size_t i = 0; i < 8; ++i) {
        const auto shift = static_cast<int>(56 - 8 * i);
        key[i] = static_cast<std::uint8_t>(occupied >> shift);
        key[8 + i] = static_cast<std::uint8_t>(digits.high >> shift);
        key[16 + i] = static_cast<std::uint8_t>(digits.low >> shift);
    }
    key[24] = static_cast<std::uint8_t>(flags);
    return key;
}

/// The encoding of a position as it stands, with its side to move.
inline Key oriented_key(const Board& b) noexcept {
    const Squares occupied = b.occupied();
    return written(occupied, digits_of(b, occupied), b.castling | (b.black ? 128u : 0u));
}

/// Whether the mirror image has the smaller encoding.
inline bool prefers_mirror_image(const Board& b) noexcept {
    if (b.castling != 0) return false;
    const Squares occupied = b.occupied();
    const Squares image = mirrored(occupied);
    return occupied != image ? image < occupied : digits_of(mirrored(b), image) < digits_of(b, occupied);
}

/// The position that stands for all of its key: White to move, and the smaller encoding.
inline Board representative(const Board& b) noexcept {
    Board out = prefers_mirror_image(b) ? mirrored(b) : b;
    out.black = false;
    return out;
}

inline Key key_of(const Board& b) noexcept {
    return oriented_key(representative(b));
}

/// The position of an encoding; nothing for bytes that encode no legal position. Defined in fen.cpp with the rules
/// that positions of texts have to keep as well.
std::optional<Board> decoded(Rules rules, const Key& key) noexcept;

}  // namespace proofbase::chessboard
