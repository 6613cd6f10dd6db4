// The positions after eight moves of chess at once (eight_boards.hpp), and their keys: the same as play() in rules.cpp
// and key_of() in key.hpp make one by one. What few moves do (castlings, promotions, captures in passing and the steps
// that allow one) is left to play().
#pragma once

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "games/chessboard/board.hpp"
#include "games/chessboard/eight_boards.hpp"
#include "games/chessboard/key.hpp"
#include "games/chessboard/rules.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {

/// turned(), for each board.
inline EightSets turned(EightSets sets) noexcept {
    const __m512i order = _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607);
    return reinterpret_cast<EightSets>(_mm512_shuffle_epi8(reinterpret_cast<__m512i>(sets), order));
}

/// mirrored(), for each board.
inline EightSets mirrored(EightSets sets) noexcept {
    const __m512i reversal = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201ULL));
    return reinterpret_cast<EightSets>(_mm512_gf2p8affine_epi64_epi8(reinterpret_cast<__m512i>(sets), reversal, 0));
}

/// Where a comparison holds, as bits.
template <class Comparison>
inline unsigned lanes_where(Comparison holds) noexcept {
    return lanes_of(reinterpret_cast<EightSets>(holds));
}

/// The rights to castle that are lost where men leave and enter these squares.
inline EightSets castling_lost(EightSets touched) noexcept {
    const auto lost = [&](int square, Squares rights) {
        return reinterpret_cast<EightSets>((touched & square_set(square)) != 0) & rights;
    };
    return lost(4, own_king_side | own_queen_side) | lost(60, other_king_side | other_queen_side) |
           lost(7, own_king_side) | lost(0, own_queen_side) | lost(63, other_king_side) | lost(56, other_queen_side);
}

/// The positions after one to eight legal moves; White is to move in all of them.
inline EightBoards boards_after(const Board& before, std::span<const Move> moves) noexcept {
    const auto mask = static_cast<__mmask8>((1u << moves.size()) - 1);
    const auto codes =
        reinterpret_cast<EightSets>(_mm512_maskz_cvtepu16_epi64(0xff, _mm_maskz_loadu_epi16(mask, moves.data())));
    const EightSets from = codes & 63;
    const EightSets to = codes >> 6 & 63;
    const EightSets one = EightSets{} + 1;
    const EightSets leaves = one << from;
    const EightSets enters = one << to;
    const EightSets stays = ~(leaves | enters);
    const auto after = [&](Squares men) {
        return turned((men & stays) | (reinterpret_cast<EightSets>((men & leaves) != 0) & enters));
    };
    EightBoards out{after(before.pawns),
                    after(before.knights),
                    after(before.diagonal),
                    after(before.straight),
                    after(before.kings),
                    {},
                    {},
                    {}};
    out.own = out.occupied() & ~turned((before.own & ~leaves) | enters);

    unsigned special = lanes_of(codes >> 12);
    const EightSets pawns_leave = before.pawns & leaves;
    const EightSets passed = reinterpret_cast<EightSets>(to == from + 16) & enters;
    // A pawn that has taken two steps beside a pawn of the other side.
    const EightSets beside = (passed >> 1 & ~file_h) | (passed << 1 & ~file_a);
    special |= lanes_of(pawns_leave) & lanes_of(beside & (before.pawns & ~before.own));
    if (before.en_passant != 0) {
        special |= lanes_of(pawns_leave) & lanes_where(to == EightSets{} + before.en_passant);
    }
    if (before.castling != 0) {
        const EightSets left = before.castling & ~castling_lost(leaves | enters);
        out.castling = left >> 2 | (left << 2 & 12);
        // Other steps of a king from there are of one file.
        const EightSets castles = reinterpret_cast<EightSets>((from == 4) & ((to == 6) | (to == 2)));
        special |= lanes_of(castles & before.kings & leaves);
    }
    for (special &= mask; special != 0; special &= special - 1) {
        const int lane = first_square(special);
        const auto index = static_cast<std::size_t>(lane);
        out.set(index, play(Rules::chess, before, moves[index]));
    }
    return out;
}

/// The bytes of a key that are digits: those of digits_of(), the last man's first.
inline __m128i digit_bytes(const std::array<Squares, 4>& planes, Squares occupied) noexcept {
    __m512i digits = _mm512_maskz_set1_epi8(planes[0], 1);  // a byte for each square
    digits = _mm512_mask_add_epi8(digits, planes[1], digits, _mm512_set1_epi8(2));
    digits = _mm512_mask_add_epi8(digits, planes[2], digits, _mm512_set1_epi8(4));
    digits = _mm512_mask_add_epi8(digits, planes[3], digits, _mm512_set1_epi8(8));
    const __m256i men = _mm512_maskz_extracti64x4_epi64(0xf, _mm512_maskz_compress_epi8(occupied, digits), 0);
    const __m128i pairs = _mm256_maskz_cvtepi16_epi8(0xffff, _mm256_maddubs_epi16(men, _mm256_set1_epi16(0x1001)));
    return _mm_shuffle_epi8(pairs, _mm_set_epi32(0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f));
}

/// The keys of the first so many boards.
inline void write_keys(const EightBoards& boards, std::span<Key> keys) noexcept {
    const EightSets queens = boards.diagonal & boards.straight;
    const EightSets bishops = boards.diagonal ^ queens;
    const EightSets rooks = boards.straight ^ queens;
    const EightSets occupied = boards.occupied();
    const EightSets image = mirrored(occupied);
    const auto may_mirror = boards.castling == 0;
    const EightSets mirror = reinterpret_cast<EightSets>((image < occupied) & may_mirror);
    // Those of a few boards are made one by one.
    const unsigned special = lanes_of(boards.en_passant) | lanes_where((image == occupied) & may_mirror);
    const auto chosen = [&](EightSets plane) { return (mirror & mirrored(plane)) | (~mirror & plane); };
    const EightSets planes[] = {chosen(boards.knights | rooks | boards.kings), chosen(bishops | rooks),
                                chosen(queens | boards.kings), chosen(occupied & ~boards.own)};
    const EightSets men = chosen(occupied);
    const EightSets first_bytes = turned(men);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if ((special >> i & 1) != 0) [[unlikely]] {
            keys[i] = key_of(boards.board(i));
            continue;
        }
        const Squares first = first_bytes[i];
        const __m128i digits = digit_bytes({planes[0][i], planes[1][i], planes[2][i], planes[3][i]}, men[i]);
        std::memcpy(keys[i].data(), &first, sizeof first);
        std::memcpy(keys[i].data() + 8, &digits, sizeof digits);
        keys[i][24] = static_cast<std::uint8_t>(boards.castling[i]);
    }
}

}  // namespace proofbase::chessboard
