// The proof below a position as records, each of which can be checked by itself.
//
// With the attacker to move (claim: lower = 1) a record has the move that wins, or the tree of a win by threats. With the
// defender to move (claim: upper = -1) it names the replies that have records of their own, and has trees against a pass
// and against single replies, which answer all others. The rank is the number of empty squares.
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

#include "threats/quiet_node.hpp"

namespace proofbase {

template <class Attack>
struct ThreatRecord {
    using Node = QuietNode<Attack>;

    typename Attack::Stones stones;
    bool attacker_moves = false;
    int rank = 0;
    int witness = -1;        ///< a bit
    std::vector<int> named;  ///< bits, by their squares
    std::vector<typename Node::Tree> trees;
};

template <class Attack>
class ThreatRecords {
  public:
    using Set = typename Attack::Set;
    using Node = QuietNode<Attack>;
    using Record = ThreatRecord<Attack>;

    ThreatRecords(const Attack& attack, const SymmetricKeys<Attack>& keys) : attack_(attack), keys_(keys) {}

    /// The records that a proved node rests on, its own first. `emit(record)` for each.
    template <class Emit>
    void collect(const Node& root, Emit&& emit) {
        std::vector<const Node*> left = {&root};
        std::unordered_set<const Node*> seen = {&root};
        while (!left.empty()) {
            const Node& node = *left.back();
            left.pop_back();
            const Record record = of(node, [&](const Node& child) {
                if (seen.insert(&child).second) left.push_back(&child);
            });
            emit(record);
        }
    }

  private:
    template <class Visit>
    Record of(const Node& node, Visit&& visit) {
        Record record{node.stones, node.attacker_moves, attack_.empty(node.stones).count(), -1, {}, node.trees};
        if (node.attacker_moves) {
            if (node.trees.empty()) {
                const auto child = std::ranges::find_if(node.children, [](const auto& c) { return c.node->proved(); });
                record.witness = child->move;
                visit(*child->node);
            }
            return record;
        }
        std::vector<std::pair<int, const Node*>> named;
        for (const auto& child : node.children) {
            if (child.node->trees.empty()) {
                named.emplace_back(child.move, child.node);
                continue;
            }
            const auto& tree = child.node->trees.front();
            const auto* image = keys_.between(child.node->stones, attack_.defended(node.stones, child.move));
            if (image == nullptr) {
                named.emplace_back(child.move, child.node);
            } else {
                record.trees.push_back({child.move, keys_.image_of(tree.tree, *image), keys_.image_of(tree.zone, *image)});
            }
        }
        drop_superfluous(record, named);
        for (const auto& [move, child] : named) {
            record.named.push_back(move);
            visit(*child);
        }
        std::ranges::sort(record.named, {}, [&](int bit) { return attack_.square(bit); });
        return record;
    }

    /// What is answered by others as well goes: named replies first, then the largest trees.
    void drop_superfluous(Record& record, std::vector<std::pair<int, const Node*>>& named) const {
        const auto answered = [&](std::size_t without) {
            Set open = attack_.empty(record.stones);
            for (std::size_t i = 0; i < record.trees.size(); ++i) {
                if (i == without) continue;
                open = open & record.trees[i].zone;
                if (record.trees[i].reply != Node::pass) open = open - Set::of(record.trees[i].reply);
            }
            return open;
        };
        // A tree against a reply answers it though the reply can lie inside its zone or another's.
        const Set needed = answered(record.trees.size());
        std::erase_if(named, [&](const auto& reply) { return !needed.has(reply.first); });
        Set covered_by_names;
        for (const auto& reply : named) covered_by_names = covered_by_names | Set::of(reply.first);
        std::ranges::sort(record.trees, {}, [](const auto& tree) { return tree.reply; });
        for (std::size_t i = record.trees.size(); i-- > 1;) {
            if ((answered(i) - covered_by_names).empty()) {
                record.trees.erase(record.trees.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }

    const Attack& attack_;
    const SymmetricKeys<Attack>& keys_;
};

}  // namespace proofbase
