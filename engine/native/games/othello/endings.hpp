// The last moves of Othello, searched to the end by code of their own: null-window alpha-beta by the side to move,
// without keys, on bitboards.
//
//   7 empty squares or more  moves that leave the other side few replies come first; a small table of positions
//   5 or 6                   moves into quadrants with an odd number of empty squares come first: there who moves first
//                            moves last
//   4 to 1                   one function each; the last disc is counted by a table of lines
//
// Stable discs limit the value: where those of the other side leave too little, nothing is searched.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/othello/board.hpp"
#include "games/othello/stable_discs.hpp"

namespace proofbase::othello {

/// By the column (or row) of a square and the discs of its line: how many discs a disc there turns, if all others of
/// the line are of the other side.
constexpr auto make_turned_in_line() {
    std::array<std::array<std::uint8_t, 256>, 8> table{};
    for (int at = 0; at < 8; ++at) {
        for (int own = 0; own < 256; ++own) {
            int turned = 0;
            for (int to = at + 1; to < 8; ++to) {
                if ((own >> to & 1) == 0) continue;
                turned += to - at - 1;
                break;
            }
            for (int to = at - 1; to >= 0; --to) {
                if ((own >> to & 1) == 0) continue;
                turned += at - to - 1;
                break;
            }
            table[static_cast<std::size_t>(at)][static_cast<std::size_t>(own)] = static_cast<std::uint8_t>(turned);
        }
    }
    return table;
}
inline constexpr auto turned_in_line = make_turned_in_line();

/// Both diagonals of each square, itself included.
constexpr auto make_diagonals() {
    std::array<std::array<Squares, 2>, 64> lines{};
    for (std::size_t square = 0; square < 64; ++square) {
        const Squares self = Squares{1} << square;
        lines[square] = {rays.growing[square][1] | rays.falling[square][1] | self,
                         rays.growing[square][3] | rays.falling[square][3] | self};
    }
    return lines;
}
inline constexpr auto diagonals = make_diagonals();

/// How many discs a disc of `own` on the last empty square turns.
[[gnu::always_inline]] inline int turned_at_last(Squares own, int square) noexcept {
    constexpr Squares column = 0x0101010101010101ULL;
    constexpr Squares to_top_row = 0x0102040810204080ULL;
    const std::size_t x = static_cast<unsigned>(square) % 8;
    const std::size_t y = static_cast<unsigned>(square) / 8;
    const auto& lines = diagonals[static_cast<std::size_t>(square)];
    return turned_in_line[x][own >> (8 * y) & 0xff] + turned_in_line[y][((own >> x & column) * to_top_row) >> 56] +
           turned_in_line[x][((own & lines[0]) * column) >> 56] + turned_in_line[x][((own & lines[1]) * column) >> 56];
}

constexpr auto make_next_to() {
    std::array<Squares, 64> out{};
    for (std::size_t square = 0; square < 64; ++square) {
        out[square] = neighbours(Squares{1} << square);
    }
    return out;
}
/// The squares next to each square.
inline constexpr auto next_to = make_next_to();

/// Searches endings for one thread.
class Endings {
  public:
    static constexpr int most_empty = 12;

    explicit Endings(const Board& board) : board_(board), size_(board.size()) {
        for (int square = 0; square < 64; ++square) {
            const bool right = square % 8 >= board.width() / 2;
            const bool below = square / 8 >= board.height() / 2;
            const int quadrant = 1 << (2 * below + right);
            quadrant_[static_cast<std::size_t>(square)] = static_cast<std::uint8_t>(quadrant);
            for (std::size_t odd = 0; odd < 16; ++odd) {
                if ((odd & static_cast<std::size_t>(quadrant)) != 0) quadrants_[odd] |= Squares{1} << square;
            }
        }
    }

    /// A lower bound of the value for `own`, to move, that reaches `bound`, or an upper bound below it. At most
    /// `most_empty` squares are empty.
    int value(Squares own, Squares other, int bound) {
        const Squares empty = board_.all() & ~(own | other);
        if (table_.empty() && count(empty) >= least_in_table) table_.resize(table_size);
        return search(own, other, bound, empty, count(empty), false);
    }

    /// Positions visited so far.
    std::uint64_t nodes() const noexcept { return nodes_; }
    std::uint64_t bytes() const noexcept { return table_.capacity() * sizeof(Entry); }

  private:
    static constexpr int none = -1000;
    static constexpr int least_in_table = 8;
    static constexpr int least_sorted = 7;
    static constexpr int table_bits = 15;
    static constexpr std::size_t table_size = std::size_t{1} << table_bits;

    struct Entry {
        Squares own = 0;
        Squares other = 0;
        std::int8_t lower = 0;
        std::int8_t upper = 0;
        std::uint8_t best = 0;  ///< the square of the best move; 64: none
    };
    struct Successor {
        Squares own;  ///< of the side to move then
        Squares other;
        std::int32_t score;  ///< the lower the earlier
        std::int32_t square;
    };

    Squares odd_squares(Squares empty) const noexcept {
        std::size_t odd = 0;
        for (std::size_t quadrant = 1; quadrant < 16; quadrant *= 2) {
            odd |= static_cast<std::size_t>(count(empty & quadrants_[quadrant]) & 1) * quadrant;
        }
        return quadrants_[odd];
    }

    /// The value of a position with one empty square.
    [[gnu::always_inline]] int last_one(Squares own, int square) noexcept {
        ++nodes_;
        const int discs = count(own);
        if (const int turned = turned_at_last(own, square); turned != 0) return 2 * (discs + 1 + turned) - size_;
        const Squares other = board_.all() & ~(own | Squares{1} << square);
        if (const int turned = turned_at_last(other, square); turned != 0) return 2 * (discs - turned) - size_;
        const int lead = 2 * discs + 1 - size_;
        return board_.discs_only() ? lead : lead > 0 ? lead + 1 : lead - 1;
    }

    /// Tries a move on a square; what is left is searched by `after(own, other, bound)`. True if it reaches the bound.
    template <class After>
    [[gnu::always_inline]] bool reaches(Squares own, Squares other, int bound, int square, int& best, After&& after) {
        if ((next_to[static_cast<std::size_t>(square)] & other) == 0) return false;
        const Squares turned = flips(own, other, square);
        if (turned == 0) return false;
        best = std::max(best, -after(other ^ turned, own | turned | Squares{1} << square, 1 - bound));
        return best >= bound;
    }

    int last_two(Squares own, Squares other, int bound, int a, int b, bool passed) {
        ++nodes_;
        int best = none;
        if (reaches(own, other, bound, a, best, [&](Squares own, Squares, int) { return last_one(own, b); }))
            return best;
        if (reaches(own, other, bound, b, best, [&](Squares own, Squares, int) { return last_one(own, a); }))
            return best;
        if (best != none) return best;
        return passed ? board_.result(own, other) : -last_two(other, own, 1 - bound, a, b, true);
    }

    int last_three(Squares own, Squares other, int bound, int a, int b, int c, bool passed) {
        ++nodes_;
        // A square alone in its quadrant first.
        const auto quadrant = [&](int square) { return quadrant_[static_cast<std::size_t>(square)]; };
        if (quadrant(a) == quadrant(b)) {
            if (quadrant(c) != quadrant(a)) std::swap(a, c);
        } else if (quadrant(a) == quadrant(c)) {
            std::swap(a, b);
        }
        const auto two_left = [&](int left, int right) {
            return [this, left, right](Squares own, Squares other, int bound) {
                return last_two(own, other, bound, left, right, false);
            };
        };
        int best = none;
        if (reaches(own, other, bound, a, best, two_left(b, c)) ||
            reaches(own, other, bound, b, best, two_left(a, c)) ||
            reaches(own, other, bound, c, best, two_left(a, b)) || best != none) {
            return best;
        }
        return passed ? board_.result(own, other) : -last_three(other, own, 1 - bound, a, b, c, true);
    }

    int last_four(Squares own, Squares other, int bound, Squares empty, bool passed) {
        ++nodes_;
        if (const int most = most_by_stable_discs(own, other, 4, bound); most < bound) return most;
        const Squares odd = odd_squares(empty);
        std::array<int, 4> at{};
        std::size_t filled = 0;
        for (Squares rest = empty & odd; rest != 0; rest &= rest - 1) at[filled++] = lowest_square(rest);
        for (Squares rest = empty & ~odd; rest != 0; rest &= rest - 1) at[filled++] = lowest_square(rest);
        const auto three_left = [&](int a, int b, int c) {
            return [this, a, b, c](Squares own, Squares other, int bound) {
                return last_three(own, other, bound, a, b, c, false);
            };
        };
        int best = none;
        if (reaches(own, other, bound, at[0], best, three_left(at[1], at[2], at[3])) ||
            reaches(own, other, bound, at[1], best, three_left(at[0], at[2], at[3])) ||
            reaches(own, other, bound, at[2], best, three_left(at[0], at[1], at[3])) ||
            reaches(own, other, bound, at[3], best, three_left(at[0], at[1], at[2])) || best != none) {
            return best;
        }
        return passed ? board_.result(own, other) : -last_four(other, own, 1 - bound, empty, true);
    }

    /// A limit of the value by the stable discs of the other side, where they may be enough; else `bound`.
    [[gnu::always_inline]] int most_by_stable_discs(Squares own, Squares other, int empty, int bound) const noexcept {
        // Few discs are stable where the bound is low, or where much is empty.
        if (bound < 6 + empty) return bound;
        return othello::most_by_stable_discs(board_, own, other);
    }

    int search(Squares own, Squares other, int bound, Squares empty, int empties, bool passed) {
        if (empties >= least_sorted) return sorted(own, other, bound, empty, empties, passed);
        if (empties > 4) return by_parity(own, other, bound, empty, empties, passed);
        if (empties == 4) return last_four(own, other, bound, empty, passed);
        const auto take = [&] {
            const int square = lowest_square(empty);
            empty &= empty - 1;
            return square;
        };
        if (empties == 0) return board_.result(own, other);
        const int a = take();
        if (empties == 1) return last_one(own, a);
        const int b = take();
        if (empties == 2) return last_two(own, other, bound, a, b, passed);
        return last_three(own, other, bound, a, b, take(), passed);
    }

    int by_parity(Squares own, Squares other, int bound, Squares empty, int empties, bool passed) {
        ++nodes_;
        if (const int most = most_by_stable_discs(own, other, empties, bound); most < bound) return most;
        const Squares open = placements(own, other, empty);
        if (open == 0) return pass(own, other, bound, empty, empties, passed);
        const Squares odd = odd_squares(empty);
        int best = none;
        for (const Squares group : {open & odd, open & ~odd}) {
            for (Squares rest = group; rest != 0; rest &= rest - 1) {
                const int square = lowest_square(rest);
                const Squares turned = flips(own, other, square);
                const Squares disc = Squares{1} << square;
                const int value =
                    -search(other ^ turned, own | turned | disc, 1 - bound, empty ^ disc, empties - 1, false);
                best = std::max(best, value);
                if (best >= bound) return best;
            }
        }
        return best;
    }

    int pass(Squares own, Squares other, int bound, Squares empty, int empties, bool passed) {
        return passed ? board_.result(own, other) : -search(other, own, 1 - bound, empty, empties, true);
    }

    int sorted(Squares own, Squares other, int bound, Squares empty, int empties, bool passed) {
        ++nodes_;
        Entry* const entry = empties >= least_in_table ? &table_[index(own, other)] : nullptr;
        if (entry != nullptr) __builtin_prefetch(entry);
        if (const int most = most_by_stable_discs(own, other, empties, bound); most < bound) return most;
        const Squares open = placements(own, other, empty);
        if (open == 0) return pass(own, other, bound, empty, empties, passed);
        int table_square = 64;
        if (entry != nullptr && entry->own == own && entry->other == other) {
            if (entry->lower >= bound) return entry->lower;
            if (entry->upper < bound) return entry->upper;
            table_square = entry->best;
        }
        std::array<Successor, 32> successors;
        std::size_t filled = 0;
        const Squares odd = odd_squares(empty);
        for (Squares rest = open; rest != 0; rest &= rest - 1) {
            const int square = lowest_square(rest);
            const Squares turned = flips(own, other, square);
            const Squares disc = Squares{1} << square;
            Successor next{other ^ turned, own | turned | disc, 0, square};
            const Squares replies = placements(next.own, next.other, empty ^ disc);
            next.score = 4 * (count(replies) + count(replies & board_.corners())) - ((odd & disc) != 0) * 3 -
                         ((board_.corners() & disc) != 0) * 4;
            if (square == table_square) next.score = none;
            std::size_t at = filled++;
            for (; at > 0 && successors[at - 1].score > next.score; --at) successors[at] = successors[at - 1];
            successors[at] = next;
        }
        int best = none;
        int best_square = 64;
        for (std::size_t i = 0; i < filled; ++i) {
            const Successor& next = successors[i];
            const Squares left = empty ^ Squares{1} << next.square;
            const int value = -search(next.own, next.other, 1 - bound, left, empties - 1, false);
            if (value <= best) continue;
            best = value;
            best_square = next.square;
            if (best >= bound) break;
        }
        if (entry != nullptr) store(*entry, own, other, bound, best, best_square);
        return best;
    }

    void store(Entry& entry, Squares own, Squares other, int bound, int value, int square) const noexcept {
        const bool known = entry.own == own && entry.other == other;
        if (!known) entry = {own, other, static_cast<std::int8_t>(-size_), static_cast<std::int8_t>(size_), 64};
        (value >= bound ? entry.lower : entry.upper) = static_cast<std::int8_t>(value);
        entry.best = static_cast<std::uint8_t>(square);
    }

    static std::size_t index(Squares own, Squares other) noexcept {
        const std::uint64_t word = own * 0x9e3779b97f4a7c15ULL ^ (other + (other >> 31)) * 0xc4ceb9fe1a85ec53ULL;
        return static_cast<std::size_t>((word ^ word >> 29) * 0xff51afd7ed558ccdULL >> (64 - table_bits));
    }

    const Board board_;
    int size_;
    std::uint64_t nodes_ = 0;
    std::array<std::uint8_t, 64> quadrant_{};
    std::array<Squares, 16> quadrants_{};  ///< by the bits of quadrants: their squares
    std::vector<Entry> table_;
};

}  // namespace proofbase::othello
