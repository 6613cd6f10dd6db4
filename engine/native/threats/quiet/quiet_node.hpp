// The nodes of a search over moves that make no threat, each with the proof that was found for it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "threats/board/symmetric_keys.hpp"
#include "threats/board/threat_concepts.hpp"
#include "threats/trees/proof_table.hpp"
#include "threats/trees/threat_tree.hpp"

namespace proofbase {

template <QuietThreatBoard Attack>
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
    bool saved = false;          ///< its record is in a checkpoint
    bool stored = false;         ///< attacker: proved by a record that is stored: it has neither trees nor children
    bool irreducible = false;    ///< attacker: ProofReduction found no win by threats
    bool pass_open = false;      ///< defender: no win by threats was found against a pass, nor was one ruled out
    bool in_evaluation = false;  ///< by one thread; others wait
    std::uint8_t searchers = 0;  ///< threads that search it now
    std::uint8_t level = 0;      ///< how often the largest search by threats has been repeated with a larger limit
    ProofNumbers numbers{1, 1};
    std::uint64_t work = 0;  ///< positions that the searches by threats below looked at
    /// Defender: the replies that no tree covers and that are no children yet.
    Set open;
    /// Defender: the trees against a pass and single replies. Attacker: at most one, the proof that he wins by threats.
    std::vector<Tree> trees;
    std::vector<Child> children;
    /// Attacker: moves that are no children yet, the best one last.
    std::vector<int> candidates;

    /// Attacker, proved by a move without a threat: that move.
    const Child& answer() const {
        return *std::ranges::find_if(children, [](const Child& child) { return child.node->proved(); });
    }

    bool proved() const noexcept { return numbers.proof == 0; }
    bool failed() const noexcept { return numbers.disproof == 0; }
};

/// All nodes of a search by their positions, one for a position and its images.
template <QuietThreatBoard Attack>
class QuietNodes {
  public:
    using Node = QuietNode<Attack>;
    using Stones = typename Attack::Stones;

    explicit QuietNodes(const Attack& attack) : keys_(attack) {}

    /// Whether a stored record proves that the attacker, to move, wins. Asked once for each new node; may be left
    /// empty.
    std::function<bool(const Stones&)> stored;

    Node* find(const Stones& s, bool attacker_moves) const {
        const auto place = nodes_.find(keys_.of(s, attacker_moves));
        return place == nodes_.end() ? nullptr : place->second.get();
    }
    Node& at(const Stones& s, bool attacker_moves) {
        const std::uint64_t key = keys_.of(s, attacker_moves);
        const auto place = nodes_.find(key);
        if (place != nodes_.end()) return *place->second;
        auto node = std::make_unique<Node>();
        node->stones = s;
        node->attacker_moves = attacker_moves;
        if (attacker_moves && stored && stored(s)) {
            node->stored = node->evaluated = true;
            node->numbers = ProofNumbers::proved();
        }
        Node& made = *nodes_.emplace(key, std::move(node)).first->second;
        size_.store(nodes_.size(), std::memory_order_relaxed);
        return made;
    }
    bool is_proved(const Stones& s, bool attacker_moves) const {
        const Node* node = find(s, attacker_moves);
        return node != nullptr && node->proved();
    }
    /// The node of a position that is proved, by a node or by a stored record; null: there is none.
    Node* proved(const Stones& s, bool attacker_moves) {
        Node* node = find(s, attacker_moves);
        if (node == nullptr && attacker_moves && stored && stored(s)) node = &at(s, attacker_moves);
        return node != nullptr && node->proved() ? node : nullptr;
    }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const auto& [key, node] : nodes_) visit(*node);
    }

    const SymmetricKeys<Attack>& keys() const noexcept { return keys_; }
    /// May be asked by any thread.
    std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }

    void clear() {
        nodes_.clear();
        size_ = 0;
    }

    /// Deletes everything but the proofs of these nodes, which are proved.
    void keep_proofs_of(const std::vector<Node*>& roots) {
        std::unordered_set<const Node*> kept;
        std::vector<Node*> pending;
        const auto keep = [&](Node* node) {
            if (node->proved() && kept.insert(node).second) pending.push_back(node);
        };
        for (Node* root : roots) keep(root);
        while (!pending.empty()) {
            Node& node = *pending.back();
            pending.pop_back();
            node.candidates.clear();
            if (node.attacker_moves && !node.trees.empty()) node.children.clear();
            if (node.attacker_moves && !node.children.empty()) node.children = {node.answer()};
            for (const auto& child : node.children) keep(child.node);
        }
        std::erase_if(nodes_, [&](const auto& entry) { return !kept.contains(entry.second.get()); });
        size_ = nodes_.size();
    }

    /// How many positions the proof of a node rests on, itself among them; `most` if there are as many.
    std::size_t size_of_proof(const Node& root, std::size_t most) const {
        std::unordered_set<const Node*> seen = {&root};
        std::vector<const Node*> pending = {&root};
        while (!pending.empty() && seen.size() < most) {
            const Node& node = *pending.back();
            pending.pop_back();
            if (node.attacker_moves && (!node.trees.empty() || node.stored)) continue;
            const auto add = [&](const Node* child) {
                if (seen.insert(child).second) pending.push_back(child);
            };
            if (node.attacker_moves) {
                add(node.answer().node);
            } else {
                for (const auto& child : node.children) add(child.node);
            }
        }
        return seen.size();
    }

  private:
    SymmetricKeys<Attack> keys_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Node>> nodes_;
    std::atomic<std::size_t> size_ = 0;
};

}  // namespace proofbase
