// Searches for winning threats in go-moku beside each other; bench_gomoku_threats.py says what for.
//   POSITIONS SEED EXACT NODES SEQUENCE_NODES REPLAYED
// Half of the positions are random ones, half come from games. One in REPLAYED (0: none) of the trees found is replayed
// on a plain board against every legal reply. Prints lines `NAME VALUE ...`; exit status 1 if a tree fails.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "games/gomoku/attack.hpp"
#include "games/gomoku/line_threats.hpp"
#include "threats/sequences/fours_search.hpp"
#include "threats/sequences/winning_sequences.hpp"
#include "threats/trees/threes_search.hpp"

namespace {

using namespace proofbase;
using gomoku::NarrowRows;

constexpr int side = 15;
constexpr int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};

double seconds() {  // of this process on its core
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Stones in a list of squares, rows counted stone by stone.
class PlainBoard {
  public:
    explicit PlainBoard(bool exact) : exact_(exact) { cells_.fill('.'); }
    char& at(int square) { return cells_[static_cast<std::size_t>(square)]; }
    char at(int square) const { return cells_[static_cast<std::size_t>(square)]; }

    /// Whether a stone on this empty square completes a row.
    bool wins_with(int square, char colour) const {
        for (const auto& step : directions) {
            const int row = 1 + count(square, step[0], step[1], colour) + count(square, -step[0], -step[1], colour);
            if (colour == 'x' && exact_ ? row == 5 : row >= 5) return true;
        }
        return false;
    }
    std::vector<int> winning(char colour) const {
        std::vector<int> found;
        for (int square = 0; square < side * side; ++square) {
            if (at(square) == '.' && wins_with(square, colour)) found.push_back(square);
        }
        return found;
    }
    /// Empty squares at most five steps away on a line.
    template <class Visit>
    void near(int square, Visit&& visit) const {
        for (const auto& step : directions) {
            for (int k = -5; k <= 5; ++k) {
                const int column = square % side + k * step[0];
                const int row = square / side + k * step[1];
                if (k == 0 || column < 0 || column >= side || row < 0 || row >= side) continue;
                if (at(column + side * row) == '.') visit(column + side * row);
            }
        }
    }

  private:
    int count(int square, int columns, int rows, char colour) const {
        int column = square % side + columns;
        int row = square / side + rows;
        int stones = 0;
        while (column >= 0 && column < side && row >= 0 && row < side && at(column + side * row) == colour) {
            column += columns;
            row += rows;
            ++stones;
        }
        return stones;
    }

    bool exact_;
    std::array<char, side * side> cells_{};
};

/// Replays trees by the rules.
class Replay {
  public:
    Replay(PlainBoard board, const ThreatTree& tree) : board_(board), tree_(tree) {}
    bool holds() { return node() && at_ == tree_.numbers.size(); }

  private:
    struct Double {
        int square;
        std::vector<int> wins;
    };

    std::vector<Double> doubles() {
        std::vector<Double> found;
        for (int square = 0; square < side * side; ++square) {
            if (board_.at(square) != '.') continue;
            board_.at(square) = 'x';
            Double made{square, {}};
            board_.near(square, [&](int other) {
                if (board_.wins_with(other, 'x')) made.wins.push_back(other);
            });
            board_.at(square) = '.';
            if (made.wins.size() > 1) found.push_back(made);
        }
        return found;
    }

    bool node() {
        const std::uint16_t move = tree_.numbers[at_++];
        if (move == ThreatTree::ends) {
            return !board_.winning('x').empty() || (board_.winning('o').empty() && !doubles().empty());
        }
        if (board_.at(move) != '.') return false;
        board_.at(move) = 'x';
        if (!board_.winning('o').empty()) return false;
        std::array<bool, side * side> listed{};
        for (int left = tree_.numbers[at_++]; left > 0; --left) {
            const int reply = tree_.numbers[at_++];
            if (board_.at(reply) != '.' || listed[static_cast<std::size_t>(reply)]) return false;
            listed[static_cast<std::size_t>(reply)] = true;
            board_.at(reply) = 'o';
            if (!node()) return false;
            board_.at(reply) = '.';
        }
        const std::vector<int> wins = board_.winning('x');
        const std::vector<Double> forks = doubles();
        for (int reply = 0; reply < side * side; ++reply) {
            if (board_.at(reply) != '.' || listed[static_cast<std::size_t>(reply)]) continue;
            if (!is_punished(reply, wins, forks)) return false;
        }
        board_.at(move) = '.';
        return true;
    }

    bool is_punished(int reply, const std::vector<int>& wins, const std::vector<Double>& forks) {
        if (std::ranges::any_of(wins, [&](int square) { return square != reply; })) return true;
        board_.at(reply) = 'o';
        bool four = false;
        board_.near(reply, [&](int square) { four |= board_.wins_with(square, 'o'); });
        board_.at(reply) = '.';
        return !four && std::ranges::any_of(forks, [&](const Double& fork) {
            return fork.square != reply && std::ranges::count_if(fork.wins, [&](int s) { return s != reply; }) > 1;
        });
    }

    PlainBoard board_;
    const ThreatTree& tree_;
    std::size_t at_ = 0;
};

template <class Attack>
class Positions {
  public:
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;

    Positions(const Attack& attack, unsigned seed) : attack_(attack), chance_(seed) {}

    std::vector<Stones> make(std::size_t count) {
        std::vector<Stones> found;
        while (found.size() < count / 2) add_random(found);
        while (found.size() < count) add_game(found, count);
        return found;
    }

  private:
    int below(int n) { return static_cast<int>(chance_() % static_cast<unsigned>(n)); }

    /// 4 to 12 stones a side near the centre, no row complete.
    void add_random(std::vector<Stones>& out) {
        const int stones = 4 + below(9);
        const int reach = stones > 9 ? 11 : 9;
        Set sides[2];
        for (int placed = 0; placed < 2 * stones;) {
            const int corner = (side - reach) / 2;
            const Set square = Set::of(corner + below(reach) + Set::lane_bits * (corner + below(reach)));
            if (!((sides[0] | sides[1]) & square).empty()) continue;
            Set& of_side = sides[placed++ % 2];
            of_side = of_side | square;
        }
        if (!has_row(sides[0]) && !has_row(sides[1])) out.push_back(attack_.stones(sides[0], sides[1]));
    }

    bool has_row(const Set& stones) const {
        bool found = false;
        stones.for_each([&](int bit) {
            const Set rest = stones - Set::of(bit);
            found = found || attack_.defender_wins({rest, rest, 0}).has(bit);
        });
        return found;
    }

    /// A game: wins and blocks are played, then often a threat of either side, else a square beside a stone. Some of
    /// its positions are added.
    void add_game(std::vector<Stones>& out, std::size_t most) {
        Stones s = attack_.stones(Set::of(7 + Set::lane_bits * 7), {});
        for (int ply = 1; ply < 60 && out.size() < most; ++ply) {
            s = attack_.stones(s.defender, s.attacker);  // the side to move is the attacker
            if (!attack_.wins(s).empty()) return;
            if (ply >= 6 && below(4) == 0) out.push_back(s);
            Set moves = attack_.defender_wins(s);
            if (moves.empty() && below(10) < 7) {
                const auto own = attack_.threats(s);
                const auto other = attack_.threats(attack_.stones(s.defender, s.attacker));
                moves = own.four | own.three | other.three | other.straight_four;
            }
            if (moves.empty()) moves = beside(s.attacker | s.defender) & attack_.empty(s);
            if (moves.empty()) return;
            int chosen = below(moves.count());
            int move = -1;
            moves.for_each([&](int bit) { move = chosen-- == 0 ? bit : move; });
            s = attack_.attacked(s, move);
        }
    }

    static Set beside(const Set& stones) {
        Set found;
        const Set row = stones | stones.template moved<1, 0>() | stones.template moved<-1, 0>();
        return found | row | row.template moved<0, 1>() | row.template moved<0, -1>();
    }

    const Attack& attack_;
    std::mt19937 chance_;
};

struct Totals {
    std::uint64_t won = 0, none = 0, nodes = 0, tree_nodes = 0, replayed = 0, failed = 0, unproved = 0;
    double seconds = 0;
    std::vector<bool> wins;
};

void print(const char* name, const Totals& t) {
    std::printf("%s %llu %llu %llu %.6f %llu %llu %llu %llu\n", name, static_cast<unsigned long long>(t.won),
                static_cast<unsigned long long>(t.none), static_cast<unsigned long long>(t.nodes), t.seconds,
                static_cast<unsigned long long>(t.tree_nodes), static_cast<unsigned long long>(t.replayed),
                static_cast<unsigned long long>(t.failed), static_cast<unsigned long long>(t.unproved));
}

template <bool exact>
int compare(std::size_t count, unsigned seed, std::uint64_t nodes, std::size_t sequence_nodes, int replayed) {
    using Attack = gomoku::Attack<NarrowRows, gomoku::lines::Constant<5>>;
    using Lines = gomoku::LineThreats<NarrowRows>;
    using Stones = typename Attack::Stones;
    const Attack attack(side, side, {}, false);
    const std::vector<Stones> positions = Positions<Attack>(attack, seed).make(count);

    const auto replay = [&](const Stones& s, const ThreatTree& tree, Totals& totals) {
        totals.tree_nodes += tree.nodes;
        if (replayed == 0 || totals.won % static_cast<unsigned>(replayed) != 0) return;
        PlainBoard board(exact);
        s.attacker.for_each([&](int bit) { board.at(attack.square(bit)) = 'x'; });
        s.defender.for_each([&](int bit) { board.at(attack.square(bit)) = 'o'; });
        ++totals.replayed;
        totals.failed += !Replay(board, tree).holds();
    };

    Totals fours;
    FoursSearch<Attack> fours_search(attack);
    double slowest = 0;
    for (const Stones& s : positions) {
        const double since = seconds();
        const auto outcome = fours_search.find(s, 100'000);
        const double took = seconds() - since;
        slowest = std::max(slowest, took);
        fours.seconds += took;
        fours.nodes += fours_search.nodes();
        fours.won += outcome == FoursSearch<Attack>::Outcome::won;
        fours.none += outcome == FoursSearch<Attack>::Outcome::none;
    }
    print("fours", fours);

    Totals threes;
    ThreesSearch<Attack> threes_search(attack, 16);
    for (const Stones& s : positions) {
        const double since = seconds();
        const auto outcome = threes_search.find(s, nodes);
        threes.seconds += seconds() - since;
        threes.nodes += threes_search.nodes();
        threes.none += outcome == ThreesSearch<Attack>::Outcome::none;
        threes.wins.push_back(outcome == ThreesSearch<Attack>::Outcome::won);
        if (!threes.wins.back()) continue;
        ++threes.won;
        ThreatTree tree;
        if (threes_search.write(s, tree, 100 * nodes)) {
            replay(s, tree, threes);
        } else {
            ++threes.unproved;
        }
    }
    print("threes", threes);

    std::uint64_t failed = threes.failed;
    using Sequences = WinningSequences<Attack, Lines>;
    Sequences sequences(attack, Lines(side, side, 5, exact), Lines(side, side, 5, false));
    for (const auto test : {Sequences::Test::by_replay, Sequences::Test::by_search}) {
        Totals totals;
        std::uint64_t only_here = 0;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const double since = seconds();
            const auto outcome = sequences.find(positions[i], sequence_nodes, test);
            totals.seconds += seconds() - since;
            totals.nodes += sequences.cost().nodes;
            totals.unproved += sequences.cost().unproved;
            totals.none += outcome == Sequences::Outcome::none;
            if (outcome != Sequences::Outcome::won) continue;
            ++totals.won;
            only_here += !threes.wins[i];
            replay(positions[i], sequences.tree(), totals);
        }
        failed += totals.failed;
        print(test == Sequences::Test::by_replay ? "sequences" : "thesis", totals);
        std::printf("only_%s %llu\n", test == Sequences::Test::by_replay ? "sequences" : "thesis",
                    static_cast<unsigned long long>(only_here));
    }
    std::printf("slowest_fours %.6f\n", slowest);
    return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 7) return 2;
    const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
    const auto run = number(3) != 0 ? compare<true> : compare<false>;
    return run(number(1), static_cast<unsigned>(number(2)), number(4), number(5), static_cast<int>(number(6)));
}
