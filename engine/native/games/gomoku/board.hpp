// Boards of go-moku as sets of squares: rows of 16 bits up to a width of 15, rows of 32 bits beyond.
//
// Square (column, row), both counted from 0, column a and row 1 first, is bit column + Stride * row. A row has at least
// one bit that is no square, so a line that leaves the board at one side meets an empty bit before it comes in at the
// other. A set of rows of 16 bits fills one vector of 256 bits, a lane for each row.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace proofbase::gomoku {

/// A set of bits of a board. `Stride`, the bits of a row, is 16 (up to 16 rows) or 32 (up to 20 rows).
template <int Stride>
struct Squares {
    static_assert(Stride == 16 || Stride == 32);
    static constexpr int rows = Stride == 16 ? 16 : 20;
    static constexpr int words = Stride * rows / 64;

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
    std::uint32_t row(int number) const noexcept {
        constexpr int in_word = 64 / Stride;
        const std::uint64_t bits = word[static_cast<std::size_t>(number / in_word)] >> Stride * (number % in_word);
        return static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << Stride) - 1));
    }
    void set_row(int number, std::uint32_t bits) noexcept {
        constexpr int in_word = 64 / Stride;
        word[static_cast<std::size_t>(number / in_word)] |= std::uint64_t{bits} << Stride * (number % in_word);
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

    /// Bit i of the result is bit i + by of the set: what lies `by` bits further on. 0 <= by < 64 * words.
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

/// From a square to the next one of a line: along a row, a column and the two diagonals.
template <int Stride>
inline constexpr std::array<int, 4> directions{1, Stride, Stride + 1, Stride - 1};

/// The squares at which so many stones in a row begin, seen in the direction `step`; longer rows have several.
template <int Stride>
[[gnu::always_inline]] inline Squares<Stride> starts(const Squares<Stride>& stones, int step, int length) noexcept {
    Squares<Stride> rows = stones;
    int covered = 1;
    for (; 2 * covered <= length; covered *= 2) rows = rows & rows.down(covered * step);
    if (covered < length) rows = rows & rows.down((length - covered) * step);
    return rows;
}

/// Whether the stones have a winning line: `length` or more in a row, or, if `exact`, so many and no more.
template <int Stride>
[[gnu::always_inline]] inline bool has_line_of(const Squares<Stride>& stones, int length, bool exact) noexcept {
    Squares<Stride> found;
    for (const int step : directions<Stride>) {
        Squares<Stride> lines = starts(stones, step, length);
        if (exact) lines = lines - lines.down(step) - lines.up(step);  // a longer row has starts side by side
        found = found | lines;
    }
    return !found.empty();
}

/// The same; five in a row, the usual length, is compiled with constant shifts.
template <int Stride>
[[gnu::noinline]] bool has_line(const Squares<Stride>& stones, int length, bool exact) noexcept {
    if (length == 5) return exact ? has_line_of(stones, 5, true) : has_line_of(stones, 5, false);
    return has_line_of(stones, length, exact);
}

}  // namespace proofbase::gomoku
