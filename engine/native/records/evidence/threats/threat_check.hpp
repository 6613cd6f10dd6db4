// The check of claims by threats (docs/zones.md): each legal reply is named, then the claim of its child is asked for
// as usual; or one of the trees wins against it; or, if zones are used, it lies outside the zone of one of the trees.
// The tree of a lower claim wins by its move, which is the witness.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/claims/threat_trees.hpp"
#include "records/evidence/threats/threat_replay.hpp"

namespace proofbase {

/// What is wrong with the trees of a claim: a reply, or `none`, and the reason.
struct ThreatFault {
    static constexpr std::uint32_t none = 0xffffffff;
    std::uint32_t reply;
    std::string reason;
};

/// Checks trees of one game. One thread at a time.
template <class Position>
class AnyThreatCheck {
  public:
    virtual ~AnyThreatCheck() = default;

    /// The first fault of the trees of a claim about `position`. The claims of named replies are not looked at.
    virtual std::optional<ThreatFault> fault(const Position& position, const Claim& claim) = 0;
};

template <WinsByThreats G>
class ThreatCheck final : public AnyThreatCheck<typename G::Position> {
  public:
    using Position = typename G::Position;

    ThreatCheck(const G& game, bool zones) : game_(&game), lines_(game.winning_lines()), zones_(zones) {}

    std::optional<ThreatFault> fault(const Position& position, const Claim& claim) override {
        if (claim.bound < -game_->highest_value() || claim.bound > game_->highest_value()) {
            return ThreatFault{ThreatFault::none, "a win is worth " + std::to_string(game_->highest_value())};
        }
        const ThreatTrees trees = claim.threats();
        return std::visit([&](const auto& lines) { return fault(lines, position, claim, trees); }, lines_);
    }

  private:
    using Usable = std::vector<ThreatTrees::Reply>;  ///< the trees that are not too long; a pass is `none`

    template <class Lines>
    std::optional<ThreatFault> fault(const Lines& lines, const Position& position, const Claim& claim,
                                     const ThreatTrees& trees) {
        using Set = typename Lines::Set;
        ThreatReplay<Lines> replay(lines, game_->square_bits());
        const auto [mover, other] = game_->template stones<Set>(position);
        const auto empty_count = static_cast<std::uint32_t>((lines.board() - mover - other).count());
        if (claim.side == Side::lower) {
            const ThreatTrees::Node& root = trees.nodes[trees.passed];
            if (root.move != claim.witness) return claim_fault("the tree does not begin with the witness");
            if (std::min(root.plies, empty_count) > claim.rank) {
                return claim_fault("the tree takes more than " + std::to_string(claim.rank) + " plies");
            }
            if (replay.wins_by_move(trees, trees.passed, mover, other)) return std::nullopt;
            if (replay.wins(trees, trees.passed, mover, other))
                return claim_fault("the side to move wins, not by the witness");
            return claim_fault("the side to move does not win by the tree against every reply");
        }
        game_->moves(position, moves_);
        for (const std::uint32_t reply : trees.named) {
            if (!legal(reply)) return claim_fault("reply " + std::to_string(reply) + " is not legal");
        }
        for (const ThreatTrees::Reply& tree : trees.trees) {
            if (!legal(tree.move)) return claim_fault("reply " + std::to_string(tree.move) + " is not legal");
        }
        Usable usable;
        const auto use = [&](ThreatTrees::Reply tree) {
            if (std::min(trees.nodes[tree.node].plies + 1, empty_count) <= claim.rank) usable.push_back(tree);
        };
        if (trees.passed != ThreatTrees::none) use({ThreatTrees::none, trees.passed});
        for (const ThreatTrees::Reply& tree : trees.trees) use(tree);
        const Set settled = zones_ ? outside_zones(lines, replay, trees, usable, other, mover) : Set{};
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const auto move = moves_[i];
            if (std::ranges::binary_search(trees.named, std::uint32_t{move})) continue;
            const int bit = game_->square_bits()[move];
            if (settled.has(bit)) continue;
            const Position child = game_->play(position, move);
            if (const std::optional<int> value = game_->terminal(child)) {
                if (*value < std::int64_t{game_->reward(position, move)} - claim.bound) {
                    return ThreatFault{move, "the game is over"};
                }
            } else if (!answered(replay, trees, usable, move, other, mover | Set::of(bit))) {
                return ThreatFault{move, "no tree wins"};
            }
        }
        return std::nullopt;
    }

    /// Whether a tree wins against a reply: its own, that against a pass, or one against another reply.
    template <class Replay, class Set>
    static bool answered(Replay& replay, const ThreatTrees& trees, const Usable& usable, std::uint32_t move,
                         const Set& attacker, const Set& defender) {
        for (const bool own : {true, false}) {
            for (const ThreatTrees::Reply& tree : usable) {
                if ((tree.move == move) == own && replay.wins(trees, tree.node, attacker, defender)) return true;
            }
        }
        return false;
    }

    /// The squares that lie outside the zone of a tree, and those of the replies that the trees are against. None on
    /// which the defender wins at once.
    template <class Lines, class Set>
    Set outside_zones(const Lines& lines, ThreatReplay<Lines>& replay, const ThreatTrees& trees, const Usable& usable,
                      const Set& attacker, const Set& defender) const {
        const Set wins = lines.defender_wins(attacker, defender);
        Set out;
        for (const ThreatTrees::Reply& tree : usable) {
            const Set stone = tree.move == ThreatTrees::none ? Set{} : Set::of(game_->square_bits()[tree.move]);
            Set zone;
            if (!(stone & wins).empty()) continue;
            if (!replay.wins(trees, tree.node, attacker, defender | stone, zone)) continue;
            out = out | stone | (lines.board() - zone);
        }
        return out - wins;
    }

    bool legal(std::uint32_t move) const {
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            if (moves_[i] == move) return true;
        }
        return false;
    }

    static std::optional<ThreatFault> claim_fault(std::string reason) {
        return ThreatFault{ThreatFault::none, std::move(reason)};
    }

    const G* game_;
    typename G::Lines lines_;
    bool zones_;
    typename G::Moves moves_;
};

}  // namespace proofbase
