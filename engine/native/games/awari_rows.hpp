// Awari's rules 2 to 4 (awari.hpp) on one word of twelve pits. This header shares no code with
// awari_index.hpp, which has the same rules a second time, for building tables: the verification of tables compares the
// two.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace proofbase::awari {

using Pits = std::array<std::uint8_t, 12>;  ///< the mover's first, in the order of sowing

/// Twelve pits, a byte each, the first one lowest.
using Rows = unsigned __int128;

inline constexpr Rows row = (Rows{1} << 48) - 1;

inline Rows rows(const Pits& pits) noexcept {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t first;
    std::uint32_t last;
    std::memcpy(&first, pits.data(), 8);
    std::memcpy(&last, pits.data() + 8, 4);
    return Rows{last} << 64 | first;
}

/// The pits as the other side sees them.
inline Pits turned(Rows board) noexcept {
    const Rows other = board >> 48 | (board & row) << 48;
    const auto first = static_cast<std::uint64_t>(other);
    const auto last = static_cast<std::uint32_t>(other >> 64);
    Pits pits;
    std::memcpy(pits.data(), &first, 8);
    std::memcpy(pits.data() + 8, &last, 4);
    return pits;
}

inline unsigned in(Rows board, unsigned pit) noexcept {
    return static_cast<std::uint8_t>(board >> (8 * pit));
}

inline int stones(Rows board) noexcept {
    constexpr std::uint64_t each = 0x0101010101010101;  // the product has the sum in its highest byte
    const auto first = static_cast<std::uint64_t>(board);
    return static_cast<int>((first * each >> 56) + (static_cast<std::uint64_t>(board >> 64) * each >> 56));
}

/// A stone in each of the pits that follow a pit: [pit][how many].
struct PitsBehind {
    std::array<std::array<Rows, 12>, 6> of{};

    constexpr PitsBehind() {
        for (unsigned from = 0; from < 6; ++from) {
            for (unsigned k = 1; k < 12; ++k) of[from][k] = of[from][k - 1] | Rows{1} << (8 * ((from + k) % 12));
        }
    }
};
inline constexpr PitsBehind behind;

/// Rules 2 and 3: the pits after a move, captured stones taken off. Without grand slams a move that would take all
/// stones of the opponent's row takes none.
inline Rows sown(Rows board, unsigned from, bool grand_slams) noexcept {
    const unsigned hand = in(board, from);
    board -= Rows{hand} << (8 * from);
    const unsigned rest = (hand - 1) % 11 + 1;  // stones of the last time around the board: it ends so many pits behind
    for (unsigned once = rest; once < hand; once += 11) board += behind.of[from][11];
    board += behind.of[from][rest];
    unsigned pit = from + rest;
    if (pit > 11) pit -= 12;
    const Rows before_capture = board;
    for (; pit >= 6 && (in(board, pit) == 2 || in(board, pit) == 3); --pit) board &= ~(Rows{0xff} << (8 * pit));
    return !grand_slams && board >> 48 == 0 ? before_capture : board;
}

/// `visit(pit, pits after the move)` for every legal move (rule 4).
template <class Visit>
void for_each_sown(Rows board, bool grand_slams, Visit&& visit) {
    Rows after[6];
    bool feeds = false;
    for (std::uint8_t pit = 0; pit < 6; ++pit) {
        if (in(board, pit) == 0) continue;
        after[pit] = sown(board, pit, grand_slams);
        feeds |= after[pit] >> 48 != 0;
    }
    for (std::uint8_t pit = 0; pit < 6; ++pit) {
        if (in(board, pit) != 0 && (!feeds || after[pit] >> 48 != 0)) visit(pit, after[pit]);
    }
}

}  // namespace proofbase::awari
