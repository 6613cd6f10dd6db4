// The boards of the morris games: points, lines, mills, and the maps of a board onto itself.
//
// A board is made of square rings, one inside the other, with eight points each: the corners and the middles of the
// sides. Point 8 r + k is point k of ring r; ring 0 is the outermost, and k counts clockwise from the top left corner.
//
//   men  rings              mills                                 lines along which men move
//   3    1 and the centre   4 sides, 4 through the centre         those of the mills
//   6    2                  8 sides                               the sides, and between middles of neighbouring rings
//   9    3                  12 sides, 4 across the three rings    likewise
//
// The centre of the smallest board is point 8.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace proofbase::mens_morris {

using Men = std::uint32_t;  ///< a set of points: bit p is point p

inline constexpr int most_points = 24;

constexpr Men man_on(int point) noexcept {
    return Men{1} << point;
}

/// Calls `visit(point)` for every point of a set, in ascending order.
template <class Visit>
void for_each_point(Men men, Visit&& visit) {
    for (; men != 0; men &= men - 1) visit(std::countr_zero(men));
}

/// A map of the points of a board onto the points, as images of sets: a table for each byte of a set.
class Map {
  public:
    using Images = std::array<std::uint8_t, most_points>;  ///< by point: where it goes

    explicit Map(const Images& image) noexcept {
        for (std::size_t byte = 0; byte < parts_.size(); ++byte) {
            for (unsigned bits = 0; bits < 256; ++bits) {
                Men men = 0;
                for_each_point(bits, [&](int bit) { men |= man_on(image[8 * byte + static_cast<std::size_t>(bit)]); });
                parts_[byte][bits] = men;
            }
        }
    }

    Men operator()(Men men) const noexcept {
        return parts_[0][men & 0xff] | parts_[1][men >> 8 & 0xff] | parts_[2][men >> 16 & 0xff];
    }

  private:
    std::array<std::array<Men, 256>, 3> parts_;
};

class Board {
  public:
    /// `men`: of a side, 3, 6 or 9.
    explicit Board(int men) : rings_(men / 3), centre_(men == 3), points_(centre_ ? 9 : 8 * rings_) {
        const auto line = [&](int a, int b, int c) {
            lines_.push_back(man_on(a) | man_on(b) | man_on(c));
            for (const auto& [at, one, two] : {std::array{a, b, c}, std::array{b, a, c}, std::array{c, a, b}}) {
                closers_[at].pairs[closers_[at].count++] = man_on(one) | man_on(two);
            }
        };
        const auto join = [&](int a, int b) {
            neighbours_[a] |= man_on(b);
            neighbours_[b] |= man_on(a);
        };
        for (int ring = 0; ring < rings_; ++ring) {
            for (int k = 0; k < 8; ++k) {
                join(8 * ring + k, 8 * ring + (k + 1) % 8);
                if (k % 2 == 0) line(8 * ring + k, 8 * ring + k + 1, 8 * ring + (k + 2) % 8);
                if (k % 2 == 1 && ring > 0) join(8 * ring + k, 8 * ring + k - 8);
            }
        }
        for (int k = 1; rings_ == 3 && k < 8; k += 2) line(k, 8 + k, 16 + k);
        for (int k = 0; centre_ && k < 8; ++k) {
            join(k, 8);
            if (k < 4) line(k, 8, k + 4);
        }
        make_maps();
    }

    int points() const noexcept { return points_; }
    Men all() const noexcept { return man_on(points_) - 1; }
    int size() const noexcept { return centre_ ? 3 : 2 * rings_ + 1; }  ///< columns and rows of the grid it is drawn on

    const std::vector<Men>& lines() const noexcept { return lines_; }
    Men neighbours(int point) const noexcept { return neighbours_[static_cast<std::size_t>(point)]; }

    /// Whether a man who comes to a point, beside `others` of his side, closes a mill.
    bool closes(int point, Men others) const noexcept {
        const Closers& closers = closers_[static_cast<std::size_t>(point)];
        for (unsigned i = 0; i < closers.count; ++i) {
            if ((others & closers.pairs[i]) == closers.pairs[i]) return true;
        }
        return false;
    }

    /// The men of a side that stand in mills.
    Men in_mills(Men men) const noexcept {
        Men found = 0;
        for (const Men line : lines_) {
            if ((men & line) == line) found |= line;
        }
        return found;
    }

    /// The men of a side that a mill of the other one may take: those in no mill, or all if all are in mills.
    Men exposed(Men men) const noexcept {
        const Men outside = men & ~in_mills(men);
        return outside != 0 ? outside : men;
    }

    /// The maps that keep mills and lines: the rotations and reflections, with the order of the rings kept or turned
    /// around. The first one maps every point to itself.
    const std::vector<Map>& board_maps() const noexcept { return board_maps_; }

    /// The maps that keep mills: three rings change places in any order, and two rings turn independently.
    const std::vector<Map>& mill_maps() const noexcept { return mill_maps_.empty() ? board_maps_ : mill_maps_; }

    /// Column and row of a point, from 0, from the left and from below.
    std::pair<int, int> place(int point) const noexcept {
        constexpr std::array<std::pair<int, int>, 8> around{
            {{-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}}};
        const int middle = size() / 2;
        if (point == 8 && centre_) return {middle, middle};
        const int distance = (centre_ ? 1 : rings_) - point / 8;
        const auto& [column, row] = around[static_cast<std::size_t>(point % 8)];
        return {middle + distance * column, middle + distance * row};
    }

    /// `a1` and so on: column and row.
    std::string point_text(int point) const {
        const auto [column, row] = place(point);
        return {static_cast<char>('a' + column), static_cast<char>('1' + row)};
    }

    /// The point on a place of the grid, -1 where there is none.
    int point_at(int column, int row) const noexcept {
        for (int point = 0; point < points_; ++point) {
            if (place(point) == std::pair(column, row)) return point;
        }
        return -1;
    }

  private:
    struct Closers {
        std::array<Men, 4> pairs{};
        unsigned count = 0;
    };

    /// Rotation or reflection number `turn` (0 to 7) of a ring.
    static int turned(int k, int turn) noexcept { return ((turn < 4 ? k : 8 - k) + 2 * turn) % 8; }

    void make_maps() {
        const auto add = [&](std::vector<Map>& maps, const auto& ring_of, const auto& turn_of) {
            Map::Images image{};
            for (int p = 0; p < most_points; ++p) image[static_cast<std::size_t>(p)] = static_cast<std::uint8_t>(p);
            for (int p = 0; p < 8 * (centre_ ? 1 : rings_); ++p) {
                image[static_cast<std::size_t>(p)] =
                    static_cast<std::uint8_t>(8 * ring_of(p / 8) + turned(p % 8, turn_of(p / 8)));
            }
            maps.emplace_back(image);
        };
        const int last = rings_ - 1;
        for (int turn = 0; turn < 8; ++turn) {
            const auto both = [turn](int) { return turn; };
            add(board_maps_, [](int ring) { return ring; }, both);
            if (last > 0) add(board_maps_, [last](int ring) { return last - ring; }, both);
            if (rings_ == 3) {
                for (const std::array<int, 3>& order :
                     {std::array{0, 1, 2}, std::array{2, 1, 0}, std::array{0, 2, 1}, std::array{1, 0, 2},
                      std::array{1, 2, 0}, std::array{2, 0, 1}}) {
                    add(mill_maps_, [&](int ring) { return order[static_cast<std::size_t>(ring)]; }, both);
                }
            }
            for (int other = 0; rings_ == 2 && other < 8; ++other) {
                const auto each = [=](int ring) { return ring == 0 ? turn : other; };
                add(mill_maps_, [](int ring) { return ring; }, each);
                add(mill_maps_, [](int ring) { return 1 - ring; }, each);
            }
        }
    }

    int rings_;
    bool centre_;
    int points_;
    std::vector<Men> lines_;
    std::array<Men, most_points> neighbours_{};
    std::array<Closers, most_points> closers_{};
    std::vector<Map> board_maps_;
    std::vector<Map> mill_maps_;  // empty: those of the board
};

}  // namespace proofbase::mens_morris
