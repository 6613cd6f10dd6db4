// One side of a go-moku board as the attacker: the threats of both sides, as the searches of threats ask for them, and
// for those over moves that make no threat the windows that an extra stone of the defender could use, how much each
// square is worth, and the symmetries of the board.
//
// The defender may win by rows longer than `length` in the variant `standard` too. So further stones of the defender
// never hurt him, and what is won by these harsher rules is won by the rules of the game.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/gomoku/line_threats.hpp"
#include "games/gomoku/rows.hpp"
#include "games/gomoku/threat_squares.hpp"

namespace proofbase::gomoku {

/// `Length` is a lines::Constant or an int.
template <class SetOfSquares, class Length>
class Attack {
  public:
    using Set = SetOfSquares;
    using Squares = ThreatSquares<Set>;

    /// The squares are bits of the sets. `hash` follows from the stones.
    struct Stones {
        Set attacker;
        Set defender;
        std::uint64_t hash = 0;
    };

    /// The image of each bit of the board.
    using Symmetry = std::array<std::uint16_t, Set::capacity>;
    using Scores = std::array<int, Set::capacity>;

    /// `exact`: the attacker wins by rows of exactly that length only. `professional`: the opening rule holds.
    Attack(int width, int height, Length length, bool exact, bool professional = false)
        : width_(width), height_(height), length_(length), exact_(exact), professional_(professional) {
        for (int square = 0; square < width * height; ++square) {
            board_ = board_ | Set::of(bit(square));
            const int away = std::max(std::abs(square % width - width / 2), std::abs(square / width - height / 2));
            Set& opening = opening_[static_cast<std::size_t>(std::min(away, 2))];
            if (away != 2) opening = opening | Set::of(bit(square));
        }
        add_symmetries();
        add_windows();
    }

    /// QuietSettings::spare_candidates. By exactly five, the two replies next to the stone cost more with them.
    int spare_candidates() const noexcept { return exact_ ? 0 : 5; }

    const Set& board() const noexcept { return board_; }
    int length() const noexcept { return length_; }

    /// Squares are numbered row by row from a1: column + width * row.
    int square(int bit) const noexcept { return bit % Set::lane_bits + width_ * (bit / Set::lane_bits); }
    int bit(int square) const noexcept { return square % width_ + Set::lane_bits * (square / width_); }

    Stones stones(const Set& attacker, const Set& defender) const {
        Stones s;
        attacker.for_each([&](int bit) { s = attacked(s, bit); });
        defender.for_each([&](int bit) { s = defended(s, bit); });
        return s;
    }
    Stones attacked(const Stones& s, int bit) const noexcept {
        return {s.attacker | Set::of(bit), s.defender, s.hash ^ keys[0][static_cast<std::size_t>(bit)]};
    }
    Stones defended(const Stones& s, int bit) const noexcept {
        return {s.attacker, s.defender | Set::of(bit), s.hash ^ keys[1][static_cast<std::size_t>(bit)]};
    }

    Set empty(const Stones& s) const noexcept { return board_ - s.attacker - s.defender; }
    /// Those that the opening rule allows.
    Set playable(const Stones& s) const noexcept {
        const auto stones = static_cast<std::size_t>(s.attacker.count() + s.defender.count());
        return professional_ && stones < opening_.size() ? empty(s) & opening_[stones] : empty(s);
    }

    Squares threats(const Stones& s) const {
        if (exact_) return threat_squares<true>(s.attacker, empty(s), length_);
        return threat_squares<false>(s.attacker, empty(s), length_);
    }
    /// The squares on which the attacker, and on which the defender wins at once.
    Set wins(const Stones& s) const {
        if (exact_) return five_squares<true>(s.attacker, empty(s), length_);
        return five_squares<false>(s.attacker, empty(s), length_);
    }
    Set defender_wins(const Stones& s) const { return five_squares<false>(s.defender, empty(s), length_); }
    /// The squares on which the defender makes a straight four.
    Set defender_straight_fours(const Stones& s) const {
        return threat_squares<false>(s.defender, empty(s), length_).straight_four;
    }
    Set defender_fours(const Stones& s) const { return four_squares<false>(s.defender, empty(s), length_).four; }

    /// The squares on which a stone of the defender leaves none of these double fours a double four. The attacker must
    /// not have a square that wins at once: those of a double four are then all made by it.
    Set meeting(const Stones& s, const Set& double_fours) const {
        Set met = empty(s);
        Set left = double_fours;
        while (!left.empty() && !met.empty()) {
            const int bit = left.first();
            const Set stone = Set::of(bit);
            const Set winning = wins(attacked(s, bit));
            // A reply on one of three winning squares leaves two.
            met = met & (winning.count() == 2 ? stone | winning : stone);
            left = left - stone;
        }
        return met;
    }

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

    /// The threats of the attacker, and of the defender, as operators.
    LineThreats<Set> line_threats() const { return {width_, height_, length_, exact_}; }
    LineThreats<Set> defender_line_threats() const { return {width_, height_, length_, false}; }

  private:
    static constexpr auto keys = [] {
        std::array<std::array<std::uint64_t, Set::capacity>, 2> out{};
        std::uint64_t state = 0;
        for (auto& of_colour : out) {
            for (std::uint64_t& key : of_colour) {  // splitmix64
                std::uint64_t z = state += 0x9e3779b97f4a7c15;
                z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
                z = (z ^ z >> 27) * 0x94d049bb133111eb;
                key = z ^ z >> 31;
            }
        }
        return out;
    }();

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

    void add_symmetries() {
        for (int turn = 0; turn < (width_ == height_ ? 8 : 4); ++turn) {
            Symmetry image{};
            for (int square = 0; square < width_ * height_; ++square) {
                int column = square % width_;
                int row = square / width_;
                if ((turn & 4) != 0) std::swap(column, row);
                if ((turn & 1) != 0) column = width_ - 1 - column;
                if ((turn & 2) != 0) row = height_ - 1 - row;
                image[static_cast<std::size_t>(bit(square))] = static_cast<std::uint16_t>(bit(column + width_ * row));
            }
            symmetries_.push_back(image);
        }
    }

    void add_windows() {
        constexpr std::array<std::array<int, 2>, 4> directions = {{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};
        for (int square = 0; square < width_ * height_; ++square) {
            for (const auto& [columns, rows] : directions) {
                const int last_column = square % width_ + columns * (length_ - 1);
                const int last_row = square / width_ + rows * (length_ - 1);
                if (last_column < 0 || last_column >= width_ || last_row >= height_) continue;
                for (int k = 0; k < length_; ++k) {
                    windows_.push_back(static_cast<std::uint16_t>(bit(square + k * (columns + width_ * rows))));
                }
            }
        }
    }

    Set board_;
    int width_;
    int height_;
    Length length_;
    bool exact_;
    bool professional_;
    std::array<Set, 3> opening_{};  ///< the centre, the squares next to it, those outside the 5x5 squares there
    std::vector<Symmetry> symmetries_;
    std::vector<std::uint16_t> windows_;  ///< `length` bits each
};

}  // namespace proofbase::gomoku
