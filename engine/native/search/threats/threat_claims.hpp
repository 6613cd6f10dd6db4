// The records of a proof by threats (threats/quiet/threat_records.hpp) as claims about canonical positions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/claims/threat_trees.hpp"
#include "threats/quiet/quiet_node.hpp"
#include "threats/quiet/threat_records.hpp"
#include "threats/trees/threat_tree.hpp"

namespace proofbase {

template <QuietThreatGame G, class Attack>
class ThreatClaims {
  public:
    using Record = ThreatRecord<Attack>;
    using Key = typename G::Key;
    using Position = typename G::Position;

    ThreatClaims(const G& game, const Attack& attack, const SymmetricKeys<Attack>& keys)
        : game_(game), attack_(attack), keys_(keys) {}

    Position position(const typename Attack::Stones& stones, bool attacker_moves) const {
        const auto squares = [&](const typename Attack::Set& set) {
            std::vector<int> list;
            set.for_each([&](int bit) { list.push_back(attack_.square(bit)); });
            return list;
        };
        const auto attacker = squares(stones.attacker);
        const auto defender = squares(stones.defender);
        return attacker_moves ? game_.with_stones(attacker, defender) : game_.with_stones(defender, attacker);
    }

    /// `emit(key, claim)` for the claim of a record; where a record is too long for all its trees also for the claims
    /// of replies that are named instead.
    template <class Emit>
    [[gnu::cold]] void emit(Record record, Emit&& emit) {
        for (auto claim = claim_of(record); true; claim = claim_of(record)) {
            if (claim.payload.size() <= most_payload_bytes) return emit(game_.key(position_of(record)), claim);
            const auto largest = std::ranges::max_element(
                record.trees, {}, [](const auto& tree) { return tree.reply < 0 ? 0 : tree.tree.numbers.size(); });
            if (record.trees.empty() || largest->reply < 0)
                throw std::logic_error("a proof by threats is too long for a record");
            Record child{
                attack_.defended(record.stones, largest->reply), true, record.rank - 1, -1, {}, {*largest}, false};
            child.trees.front().reply = QuietNode<Attack>::pass;
            record.named.push_back(largest->reply);
            record.trees.erase(largest);
            this->emit(std::move(child), emit);
        }
    }

  private:
    static constexpr std::size_t most_payload_bytes = most_record_bytes - 64;

    Position position_of(const Record& record) const { return position(record.stones, record.attacker_moves); }

    [[gnu::cold]] Claim claim_of(const Record& record) {
        symmetry_ = symmetry_to_canonical(record);
        const int win = game_.highest_value();
        const auto rank = static_cast<std::uint32_t>(record.rank);
        if (record.attacker_moves && record.witness >= 0) return Claim::lower(win, rank, move_of_bit(record.witness));
        ThreatTrees trees;
        if (record.attacker_moves) {
            // Where the position ends, the tree's move counts for nothing: it may come from another position. The
            // witness has to win by itself.
            const auto wins = attack_.wins(record.stones);
            if (!wins.empty()) return Claim::lower(win, rank, move_of_bit(wins.first()));
            const auto double_four = attack_.threats(record.stones).double_four;
            if (!double_four.empty() && attack_.defender_wins(record.stones).empty()) {
                trees.passed = trees.add_node(move_of_bit(double_four.first()));
            } else {
                trees.passed = add_tree(record.trees.front().tree, trees);
            }
            return Claim::lower(win, rank, trees.nodes[trees.passed].move).by_threats(trees);
        }
        for (const int reply : record.named) trees.named.push_back(move_of_bit(reply));
        std::ranges::sort(trees.named);
        for (const auto& tree : record.trees) {
            const std::uint32_t root = add_tree(tree.tree, trees);
            if (tree.reply < 0) {
                trees.passed = root;
            } else {
                trees.trees.push_back({move_of_bit(tree.reply), root});
            }
        }
        std::ranges::sort(trees.trees, {}, &ThreatTrees::Reply::move);
        return Claim::upper(-win, rank).by_threats(trees);
    }

    [[gnu::cold]] const typename Attack::Symmetry* symmetry_to_canonical(const Record& record) const {
        const Position here = position_of(record);
        const Position canonical = position_of_key(game_, game_.key(here));
        using Set = typename Attack::Set;
        const auto [mover, other] = game_.template stones<Set>(canonical);
        const auto stones = record.attacker_moves ? attack_.stones(mover, other) : attack_.stones(other, mover);
        const auto* symmetry = keys_.between(record.stones, stones);
        if (symmetry == nullptr) throw std::logic_error("a canonical position is no image of its position");
        return symmetry;
    }

    std::uint32_t move_of_bit(int bit) const {
        const int image = (*symmetry_)[static_cast<std::size_t>(bit)];
        return static_cast<std::uint32_t>(game_.move_on(attack_.square(image)));
    }
    std::uint32_t move_of_square(int square) const { return move_of_bit(attack_.bit(square)); }

    std::uint32_t add_tree(const ThreatTree& tree, ThreatTrees& out) const {
        std::size_t at = 0;
        return add_node(tree, at, out);
    }
    [[gnu::cold]] std::uint32_t add_node(const ThreatTree& tree, std::size_t& at, ThreatTrees& out) const {
        const int square = tree.numbers[at++];
        if (square == ThreatTree::ends) return out.add_node();
        const std::size_t count = tree.numbers[at++];
        std::vector<ThreatTrees::Reply> replies;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t reply = move_of_square(tree.numbers[at++]);
            replies.push_back({reply, add_node(tree, at, out)});
        }
        const std::uint32_t node = out.add_node(move_of_square(square));
        out.add_replies(node, std::move(replies));
        return node;
    }

    const G& game_;
    const Attack& attack_;
    const SymmetricKeys<Attack>& keys_;
    const typename Attack::Symmetry* symmetry_ = nullptr;  ///< of the record that becomes a claim
};

}  // namespace proofbase
