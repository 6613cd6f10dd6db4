// One side of a go-moku board as the attacker: the threats of both sides, as the searches of threats ask for them.
//
// The defender may win by rows longer than `length` in the variant `standard` too. So further stones of the defender
// never hurt him, and what is won by these harsher rules is won by the rules of the game.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "games/gomoku/rows.hpp"
#include "games/gomoku/threat_squares.hpp"

namespace proofbase::gomoku {

/// In place of true or false for `exact`, as a template argument: the object says which of them it is.
enum class Exactness { at_run_time };

/// `Length` is a lines::Constant or an int; `exact`: the attacker wins by rows of exactly that length only.
template <class SetOfSquares, class Length, auto exact>
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

    static constexpr bool exact_at_run_time = std::is_same_v<decltype(exact), Exactness>;

    Attack(int width, int height, Length length)
        requires(!exact_at_run_time)
        : Attack(width, height, length, exact) {}
    Attack(int width, int height, Length length, bool exact_rows) : width_(width), length_(length), exact_(exact_rows) {
        for (int row = 0; row < height; ++row) {
            for (int column = 0; column < width; ++column) board_ = board_ | Set::of(column + Set::lane_bits * row);
        }
    }

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

    Squares threats(const Stones& s) const {
        if (is_exact()) return threat_squares<true>(s.attacker, empty(s), length_);
        return threat_squares<false>(s.attacker, empty(s), length_);
    }
    /// The squares on which the attacker, and on which the defender wins at once.
    Set wins(const Stones& s) const {
        if (is_exact()) return five_squares<true>(s.attacker, empty(s), length_);
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

  protected:
    bool is_exact() const noexcept {
        if constexpr (exact_at_run_time) {
            return exact_;
        } else {
            return exact;
        }
    }

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

    Set board_;
    int width_;
    Length length_;
    bool exact_;
};

}  // namespace proofbase::gomoku
