// Proofs that were found, made smaller.
//
// While a proof is being looked for, searches by threats are small, since most of them are in vain. A position that a
// larger one wins has been proved by moves without a threat then, which takes many records. So larger searches by
// threats follow for the positions of the proof alone.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "threats/board/threat_concepts.hpp"
#include "threats/quiet/quiet_search.hpp"

namespace proofbase {

template <QuietThreatBoard Attack>
class ProofReduction {
  public:
    using Node = QuietNode<Attack>;

    /// `most_nodes`: of the search by threats for each position with the attacker to move.
    ProofReduction(QuietSearch<Attack>& quiet, std::uint64_t most_nodes) : quiet_(quiet), most_nodes_(most_nodes) {}

    /// A node that is proved. Positions that threats win get the tree instead of a move, from the root on, so that
    /// those which only the move led to are not searched at all.
    void reduce(Node& root) {
        std::unordered_set<const Node*> seen = {&root};
        std::vector<Node*> pending = {&root};
        while (!pending.empty()) {
            Node& node = *pending.back();
            pending.pop_back();
            const auto add = [&](Node* child) {
                if (seen.insert(child).second) pending.push_back(child);
            };
            if (!node.attacker_moves) {
                for (const auto& child : node.children) add(child.node);
            } else if (!settle_by_threats(node)) {
                add(node.answer().node);
            }
        }
    }

  private:
    bool settle_by_threats(Node& node) {
        if (node.stored || !node.trees.empty()) return true;
        if (node.irreducible) return false;
        if (quiet_.before_step) quiet_.before_step();
        node.irreducible = !quiet_.evaluation().prove_by_threats(node, most_nodes_);
        if (node.irreducible) return false;
        node.saved = false;  // a checkpoint has its earlier proof
        return true;
    }

    QuietSearch<Attack>& quiet_;
    std::uint64_t most_nodes_;
};

}  // namespace proofbase
