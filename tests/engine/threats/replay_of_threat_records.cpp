// Checks a file of records of go-moku as openings_of_gomoku writes it, by the rules alone: boards are arrays of
// characters, and nothing is shared with the search.
//   replay_of_threat_records FILE SHARE [SEED [PART]]
// SHARE is the part of the records, in 1000, whose replies are all replayed. The other ones are checked with zones,
// which are computed here; of the replayed ones it is counted how often a reply outside the zone failed (the theorem
// says: never).
//
// A line is a record: the stones of the attacker and of the defender as squares with commas, the side to
// move, the rank, and
//   W MOVE | T TREE | N COUNT MOVE... P HAS [TREE] R COUNT (REPLY TREE)...
// A TREE is 0, or MOVE + 1, COUNT, and COUNT times a reply and a tree.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "plain_replay.hpp"

namespace {

using namespace replay;

// The zone of a tree that is known to replay: section 4 of the trial.
struct Zone {
    std::set<int> squares;

    void windows_with(const Board& b, int stones) {
        for (std::size_t w = 0; w < windows.size(); ++w) {
            const int own = b.stones()[w] % 16;
            const int other = b.stones()[w] / 16;
            if (own > 0 || other < stones) continue;
            for (const int s : windows[w]) {
                if (b.at(s) == '.') squares.insert(s);
            }
        }
    }
    std::vector<int> winning_after(Board& b, int square) {
        b.put(square, 'X');
        auto found = winning_squares(b, 'X', 1000);
        b.put(square, '.');
        return found;
    }
    void end(Board& b) {
        const auto wins = winning_squares(b, 'X', 1000);
        if (!wins.empty()) {
            if (std::ranges::none_of(wins, [&](int s) { return squares.contains(s); })) squares.insert(wins.front());
            return;
        }
        windows_with(b, length - 2);
        std::vector<int> options;
        double_four(b, &options);
        std::vector<int> best;
        std::size_t least = 1000;
        for (const int option : options) {
            auto wins_after = winning_after(b, option);
            std::ranges::stable_sort(wins_after, {}, [&](int s) { return squares.contains(s) ? 0 : 1; });
            wins_after.resize(2);
            wins_after.push_back(option);
            const auto added = static_cast<std::size_t>(
                std::ranges::count_if(wins_after, [&](int s) { return !squares.contains(s); }));
            if (added < least) {
                least = added;
                best = wins_after;
            }
        }
        squares.insert(best.begin(), best.end());
    }
    void node(Board& b, const Tree& tree) {
        if (tree.move < 0) return end(b);
        windows_with(b, length - 2);
        squares.insert(tree.move);
        b.put(tree.move, 'X');
        auto wins = winning_squares(b, 'X', 1000);
        if (!wins.empty()) {
            windows_with(b, length - 2);
            if (wins.size() > 2) wins.resize(2);
            squares.insert(wins.begin(), wins.end());
        } else {
            windows_with(b, length - 3);
            std::vector<int> options;
            double_four(b, &options);
            // All of them, which is more than is needed.
            std::set<int> met;
            for (int s = 0; s < width * height; ++s) {
                if (b.at(s) == '.' &&
                    std::ranges::find(tree.replies, s, &std::pair<int, Tree>::first) == tree.replies.end()) {
                    met.insert(s);
                }
            }
            while (!met.empty()) {
                std::vector<int> best;
                std::set<int> best_left = met;
                std::size_t best_added = 0;
                for (const int option : options) {
                    auto needed = winning_after(b, option);
                    const bool all = needed.size() == 2;
                    needed.push_back(option);
                    std::set<int> left;
                    for (const int s : needed) {
                        if (met.contains(s) && (all || s == option)) left.insert(s);
                    }
                    const auto added = static_cast<std::size_t>(
                        std::ranges::count_if(needed, [&](int s) { return !squares.contains(s); }));
                    if (left.size() < best_left.size() ||
                        (left.size() == best_left.size() && left.size() < met.size() && added < best_added)) {
                        best_left = left;
                        best = needed;
                        best_added = added;
                    }
                }
                if (best.empty()) break;
                squares.insert(best.begin(), best.end());
                met = best_left;
            }
        }
        for (const auto& [reply, child] : tree.replies) {
            b.put(reply, 'O');
            node(b, child);
            b.put(reply, '.');
        }
        b.put(tree.move, '.');
    }
};

std::string smallest_image(const std::string& b) {
    std::string least;
    for (int turn = 0; turn < (width == height ? 8 : 4); ++turn) {
        std::string image = b;
        for (int s = 0; s < width * height; ++s) {
            int x = s % width;
            int y = s / width;
            if ((turn & 4) != 0) std::swap(x, y);
            if ((turn & 1) != 0) x = width - 1 - x;
            if ((turn & 2) != 0) y = height - 1 - y;
            image[static_cast<std::size_t>(x + width * y)] = b[static_cast<std::size_t>(s)];
        }
        if (least.empty() || image < least) least = image;
    }
    return least;
}

Tree read_tree(std::istream& in) {
    Tree tree;
    int number = 0;
    in >> number;
    tree.move = number - 1;
    if (number == 0) return tree;
    int count = 0;
    in >> count;
    for (; count > 0; --count) {
        int reply = 0;
        in >> reply;
        tree.replies.emplace_back(reply, read_tree(in));
    }
    return tree;
}

Record read_record(const std::string& line) {
    std::istringstream in(line);
    Record record;
    record.board.assign(static_cast<std::size_t>(width * height), '.');
    for (const char c : {'X', 'O'}) {
        std::string stones;
        in >> stones;
        if (stones == "-") continue;
        std::istringstream list(stones);
        for (std::string square; std::getline(list, square, ',');) {
            record.board.at(static_cast<std::size_t>(std::stoi(square))) = c;
        }
    }
    char kind = 0;
    in >> record.side >> record.rank >> kind;
    if (kind == 'W') in >> record.witness;
    if (kind == 'T') record.trees.emplace_back(-1, read_tree(in));
    if (kind == 'N') {
        int count = 0;
        in >> count;
        record.named.resize(static_cast<std::size_t>(count));
        for (int& move : record.named) in >> move;
        in >> kind >> count;
        if (count == 1) record.trees.emplace_back(-1, read_tree(in));
        in >> kind >> count;
        for (; count > 0; --count) {
            int reply = 0;
            in >> reply;
            record.trees.emplace_back(reply, read_tree(in));
        }
    }
    if (!in) {
        std::fprintf(stderr, "a line that is no record\n");
        std::exit(2);
    }
    return record;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return 2;
    std::ifstream file(arguments[1]);
    std::string rule;
    file >> width >> height >> length >> rule;
    exact = rule == "standard";
    make_windows();
    std::string line;
    std::getline(file, line);
    std::vector<Record> records;
    std::unordered_map<std::string, std::size_t> known;
    while (std::getline(file, line)) {
        records.push_back(read_record(line));
        known.emplace(records.back().side + smallest_image(records.back().board), records.size() - 1);
    }
    const int share = std::atoi(arguments[2]);
    std::mt19937 random(count > 3 ? static_cast<unsigned>(std::atoi(arguments[3])) : 1);
    long named = 0, by_pass = 0, by_own = 0, by_sibling = 0, by_zone = 0, bad = 0, wrong_zone = 0, sampled = 0;
    long nodes = 0;
    const auto child_holds = [&](Board& b, int move, char stone, char side, int rank) {
        if (b.at(move) != '.') return false;
        b.put(move, stone);
        const auto place = known.find(side + smallest_image(b.cells()));
        b.put(move, '.');
        return place != known.end() && records[place->second].rank < rank;
    };
    const int part = count > 4 ? std::atoi(arguments[4]) : 1000;
    long checked = 0;
    for (const Record& record : records) {
        if (static_cast<int>(random() % 1000) >= part) continue;
        ++checked;
        Board b(record.board);
        const auto complain = [&](const char* what, int move) {
            if (++bad <= 10) std::printf("bad: %s, move %d, board %s\n", what, move, b.cells().c_str());
        };
        if (record.side == 'A') {
            if (record.witness >= 0) {
                if (!child_holds(b, record.witness, 'X', 'D', record.rank)) complain("witness", record.witness);
            } else if (record.trees.size() != 1 || !replays(b, record.trees[0].second)) {
                complain("win by threats", -1);
            }
            continue;
        }
        if (!winning_squares(b, 'O', 1).empty()) complain("the defender wins at once", -1);
        const bool all = static_cast<int>(random() % 1000) < share;
        sampled += all ? 1 : 0;
        std::vector<Zone> zones;
        for (const auto& [reply, tree] : record.trees) {
            Zone zone;
            if (reply >= 0) b.put(reply, 'O');
            if (replays(b, tree)) {
                zone.node(b, tree);
            } else {
                complain("a tree", reply);
            }
            if (reply >= 0) b.put(reply, '.');
            zones.push_back(zone);
        }
        for (int m = 0; m < width * height; ++m) {
            if (b.at(m) != '.') continue;
            if (std::ranges::binary_search(record.named, m)) {
                ++named;
                if (!child_holds(b, m, 'O', 'A', record.rank)) complain("named reply", m);
                continue;
            }
            if (std::ranges::find(record.trees, m, &std::pair<int, Tree>::first) != record.trees.end()) {
                ++by_own;
                continue;
            }
            bool answered = false;
            for (std::size_t i = 0; i < zones.size() && !answered; ++i) {
                if (zones[i].squares.contains(m)) continue;
                answered = true;
                if (!all) {
                    ++by_zone;
                    continue;
                }
                b.put(m, 'O');
                ++nodes;
                if (!replays(b, record.trees[i].second)) {
                    ++wrong_zone;
                    complain("outside a zone", m);
                }
                b.put(m, '.');
                ++(record.trees[i].first < 0 ? by_pass : by_sibling);
            }
            for (std::size_t i = 0; i < record.trees.size() && !answered; ++i) {
                b.put(m, 'O');
                answered = replays(b, record.trees[i].second);
                b.put(m, '.');
                if (answered) ++by_sibling;
            }
            if (!answered) complain("no answer", m);
        }
    }
    std::printf(
        "%ld of %zu records, %ld replies named, %ld with trees of their own, %ld outside zones; in %ld records "
        "replayed: "
        "%ld by the tree against a pass, %ld by another reply's; outside a zone and failed: %ld; bad: %ld\n",
        checked, records.size(), named, by_own, by_zone, sampled, by_pass, by_sibling, wrong_zone, bad);
    return bad == 0 ? 0 : 1;
}
