// The lines of go-moku, for the check of threat trees (docs/zones.md). Nothing here is used by a search.
//
// A line is `length` squares in a row, none with a stone of the other side; if `exact`, the attacker's are without a
// stone of his own before or behind them. The defender wins by longer rows even then: further stones of his never hurt
// him, and what is won by these harsher rules is won by the rules of the game.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/gomoku/rows.hpp"

namespace proofbase::gomoku {

/// `Length` is a std::integral_constant<int, N> or an int.
template <class SetOfSquares, class Length>
class WinningLines {
  public:
    using Set = SetOfSquares;

    /// A square that leaves the attacker two squares or more that win at once. Three of them are told at most.
    struct DoubleThreat {
        std::uint16_t square;
        std::uint16_t count;
        std::array<std::uint16_t, 3> wins;
    };
    struct Attack {
        Set wins;                                  ///< the attacker wins at once on these
        std::vector<DoubleThreat> double_threats;  ///< if there are none of these
    };
    /// The empty squares of the lines, without stones of the attacker, that lack at most so many of the defender's.
    struct Defence {
        Set one;
        Set two;
        Set three;
    };

    WinningLines(int width, int height, Length length, bool exact) : length_(length), exact_(exact) {
        for (int row = 0; row < height; ++row) {
            for (int column = 0; column < width; ++column) board_ = board_ | Set::of(column + Set::lane_bits * row);
        }
    }

    const Set& board() const noexcept { return board_; }

    [[gnu::noinline]] void attack(const Set& attacker, const Set& defender, Attack& out) const {
        const Set empty = board_ - attacker - defender;
        std::array<Set, 4> two;
        Set wins;
        std::size_t i = 0;
        for_each_direction([&](auto along) __attribute__((always_inline)) {
            const Lacking lines = lacking<false>(along, attacker, empty);
            wins = wins | covered(along, lines.one);
            two[i++] = lines.two;
        });
        out.wins = wins & empty;
        out.double_threats.clear();
        if (!out.wins.empty()) return;
        // Lines with two empty squares: a stone on one of them wins on the other. Two such lines with one square in
        // common make a double threat there, unless they have both squares in common.
        i = 0;
        const typename Set::Words free = empty.as_words();
        for_each_direction([&](auto along) {
            const int step = along.columns + Set::lane_bits * along.rows;
            two[i++].for_each([&](int start) {
                std::array<std::uint16_t, 2> pair{};
                std::size_t found = 0;
                for (int bit = start; found < 2; bit += step) {
                    if ((free[static_cast<std::size_t>(bit) / 64] >> bit % 64 & 1) != 0) {
                        pair[found++] = static_cast<std::uint16_t>(bit);
                    }
                }
                add_partner(pair[0], pair[1], out.double_threats);
                add_partner(pair[1], pair[0], out.double_threats);
            });
        });
        std::erase_if(out.double_threats, [](const DoubleThreat& threat) { return threat.count < 2; });
    }

    [[gnu::noinline]] Set defender_wins(const Set& attacker, const Set& defender) const {
        const Set empty = board_ - attacker - defender;
        Set wins;
        for_each_direction([&](auto along) __attribute__((always_inline)) {
            wins = wins | covered(along, lacking<true>(along, defender, empty).one);
        });
        return wins & empty;
    }

    [[gnu::noinline]] Defence defence(const Set& attacker, const Set& defender) const {
        const Set empty = board_ - attacker - defender;
        Defence out;
        for_each_direction([&](auto along) __attribute__((always_inline)) {
            const Lacking lines = lacking<true>(along, defender, empty);
            out.one = out.one | covered(along, lines.one);
            out.two = out.two | covered(along, lines.two);
            out.three = out.three | covered(along, lines.three);
        });
        out.one = out.one & empty;
        out.two = (out.two & empty) | out.one;
        out.three = (out.three & empty) | out.two;
        return out;
    }

  private:
    template <int Columns, int Rows>
    struct Along {
        static constexpr int columns = Columns;
        static constexpr int rows = Rows;
    };
    /// Lines of one direction, by their first square, that lack exactly so many stones.
    struct Lacking {
        Set one;
        Set two;
        Set three;
    };

    template <class Visit>
    [[gnu::always_inline]] static void for_each_direction(Visit&& visit) {
        visit(Along<1, 0>{});
        visit(Along<0, 1>{});
        visit(Along<1, 1>{});
        visit(Along<-1, 1>{});
    }

    /// visit(k) for k = 0 to length - 1; k is a constant where the length is one.
    template <class Visit>
    [[gnu::always_inline]] void for_each_place(Visit&& visit) const {
        if constexpr (std::is_same_v<Length, int>) {
            for (int k = 0; k < length_; ++k) visit(k);
        } else {
            [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
                (visit(std::integral_constant<int, K>{}), ...);
            }(std::make_integer_sequence<int, Length::value>{});
        }
    }

    /// The set as it is seen k squares ahead, or behind for a negative k.
    template <class Direction, class K>
    [[gnu::always_inline]] static Set ahead(Direction, const Set& set, K k) {
        if constexpr (std::is_same_v<K, int>) {
            return set.moved(k * Direction::columns, k * Direction::rows);
        } else {
            return set.template moved<K::value * Direction::columns, K::value * Direction::rows>();
        }
    }
    template <class K>
    [[gnu::always_inline]] static constexpr auto minus(K k) {
        if constexpr (std::is_same_v<K, int>) {
            return -k;
        } else {
            return std::integral_constant<int, -K::value>{};
        }
    }

    template <bool of_defender, class Direction>
    [[gnu::always_inline]] Lacking lacking(Direction along, const Set& own, const Set& empty) const {
        const Set usable = own | empty;
        Set lines = usable;
        Set one;  // at least so many empty squares
        Set two;
        Set three;
        Set four;
        for_each_place([&](auto k) __attribute__((always_inline)) {
            const Set free = ahead(along, empty, k);
            lines = lines & ahead(along, usable, k);
            if constexpr (of_defender) four = four | (three & free);
            three = three | (two & free);
            two = two | (one & free);
            one = one | free;
        });
        if (exact_ && !of_defender) {
            lines = lines - ahead(along, own, minus(std::integral_constant<int, 1>{})) - beyond(along, own);
        }
        return {(lines & one) - two, (lines & two) - three, (lines & three) - four};
    }

    /// The squares whose line in this direction has a stone behind its last square.
    template <class Direction>
    [[gnu::always_inline]] Set beyond(Direction along, const Set& own) const {
        return ahead(along, own, length_);
    }

    /// The squares of the lines that begin on these squares.
    template <class Direction>
    [[gnu::always_inline]] Set covered(Direction along, const Set& starts) const {
        Set out;
        if (starts.empty()) return out;
        for_each_place([&](auto k) __attribute__((always_inline)) { out = out | ahead(along, starts, minus(k)); });
        return out;
    }

    static void add_partner(std::uint16_t square, std::uint16_t win, std::vector<DoubleThreat>& threats) {
        for (DoubleThreat& threat : threats) {
            if (threat.square != square) continue;
            for (std::uint16_t i = 0; i < threat.count; ++i) {
                if (threat.wins[i] == win) return;
            }
            if (threat.count < 3) threat.wins[threat.count++] = win;
            return;
        }
        threats.push_back({square, 1, {win, 0, 0}});
    }

    Set board_;
    Length length_;
    bool exact_;
};

}  // namespace proofbase::gomoku
