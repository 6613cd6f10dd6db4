// Claims by threats about random positions of go-moku on 15x15, found by the searches of threats.
//
//   threat_claims_of_gomoku SEED COUNT EXACT STONES
//
// Positions have STONES stones of the attacker and as many, or one less, of the defender, who is to move. Each reply in
// the zone of the tree against a pass that no tree answers yet gets a tree of its own. Prints a line for each claim:
// the key, the rank and the payload in hexadecimal, the nodes of the trees.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "games/gomoku.hpp"
#include "games/gomoku/attack.hpp"
#include "keys.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/threats/threat_replay.hpp"
#include "threats/trees/threes_search.hpp"

namespace {

using namespace proofbase;
using Set = gomoku::NarrowRows;

void print_hex(const std::string& bytes) {
    for (const char byte : bytes) std::printf("%02x", static_cast<unsigned char>(byte));
}

template <bool exact>
class ClaimSearch {
    using Attack = gomoku::Attack<Set, gomoku::lines::Constant<5>>;
    using Lines = gomoku::WinningLines<Set, Gomoku::Five>;

  public:
    explicit ClaimSearch(std::uint64_t seed)
        : random_(seed),
          game_(Gomoku::from_parameters(exact ? "standard" : "")),
          attack_(15, 15, {}, exact),
          lines_(15, 15, {}, exact),
          search_(attack_, 16) {}

    void print(long count, int stones) {
        while (count > 0) {
            const std::optional<Gomoku::Position> position = random_position(stones);
            if (!position) continue;
            const Gomoku::Key key = game_.key(*position);
            const std::optional<ThreatTrees> trees = trees_of(*game_.position(key));
            if (!trees) continue;
            std::string bytes;
            write_key(key, game_.key_size(), bytes);
            print_hex(bytes);
            std::printf(" %d ", 225 - (position->current | position->other).count());
            print_hex(trees->payload());
            std::printf(" %zu\n", trees->nodes.size());
            --count;
        }
    }

  private:
    /// Stones near the centre; the side that is not to move is the attacker.
    std::optional<Gomoku::Position> random_position(int stones) {
        Gomoku::Position position = game_.initial();
        const int plies = 2 * stones - static_cast<int>(random_() % 2);
        for (int ply = 0; ply < plies; ++ply) {
            std::normal_distribution<double> place(7, 1.6);
            const int column = static_cast<int>(place(random_) + 0.5);
            const int row = static_cast<int>(place(random_) + 0.5);
            if (column < 0 || column > 14 || row < 0 || row > 14) return std::nullopt;
            const int bit = column + 16 * row;
            if ((position.current | position.other).has(bit)) return std::nullopt;
            position = game_.play(position, game_.move(bit));
            if (game_.terminal(position)) return std::nullopt;
        }
        return position;
    }

    std::optional<ThreatTrees> trees_of(const Gomoku::Position& position) {
        const auto [defender, attacker] = game_.template stones<Set>(position);
        if (!lines_.defender_wins(attacker, defender).empty()) return std::nullopt;
        ThreatReplay<Lines> replay(lines_, game_.square_bits());
        ThreatTrees trees;
        Set zone;
        const auto passed = tree(attacker, defender, trees, 4000);
        if (!passed || !replay.wins(trees, *passed, attacker, defender, zone)) return std::nullopt;
        trees.passed = *passed;
        Set left = zone & (lines_.board() - attacker - defender);
        for (std::uint64_t nodes = 800; nodes <= 50'000; nodes *= 4) {
            std::vector<int> replies;
            left.for_each([&](int bit) { replies.push_back(bit); });
            for (const int bit : replies) {
                if (!left.has(bit)) continue;
                const Set stone = Set::of(bit);
                ThreatTrees own = trees;
                const auto root = tree(attacker, defender | stone, own, nodes);
                Set covered;
                if (!root || !replay.wins(own, *root, attacker, defender | stone, covered)) continue;
                trees = std::move(own);
                trees.trees.push_back({game_.move(bit), *root});
                left = left & covered;
                left = left - stone;
            }
        }
        if (!left.empty()) return std::nullopt;
        std::ranges::sort(trees.trees, {}, &ThreatTrees::Reply::move);
        return trees;
    }

    std::optional<std::uint32_t> tree(const Set& attacker, const Set& defender, ThreatTrees& out, std::uint64_t nodes) {
        const auto stones = attack_.stones(attacker, defender);
        ThreatTree found;
        search_.clear();
        if (search_.find(stones, nodes) != ThreesSearch<Attack>::Outcome::won) return std::nullopt;
        if (!search_.write(stones, found, 10 * nodes)) return std::nullopt;
        std::size_t place = 0;
        return node_of(found, place, out);
    }

    std::uint32_t node_of(const ThreatTree& tree, std::size_t& place, ThreatTrees& out) const {
        const std::uint16_t square = tree.numbers[place++];
        if (square == ThreatTree::ends) return out.add_node();
        const std::uint32_t node = out.add_node(game_.move(attack_.bit(square)));
        std::vector<ThreatTrees::Reply> replies(tree.numbers[place++]);
        for (ThreatTrees::Reply& reply : replies) {
            reply.move = game_.move(attack_.bit(tree.numbers[place++]));
            reply.node = node_of(tree, place, out);
        }
        out.add_replies(node, std::move(replies));
        return node;
    }

    std::mt19937_64 random_;
    Gomoku game_;
    Attack attack_;
    Lines lines_;
    ThreesSearch<Attack> search_;
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 5) return 2;
    const auto number = [&](int i) { return std::strtol(arguments[i], nullptr, 10); };
    const auto seed = static_cast<std::uint64_t>(number(1));
    if (number(3) != 0) {
        ClaimSearch<true>(seed).print(number(2), static_cast<int>(number(4)));
    } else {
        ClaimSearch<false>(seed).print(number(2), static_cast<int>(number(4)));
    }
    return 0;
}
