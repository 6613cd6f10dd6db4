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

using Board = std::string;

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

// Whether the stone on `square` is part of a winning row. The defender wins with longer rows as well.
inline bool wins_with(const Board& b, int square) {
    const char c = b[static_cast<std::size_t>(square)];
    const int x = square % width;
    const int y = square / width;
    for (const auto& d : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}}) {
        int run = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            int a = x + sign * d.first;
            int e = y + sign * d.second;
            while (a >= 0 && a < width && e >= 0 && e < height && b[static_cast<std::size_t>(a + width * e)] == c) {
                ++run;
                a += sign * d.first;
                e += sign * d.second;
            }
        }
        if (run == length || (run > length && !(exact && c == 'X'))) return true;
    }
    return false;
}

inline std::vector<int> winning_squares(Board b, char c, int most) {
    std::vector<int> found;
    std::set<int> tried;
    for (const auto& w : windows) {
        int own = 0;
        int empty = -1;
        for (const int s : w) {
            if (b[static_cast<std::size_t>(s)] == c) ++own;
            if (b[static_cast<std::size_t>(s)] == '.') empty = s;
        }
        if (own != length - 1 || empty < 0 || !tried.insert(empty).second) continue;
        b[static_cast<std::size_t>(empty)] = c;
        if (wins_with(b, empty)) found.push_back(empty);
        b[static_cast<std::size_t>(empty)] = '.';
        if (static_cast<int>(found.size()) >= most) break;
    }
    return found;
}

// Squares in windows where two more stones could leave two that win: all that a double four can be.
inline bool double_four(Board& b, std::vector<int>* squares = nullptr) {
    for (int s = 0; s < width * height; ++s) {
        if (b[static_cast<std::size_t>(s)] != '.') continue;
        bool near = false;
        for (const int i : windows_of[static_cast<std::size_t>(s)]) {
            int own = 0;
            for (const int t : windows[static_cast<std::size_t>(i)]) own += b[static_cast<std::size_t>(t)] == 'X';
            near |= own >= length - 2;
        }
        if (!near) continue;
        b[static_cast<std::size_t>(s)] = 'X';
        const bool found = winning_squares(b, 'X', 2).size() == 2;
        b[static_cast<std::size_t>(s)] = '.';
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
    const auto at = [&](int s) -> char& { return b[static_cast<std::size_t>(s)]; };
    if (at(tree.move) != '.') return false;
    at(tree.move) = 'X';
    bool good = winning_squares(b, 'O', 1).empty();
    for (int r = 0; good && r < width * height; ++r) {
        if (at(r) != '.') continue;
        const auto listed = std::ranges::find(tree.replies, r, &std::pair<int, Tree>::first);
        at(r) = 'O';
        good = listed != tree.replies.end() ? replays(b, listed->second) : ends(b);
        at(r) = '.';
    }
    for (const auto& [reply, child] : tree.replies) good = good && at(reply) == '.';
    at(tree.move) = '.';
    return good;
}

}  // namespace replay
