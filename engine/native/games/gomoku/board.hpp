// Boards of go-moku as sets of squares: rows of 16 bits up to 15 columns and 16 rows, rows of 20 bits beyond.
//
// Square (column, row), both counted from 0, column a and row 1 first, is bit column + stride * row. A row has at least
// one bit that is no square, so a line that leaves the board at one side meets an empty bit before it comes in at the
// other. Rows of 16 bits fill the first 256 bits of a set, a vector with a lane for each row.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace proofbase::gomoku {

/// The bits of a row.
constexpr int stride_of(int width, int height) noexcept {
    return width <= 15 && height <= 16 ? 16 : 20;
}

/// A set of bits of a board: 4 words hold rows of 16 bits, 6 words hold 19 rows of 20 bits as well.
template <int Words>
struct Squares {
    static constexpr int words = Words;

    std::array<std::uint64_t, words> word{};

    bool operator==(const Squares&) const = default;

    static Squares of(int bit) noexcept {
        Squares set;
        set.add(bit);
        return set;
    }
    void add(int bit) noexcept { word[static_cast<std::size_t>(bit) / 64] |= std::uint64_t{1} << bit % 64; }
    void remove(int bit) noexcept { word[static_cast<std::size_t>(bit) / 64] &= ~(std::uint64_t{1} << bit % 64); }
    bool has(int bit) const noexcept { return (word[static_cast<std::size_t>(bit) / 64] >> bit % 64 & 1) != 0; }

    bool empty() const noexcept {
        std::uint64_t any = 0;
        for (const std::uint64_t w : word) any |= w;
        return any == 0;
    }
    int count() const noexcept {
        int sum = 0;
        for (const std::uint64_t w : word) sum += std::popcount(w);
        return sum;
    }
    /// The bits of a row, column a the lowest.
    std::uint32_t row(int number, int stride) const noexcept {
        const int bit = stride * number;
        const auto i = static_cast<std::size_t>(bit / 64);
        const std::uint64_t high = i + 1 < words && bit % 64 != 0 ? word[i + 1] << (64 - bit % 64) : 0;
        return static_cast<std::uint32_t>((word[i] >> bit % 64 | high) & ((std::uint64_t{1} << stride) - 1));
    }

    void add_row(int number, int stride, std::uint64_t bits) noexcept {
        const int bit = stride * number;
        const auto i = static_cast<std::size_t>(bit / 64);
        word[i] |= bits << bit % 64;
        if (i + 1 < words && bit % 64 != 0) word[i + 1] |= bits >> (64 - bit % 64);
    }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (int i = 0; i < words; ++i) {
            for (std::uint64_t w = word[static_cast<std::size_t>(i)]; w != 0; w &= w - 1) {
                visit(64 * i + std::countr_zero(w));
            }
        }
    }

    Squares operator|(const Squares& other) const noexcept {
        Squares out;
        for (std::size_t i = 0; i < words; ++i) out.word[i] = word[i] | other.word[i];
        return out;
    }
    Squares operator&(const Squares& other) const noexcept {
        Squares out;
        for (std::size_t i = 0; i < words; ++i) out.word[i] = word[i] & other.word[i];
        return out;
    }
    /// The bits of this set that are not in the other one.
    Squares operator-(const Squares& other) const noexcept {
        Squares out;
        for (std::size_t i = 0; i < words; ++i) out.word[i] = word[i] & ~other.word[i];
        return out;
    }

    /// Bit i of the result is bit i + by of the set: what lies `by` bits further on.
    [[gnu::always_inline]] Squares down(int by) const noexcept {
        Squares out;
        const int skipped = by / 64;
        const int bits = by % 64;
        for (int i = 0; i + skipped < words; ++i) {
            const std::uint64_t low = word[static_cast<std::size_t>(i + skipped)];
            const std::uint64_t high = i + skipped + 1 < words ? word[static_cast<std::size_t>(i + skipped + 1)] : 0;
            out.word[static_cast<std::size_t>(i)] = bits == 0 ? low : low >> bits | high << (64 - bits);
        }
        return out;
    }
    /// Bit i of the result is bit i - by of the set.
    [[gnu::always_inline]] Squares up(int by) const noexcept {
        Squares out;
        const int skipped = by / 64;
        const int bits = by % 64;
        for (int i = words - 1; i >= skipped; --i) {
            const std::uint64_t high = word[static_cast<std::size_t>(i - skipped)];
            const std::uint64_t low = i > skipped ? word[static_cast<std::size_t>(i - skipped - 1)] : 0;
            out.word[static_cast<std::size_t>(i)] = bits == 0 ? high : high << bits | low >> (64 - bits);
        }
        return out;
    }
};

using Stones = Squares<6>;

/// The squares at which so many stones in a row begin, seen in the direction `step`; longer rows have several.
template <int Words>
[[gnu::always_inline]] inline Squares<Words> starts(const Squares<Words>& stones, int step, int length) noexcept {
    Squares<Words> rows = stones;
    int covered = 1;
    for (; 2 * covered <= length; covered *= 2) rows = rows & rows.down(covered * step);
    if (covered < length) rows = rows & rows.down((length - covered) * step);
    return rows;
}

/// Whether the stones have a winning line: `length` or more in a row, or, if `exact`, so many and no more.
bool has_line(const Stones& stones, int stride, int length, bool exact) noexcept;

/// The empty squares on which a stone makes a winning line with those of `own`.
Stones completing(const Stones& own, const Stones& empty, int stride, int length, bool exact) noexcept;

}  // namespace proofbase::gomoku
