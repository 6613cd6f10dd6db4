// Sets of squares with a lane for each row, for work on all lines of a board at once: moved by whole rows and columns,
// nothing comes in at the edges.
//
// `NarrowRows` is one vector of 16 lanes of 16 bits, by the vector extensions of GCC and Clang, which are compiled to
// what the processor has. `PlainRows` are ordinary numbers in an array; they hold every board, and 16 of 16 bits give
// the same results as the vector.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "games/gomoku/board.hpp"

namespace proofbase::gomoku {

/// What both kinds share: bit column + bits * row, as one number. `Set` is the derived class, with `lane_bits`,
/// `lanes` and a member `rows` of the size of the set.
template <class Set, int LaneBits, int Lanes>
struct RowSet {
    static constexpr int lane_bits = LaneBits;
    static constexpr int lanes = Lanes;
    static constexpr int capacity = LaneBits * Lanes;  ///< bits
    static constexpr std::size_t words = capacity / 64;
    using Words = std::array<std::uint64_t, words>;

    static Set of(int bit) noexcept {
        Words set{};
        set[static_cast<std::size_t>(bit) / 64] = std::uint64_t{1} << bit % 64;
        return Set{std::bit_cast<decltype(Set::rows)>(set)};
    }
    bool has(int bit) const noexcept { return (as_words()[static_cast<std::size_t>(bit) / 64] >> bit % 64 & 1) != 0; }
    bool empty() const noexcept {
        std::uint64_t any = 0;
        for (const std::uint64_t word : as_words()) any |= word;
        return any == 0;
    }
    int count() const noexcept {
        int sum = 0;
        for (const std::uint64_t word : as_words()) sum += std::popcount(word);
        return sum;
    }
    bool more_than_one() const noexcept {
        std::uint64_t twice = 0;
        std::uint64_t once = 0;
        for (const std::uint64_t word : as_words()) {
            twice |= (word & (word - 1)) | (word != 0 ? once : 0);
            once |= word;
        }
        return twice != 0;
    }
    /// The smallest bit of a set that is not empty.
    int first() const noexcept {
        const Words set = as_words();
        std::size_t i = 0;
        while (i + 1 < words && set[i] == 0) ++i;
        return static_cast<int>(64 * i) + std::countr_zero(set[i]);
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        const Words set = as_words();
        for (std::size_t i = 0; i < words; ++i) {
            for (std::uint64_t word = set[i]; word != 0; word &= word - 1) {
                visit(static_cast<int>(64 * i) + std::countr_zero(word));
            }
        }
    }
    Words as_words() const noexcept { return std::bit_cast<Words>(static_cast<const Set&>(*this).rows); }
    bool operator==(const RowSet& other) const noexcept { return as_words() == other.as_words(); }
};

/// Rows of 16 bits, at most 16: the first four words of the set of a position on such a board.
struct NarrowRows : RowSet<NarrowRows, 16, 16> {
    typedef std::uint16_t Vector __attribute__((vector_size(32)));
    Vector rows{};

    NarrowRows() = default;
    explicit NarrowRows(Vector given) : rows(given) {}

    /// In registers: a word that is stored and loaded again as part of a vector would wait for the store.
    static NarrowRows of(int bit) noexcept {
        constexpr Vector lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        const Vector its_lane = Vector{} + static_cast<std::uint16_t>(bit / 16);
        const Vector its_bit = Vector{} + static_cast<std::uint16_t>(1U << bit % 16);
        return NarrowRows{static_cast<Vector>(lane == its_lane) & its_bit};
    }

    friend NarrowRows operator|(const NarrowRows& a, const NarrowRows& b) { return NarrowRows{a.rows | b.rows}; }
    friend NarrowRows operator&(const NarrowRows& a, const NarrowRows& b) { return NarrowRows{a.rows & b.rows}; }
    friend NarrowRows operator-(const NarrowRows& a, const NarrowRows& b) { return NarrowRows{a.rows & ~b.rows}; }

    /// The square (column, row) of the result is (column + Columns, row + Rows) of the set.
    template <int Columns, int Rows>
    [[gnu::always_inline]] NarrowRows moved() const noexcept {
        const Vector by_rows = [&]<int... Lane>(std::integer_sequence<int, Lane...>) {
            if constexpr (Rows == 0) {
                return rows;
            } else {
                return __builtin_shufflevector(rows, Vector{},
                                               (Lane + Rows >= 0 && Lane + Rows < 16 ? Lane + Rows : 16 + Lane)...);
            }
        }(std::make_integer_sequence<int, 16>{});
        if constexpr (Columns > 0) return NarrowRows{by_rows >> Columns};
        if constexpr (Columns < 0) return NarrowRows{by_rows << -Columns};
        return NarrowRows{by_rows};
    }
};

/// As many rows as an array has, of as many bits as its numbers.
template <class Lane, int Lanes>
struct PlainRows : RowSet<PlainRows<Lane, Lanes>, 8 * sizeof(Lane), Lanes> {
    std::array<Lane, static_cast<std::size_t>(Lanes)> rows{};

    PlainRows() = default;
    explicit PlainRows(const decltype(rows)& given) : rows(given) {}

    friend PlainRows operator|(PlainRows a, const PlainRows& b) {
        for (std::size_t i = 0; i < a.rows.size(); ++i) a.rows[i] |= b.rows[i];
        return a;
    }
    friend PlainRows operator&(PlainRows a, const PlainRows& b) {
        for (std::size_t i = 0; i < a.rows.size(); ++i) a.rows[i] &= b.rows[i];
        return a;
    }
    friend PlainRows operator-(PlainRows a, const PlainRows& b) {
        for (std::size_t i = 0; i < a.rows.size(); ++i) a.rows[i] = static_cast<Lane>(a.rows[i] & ~b.rows[i]);
        return a;
    }

    template <int Columns, int Rows>
    PlainRows moved() const noexcept {
        return moved(Columns, Rows);
    }
    PlainRows moved(int columns, int by_rows) const noexcept {
        PlainRows out;
        const int from = by_rows < 0 ? -by_rows : 0;
        const int to = by_rows > 0 ? Lanes - by_rows : Lanes;
        for (int i = from; i < to; ++i) {
            const Lane row = rows[static_cast<std::size_t>(i + by_rows)];
            out.rows[static_cast<std::size_t>(i)] = static_cast<Lane>(columns >= 0 ? row >> columns : row << -columns);
        }
        return out;
    }
};

/// Rows for every size: 20 lanes of 32 bits.
using WideRows = PlainRows<std::uint32_t, 20>;

/// The rows of a position's set on a board of that stride, the squares of which the set form can hold.
template <class Set>
Set rows_of(const Stones& stones, int stride) noexcept {
    typename Set::Words words{};
    for (int row = 0; row < Set::lanes && stride * (row + 1) <= 64 * Stones::words; ++row) {
        const std::uint64_t bits = stones.row(row, stride);
        const int bit = Set::lane_bits * row;
        words[static_cast<std::size_t>(bit) / 64] |= bits << bit % 64;
    }
    return Set{std::bit_cast<decltype(Set::rows)>(words)};
}

}  // namespace proofbase::gomoku
