// Holds the search over moves without a threat against brute force, near the ends of random games.
//   brute_force_of_gomoku WIDTH HEIGHT LENGTH free|standard GAMES EMPTY SEED [FILE]
// Every position with at most EMPTY empty squares, the side to move as the attacker. The players complete a row when
// they can, and meet a threat to do so. Each position is searched with threats, and with next to none, so that moves
// without a threat have to do it. Prints how many positions there were, how many were won, how many of the second
// proofs are not by threats alone, and how many answers were wrong. FILE gets the records of the proofs. By the rule
// `standard` the defender wins with longer rows as well.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "games/gomoku/attack.hpp"
#include "gomoku_text.hpp"
#include "threats/quiet/quiet_search.hpp"

namespace {

using namespace proofbase;

int width, height, length;

/// X is the attacker. No search of threats, no zones: every move is tried.
class BruteForce {
  public:
    explicit BruteForce(bool exact) : exact_(exact) {}

    bool wins(std::string& board, bool attacker_moves) {
        const std::string key = board + (attacker_moves ? 'X' : 'O');
        if (const auto place = known_.find(key); place != known_.end()) return place->second;
        bool result = !attacker_moves;
        bool moves = false;
        for (std::size_t s = 0; s < board.size() && result != attacker_moves; ++s) {
            if (board[s] != '.') continue;
            moves = true;
            board[s] = attacker_moves ? 'X' : 'O';
            const bool won = row_through(board, static_cast<int>(s));
            if (attacker_moves ? won || wins(board, false) : won || !wins(board, true)) result = attacker_moves;
            board[s] = '.';
        }
        if (!moves) result = false;
        return known_[key] = result;
    }

    bool row_through(const std::string& board, int square) const {
        const char c = board[static_cast<std::size_t>(square)];
        for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}}) {
            int run = 1;
            for (const int sign : {-1, 1}) {
                for (int k = 1;; ++k) {
                    const int x = square % width + sign * k * dx;
                    const int y = square / width + sign * k * dy;
                    if (x < 0 || x >= width || y < 0 || y >= height) break;
                    if (board[static_cast<std::size_t>(x + width * y)] != c) break;
                    ++run;
                }
            }
            if (run == length || (run > length && !(exact_ && c == 'X'))) return true;
        }
        return false;
    }

    void forget() { known_.clear(); }

  private:
    bool exact_;
    std::unordered_map<std::string, bool> known_;
};

template <bool exact>
int run(int games, int most_empty, unsigned seed, const char* name) {
    using Attack = gomoku::Attack<gomoku::WideRows, int>;
    const Attack attack(width, height, length, exact);
    QuietSettings settings;
    settings.implicit_threats = false;
    settings.candidates = width * height;
    settings.table_size = 8;
    std::FILE* file = name != nullptr ? std::fopen(name, "w") : nullptr;
    if (file != nullptr) std::fprintf(file, "%d %d %d %s\n", width, height, length, exact ? "standard" : "free");
    std::unordered_set<std::uint64_t> written;
    std::mt19937 random(seed);
    BruteForce brute(exact);
    long positions = 0, won = 0, quiet = 0, wrong = 0;
    for (int game = 0; game < games; ++game) {
        std::string board(static_cast<std::size_t>(width * height), '.');
        std::vector<int> left;
        for (int s = 0; s < width * height; ++s) left.push_back(s);
        std::shuffle(left.begin(), left.end(), random);
        for (char mover = 'X'; !left.empty(); mover = mover == 'X' ? 'O' : 'X') {
            if (static_cast<int>(left.size()) <= most_empty) {
                std::string seen = board;  // by the side to move
                if (mover == 'O') {
                    for (char& c : seen) c = c == 'X' ? 'O' : c == 'O' ? 'X' : c;
                }
                typename Attack::Set own;
                typename Attack::Set other;
                for (int s = 0; s < width * height; ++s) {
                    if (seen[static_cast<std::size_t>(s)] == 'X') own = own | Attack::Set::of(attack.bit(s));
                    if (seen[static_cast<std::size_t>(s)] == 'O') other = other | Attack::Set::of(attack.bit(s));
                }
                ++positions;
                for (const bool few_threats : {false, true}) {
                    QuietSettings chosen = settings;
                    if (few_threats) {
                        chosen.pass_nodes = chosen.reply_nodes = chosen.expand_nodes = 1;
                        chosen.repair_nodes = 0;
                        chosen.most_levels = 0;
                    }
                    SharedSearch<Attack> shared(attack, chosen);
                    QuietSearch<Attack> search(attack, shared);
                    auto& node = search.nodes().at(attack.stones(own, other), true);
                    const bool proved = search.prove(node, 1'000'000'000);
                    won += proved && few_threats ? 1 : 0;
                    quiet += proved && few_threats && node.trees.empty() ? 1 : 0;
                    if (proved != brute.wins(seen, true)) {
                        if (++wrong <= 5) std::printf("wrong: %s, proved %d\n", seen.c_str(), proved ? 1 : 0);
                    }
                    if (!proved || file == nullptr) continue;
                    ThreatRecords<Attack> proof(attack, search.nodes().keys());
                    proof.collect(node, [&](const auto& record) {
                        if (written.insert(search.nodes().keys().of(record.stones, record.attacker_moves)).second) {
                            print_record(file, attack, record);
                        }
                    });
                }
            }
            std::string after = board;
            for (const char c : {mover == 'X' ? 'O' : 'X', mover}) {
                for (std::size_t i = 0; i < left.size(); ++i) {
                    after[static_cast<std::size_t>(left[i])] = c;
                    if (brute.row_through(after, left[i])) std::swap(left[i], left.back());
                    after[static_cast<std::size_t>(left[i])] = '.';
                    after[static_cast<std::size_t>(left.back())] = '.';
                }
            }
            const int s = left.back();
            left.pop_back();
            board[static_cast<std::size_t>(s)] = mover;
            if (brute.row_through(board, s)) break;
        }
        brute.forget();
    }
    if (file != nullptr) std::fclose(file);
    std::printf("%ld positions, %ld won, %ld of them without threats at first, %ld wrong\n", positions, won, quiet,
                wrong);
    return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 8) return 2;
    width = std::atoi(arguments[1]);
    height = std::atoi(arguments[2]);
    length = std::atoi(arguments[3]);
    const int games = std::atoi(arguments[5]);
    const int empty = std::atoi(arguments[6]);
    const auto seed = static_cast<unsigned>(std::atoi(arguments[7]));
    const char* name = count > 8 ? arguments[8] : nullptr;
    return std::strcmp(arguments[4], "standard") == 0 ? run<true>(games, empty, seed, name)
                                                      : run<false>(games, empty, seed, name);
}
