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
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "games/chessboard/board.hpp"
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

inline Digits digits_of(const std::array<Squares, 4>& planes, Squares occupied) noexcept {
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

inline Digits digits_of(const Board& b, Squares occupied) noexcept {
    return digits_of(digit_planes(b), occupied);
}

inline Key written(Squares occupied, const Digits& digits, unsigned flags) noexcept {
    Key key;
    std::size_t at = 0;
    for (std::uint64_t number : {occupied, digits.high, digits.low}) {
        if constexpr (std::endian::native == std::endian::little) number = __builtin_bswap64(number);
        std::memcpy(&key[at], &number, sizeof number);
        at += sizeof number;
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

/// oriented_key(representative(b)), without the position in between.
inline Key key_of(const Board& b) noexcept {
    const Squares occupied = b.occupied();
    std::array<Squares, 4> planes = digit_planes(b);
    if (b.castling != 0) return written(occupied, digits_of(planes, occupied), b.castling);
    const Squares image = mirrored(occupied);
    if (image > occupied) return written(occupied, digits_of(planes, occupied), 0);
    const std::array<Squares, 4> images{mirrored(planes[0]), mirrored(planes[1]), mirrored(planes[2]),
                                        mirrored(planes[3])};
    const Digits digits = digits_of(images, image);
    if (image < occupied) return written(image, digits, 0);
    return written(image, std::min(digits, digits_of(planes, occupied)), 0);
}

/// A hash of the men that positions with one key share. The sets of squares are turned by whole ranks, which left for
/// right does not change.
inline std::uint64_t signature_of(const Board& b) noexcept {
    const Squares men = b.pawns ^ std::rotl(b.knights, 8) ^ std::rotl(b.diagonal, 16) ^ std::rotl(b.straight, 24) ^
                        std::rotl(b.kings, 32) ^ std::rotl(b.own, 40);
    const std::uint64_t product = std::min(men, mirrored(men)) * 0x9e3779b97f4a7c15ULL;
    return product ^ product >> 32;
}

/// The position of an encoding; nothing for bytes that encode no legal position. Defined in fen.cpp with the rules
/// that positions of texts have to keep as well.
std::optional<Board> decoded(Rules rules, const Key& key) noexcept;

}  // namespace proofbase::chessboard
