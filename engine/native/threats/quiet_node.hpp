// The nodes of a search over moves that make no threat, each with the proof that was found for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "threats/proof_table.hpp"
#include "threats/symmetric_keys.hpp"
#include "threats/threat_tree.hpp"

namespace proofbase {

template <class Attack>
struct QuietNode {
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;
    static constexpr int pass = -1;

    /// The proof that the attacker wins by threats after this reply of the defender, and its zone.
    struct Tree {
        int reply;  ///< a bit, or `pass`
        ThreatTree tree;
        Set zone;
    };
    struct Child {
        int move;  ///< a bit, in the orientation of this node
        QuietNode* node;
    };

    Stones stones;
    bool attacker_moves = false;
    bool evaluated = false;
    bool pass_open = false;  ///< defender: no win by threats was found against a pass, nor was one ruled out
    std::uint8_t level = 0;  ///< how often the largest search by threats has been repeated with a larger limit
    ProofNumbers numbers{1, 1};
    std::uint64_t work = 0;  ///< positions that the searches by threats below looked at
    /// Defender: the replies that no tree covers and that are no children yet.
    Set open;
    /// Defender: the trees against a pass and single replies. Attacker: at most one, the proof that he wins by threats.
    std::vector<Tree> trees;
    std::vector<Child> children;
    /// Attacker: moves that are no children yet, the best one last.
    std::vector<int> candidates;

    bool proved() const noexcept { return numbers.proof == 0; }
    bool failed() const noexcept { return numbers.disproof == 0; }
};

/// All nodes of a search by their positions, one for a position and its images.
template <class Attack>
class QuietNodes {
  public:
    using Node = QuietNode<Attack>;
    using Stones = typename Attack::Stones;

    explicit QuietNodes(const Attack& attack) : keys_(attack) {}

    Node* find(const Stones& s, bool attacker_moves) const {
        const auto place = nodes_.find(keys_.of(s, attacker_moves));
        return place == nodes_.end() ? nullptr : place->second.get();
    }
    Node& at(const Stones& s, bool attacker_moves) {
        auto& place = nodes_[keys_.of(s, attacker_moves)];
        if (!place) {
            place = std::make_unique<Node>();
            place->stones = s;
            place->attacker_moves = attacker_moves;
        }
        return *place;
    }

    const SymmetricKeys<Attack>& keys() const noexcept { return keys_; }
    std::size_t size() const noexcept { return nodes_.size(); }
    /// Deletes the nodes that are not worth keeping.
    template <class Predicate>
    void erase_if(Predicate&& predicate) {
        std::erase_if(nodes_, [&](const auto& entry) { return predicate(*entry.second); });
    }

  private:
    SymmetricKeys<Attack> keys_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Node>> nodes_;
};

}  // namespace proofbase
