// What a search over moves that make no threat asks of go-moku beyond the threats: the windows that an extra stone of
// the defender could use, how much each square is worth, and the symmetries of the board.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/gomoku/attack.hpp"

namespace proofbase::gomoku {

template <class SetOfSquares, class Length, auto exact>
class QuietAttack : public Attack<SetOfSquares, Length, exact> {
  public:
    using Base = Attack<SetOfSquares, Length, exact>;
    using Set = typename Base::Set;
    using Stones = typename Base::Stones;
    /// The image of each bit of the board.
    using Symmetry = std::array<std::uint16_t, Set::capacity>;
    using Scores = std::array<int, Set::capacity>;
    /// QuietSettings::spare_candidates. By exactly five, the two replies next to the stone cost more with them.
    int spare_candidates() const noexcept { return this->is_exact() ? 0 : 5; }

    QuietAttack(int width, int height, Length length)
        requires(!Base::exact_at_run_time)
        : QuietAttack(width, height, length, exact) {}
    QuietAttack(int width, int height, Length length, bool exact_rows)
        : Base(width, height, length, exact_rows), length_(length) {
        for (int square = 0; square < width * height; ++square) board_ = board_ | Set::of(this->bit(square));
        add_symmetries(width, height);
        add_windows(width, height);
    }

    const Set& board() const noexcept { return board_; }
    Set empty(const Stones& s) const noexcept { return board_ - s.attacker - s.defender; }
    int length() const noexcept { return length_; }

    /// The empty squares of windows that hold no stone of the attacker and at least `count` of the defender, 0 to 3.
    /// Windows with more stones of the defender than a row needs do not occur.
    Set defender_windows(const Stones& s, int count) const {
        const Set usable = board_ - s.attacker;
        Set found;
        add_windows_along<lines::Direction<1, 0>>(usable, s.defender, count, found);
        add_windows_along<lines::Direction<0, 1>>(usable, s.defender, count, found);
        add_windows_along<lines::Direction<1, 1>>(usable, s.defender, count, found);
        add_windows_along<lines::Direction<-1, 1>>(usable, s.defender, count, found);
        return found & empty(s);
    }

    /// The worth of every empty square: for a stone of the attacker, and with what it takes from the defender.
    struct Worth {
        Scores attacker{};
        Scores defender{};
    };
    Worth worth(const Stones& s) const {
        Worth all;
        std::array<std::int8_t, Set::capacity> own{};
        std::array<std::int8_t, Set::capacity> other{};
        s.attacker.for_each([&](int bit) { own[static_cast<std::size_t>(bit)] = 1; });
        s.defender.for_each([&](int bit) { other[static_cast<std::size_t>(bit)] = 1; });
        const auto length = static_cast<std::size_t>(length_);
        for (std::size_t at = 0; at < windows_.size(); at += length) {
            int attackers = 0;
            int defenders = 0;
            for (std::size_t i = at; i < at + length; ++i) {
                attackers += own[windows_[i]];
                defenders += other[windows_[i]];
            }
            if (attackers != 0 && defenders != 0) continue;
            for (std::size_t i = at; i < at + length; ++i) {
                if (defenders == 0) all.attacker[windows_[i]] += of_window(attackers);
                if (attackers == 0) all.defender[windows_[i]] += of_window(defenders);
            }
        }
        return all;
    }

    /// The identity first.
    const std::vector<Symmetry>& symmetries() const noexcept { return symmetries_; }

  private:
    static int of_window(int stones) noexcept {
        constexpr std::array<int, 4> values = {1, 6, 24, 60};
        return values[static_cast<std::size_t>(std::min(stones, 3))];
    }

    template <class Along>
    [[gnu::always_inline]] void add_windows_along(const Set& usable, const Set& defender, int count, Set& found) const {
        Set clear = usable;
        Set one = defender;
        Set two;
        Set three;
        lines::for_each(lines::plus<-1>(length_), [&](auto k) __attribute__((always_inline)) {
            const Set stone = Along::ahead(defender, lines::plus<1>(k));
            clear = clear & Along::ahead(usable, lines::plus<1>(k));
            three = three | (two & stone);
            two = two | (one & stone);
            one = one | stone;
        });
        if (count == 1) clear = clear & one;
        if (count == 2) clear = clear & two;
        if (count >= 3) clear = clear & three;
        if (clear.empty()) return;
        lines::for_each(length_,
                        [&](auto k) __attribute__((always_inline)) { found = found | Along::behind(clear, k); });
    }

    void add_symmetries(int width, int height) {
        for (int turn = 0; turn < (width == height ? 8 : 4); ++turn) {
            Symmetry image{};
            for (int square = 0; square < width * height; ++square) {
                int column = square % width;
                int row = square / width;
                if ((turn & 4) != 0) std::swap(column, row);
                if ((turn & 1) != 0) column = width - 1 - column;
                if ((turn & 2) != 0) row = height - 1 - row;
                image[static_cast<std::size_t>(this->bit(square))] =
                    static_cast<std::uint16_t>(this->bit(column + width * row));
            }
            symmetries_.push_back(image);
        }
    }

    void add_windows(int width, int height) {
        constexpr std::array<std::array<int, 2>, 4> directions = {{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};
        for (int square = 0; square < width * height; ++square) {
            for (const auto& [columns, rows] : directions) {
                const int last_column = square % width + columns * (length_ - 1);
                const int last_row = square / width + rows * (length_ - 1);
                if (last_column < 0 || last_column >= width || last_row >= height) continue;
                for (int k = 0; k < length_; ++k) {
                    windows_.push_back(static_cast<std::uint16_t>(this->bit(square + k * (columns + width * rows))));
                }
            }
        }
    }

    Set board_;
    Length length_;
    std::vector<Symmetry> symmetries_;
    std::vector<std::uint16_t> windows_;  ///< `length` bits each
};

}  // namespace proofbase::gomoku
