// A threat tree of one position made to fit another one that differs by a stone or two: its moves are tried first, and
// what no longer holds is searched anew, in small searches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "threats/board/threat_concepts.hpp"
#include "threats/trees/threat_tree.hpp"
#include "threats/trees/threes_search.hpp"

namespace proofbase {

template <ThreatBoard Attack>
class TreeRepair {
  public:
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;
    using Threes = ThreesSearch<Attack>;

    TreeRepair(const Attack& attack, Threes& threes) : attack_(attack), threes_(threes) {}

    /// Whether the attacker, to move, wins by threats, with `guide` as the plan; then `tree` is the proof. Small
    /// searches have `small` positions each, and `most_nodes` together.
    bool find(const Stones& start, const ThreatTree& guide, ThreatTree& tree, std::uint64_t most_nodes,
              std::uint64_t small) {
        guide_ = &guide;
        tree = {};
        tree_ = &tree;
        nodes_ = 0;
        most_nodes_ = most_nodes;
        small_ = small;
        return node(start, 0);
    }

    /// Positions that the last call of `find` looked at, those of its searches among them.
    std::uint64_t nodes() const noexcept { return nodes_; }

  private:
    static constexpr std::size_t no_guide = ~std::size_t{0};

    bool node(const Stones& s, std::size_t guide) {
        ++nodes_;
        const auto threats = attack_.threats(s);
        const Set must_block = attack_.defender_wins(s);
        if (!threats.five.empty() || (must_block.empty() && !threats.double_four.empty())) {
            tree_->numbers.push_back(ThreatTree::ends);
            ++tree_->nodes;
            return true;
        }
        if (must_block.more_than_one()) return false;
        const std::size_t size = tree_->numbers.size();
        const std::uint64_t nodes = tree_->nodes;
        if (guide != no_guide && guide_->numbers[guide] != ThreatTree::ends) {
            if (follows(s, must_block, guide)) return true;
            tree_->numbers.resize(size);
            tree_->nodes = nodes;
        }
        return searched(s);
    }

    bool follows(const Stones& s, const Set& must_block, std::size_t guide) {
        const int move = attack_.bit(guide_->numbers[guide]);
        if (attack_.empty(s).has(move) == false) return false;
        if (!must_block.empty() && !must_block.has(move)) return false;
        const Stones after = attack_.attacked(s, move);
        const Set wins = attack_.wins(after);
        Set replies;
        if (wins.empty()) {
            const Set double_fours = attack_.threats(after).double_four;
            if (double_fours.empty()) return false;
            replies = attack_.meeting(after, double_fours) | attack_.defender_fours(after);
        } else if (!wins.more_than_one()) {
            replies = wins;
        }
        ++tree_->nodes;
        tree_->numbers.push_back(static_cast<std::uint16_t>(attack_.square(move)));
        tree_->numbers.push_back(static_cast<std::uint16_t>(replies.count()));
        bool complete = true;
        replies.for_each([&](int reply) {
            if (!complete) return;
            const auto square = static_cast<std::uint16_t>(attack_.square(reply));
            tree_->numbers.push_back(square);
            complete = node(attack_.defended(after, reply), child(guide, square));
        });
        return complete;
    }

    bool searched(const Stones& s) {
        if (nodes_ + small_ > most_nodes_) return false;
        const auto outcome = threes_.find(s, small_);
        nodes_ += threes_.nodes();
        if (outcome != Threes::Outcome::won) return false;
        ThreatTree part;
        const bool complete = threes_.write(s, part, 20 * small_);
        nodes_ += threes_.nodes();
        if (!complete) return false;
        tree_->numbers.insert(tree_->numbers.end(), part.numbers.begin(), part.numbers.end());
        tree_->nodes += part.nodes;
        return true;
    }

    /// Where the guide goes on after the reply.
    std::size_t child(std::size_t guide, std::uint16_t reply) const {
        std::size_t at = guide + 2;
        for (int count = guide_->numbers[guide + 1]; count > 0; --count) {
            if (guide_->numbers[at] == reply) return at + 1;
            at = guide_->behind(at + 1);
        }
        return no_guide;
    }

    Attack attack_;
    Threes& threes_;
    const ThreatTree* guide_ = nullptr;
    ThreatTree* tree_ = nullptr;
    std::uint64_t nodes_ = 0;
    std::uint64_t most_nodes_ = 0;
    std::uint64_t small_ = 0;
};

}  // namespace proofbase
