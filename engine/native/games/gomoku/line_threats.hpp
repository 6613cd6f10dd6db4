// Go-moku's threats as operators (Allis 1994, 5.3.2): a move of one side together with all squares by which the other
// side can answer it, on one line each.
//
// With `length` = 5, and the other side's stones on none of the squares:
//   four           3 of 5 squares taken, one more of them: the reply is the fifth. Category 1.
//   broken three   2 of the 4 inner of 6 squares taken, one more of them, the one left between two taken ones: the
//                  replies are that one and the two ends. Category 2.
//   three          as before, but three in a row: the one left and the two ends; with a seventh square free behind the
//                  row only the two squares beside the row (and no other three of the same row: "restricted threes").
// Where only rows of exactly `length` win, the squares before and behind must not be of the own side.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace proofbase::gomoku {

template <class Set>
struct LineThreat {
    int move;
    int category;    ///< moves in which the threat wins: 1 or 2
    Set replies;     ///< 1, 2 or 3 squares, without the move
    Set squares;     ///< that the threat needs, the move among them: none of them may be the other side's
    Set extensions;  ///< squares that must not be the own side's, if longer rows do not win
};

/// Threats of one side. Squares are bits of `Set`.
template <class Set>
class LineThreats {
  public:
    using Threat = LineThreat<Set>;

    LineThreats(int width, int height, int length, bool exact)
        : width_(width), height_(height), length_(length), exact_(exact) {}

    /// Adds the threats that need one of the own stones, each once. Those of threes only if `category` is 2.
    void add_all(const Set& own, const Set& other, int category, std::vector<Threat>& out) const {
        own.for_each([&](int stone) { add_lines(own, other, stone, -1, true, category, out); });
    }
    /// Adds those that need this own stone.
    void add_with(const Set& own, const Set& other, int stone, int category, std::vector<Threat>& out) const {
        add_lines(own, other, stone, -1, false, category, out);
    }
    /// Adds those that need both stones.
    void add_with_both(const Set& own, const Set& other, int stone, int second, int category,
                       std::vector<Threat>& out) const {
        add_lines(own, other, stone, second, false, category, out);
    }
    /// Whether a threat can need both stones: they are near each other on a line.
    bool on_a_line(int one, int other) const noexcept {
        const int columns = other % Set::lane_bits - one % Set::lane_bits;
        const int rows = other / Set::lane_bits - one / Set::lane_bits;
        const bool line = columns == 0 || rows == 0 || columns == rows || columns == -rows;
        const int far = std::max(std::abs(columns), std::abs(rows));
        return line && far < length_ && far > 0;
    }

  private:
    /// The squares around a stone on one line: bit `centre_` is the stone, the next higher one lies a step ahead.
    struct Line {
        std::uint64_t own = 0;
        std::uint64_t empty = 0;
        int column = 0, row = 0, columns = 0, rows = 0;
    };

    static constexpr int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};

    bool on_board(int column, int row) const noexcept {
        return column >= 0 && column < width_ && row >= 0 && row < height_;
    }

    Set squares_of(const Line& line, std::uint64_t bits) const noexcept {
        Set set;
        for (; bits != 0; bits &= bits - 1) {
            const int k = std::countr_zero(bits) - centre();
            const int column = line.column + k * line.columns;
            const int row = line.row + k * line.rows;
            if (on_board(column, row)) set = set | Set::of(column + Set::lane_bits * row);
        }
        return set;
    }

    int centre() const noexcept { return length_ + 1; }

    /// Windows that hold the stone, and `second` if that is a square; if `first` is set, only windows whose first own
    /// stone it is.
    void add_lines(const Set& own, const Set& other, int stone, int second, bool first, int category,
                   std::vector<Threat>& out) const {
        for (const auto& step : steps) {
            Line line{0, 0, stone % Set::lane_bits, stone / Set::lane_bits, step[0], step[1]};
            std::uint64_t both = std::uint64_t{1} << centre();
            int on_line = second < 0 ? 2 : 1;
            for (int k = -centre(); k <= centre(); ++k) {
                const int column = line.column + k * line.columns;
                const int row = line.row + k * line.rows;
                if (!on_board(column, row)) continue;
                const int bit = column + Set::lane_bits * row;
                const std::uint64_t place = std::uint64_t{1} << (k + centre());
                if (own.has(bit)) {
                    line.own |= place;
                } else if (!other.has(bit)) {
                    line.empty |= place;
                }
                if (bit == second && k != 0) {
                    both |= place;
                    ++on_line;
                }
            }
            if (on_line < 2) continue;
            add_fours(line, both, first, out);
            if (category >= 2) add_threes(line, both, first, out);
        }
    }

    static std::uint64_t ones(int count) noexcept { return (std::uint64_t{1} << count) - 1; }

    bool is_wanted(std::uint64_t taken, std::uint64_t both, bool first) const noexcept {
        if ((taken & both) != both) return false;
        return !first || std::countr_zero(taken) == centre();
    }

    void add_fours(const Line& line, std::uint64_t both, bool first, std::vector<Threat>& out) const {
        for (int start = centre() - length_ + 1; start <= centre(); ++start) {
            const std::uint64_t window = ones(length_) << start;
            const std::uint64_t taken = line.own & window;
            const std::uint64_t free = line.empty & window;
            if ((taken | free) != window || std::popcount(free) != 2 || !is_wanted(taken, both, first)) continue;
            const std::uint64_t beside = (window << 1 | window >> 1) & ~window;
            if (exact_ && (beside & line.own) != 0) continue;
            const std::uint64_t low = free & (~free + 1);
            const std::uint64_t moves[2] = {low, free ^ low};
            for (int i = 0; i < 2; ++i) {
                out.push_back({bit_of(line, moves[i]), 1, squares_of(line, moves[1 - i]), squares_of(line, window),
                               exact_ ? squares_of(line, beside) : Set{}});
            }
        }
    }

    void add_threes(const Line& line, std::uint64_t both, bool first, std::vector<Threat>& out) const {
        for (int start = centre() - length_ + 1; start < centre(); ++start) {  // start: the empty end before the inner
            const std::uint64_t inner = ones(length_ - 1) << (start + 1);
            const std::uint64_t ends = std::uint64_t{1} << start | std::uint64_t{1} << (start + length_);
            const std::uint64_t taken = line.own & inner;
            const std::uint64_t free = line.empty & inner;
            if ((line.empty & ends) != ends || (taken | free) != inner || std::popcount(free) != 2) continue;
            if (!is_wanted(taken, both, first)) continue;
            const std::uint64_t window = inner | ends;
            const std::uint64_t beside = (window << 1 | window >> 1) & ~window;
            if (exact_ && (beside & line.own) != 0) continue;
            const std::uint64_t low = free & (~free + 1);
            const std::uint64_t moves[2] = {low, free ^ low};
            for (int i = 0; i < 2; ++i) {
                const std::uint64_t left = moves[1 - i];
                const bool left_first = left == std::uint64_t{1} << (start + 1);
                const bool left_last = left == std::uint64_t{1} << (start + length_ - 1);
                std::uint64_t replies = left | ends;
                std::uint64_t needed = window;
                if (left_first || left_last) {
                    // A row: a free square behind its other end makes it a three with two replies, which is found
                    // twice, once from each side.
                    const std::uint64_t seventh =
                        left_first ? std::uint64_t{1} << (start + length_ + 1) : std::uint64_t{1} << start >> 1;
                    const std::uint64_t seven = window | seventh;
                    const std::uint64_t around_seven = (seven << 1 | seven >> 1) & ~seven;
                    if ((line.empty & seventh) != 0 && !(exact_ && (around_seven & line.own) != 0)) {
                        if (left_last) continue;
                        replies = left | std::uint64_t{1} << (start + length_);
                        needed = seven;
                    }
                }
                const std::uint64_t around = (needed << 1 | needed >> 1) & ~needed;
                out.push_back({bit_of(line, moves[i]), 2, squares_of(line, replies), squares_of(line, needed),
                               exact_ ? squares_of(line, around) : Set{}});
            }
        }
    }

    int bit_of(const Line& line, std::uint64_t place) const noexcept {
        const int k = std::countr_zero(place) - centre();
        return line.column + k * line.columns + Set::lane_bits * (line.row + k * line.rows);
    }

    int width_;
    int height_;
    int length_;
    bool exact_;
};

}  // namespace proofbase::gomoku
