// Go-moku on an array of characters, and the replay of threat trees on it, by the rules alone. X is the attacker.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace replay {

inline int width, height, length;
inline bool exact;

struct Tree {
    int move = -1;  // -1: ends
    std::vector<std::pair<int, Tree>> replies;
};
struct Record {
    char side;
    int rank;
    std::string board;
    int witness = -1;
    std::vector<int> named;
    std::vector<std::pair<int, Tree>> trees;  // reply -1: against a pass
};

inline std::vector<std::vector<int>> windows;
inline std::vector<std::vector<int>> windows_of;

inline void make_windows() {
    windows_of.resize(static_cast<std::size_t>(width * height));
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (const auto& d : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}}) {
                std::vector<int> w;
                for (int k = 0; k < length; ++k) {
                    const int a = x + k * d.first;
                    const int b = y + k * d.second;
                    if (a >= 0 && a < width && b >= 0 && b < height) w.push_back(a + width * b);
                }
                if (static_cast<int>(w.size()) < length) continue;
                for (const int s : w)
                    windows_of[static_cast<std::size_t>(s)].push_back(static_cast<int>(windows.size()));
                windows.push_back(w);
            }
        }
    }
}

// The squares, and for each window how many stones it holds: those of X, and 16 for each O. The counts only find the
// few windows that matter at once; whether a row wins is told by the squares.
class Board {
  public:
    explicit Board(const std::string& cells)
        : cells_(static_cast<std::size_t>(width * height), '.'), stones_(windows.size(), 0) {
        for (std::size_t s = 0; s < cells.size(); ++s) put(static_cast<int>(s), cells[s]);
    }
    char at(int square) const { return cells_[static_cast<std::size_t>(square)]; }
    const std::string& cells() const { return cells_; }
    const std::vector<unsigned char>& stones() const { return stones_; }
    void put(int square, char cell) {
        const int change = weight(cell) - weight(at(square));
        cells_[static_cast<std::size_t>(square)] = cell;
        for (const int w : windows_of[static_cast<std::size_t>(square)]) {
            stones_[static_cast<std::size_t>(w)] += static_cast<unsigned char>(change);
        }
    }

  private:
    static int weight(char cell) { return cell == 'X' ? 1 : cell == 'O' ? 16 : 0; }

    std::string cells_;
    std::vector<unsigned char> stones_;
};

// Whether a stone of this player on `square` is part of a winning row. The defender wins with longer rows as well.
inline bool wins_with(const Board& b, int square, char c) {
    const int x = square % width;
    const int y = square / width;
    for (const auto& d : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}}) {
        int run = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            int a = x + sign * d.first;
            int e = y + sign * d.second;
            while (a >= 0 && a < width && e >= 0 && e < height && b.at(a + width * e) == c) {
                ++run;
                a += sign * d.first;
                e += sign * d.second;
            }
        }
        if (run == length || (run > length && !(exact && c == 'X'))) return true;
    }
    return false;
}

inline std::vector<int> winning_squares(const Board& b, char c, int most) {
    std::vector<int> found;
    const auto wanted = static_cast<unsigned char>((length - 1) * (c == 'X' ? 1 : 16));
    const unsigned char* const first = b.stones().data();
    const unsigned char* const last = first + b.stones().size();
    for (const auto* w = first; (w = std::find(w, last, wanted)) != last && static_cast<int>(found.size()) < most;) {
        const auto& window = windows[static_cast<std::size_t>(w++ - first)];
        const int empty = *std::ranges::find(window, '.', [&](int s) { return b.at(s); });
        if (wins_with(b, empty, c) && std::ranges::find(found, empty) == found.end()) found.push_back(empty);
    }
    return found;
}

// Squares in windows where two more stones could leave two that win: all that a double four can be.
inline bool double_four(Board& b, std::vector<int>* squares = nullptr) {
    std::vector<bool> near(static_cast<std::size_t>(width * height));
    for (std::size_t w = 0; w < windows.size(); ++w) {
        if (b.stones()[w] % 16 < length - 2) continue;
        for (const int s : windows[w]) near[static_cast<std::size_t>(s)] = true;
    }
    for (int s = 0; s < width * height; ++s) {
        if (!near[static_cast<std::size_t>(s)] || b.at(s) != '.') continue;
        b.put(s, 'X');
        const bool found = winning_squares(b, 'X', 2).size() == 2;
        b.put(s, '.');
        if (found && squares == nullptr) return true;
        if (found) squares->push_back(s);
    }
    return squares != nullptr && !squares->empty();
}

inline bool ends(Board& b) {
    if (!winning_squares(b, 'X', 1).empty()) return true;
    return winning_squares(b, 'O', 1).empty() && double_four(b);
}

inline bool replays(Board& b, const Tree& tree) {
    if (tree.move < 0) return ends(b);
    if (b.at(tree.move) != '.') return false;
    b.put(tree.move, 'X');
    bool good = winning_squares(b, 'O', 1).empty();
    for (int r = 0; good && r < width * height; ++r) {
        if (b.at(r) != '.') continue;
        const auto listed = std::ranges::find(tree.replies, r, &std::pair<int, Tree>::first);
        b.put(r, 'O');
        good = listed != tree.replies.end() ? replays(b, listed->second) : ends(b);
        b.put(r, '.');
    }
    for (const auto& [reply, child] : tree.replies) good = good && b.at(reply) == '.';
    b.put(tree.move, '.');
    return good;
}

}  // namespace replay
