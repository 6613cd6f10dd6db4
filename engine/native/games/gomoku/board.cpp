#include "games/gomoku/board.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace proofbase::gomoku {

namespace {

template <int Words>
[[gnu::always_inline]] inline bool has_line_of(const Squares<Words>& stones, int stride, int length,
                                               bool exact) noexcept {
    const auto lines = [&](int step) __attribute__((always_inline)) {
        const Squares<Words> found = starts(stones, step, length);
        // A longer row has starts side by side.
        return exact ? found - found.down(step) - found.up(step) : found;
    };
    return !(lines(1) | lines(stride) | lines(stride + 1) | lines(stride - 1)).empty();
}

template <int Words>
[[gnu::always_inline]] inline Squares<Words> completing_of(const Squares<Words>& own, const Squares<Words>& empty,
                                                           int stride, int length, bool exact) noexcept {
    const auto on_lines = [&](int step) __attribute__((always_inline)) {
        std::array<Squares<Words>, 19> before;  // the empty squares behind so many own stones in a row
        std::array<Squares<Words>, 19> behind;  // before so many
        before[0] = behind[0] = empty;
        for (int stones = 1; stones < length; ++stones) {
            const auto i = static_cast<std::size_t>(stones);
            before[i] = before[i - 1] & own.up(stones * step);
            behind[i] = behind[i - 1] & own.down(stones * step);
        }
        Squares<Words> found;
        for (int stones = 0; stones < length; ++stones) {
            Squares<Words> squares =
                before[static_cast<std::size_t>(stones)] & behind[static_cast<std::size_t>(length - 1 - stones)];
            if (exact) squares = squares - own.up((stones + 1) * step) - own.down((length - stones) * step);
            found = found | squares;
        }
        return found;
    };
    return on_lines(1) | on_lines(stride) | on_lines(stride + 1) | on_lines(stride - 1);
}

}  // namespace

// Five in a row on rows of 16 bits, the usual game, is compiled with constant shifts.

bool has_line(const Stones& stones, int stride, int length, bool exact) noexcept {
    if (stride != 16) return has_line_of(stones, 20, length, exact);
    Squares<4> rows;
    std::copy_n(stones.word.begin(), 4, rows.word.begin());
    if (length != 5) return has_line_of(rows, 16, length, exact);
    return exact ? has_line_of(rows, 16, 5, true) : has_line_of(rows, 16, 5, false);
}

Stones completing(const Stones& own, const Stones& empty, int stride, int length, bool exact) noexcept {
    if (stride != 16) return completing_of(own, empty, 20, length, exact);
    Squares<4> stones;
    Squares<4> squares;
    std::copy_n(own.word.begin(), 4, stones.word.begin());
    std::copy_n(empty.word.begin(), 4, squares.word.begin());
    const Squares<4> found = length != 5 ? completing_of(stones, squares, 16, length, exact)
                             : exact     ? completing_of(stones, squares, 16, 5, true)
                                         : completing_of(stones, squares, 16, 5, false);
    Stones out;
    std::ranges::copy(found.word, out.word.begin());
    return out;
}

}  // namespace proofbase::gomoku
