// The 192 automorphisms of qubic's board (Allis 1994, 4.2.3): the permutations of the cubes that map lines to lines.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace proofbase::qubic_symmetry {

// The number of a cube has six bits, two for each axis. Exchanging planes of an axis, or two axes, flips or exchanges
// bits of all numbers. Several images of the position are transformed at a time, one in each lane of a vector.
#if defined(__AVX512F__)
inline constexpr int lanes = 8;
#elif defined(__AVX2__)
inline constexpr int lanes = 4;
#else
inline constexpr int lanes = 2;
#endif
using Lanes [[gnu::vector_size(8 * lanes)]] = std::uint64_t;
/// Several images of a position: the sets of both players, an image in each lane.
struct Image {
    Lanes first;
    Lanes second;
};
using Images = std::array<Image, 8 / lanes>;

/// By bit of the numbers: the cubes whose numbers have the bit clear.
inline constexpr std::array<std::uint64_t, 6> bit_clear = [] {
    std::array<std::uint64_t, 6> clear{};
    for (int cube = 0; cube < 64; ++cube) {
        for (int bit = 0; bit < 6; ++bit) clear[bit] |= static_cast<std::uint64_t>(~cube >> bit & 1) << cube;
    }
    return clear;
}();

/// Exchanges each cube of `low` with the cube whose number is `distance` higher.
template <class Sets>
[[gnu::always_inline]] inline void exchange(Sets& sets, std::uint64_t low, int distance) noexcept {
    const Sets moving = ((sets >> distance) ^ sets) & low;
    sets ^= moving ^ (moving << distance);
}

template <class Sets>
[[gnu::always_inline]] inline void flip_bit(Sets& sets, int bit) noexcept {
    exchange(sets, bit_clear[bit], 1 << bit);
}

/// Exchanges the bits `low` and `high` > `low` of the numbers.
[[gnu::always_inline]] inline void exchange_bits(Lanes& sets, int low, int high) noexcept {
    exchange(sets, bit_clear[high] & ~bit_clear[low], (1 << high) - (1 << low));
}

/// `bit` is 0 for x and y, 2 for y and z.
[[gnu::always_inline]] inline void exchange_axes(Lanes& sets, int bit) noexcept {
    exchange_bits(sets, bit, bit + 2);
    exchange_bits(sets, bit + 1, bit + 3);
}

[[gnu::always_inline]] inline void turn_inside_out(Lanes& sets) noexcept {
    for (int axis = 0; axis < 3; ++axis) flip_bit(sets, 2 * axis);  // planes 0 and 1, 2 and 3
}

[[gnu::always_inline]] inline void exchange_inner_planes(Lanes& sets) noexcept {
    for (int axis = 0; axis < 3; ++axis) exchange_bits(sets, 2 * axis, 2 * axis + 1);  // planes 1 and 2
}

/// The position reflected along every set of axes.
inline Images reflections(std::uint64_t first, std::uint64_t second) noexcept {
    Images images;
    for (int number = 0; number < 8; ++number) {
        std::uint64_t set[2] = {first, second};
        for (int axis = 0; axis < 3; ++axis) {
            if ((number >> axis & 1) == 0) continue;
            for (const int bit : {2 * axis, 2 * axis + 1}) {
                flip_bit(set[0], bit);
                flip_bit(set[1], bit);
            }
        }
        Image& image = images[static_cast<std::size_t>(number / lanes)];
        image.first[number % lanes] = set[0];
        image.second[number % lanes] = set[1];
    }
    return images;
}

/// The smallest image of a position under the automorphisms.
///
/// There are 8 * 4 * 6: the 8 reflections along the axes, which are computed in parallel; 4 combinations of turning
/// inside out and of exchanging the inner planes (up to reflections); and the 6 orders of the axes. A few exchanges of
/// bits lead from each of the last 24 to the next. Inlined by force: a call costs 7 % of the time.
[[gnu::always_inline]] inline std::pair<std::uint64_t, std::uint64_t> smallest_image(std::uint64_t first,
                                                                                     std::uint64_t second) noexcept {
    Images images = reflections(first, second);
    Images least = images;
    for (int turn = 1; turn < 24; ++turn) {
        for (std::size_t i = 0; i < images.size(); ++i) {
            Image& image = images[i];
            if (turn % 6 != 0) {
                const int axis = turn % 2 == 0 ? 2 : 0;  // x and y, y and z, x and y, ...: all six orders
                exchange_axes(image.first, axis);
                exchange_axes(image.second, axis);
            } else if (turn % 12 != 0) {
                turn_inside_out(image.first);
                turn_inside_out(image.second);
            } else {
                exchange_inner_planes(image.first);
                exchange_inner_planes(image.second);
            }
            const auto less =
                (image.first < least[i].first) | ((image.first == least[i].first) & (image.second < least[i].second));
            least[i].first = less ? image.first : least[i].first;
            least[i].second = less ? image.second : least[i].second;
        }
    }
    using Sets = std::pair<std::uint64_t, std::uint64_t>;
    Sets smallest(+least[0].first[0], +least[0].second[0]);  // clang binds no reference to a lane
    for (const Image& image : least) {
        for (int lane = 0; lane < lanes; ++lane) {
            smallest = std::min(smallest, Sets(+image.first[lane], +image.second[lane]));
        }
    }
    return smallest;
}

}  // namespace proofbase::qubic_symmetry
