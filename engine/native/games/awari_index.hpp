// Awari's positions in the order of its tables, and their successors and predecessors, on two machine words: what the
// concept `Indexed` asks for (concepts.hpp).
//
// A class is the number of stones on the board. Twelve pits with n stones are n stones and 11 bars in a row; bar j
// (1 to 11) has S_j stones and j - 1 bars before it, S_j the stones of the first j pits. The combinatorial number
// system ranks the positions of the bars: sum over j of C(S_j + j - 1, j), from 0 to C(n + 11, 11) - 1.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace proofbase {

/// Twelve pits as two words: the mover's six pits and the opponent's six, a byte each, in the order of sowing from the
/// low end. Pits hold at most 48 stones, so that words can be added.
struct AwariBoard {
    std::uint64_t own = 0;
    std::uint64_t other = 0;

    using Pits = std::array<std::uint8_t, 12>;  ///< the mover's first

    // Both functions copy eight bytes and four: the processor can forward a write to a read of the same size at once.
    static AwariBoard of(const Pits& pits) noexcept {
        static_assert(std::endian::native == std::endian::little);
        std::uint64_t first;
        std::uint32_t last;
        std::memcpy(&first, pits.data(), 8);
        std::memcpy(&last, pits.data() + 8, 4);
        return {first << 16 >> 16, first >> 48 | std::uint64_t{last} << 16};
    }

    Pits pits() const noexcept {
        const std::uint64_t first = own | other << 48;
        const auto last = static_cast<std::uint32_t>(other >> 16);
        Pits out;
        std::memcpy(out.data(), &first, 8);
        std::memcpy(out.data() + 8, &last, 4);
        return out;
    }
};

namespace awari {

inline constexpr unsigned most_stones = 48;
inline constexpr std::uint64_t ones = 0x010101010101;  // one stone in each pit of a row

/// C(S + j - 1, j): what bar j adds to a rank.
struct Shares {
    std::array<std::array<std::uint64_t, most_stones + 2>, 12> of{};  // [j][S]

    constexpr Shares() {
        // C(S + j - 1, j) = C(S - 1 + j - 1, j) + C(S + j - 2, j - 1): Pascal's rule.
        for (std::size_t stones = 0; stones < of[0].size(); ++stones) of[0][stones] = 1;
        for (std::size_t j = 1; j < of.size(); ++j) {
            for (std::size_t stones = 1; stones < of[j].size(); ++stones) {
                of[j][stones] = of[j][stones - 1] + of[j - 1][stones];
            }
        }
    }
};
inline constexpr Shares shares;

/// What sowing a number of stones from a pit adds to the rows, and the pit of the last stone.
struct Sowing {
    std::uint64_t own = 0;
    std::uint64_t other = 0;
    std::uint8_t last = 0;
};

struct Sowings {
    std::array<std::array<Sowing, most_stones + 1>, 6> of{};  // [pit][stones]

    constexpr Sowings() {
        for (unsigned from = 0; from < 6; ++from) {
            unsigned pit = from;
            for (unsigned stones = 1; stones <= most_stones; ++stones) {
                do pit = (pit + 1) % 12;
                while (pit == from);
                Sowing sowing = of[from][stones - 1];
                (pit < 6 ? sowing.own : sowing.other) += std::uint64_t{1} << (8 * (pit % 6));
                sowing.last = static_cast<std::uint8_t>(pit);
                of[from][stones] = sowing;
            }
        }
    }
};
inline constexpr Sowings sowings;

/// Stones in a row.
inline unsigned stones(std::uint64_t row) noexcept {
    return static_cast<unsigned>((row * ones) >> 40 & 0xff);
}

/// 2 or 3 stones in pit `pit` (0 to 5) of a row.
inline bool two_or_three(std::uint64_t row, unsigned pit) noexcept {
    return (row >> (8 * pit) & 0xfe) == 2;
}

/// Whether a capture that begins in pit `at` of the opponent's row takes all of its stones.
inline bool is_grand_slam(std::uint64_t other, unsigned at) noexcept {
    for (; two_or_three(other, at); --at) {
        other &= ~(std::uint64_t{0xff} << (8 * at));
        if (at == 0) break;
    }
    return other == 0;
}

/// Rules 2 and 3, seen by the side that made the move; `captured` receives the number of captured stones.
inline AwariBoard sown(const AwariBoard& board, unsigned pit, bool grand_slams, unsigned& captured) noexcept {
    const std::uint64_t hand = board.own >> (8 * pit) & 0xff;
    const Sowing& sowing = sowings.of[pit][hand];
    AwariBoard after{board.own - (hand << (8 * pit)) + sowing.own, board.other + sowing.other};
    captured = 0;
    if (sowing.last >= 6 && (grand_slams || !is_grand_slam(after.other, sowing.last - 6u))) {
        for (unsigned at = sowing.last - 6u; two_or_three(after.other, at); --at) {
            const std::uint64_t taken = after.other >> (8 * at) & 0xff;
            captured += static_cast<unsigned>(taken);
            after.other -= taken << (8 * at);
            if (at == 0) break;
        }
    }
    return after;
}

/// Calls `visit(board, captured)` for the board after every legal move, seen by the opponent, in the order of the pits.
/// No calls for a finished game.
template <class Visit>
void for_each_successor(const AwariBoard& board, bool grand_slams, Visit&& visit) {
    struct {
        AwariBoard board;
        unsigned captured;
    } after[6];
    unsigned count = 0;
    bool feeds = false;
    for (unsigned pit = 0; pit < 6; ++pit) {
        if ((board.own >> (8 * pit) & 0xff) == 0) continue;
        auto& next = after[count++];
        next.board = sown(board, pit, grand_slams, next.captured);
        feeds |= next.board.other != 0;
    }
    for (unsigned i = 0; i < count; ++i) {  // rule 4
        const AwariBoard& next = after[i].board;
        if (!feeds || next.other != 0) visit(AwariBoard{next.other, next.own}, after[i].captured);
    }
}

/// A bit for each pit of a row that has stones, the lowest one for the first pit.
inline unsigned pits_with_stones(std::uint64_t row) noexcept {
    const std::uint64_t each = (row + 0x7f * ones) >> 7 & ones;
    return static_cast<unsigned>(each * 0x0102040810204080 >> 56);
}

/// Calls `visit(board)` for every position from which a legal move without a capture leads to this one.
///
/// The move emptied a pit of the side that is not to move now, and its stones lie in the pits that follow.
template <class Visit>
void for_each_predecessor(const AwariBoard& board, bool grand_slams, Visit&& visit) {
    const AwariBoard after{board.other, board.own};  // as the side sees it that has just moved
    const unsigned own = pits_with_stones(after.own);
    const unsigned ring = own | pits_with_stones(after.other) << 6;
    // Rule 3: with its last stone in one of these pits the move would have been a capture.
    unsigned captures = 0;
    for (unsigned pit = 0; pit < 6; ++pit) captures |= unsigned{two_or_three(after.other, pit)} << (pit + 6);
    if (!grand_slams) {
        for (unsigned rest = captures; rest != 0; rest &= rest - 1) {
            const auto pit = static_cast<unsigned>(std::countr_zero(rest));
            if (is_grand_slam(after.other, pit - 6)) captures &= ~(1u << pit);
        }
    }
    const auto visit_legal = [&](const AwariBoard& before) {
        if (after.other == 0) {  // rule 4: legal only if no move leaves the opponent a stone
            bool feeds = false;
            for_each_successor(before, grand_slams, [&](const AwariBoard& next, unsigned) { feeds |= next.own != 0; });
            if (feeds) return;
        }
        visit(before);
    };
    const auto without = [&](const Sowing& sowing, unsigned from, unsigned hand) {
        return AwariBoard{(after.own - sowing.own) | std::uint64_t{hand} << (8 * from), after.other - sowing.other};
    };
    for (unsigned empty = ~own & 0x3f; empty != 0; empty &= empty - 1) {
        const auto from = static_cast<unsigned>(std::countr_zero(empty));
        const auto behind = [from](unsigned pits) { return (pits | pits << 12) >> (from + 1) & 0x7ff; };
        const auto pits = static_cast<unsigned>(std::countr_one(behind(ring)));  // that have a stone to take back
        for (unsigned last = ~behind(captures) & ((1u << pits) - 1); last != 0; last &= last - 1) {
            const auto hand = static_cast<unsigned>(std::countr_zero(last)) + 1;
            visit_legal(without(sowings.of[from][hand], from, hand));
        }
        if (pits < 11) continue;
        for (unsigned hand = 12; hand <= most_stones; ++hand) {  // more than once around the board
            const Sowing& sowing = sowings.of[from][hand];
            const AwariBoard less = without(sowings.of[from][hand - 1], from, 0);
            const std::uint64_t row = sowing.last < 6 ? less.own : less.other;
            if ((row >> (8 * (sowing.last % 6)) & 0xff) == 0) break;  // no stone to take back
            if ((captures >> sowing.last & 1) == 0) visit_legal(without(sowing, from, hand));
        }
    }
}

inline std::uint64_t class_size(unsigned stones) noexcept {
    return shares.of[11][stones + 1];  // C(stones + 11, 11)
}

inline std::uint64_t rank(const AwariBoard& board) noexcept {
    const std::uint64_t own = board.own * ones;  // byte i: stones of the first i + 1 pits
    const std::uint64_t other = board.other * ones + (own >> 40 & 0xff) * ones;
    std::uint64_t rank = 0;
    for (unsigned j = 1; j <= 6; ++j) rank += shares.of[j][own >> (8 * (j - 1)) & 0xff];
    for (unsigned j = 7; j <= 11; ++j) rank += shares.of[j][other >> (8 * (j - 7)) & 0xff];
    return rank;
}

/// The position with a rank among the positions with `stones` stones.
inline AwariBoard unrank(unsigned stones, std::uint64_t rank) noexcept {
    AwariBoard board;
    unsigned before = stones;  // stones of the first j + 1 pits
    for (unsigned j = 11; j >= 1; --j) {
        const auto& share = shares.of[j];
        unsigned here = before;
        while (share[here] > rank) --here;
        rank -= share[here];
        (j >= 6 ? board.other : board.own) |= std::uint64_t{before - here} << (8 * (j % 6));
        before = here;
    }
    board.own |= before;
    return board;
}

/// The position with the next rank: the first pit after A that has stones gives one stone to the pit before it, which
/// also gets all stones of A. (The lowest bar that can move up does, and the bars below it return to their first
/// places.)
inline void advance(AwariBoard& board) noexcept {
    const std::uint64_t first = board.own & 0xff;
    const std::uint64_t given = first + 1;
    const std::uint64_t rest = board.own - first;
    if (rest != 0) {
        const auto at = static_cast<unsigned>(std::countr_zero(rest)) & ~7u;
        board.own = rest - (std::uint64_t{1} << at) + (given << (at - 8));
    } else {
        const auto at = static_cast<unsigned>(std::countr_zero(board.other)) & ~7u;
        board.other -= std::uint64_t{1} << at;
        board.own = 0;
        (at == 0 ? board.own : board.other) += given << (at == 0 ? 40 : at - 8);
    }
}

}  // namespace awari

}  // namespace proofbase
