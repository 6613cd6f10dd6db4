// The 76 lines of qubic's board (Allis 1994, 4.2.1), as sets of cubes with the bits of games/qubic.hpp.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "inline_list.hpp"

namespace proofbase {

namespace qubic_lines {

using Set = std::uint64_t;

/// All lines of a direction are parallel: from each of its first cubes, three steps on.
struct Direction {
    int step;    ///< from a bit to the next on the line
    Set starts;  ///< the cubes at which its lines begin
};

constexpr Set bit(int cube) {
    return Set{1} << cube;
}

inline constexpr std::array<Direction, 13> directions = [] {
    std::array<Direction, 13> all{};
    std::size_t count = 0;
    for (int direction = 14; direction < 27; ++direction) {  // directions 0 to 12 are the same lines backwards
        const int step[3] = {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
        Set starts = 0;
        for (int cube = 0; cube < 64; ++cube) {
            const int coordinate[3] = {cube % 4, cube / 4 % 4, cube / 16};
            bool begins = true;
            for (int axis = 0; axis < 3; ++axis)
                begins = begins && (step[axis] == 0 || coordinate[axis] == (step[axis] > 0 ? 0 : 3));
            if (begins) starts |= bit(cube);
        }
        all[count++] = {step[0] + 4 * step[1] + 16 * step[2], starts};
    }
    return all;
}();

/// The lines of a direction (bits at their starts) that have a stone of the set.
constexpr Set lines_with(Set set, int step) {
    const Set pairs = set | (set >> step);
    return pairs | (pairs >> (2 * step));
}
/// All cubes of the lines.
constexpr Set cubes_of(Set lines, int step) {
    const Set pairs = lines | (lines << step);
    return pairs | (pairs << (2 * step));
}

/// By cube: the lines that the cube lies on.
inline constexpr std::array<InlineList<Set, 7>, 64> lines_through = [] {
    std::array<InlineList<Set, 7>, 64> lines_of{};
    for (const auto [step, starts] : directions) {
        for (Set lines = starts; lines != 0; lines &= lines - 1) {
            const Set line = cubes_of(lines & -lines, step);
            for (Set cubes = line; cubes != 0; cubes &= cubes - 1) lines_of[std::countr_zero(cubes)].push_back(line);
        }
    }
    return lines_of;
}();

/// By cube: the other cubes of its lines.
inline constexpr std::array<InlineList<std::uint8_t, 21>, 64> on_lines_with = [] {
    std::array<InlineList<std::uint8_t, 21>, 64> neighbours{};
    for (int cube = 0; cube < 64; ++cube) {
        for (const Set line : lines_through[cube]) {
            for (Set others = line & ~bit(cube); others != 0; others &= others - 1) {
                neighbours[cube].push_back(static_cast<std::uint8_t>(std::countr_zero(others)));
            }
        }
    }
    return neighbours;
}();

/// Rule 3: four stones of the set in a line.
constexpr bool has_line(Set stones) noexcept {
    Set lines = 0;
    for (const auto [step, starts] : directions) {
        const Set pairs = stones & (stones >> step);
        lines |= pairs & (pairs >> (2 * step)) & starts;
    }
    return lines != 0;
}

/// The lines of a direction, those that are free of the set excluded, by how many of their cubes are in the set (bits
/// at the starts of the lines).
struct Counts {
    Set odd;           ///< one or three
    Set two_or_three;  ///< two or three
};
constexpr Counts count(Set set, int step) noexcept {
    const Set front = set ^ (set >> step);
    const Set pair = set & (set >> step);
    return {front ^ (front >> (2 * step)), (front & (front >> (2 * step))) | (pair ^ (pair >> (2 * step)))};
}

}  // namespace qubic_lines

}  // namespace proofbase
