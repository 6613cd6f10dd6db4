// The moves of the morris games forwards and backwards on sets of points, for tables. They share nothing with the moves
// of the game itself but the board's lines and neighbours: a table that they built is verified by those
// (docs/tables.md).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "games/mens_morris/board.hpp"

namespace proofbase::mens_morris {

class Steps {
  public:
    explicit Steps(const Board& board) : all_(board.all()) {
        for (int point = 0; point < board.points(); ++point) {
            neighbours_[static_cast<std::size_t>(point)] = board.neighbours(point);
        }
        for (const Men line : board.lines()) {
            const int low = std::countr_zero(line) / 8;
            if (low != (31 - std::countl_zero(line)) / 8) {
                across_.push_back(line);
                continue;
            }
            for (Men men = 0; men < 256; ++men) {  // a line within eight points: looked up by their men
                auto& part = parts_[static_cast<std::size_t>(low)][men];
                const Men missing = line & ~(men << (8 * low));
                if (missing == 0) part.mills |= line;
                if (std::has_single_bit(missing)) part.gaps |= missing;
            }
        }
    }

    /// The men of a side that stand in mills.
    Men mills(Men men) const noexcept {
        Men found = parts_[0][men & 0xff].mills | parts_[1][men >> 8 & 0xff].mills | parts_[2][men >> 16].mills;
        for (const Men line : across_) found |= (line & ~men) == 0 ? line : 0;
        return found;
    }

    /// The points on which one man more closes a mill.
    Men gaps(Men men) const noexcept {
        Men found = parts_[0][men & 0xff].gaps | parts_[1][men >> 8 & 0xff].gaps | parts_[2][men >> 16].gaps;
        for (const Men line : across_) {
            const Men missing = line & ~men;
            found |= std::has_single_bit(missing) ? missing : 0;
        }
        return found;
    }

    Men exposed(Men men) const noexcept {
        const Men outside = men & ~mills(men);
        return outside != 0 ? outside : men;
    }

    /// Where a man can go.
    Men targets(int from, Men free, bool flies) const noexcept {
        return flies ? free : free & neighbours_[static_cast<std::size_t>(from)];
    }

    /// Calls `visit(own, other)` for the men of both sides after each move: the side that moves comes first. `places`:
    /// it puts a man on the board; otherwise `flies` says how it moves.
    template <class Visit>
    void for_each_move(Men own, Men other, bool places, bool flies, Visit&& visit) const {
        const Men free = all_ & ~own & ~other;
        const Men takes = exposed(other);
        const auto go = [&](Men others, Men to_points) {
            const Men closing = gaps(others);
            for (; to_points != 0; to_points &= to_points - 1) {
                const Men to = to_points & (~to_points + 1);
                if ((closing & to) == 0) {
                    visit(others | to, other);
                    continue;
                }
                for (Men left = takes; left != 0; left &= left - 1) visit(others | to, other & ~(left & (~left + 1)));
            }
        };
        if (places) {
            go(own, free);
            return;
        }
        for (Men left = own; left != 0; left &= left - 1) {
            const Men from = left & (~left + 1);
            go(own & ~from, targets(std::countr_zero(from), free, flies));
        }
    }

    /// Calls `visit(from, to)` for the moves without a capture by which a man of `moved` can have come to `to`.
    template <class Visit>
    void for_each_move_back(Men moved, Men waiting, bool flies, Visit&& visit) const {
        const Men free = all_ & ~moved & ~waiting;
        const Men in_mills = mills(moved);  // a man in a mill closed it when he came
        for (Men left = moved & ~in_mills; left != 0; left &= left - 1) {
            const Men to = left & (~left + 1);
            for (Men from = targets(std::countr_zero(to), free, flies); from != 0; from &= from - 1) {
                visit(from & (~from + 1), to);
            }
        }
    }

  private:
    struct Part {
        Men mills = 0;
        Men gaps = 0;
    };

    Men all_;
    std::array<Men, most_points> neighbours_{};
    std::array<std::array<Part, 256>, 3> parts_{};  // by eight points and the men on them
    std::vector<Men> across_;                       // the other lines
};

}  // namespace proofbase::mens_morris
