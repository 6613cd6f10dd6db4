// The theorem of docs/zones.md, tried on random positions of go-moku on 15x15, by the native check.
//
//   zones_of_gomoku SEED POSITIONS EXACT EVERY
//
// Finds trees of threats against a pass and against single replies. For every empty square outside of a tree's zone the
// tree is played out again with a stone of the defender there; of every EVERY-th one (0: none) also on a plain array of
// squares, which shares nothing with the check. Prints: positions, trees, squares, failures, plain replays, plain
// failures, then tree nodes, squares in zones, nanoseconds of the replays and of the zones.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "games/gomoku/attack.hpp"
#include "games/gomoku/winning_lines.hpp"
#include "records/evidence/threats/threat_replay.hpp"
#include "threats/trees/threes_search.hpp"

namespace {

using namespace proofbase;
constexpr int size = 15;
constexpr std::array<std::array<int, 2>, 4> directions{{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};

/// A board as an array of squares: 0 empty, 1 the attacker, 2 the defender.
struct Plain {
    bool exact;
    std::array<int, size * size> cell{};

    int at(int column, int row) const {
        return column < 0 || column >= size || row < 0 || row >= size
                   ? -1
                   : cell[static_cast<std::size_t>(column + size * row)];
    }
    bool wins_at(int square, int colour) const {
        if (cell[static_cast<std::size_t>(square)] != 0) return false;
        const int column = square % size;
        const int row = square / size;
        for (const auto& [dx, dy] : directions) {
            int length = 1;
            for (const int sign : {-1, 1}) {
                for (int k = sign; at(column + k * dx, row + k * dy) == colour; k += sign) ++length;
            }
            if (exact && colour == 1 ? length == 5 : length >= 5) return true;
        }
        return false;
    }
    bool empty(int square) const { return cell[static_cast<std::size_t>(square)] == 0; }
    std::vector<int> winning(int colour) const {
        std::vector<int> found;
        for (int square = 0; square < size * size; ++square) {
            if (wins_at(square, colour)) found.push_back(square);
        }
        return found;
    }
    bool near_attacker(int square) const {
        int stones = 0;
        for (const auto& [dx, dy] : directions) {
            for (int k = -4; k <= 4; ++k) stones += at(square % size + k * dx, square / size + k * dy) == 1;
        }
        return stones >= 3;
    }
    struct Double {
        int square;
        std::vector<int> wins;
    };
    std::vector<Double> double_threats() {
        std::vector<Double> found;
        for (int square = 0; square < size * size; ++square) {
            if (!empty(square) || !near_attacker(square)) continue;
            cell[static_cast<std::size_t>(square)] = 1;
            std::vector<int> wins = winning(1);
            cell[static_cast<std::size_t>(square)] = 0;
            if (wins.size() > 1) found.push_back({square, std::move(wins)});
        }
        return found;
    }
    /// With the double threats of the board before the defender's last stone.
    bool ends(const std::vector<int>& wins, const std::vector<Double>& doubles) {
        for (const int square : wins) {
            if (wins_at(square, 1)) return true;
        }
        if (!winning(2).empty()) return false;
        for (const Double& threat : doubles) {
            if (!empty(threat.square)) continue;
            cell[static_cast<std::size_t>(threat.square)] = 1;
            int left = 0;
            for (const int square : threat.wins) left += wins_at(square, 1);
            cell[static_cast<std::size_t>(threat.square)] = 0;
            if (left > 1) return true;
        }
        return false;
    }
    bool tree_wins(const ThreatTrees& trees, const ThreatTrees::Node& node) {
        if (ends(winning(1), double_threats())) return true;
        if (node.move == ThreatTrees::none || !empty(static_cast<int>(node.move))) return false;
        cell[node.move] = 1;
        const bool won = after_move(trees, node);
        cell[node.move] = 0;
        return won;
    }
    bool after_move(const ThreatTrees& trees, const ThreatTrees::Node& node) {
        if (!winning(2).empty()) return false;
        const std::vector<int> wins = winning(1);
        const std::vector<Double> doubles = double_threats();
        if (!ends(wins, doubles)) return false;
        for (int reply = 0; reply < size * size; ++reply) {
            if (!empty(reply)) continue;
            const ThreatTrees::Node* next = nullptr;
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                if (trees.replies[i].move == static_cast<std::uint32_t>(reply))
                    next = &trees.nodes[trees.replies[i].node];
            }
            cell[static_cast<std::size_t>(reply)] = 2;
            const bool won = ends(wins, doubles) || (next != nullptr && tree_wins(trees, *next));
            cell[static_cast<std::size_t>(reply)] = 0;
            if (!won) return false;
        }
        return true;
    }
};

template <bool exact>
class Trial {
    using Set = gomoku::NarrowRows;
    using Attack = gomoku::Attack<Set, gomoku::lines::Constant<5>>;
    using Lines = gomoku::WinningLines<Set, std::integral_constant<int, 5>>;

  public:
    Trial(std::uint64_t seed, long every)
        : random_(seed),
          every_(every),
          attack_(size, size, {}, exact),
          lines_(size, size, {}, exact),
          search_(attack_, 14) {
        for (int square = 0; square < size * size; ++square) {
            bits_.push_back(static_cast<std::uint16_t>(attack_.bit(square)));
        }
    }

    void run(long positions) {
        ThreatReplay<Lines> replay(lines_, bits_);
        for (long done = 0; done < positions;) {
            const auto [attacker, defender] = position();
            if (!lines_.defender_wins(attacker, defender).empty() && random_() % 4 != 0) continue;
            Set zone;
            if (!try_tree(replay, attacker, defender, Set{}, zone)) continue;
            ++done;
            const Set wins = lines_.defender_wins(attacker, defender);
            std::vector<int> inside;
            ((zone & lines_.board()) - attacker - defender - wins).for_each([&](int bit) { inside.push_back(bit); });
            for (int k = 0; k < 2 && !inside.empty(); ++k) {
                Set unused;
                try_tree(replay, attacker, defender, Set::of(inside[random_() % inside.size()]), unused);
            }
        }
        std::printf("%ld %ld %ld %ld %ld %ld %ld %ld %lld %lld\n", positions, trees_, squares_, failures_, plain_,
                    plain_failures_, nodes_, in_zones_, replays_time_, zones_time_);
    }

  private:
    std::pair<Set, Set> position() {
        while (true) {
            Set attacker;
            Set defender;
            const int stones = 4 + static_cast<int>(random_() % 9);
            for (int k = 0; k < 2 * stones; ++k) {
                std::normal_distribution<double> place(7, 2.2);
                const int column = static_cast<int>(place(random_) + 0.5);
                const int row = static_cast<int>(place(random_) + 0.5);
                if (column < 0 || column >= size || row < 0 || row >= size) {
                    --k;
                    continue;
                }
                const Set stone = Set::of(column + Set::lane_bits * row);
                if (!(stone & (attacker | defender)).empty()) {
                    --k;
                } else if (k % 2 == 0) {
                    attacker = attacker | stone;
                } else {
                    defender = defender | stone;
                }
            }
            if (!has_five(attacker) && !has_five(defender)) return {attacker, defender};
        }
    }
    static bool has_five(const Set& stones) {
        bool found = false;
        stones.for_each([&](int bit) {
            for (const auto& [dx, dy] : directions) {
                int k = 1;
                while (k < 5) {
                    const int column = bit % 16 + k * dx;
                    const int row = bit / 16 + k * dy;
                    if (column < 0 || column >= size || row >= size || !stones.has(column + 16 * row)) break;
                    ++k;
                }
                found |= k == 5;
            }
        });
        return found;
    }

    /// Looks for a tree against a pass, or against the reply, and tries its zone. False if there is no tree.
    bool try_tree(ThreatReplay<Lines>& replay, const Set& attacker, const Set& defender, const Set& reply, Set& zone) {
        const auto stones = attack_.stones(attacker, defender | reply);
        ThreatTree found;
        search_.clear();
        if (search_.find(stones, 3000) != ThreesSearch<Attack>::Outcome::won) return false;
        if (!search_.write(stones, found, 30'000)) return false;
        ThreatTrees trees;
        std::size_t place = 0;
        trees.passed = node_of(found, place, trees);
        auto since = std::chrono::steady_clock::now();
        if (!replay.wins(trees, trees.passed, attacker, defender | reply, zone)) {
            ++failures_;
            std::fprintf(stderr, "a tree of the search does not win\n");
            return true;
        }
        zones_time_ += (std::chrono::steady_clock::now() - since).count();
        ++trees_;
        nodes_ += static_cast<long>(trees.nodes.size());
        in_zones_ += zone.count();
        const Set wins = lines_.defender_wins(attacker, defender);
        since = std::chrono::steady_clock::now();
        std::vector<int> outside;
        (lines_.board() - zone - attacker - defender - reply - wins).for_each([&](int bit) { outside.push_back(bit); });
        for (const int bit : outside) {
            ++squares_;
            failures_ += !replay.wins(trees, trees.passed, attacker, defender | Set::of(bit));
            failures_ += !reply.empty() && !replay.wins(trees, trees.passed, attacker, defender | reply | Set::of(bit));
        }
        replays_time_ += (std::chrono::steady_clock::now() - since).count();
        for (const int bit : outside) {
            if (every_ == 0 || random_() % static_cast<std::uint64_t>(every_) != 0) continue;
            Plain board{exact, {}};
            attacker.for_each([&](int b) { board.cell[static_cast<std::size_t>(attack_.square(b))] = 1; });
            defender.for_each([&](int b) { board.cell[static_cast<std::size_t>(attack_.square(b))] = 2; });
            board.cell[static_cast<std::size_t>(attack_.square(bit))] = 2;
            ++plain_;
            plain_failures_ += !board.tree_wins(trees, trees.nodes[trees.passed]);
        }
        return true;
    }

    static std::uint32_t node_of(const ThreatTree& tree, std::size_t& place, ThreatTrees& out) {
        const std::uint16_t move = tree.numbers[place++];
        if (move == ThreatTree::ends) return out.add_node();
        const std::uint32_t node = out.add_node(move);
        std::vector<ThreatTrees::Reply> replies(tree.numbers[place++]);
        for (ThreatTrees::Reply& reply : replies) {
            reply.move = tree.numbers[place++];
            reply.node = node_of(tree, place, out);
        }
        out.add_replies(node, std::move(replies));
        return node;
    }

    std::mt19937_64 random_;
    long every_;
    Attack attack_;
    Lines lines_;
    ThreesSearch<Attack> search_;
    std::vector<std::uint16_t> bits_;
    long trees_ = 0, squares_ = 0, failures_ = 0, plain_ = 0, plain_failures_ = 0, nodes_ = 0, in_zones_ = 0;
    long long replays_time_ = 0, zones_time_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 5) return 2;
    const auto number = [&](int i) { return std::strtol(arguments[i], nullptr, 10); };
    if (number(3) != 0) {
        Trial<true>(static_cast<std::uint64_t>(number(1)), number(4)).run(number(2));
    } else {
        Trial<false>(static_cast<std::uint64_t>(number(1)), number(4)).run(number(2));
    }
    return 0;
}
