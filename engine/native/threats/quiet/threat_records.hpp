// The proof below a position as records, each of which can be checked by itself.
//
// With the attacker to move (claim: lower = 1) a record has the move that wins, or the tree of a win by threats. With
// the defender to move (claim: upper = -1) it names the replies that have records of their own, and has trees against a
// pass and against single replies, which answer all others. The rank is the number of empty squares.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "threats/board/threat_concepts.hpp"
#include "threats/quiet/quiet_node.hpp"
#include "threats/trees/tree_image.hpp"
#include "threats/zones/relevance_zone.hpp"

namespace proofbase {

template <QuietThreatBoard Attack>
struct ThreatRecord {
    using Node = QuietNode<Attack>;

    typename Attack::Stones stones;
    bool attacker_moves = false;
    int rank = 0;
    int witness = -1;        ///< a bit
    std::vector<int> named;  ///< bits, by their squares
    std::vector<typename Node::Tree> trees;
    bool saved = false;  ///< in a checkpoint
};

template <QuietThreatBoard Attack>
class ThreatRecords {
  public:
    using Set = typename Attack::Set;
    using Node = QuietNode<Attack>;
    using Record = ThreatRecord<Attack>;

    ThreatRecords(const Attack& attack, const SymmetricKeys<Attack>& keys) : attack_(attack), keys_(keys) {}

    /// The records that a proved node rests on, its own first, without those that are stored. `emit(record)` for each.
    template <class Emit>
    void collect(const Node& root, Emit&& emit) {
        std::vector<const Node*> pending = {&root};
        std::unordered_set<const Node*> seen(pending.begin(), pending.end());
        while (!pending.empty()) {
            const Node& node = *pending.back();
            pending.pop_back();
            emit(of(node, [&](const Node& child) {
                if (!child.stored && seen.insert(&child).second) pending.push_back(&child);
            }));
        }
    }

    /// The records of everything that is proved and was not saved before: what a search that goes on later begins with.
    template <class Emit>
    void collect_unsaved(const QuietNodes<Attack>& nodes, Emit&& emit) {
        nodes.for_each([&](Node& node) {
            if (!node.proved() || node.saved || node.stored) return;
            node.saved = true;
            emit(of(node, [](const Node&) {}));
        });
    }

    /// The records of everything that is proved.
    template <class Emit>
    void collect_all(const QuietNodes<Attack>& nodes, Emit&& emit) {
        nodes.for_each([&](const Node& node) {
            if (node.proved() && !node.stored) emit(of(node, [](const Node&) {}));
        });
    }

    /// Makes the nodes of records. Each of them is checked, with zones; the number of those that hold.
    std::size_t restore(std::vector<Record> records, QuietNodes<Attack>& nodes) {
        // Children come first, and of two proofs of a position that by threats.
        std::ranges::sort(records, {}, [](const Record& record) {
            return std::pair(record.rank, record.attacker_moves && record.witness >= 0);
        });
        std::size_t restored = 0;
        for (Record& record : records) {
            Node& node = nodes.at(record.stones, record.attacker_moves);
            if (!node.proved() && !holds(record, node, nodes)) continue;
            node.saved = record.saved;
            ++restored;
        }
        return restored;
    }

  private:
    /// Whether the record is a proof together with the nodes that are proved; then its node has it.
    bool holds(Record& record, Node& node, QuietNodes<Attack>& nodes) {
        const Set empty = attack_.playable(record.stones);
        const auto playable = [&](int bit) { return bit >= 0 && bit < Set::capacity && empty.has(bit); };
        const auto answers = [&](const auto& tree) { return tree.reply == Node::pass || playable(tree.reply); };
        if ((record.witness >= 0 && !playable(record.witness)) || !std::ranges::all_of(record.named, playable) ||
            !std::ranges::all_of(record.trees, answers)) {
            return false;
        }
        RelevanceZone<Attack> zones(attack_);
        std::vector<typename Node::Child> children;
        const auto add_child = [&](const typename Attack::Stones& after, bool attacker_moves, int move) {
            if (Node* child = nodes.proved(after, attacker_moves)) children.push_back({move, child});
        };
        if (record.attacker_moves && record.witness >= 0) {
            add_child(attack_.attacked(record.stones, record.witness), false, record.witness);
            if (children.empty()) return false;
        }
        Set open = record.attacker_moves ? Set{} : empty;
        for (auto& tree : record.trees) {
            const bool pass = tree.reply == Node::pass;
            const auto zone = zones.of(pass ? record.stones : attack_.defended(record.stones, tree.reply), tree.tree);
            if (!zone) return false;
            tree.zone = *zone;
            open = (pass ? open : open - Set::of(tree.reply)) & *zone;
        }
        for (const int reply : record.named) {
            add_child(attack_.defended(record.stones, reply), true, reply);
            open = open - Set::of(reply);
        }
        const bool complete = record.attacker_moves ? !children.empty() || record.trees.size() == 1
                                                    : open.empty() && children.size() == record.named.size();
        if (!complete || (!record.attacker_moves && !attack_.defender_wins(record.stones).empty())) return false;
        node.stones = record.stones;  // an image of it may have been known, and not proved
        node.trees = std::move(record.trees);
        node.children = std::move(children);
        node.evaluated = true;
        node.numbers = ProofNumbers::proved();
        return true;
    }

    template <class Visit>
    Record of(const Node& node, Visit&& visit) {
        Record record{node.stones, node.attacker_moves, attack_.empty(node.stones).count(), -1, {},
                      node.trees,  node.saved};
        if (node.attacker_moves) {
            if (node.trees.empty()) {
                record.witness = node.answer().move;
                visit(*node.answer().node);
            }
            return record;
        }
        // A node that was evaluated before all its replies were proved one by one has trees of its own against some.
        Set answered;
        for (const auto& tree : node.trees) {
            if (tree.reply != Node::pass) answered = answered | Set::of(tree.reply);
        }
        std::vector<std::pair<int, const Node*>> named;
        for (const auto& child : node.children) {
            if (answered.has(child.move)) continue;
            if (child.node->trees.empty()) {
                named.emplace_back(child.move, child.node);
                continue;
            }
            if (auto tree = tree_at(attack_.defended(node.stones, child.move), *child.node)) {
                record.trees.push_back({child.move, std::move(tree->tree), tree->zone});
            } else {
                named.emplace_back(child.move, child.node);
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

    /// The tree of a node that threats win, for an image of its position.
    std::optional<typename Node::Tree> tree_at(const typename Attack::Stones& s, const Node& node) const {
        const auto& tree = node.trees.front();
        if (s.attacker == node.stones.attacker && s.defender == node.stones.defender) return tree;
        const auto* image = keys_.between(node.stones, s);
        if (image == nullptr) return std::nullopt;
        // The image of the zone is a zone, but a check chooses among double fours by the order of the squares, so it
        // may find another one.
        auto turned = TreeImage<Attack>(attack_, *image).of(tree.tree);
        const auto zone = RelevanceZone<Attack>(attack_).of(s, turned);
        if (!zone) return std::nullopt;
        return typename Node::Tree{tree.reply, std::move(turned), *zone};
    }

    /// What is answered by others as well goes: named replies first, then the largest trees.
    void drop_superfluous(Record& record, std::vector<std::pair<int, const Node*>>& named) const {
        const auto answered = [&](std::size_t without) {
            Set open = attack_.playable(record.stones);
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
