// The squares that are forbidden to Black in renju: what a stone there makes on each of the four lines through it.
//
// A line is seen as eleven places, the square in the middle: all that matters to a row of exactly five with a stone
// there. Bit 0 is the place farthest to the left or below.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "games/gomoku/board.hpp"

namespace proofbase::renju {

enum class Fault : std::uint8_t { none, overline, double_four, double_three };

/// What makes a move forbidden, in words.
constexpr const char* text_of(Fault fault) noexcept {
    constexpr std::array<const char*, 4> texts = {"nothing", "an overline", "a double four", "a double three"};
    return texts[static_cast<std::size_t>(fault)];
}

class Forbidden {
    using Stones = gomoku::Stones;

  public:
    Forbidden(int width, int height, int stride) : width_(width), height_(height), stride_(stride) {}

    /// Why a stone of Black's on the empty square with this bit is forbidden; `none`: it is not.
    Fault fault(Stones black, const Stones& white, int bit) const noexcept {
        black.add(bit);
        std::array<Line, 4> lines;
        int stones = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            lines[i] = line(black, white, bit, i);
            stones += std::popcount(lines[i].black) - 1;
        }
        if (stones < least_stones) return Fault::none;
        bool overline = false;
        int fours = 0;
        for (const Line& line : lines) {
            const int row = length(line);
            if (row == 5) return Fault::none;
            overline = overline || row > 5;
            fours += fours_of(line);
        }
        if (overline) return Fault::overline;
        if (fours > 1) return Fault::double_four;
        int threes = 0;
        for (std::size_t i = 0; i < 4 && threes < 2; ++i) threes += is_three(lines[i], black, white, bit, i) ? 1 : 0;
        return threes > 1 ? Fault::double_three : Fault::none;
    }

  private:
    static constexpr int middle = 5;
    static constexpr int places = 2 * middle + 1;
    static constexpr int least_stones = 4;  ///< beside the new one, for any of the three faults

    struct Line {
        std::uint32_t black = 0;
        std::uint32_t empty = 0;
    };

    int step(std::size_t direction) const noexcept {
        const std::array<int, 4> steps = {1, stride_, stride_ + 1, stride_ - 1};
        return steps[direction];
    }

    Line line(const Stones& black, const Stones& white, int bit, std::size_t direction) const noexcept {
        constexpr std::array<std::array<int, 2>, 4> steps = {{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};
        const auto [columns, rows] = steps[direction];
        Line found;
        for (int place = 0; place < places; ++place) {
            const int column = bit % stride_ + (place - middle) * columns;
            const int row = bit / stride_ + (place - middle) * rows;
            if (column < 0 || column >= width_ || row < 0 || row >= height_) continue;
            const int there = column + stride_ * row;
            if (black.has(there)) {
                found.black |= 1u << place;
            } else if (!white.has(there)) {
                found.empty |= 1u << place;
            }
        }
        return found;
    }

    /// Stones in the unbroken row with the middle one.
    static int length(const Line& line) noexcept {
        int low = middle;
        int high = middle;
        while (low > 0 && (line.black >> (low - 1) & 1) != 0) --low;
        while (high + 1 < places && (line.black >> (high + 1) & 1) != 0) ++high;
        return high - low + 1;
    }

    /// Sets of four stones with the middle one that one more stone makes exactly five. A straight four is one of them.
    static int fours_of(const Line& line) noexcept {
        std::array<std::uint32_t, 5> seen{};
        std::size_t count = 0;
        for (int first = 1; first <= middle; ++first) {
            const std::uint32_t row = 31u << first;
            const std::uint32_t beside = 1u << (first - 1) | 1u << (first + 5);
            const std::uint32_t four = line.black & row;
            if (std::popcount(four) != 4 || (line.empty & row) == 0 || (line.black & beside) != 0) continue;
            bool known = false;
            for (std::size_t i = 0; i < count; ++i) known = known || seen[i] == four;
            if (!known) seen[count++] = four;
        }
        return static_cast<int>(count);
    }

    /// Whether three stones with the middle one are a three. There is one on a line at the most: of two rows of four
    /// places with the middle, one has an end, which is empty, where the other has its gap, so that a straight four of
    /// one would be longer with the stones of the other, or both have the same three stones.
    bool is_three(const Line& line, const Stones& black, const Stones& white, int bit,
                  std::size_t direction) const noexcept {
        for (int first = middle - 3; first <= middle; ++first) {
            const std::uint32_t row = 15u << first;
            const std::uint32_t ends = 1u << (first - 1) | 1u << (first + 4);
            const std::uint32_t beyond = 1u << (first - 2) | 1u << (first + 5);
            if (std::popcount(line.black & row) != 3 || (line.empty & row) == 0) continue;
            if ((line.empty & ends) != ends || (line.black & beyond) != 0) continue;
            const int gap = bit + (std::countr_zero(line.empty & row) - middle) * step(direction);
            if (!makes_five(black, white, gap) && fault(black, white, gap) == Fault::none) return true;
        }
        return false;
    }

    bool makes_five(Stones black, const Stones& white, int bit) const noexcept {
        black.add(bit);
        for (std::size_t i = 0; i < 4; ++i) {
            if (length(line(black, white, bit, i)) == 5) return true;
        }
        return false;
    }

    int width_;
    int height_;
    int stride_;
};

}  // namespace proofbase::renju
