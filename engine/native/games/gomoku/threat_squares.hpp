// The squares of go-moku on which a stone makes a threat, for all lines of a board at once.
//
// A window is `length` squares in a row, all on the board, none of them the opponent's; by the rule `exact` the squares
// before and behind it are not of the own colour either. The words are those of Allis 1994, 5.2:
//   five           completes a window: the stone wins.
//   four           leaves a window with one empty square: the next stone there wins.
//   straight four  a row of length - 1 with an empty square at both ends, each of which completes a window.
//   double four    leaves two squares that win: straight fours, two fours on different lines, two on the same line.
//                  Of the last kind those may be missing of which a square wins already.
//   three          leaves a square that makes a straight four.
#pragma once

#include <type_traits>
#include <utility>

namespace proofbase::gomoku {

/// Sets of empty squares, by what a stone there makes. A square can be in several.
template <class Set>
struct ThreatSquares {
    Set five;
    Set four;
    Set straight_four;
    Set double_four;  ///< straight fours among them
    Set three;
    Set four_three;    ///< a four on one line, a three on another
    Set double_three;  ///< threes on two lines
};

enum class Detail { fives, fours, all };

namespace lines {

/// A number known when the code is compiled, or an int: lengths and distances on a line.
template <int N>
using Constant = std::integral_constant<int, N>;

template <int More, int N>
constexpr Constant<N + More> plus(Constant<N>) {
    return {};
}
template <int More>
constexpr int plus(int n) {
    return n + More;
}

/// `visit(k)` for k = 0 to n - 1.
template <int N, class Visit>
[[gnu::always_inline]] inline void for_each(Constant<N>, Visit&& visit) {
    [&]<int... K>(std::integer_sequence<int, K...>)
        __attribute__((always_inline)) { (visit(Constant<K>{}), ...); }(std::make_integer_sequence<int, N>{});
}
template <class Visit>
inline void for_each(int n, Visit&& visit) {
    for (int k = 0; k < n; ++k) visit(k);
}

/// Lines whose next square lies so many columns and rows on.
template <int Columns, int Rows>
struct Direction {
    /// The set seen k squares ahead, or behind.
    template <class Set, int K>
    [[gnu::always_inline]] static Set ahead(const Set& set, Constant<K>) {
        return set.template moved<K * Columns, K * Rows>();
    }
    template <class Set, int K>
    [[gnu::always_inline]] static Set behind(const Set& set, Constant<K>) {
        return set.template moved<-K * Columns, -K * Rows>();
    }
    template <class Set>
    static Set ahead(const Set& set, int k) {
        return set.moved(k * Columns, k * Rows);
    }
    template <class Set>
    static Set behind(const Set& set, int k) {
        return set.moved(-k * Columns, -k * Rows);
    }
};

/// What the lines seen so far have given.
template <class Set>
struct Gathered {
    ThreatSquares<Set> found;
    Set double_four_candidates;  ///< in two windows of the same line that may leave the same square
};

template <class Along, Detail detail, bool exact, class Set, class Length>
[[gnu::always_inline]] inline void add_lines(const Set& own, const Set& empty, Length length, Gathered<Set>& all) {
    ThreatSquares<Set>& found = all.found;
    // Sets of windows, by their first square. How many squares behind the first one are empty: one, two, three or more.
    const Set usable = own | empty;
    Set clear = usable;
    Set one;
    Set two;
    Set three;
    for_each(plus<-1>(length), [&](auto k) __attribute__((always_inline)) {
        const Set e = Along::ahead(empty, plus<1>(k));
        clear = clear & Along::ahead(usable, plus<1>(k));
        if constexpr (detail != Detail::fives) three = three | (two & e);
        two = two | (one & e);
        one = one | e;
    });
    Set window = clear;
    if constexpr (exact) window = window - Along::behind(own, Constant<1>{}) - Along::ahead(own, length);
    const Set at_least_two = two | (one & empty);
    {
        const Set completed = (window & (one | empty)) - at_least_two;
        Set squares;
        for_each(length,
                 [&](auto k) __attribute__((always_inline)) { squares = squares | Along::behind(completed, k); });
        found.five = found.five | (squares & empty);
    }
    if constexpr (detail != Detail::fives) {
        const Set fours = (window & at_least_two) - (three | (two & empty));
        Set once;
        Set twice;
        for_each(length, [&](auto k) __attribute__((always_inline)) {
            const Set squares = Along::behind(fours, k);
            twice = twice | (once & squares);
            once = once | squares;
        });
        once = once & empty;
        if constexpr (detail == Detail::all) {
            // The squares between two empty ends.
            Set between = clear & empty & Along::ahead(empty, length);
            if constexpr (exact) {
                between = between - Along::behind(own, Constant<1>{}) - Along::ahead(own, plus<1>(length));
            }
            const Set straights = (between & one) - two;
            const Set threes = (between & two) - three;
            Set straight_squares;
            Set three_squares;
            for_each(plus<-1>(length), [&](auto k) __attribute__((always_inline)) {
                straight_squares = straight_squares | Along::behind(straights, plus<1>(k));
                three_squares = three_squares | Along::behind(threes, plus<1>(k));
            });
            straight_squares = straight_squares & empty;
            three_squares = three_squares & empty;
            found.straight_four = found.straight_four | straight_squares;
            found.double_four = found.double_four | straight_squares | (once & found.four);
            all.double_four_candidates = all.double_four_candidates | (twice & empty);
            found.four_three = found.four_three | (once & found.three) | (three_squares & found.four);
            found.double_three = found.double_three | (three_squares & found.three);
            found.three = found.three | three_squares;
        }
        found.four = found.four | once;
    }
}

template <Detail detail, bool exact, class Set, class Length>
[[gnu::always_inline]] inline Gathered<Set> gather(const Set& own, const Set& empty, Length length) {
    Gathered<Set> all;
    add_lines<Direction<1, 0>, detail, exact>(own, empty, length, all);
    add_lines<Direction<0, 1>, detail, exact>(own, empty, length, all);
    add_lines<Direction<1, 1>, detail, exact>(own, empty, length, all);
    add_lines<Direction<-1, 1>, detail, exact>(own, empty, length, all);
    return all;
}

}  // namespace lines

/// The empty squares that win at once.
template <bool exact, class Set, class Length>
[[gnu::noinline]] Set five_squares(const Set& own, const Set& empty, Length length) {
    return lines::gather<Detail::fives, exact>(own, empty, length).found.five;
}

/// The squares of fives and fours; the other sets are empty.
template <bool exact, class Set, class Length>
[[gnu::noinline]] ThreatSquares<Set> four_squares(const Set& own, const Set& empty, Length length) {
    return lines::gather<Detail::fours, exact>(own, empty, length).found;
}

/// All kinds. `length` is a lines::Constant, for speed, or an int.
template <bool exact, class Set, class Length>
[[gnu::noinline]] ThreatSquares<Set> threat_squares(const Set& own, const Set& empty, Length length) {
    auto all = lines::gather<Detail::all, exact>(own, empty, length);
    const Set unsure = all.double_four_candidates - all.found.double_four;
    if (!unsure.empty()) {
        unsure.for_each([&](int bit) {
            const Set stone = Set::of(bit);
            const Set fives = five_squares<exact>(own | stone, empty - stone, length);
            if ((fives - all.found.five).more_than_one()) all.found.double_four = all.found.double_four | stone;
        });
    }
    return all.found;
}

}  // namespace proofbase::gomoku
