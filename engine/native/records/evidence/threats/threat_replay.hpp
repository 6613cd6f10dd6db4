// Evidence `threats` (docs/zones.md): a tree of threats is played out against every reply, by the lines of the game.
//
//   The position ends: the attacker, to move, wins at once; or the defender cannot, and a stone of the attacker leaves
//   two squares that win.
//   A node wins if the position ends, or if after its move the defender does not win at once, the position ends should
//   he pass, and after each reply the node listed for it wins, or if there is none the position ends.
//   A tree wins by its move if that move wins at once, or the second rule holds for it where the position ends, too.
//
// The zone of a tree is a set of squares such that a further stone of the defender outside of it changes none of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "records/claims/threat_trees.hpp"

namespace proofbase {

/// `Lines` is a class such as gomoku::WinningLines. One thread at a time.
template <class Lines>
class ThreatReplay {
  public:
    using Set = typename Lines::Set;
    using Attack = typename Lines::Attack;

    /// `bits`: by move, the bit of its square.
    ThreatReplay(const Lines& lines, std::span<const std::uint16_t> bits)
        : lines_(&lines), bits_(bits), attacks_(ThreatTrees::most_depth + 2) {}

    /// Whether the attacker, to move, wins by the tree with this root.
    bool wins(const ThreatTrees& trees, std::uint32_t root, const Set& attacker, const Set& defender) {
        Set unused;
        return wins<false>(trees, trees.nodes[root], attacker, defender, unused, 0);
    }

    /// Whether he wins by the move of the root itself: the witness of a lower claim.
    bool wins_by_move(const ThreatTrees& trees, std::uint32_t root, const Set& attacker, const Set& defender) {
        const Node& node = trees.nodes[root];
        const Set stone = stone_of(node, attacker, defender);
        if (stone.empty()) return false;
        lines_->attack(attacker, defender, attacks_[0]);
        if (!(attacks_[0].wins & stone).empty()) return true;
        Set unused;
        return move_wins<false>(trees, node, attacker | stone, defender, stone, unused, 0);
    }

    /// As `wins`; the zone of the tree is added to `zone`.
    bool wins(const ThreatTrees& trees, std::uint32_t root, const Set& attacker, const Set& defender, Set& zone) {
        return wins<true>(trees, trees.nodes[root], attacker, defender, zone, 0);
    }

  private:
    using Node = ThreatTrees::Node;
    using DoubleThreat = typename Lines::DoubleThreat;
    static constexpr Node ends{};

    template <bool with_zone>
    bool wins(const ThreatTrees& trees, const Node& node, const Set& attacker, const Set& defender, Set& zone,
              std::size_t depth) {
        Attack& attack = attacks_[depth];
        lines_->attack(attacker, defender, attack);
        if (!attack.wins.empty()) {
            if constexpr (with_zone) zone = zone | Set::of(attack.wins.first());
            return true;
        }
        if (!attack.double_threats.empty()) {
            if constexpr (with_zone) {
                const auto defence = lines_->defence(attacker, defender);
                if (defence.one.empty()) {
                    add(attack.double_threats.front(), 2, zone);
                    zone = zone | defence.two;
                    return true;
                }
            } else if (lines_->defender_wins(attacker, defender).empty()) {
                return true;
            }
        }
        const Set stone = stone_of(node, attacker, defender);
        if (stone.empty()) return false;
        return move_wins<with_zone>(trees, node, attacker | stone, defender, stone, zone, depth);
    }

    /// The square of a node's move; empty if there is none, or it is taken.
    Set stone_of(const Node& node, const Set& attacker, const Set& defender) const {
        if (node.move == ThreatTrees::none || node.move >= bits_.size()) return Set{};
        return Set::of(bits_[node.move]) - attacker - defender;
    }

    /// After the move of a node.
    template <bool with_zone>
    bool move_wins(const ThreatTrees& trees, const Node& node, const Set& attacker, const Set& defender,
                   const Set& stone, Set& zone, std::size_t depth) {
        const auto defence = lines_->defence(attacker, defender);
        if (!defence.one.empty()) return false;
        Attack& attack = attacks_[depth];
        lines_->attack(attacker, defender, attack);
        if constexpr (with_zone) zone = zone | stone | defence.two;
        if (!attack.wins.empty()) {
            const int first = attack.wins.first();
            const Set answer = Set::of(first);
            const Set others = attack.wins - answer;
            if constexpr (with_zone) zone = zone | answer;
            if (!others.empty()) {  // no reply meets both
                if constexpr (with_zone) zone = zone | Set::of(others.first());
                return true;
            }
            const Node* next = &ends;
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                if (bit(trees.replies[i].move) == first) next = &trees.nodes[trees.replies[i].node];
            }
            return wins<with_zone>(trees, *next, attacker, defender | answer, zone, depth + 1);
        }
        if (attack.double_threats.empty()) return false;
        Set unlisted = lines_->board() - attacker - defender;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const int reply = bit(trees.replies[i].move);
            if (reply >= 0) unlisted = unlisted - Set::of(reply);
        }
        if (!(unlisted & defence.two).empty()) return false;  // such a reply threatens to win
        if constexpr (with_zone) zone = zone | defence.three;
        bool first = true;
        for (const DoubleThreat& threat : attack.double_threats) {
            const Set left = unlisted & met_by(threat);
            if (!first && left == unlisted) continue;
            if constexpr (with_zone) add(threat, 3, zone);
            unlisted = left;
            first = false;
            if (unlisted.empty()) break;
        }
        if (!unlisted.empty()) return false;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const int reply = bit(trees.replies[i].move);
            if (reply < 0) continue;
            const Set answer = Set::of(reply);
            if (!(answer & (attacker | defender)).empty()) continue;  // nobody can play it
            const Node& next = trees.nodes[trees.replies[i].node];
            if (!wins<with_zone>(trees, next, attacker, defender | answer, zone, depth + 1)) return false;
        }
        return true;
    }

    /// -1 for a number that is no square.
    int bit(std::uint32_t move) const noexcept { return move < bits_.size() ? bits_[move] : -1; }

    /// The replies after which a double threat is none any more. With three squares that win it is left by all others.
    static Set met_by(const DoubleThreat& threat) {
        Set out = Set::of(threat.square);
        if (threat.count > 2) return out;
        return out | Set::of(threat.wins[0]) | Set::of(threat.wins[1]);
    }

    static void add(const DoubleThreat& threat, std::uint16_t most, Set& zone) {
        zone = zone | Set::of(threat.square);
        for (std::uint16_t i = 0; i < threat.count && i < most; ++i) zone = zone | Set::of(threat.wins[i]);
    }

    const Lines* lines_;
    std::span<const std::uint16_t> bits_;
    std::vector<Attack> attacks_;  ///< by depth, for their memory; what one says holds until the next call below
};

}  // namespace proofbase
