// What threats alone say of a position: whether the attacker, to move, wins by them, and which replies of the defender
// are left when they are tried one by one.
//
// With the defender to move: if he wins by fours the position is given up. Otherwise the attacker must win by threats
// after a pass (the implicit threat of Allis 1994, 5.4). The replies outside the zone of that tree lose to the same
// tree. Those inside are tried, the most dangerous first; a tree against one of them answers all replies outside its
// own zone as well.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "threats/board/threat_concepts.hpp"
#include "threats/quiet/guards.hpp"
#include "threats/quiet/shared_search.hpp"
#include "threats/sequences/fours_search.hpp"
#include "threats/trees/threes_search.hpp"
#include "threats/trees/tree_image.hpp"
#include "threats/trees/tree_repair.hpp"
#include "threats/zones/relevance_zone.hpp"

namespace proofbase {

template <QuietThreatBoard Attack>
class QuietEvaluation {
  public:
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;
    using Node = QuietNode<Attack>;
    using Nodes = QuietNodes<Attack>;
    using Threes = ThreesSearch<Attack>;
    using Fours = FoursSearch<Attack>;

    /// `lock`: of `shared.mutex`; given up during searches by threats where it is held.
    QuietEvaluation(const Attack& attack, SharedSearch<Attack>& shared, std::unique_lock<std::mutex>& lock)
        : attack_(attack),
          shared_(shared),
          lock_(lock),
          settings_(shared.settings),
          nodes_(shared.nodes),
          threes_(attack, settings_.table_size),
          fours_(attack),
          zones_(attack),
          repair_(attack, threes_) {}

    /// Positions that the searches by threats of this thread looked at.
    std::uint64_t work() const noexcept { return work_; }

    /// `pause` is called where the flag is true, in the midst of a search by threats too.
    void pause_when(const std::atomic<bool>& interrupted, std::function<void()> pause) {
        threes_.interrupted = &interrupted;
        threes_.pause = std::move(pause);
    }

    void set_analogies(std::vector<Analogy> analogies) { analogies_ = std::move(analogies); }

    /// A node with the attacker to move: true if he wins by threats; the node then has their tree, and is proved.
    bool prove_by_threats(Node& node, std::uint64_t most_nodes) {
        ThreatTree tree;
        if (!found(node.stones, {}, tree, most_nodes)) return false;
        const auto zone = zones_.of(node.stones, tree);
        if (!zone) return false;
        node.trees.assign(1, {Node::pass, std::move(tree), *zone});
        node.numbers = ProofNumbers::proved();
        return true;
    }

    /// A node with the defender to move. Gives it numbers, replies that are left, and children.
    void evaluate(Node& node) {
        node.evaluated = true;
        node.pass_open = false;
        if (attack_.empty(node.stones).empty()) {
            node.numbers = ProofNumbers::disproved();
            return;
        }
        if (node.trees.empty()) {
            node.open = attack_.empty(node.stones);  // nothing is answered, should memory run out on the way
            if (!against_pass(node)) return;
        }
        sweep(node);
    }

    /// Tries the replies that are left until enough of them are unanswered.
    void sweep(Node& node) {
        const Stones& s = node.stones;
        int unanswered = 0;
        for (const auto& child : node.children) unanswered += child.node->proved() ? 0 : 1;
        if (node.open.empty() || unanswered >= settings_.most_open) return;
        const auto worth = attack_.worth(s);
        while (!node.open.empty() && unanswered < settings_.most_open) {
            const int reply = most_dangerous(node.open, worth);
            const Stones after = attack_.defended(s, reply);
            Node* known = nodes_.find(after, true);
            ThreatTree tree;
            if (known != nullptr && known->proved() && !known->trees.empty()) {
                tree = image(*known, 0, after);
            } else if ((known != nullptr && known->evaluated) ||
                       !found(after, plans(node), tree, settings_.reply_nodes)) {
                if (!node.open.has(reply)) continue;  // another thread has answered it
                Node& child = nodes_.at(after, true);
                add_child(node, reply, child);
                if (child.failed()) return;
                if (!child.proved()) ++unanswered;
                continue;
            }
            if (!cover(node, reply, std::move(tree))) {
                add_child(node, reply, nodes_.at(after, true));
                ++unanswered;
            }
        }
    }

    /// A child that has been proved by threats: its tree answers all replies outside its zone, like those of a sweep.
    void cover_by_child(Node& node, const typename Node::Child& child) {
        const auto same = [&](const auto& other) { return other.node == child.node; };
        if (!std::ranges::any_of(node.children, same)) return;  // another thread has done so
        cover(node, child.move, image(*child.node, 0, attack_.defended(node.stones, child.move)));
    }

    /// The moves of the attacker to be tried, the best one last.
    std::vector<int> candidates(const Stones& s, int most) {
        const Set must_block = attack_.defender_wins(s);
        if (!must_block.empty()) {
            if (must_block.more_than_one()) return {};
            return {must_block.first()};
        }
        const auto worth = attack_.worth(s);
        std::vector<std::pair<int, int>> all;
        attack_.playable(s).for_each([&](int bit) {
            const auto i = static_cast<std::size_t>(bit);
            all.emplace_back(2 * worth.attacker[i] + worth.defender[i], bit);
        });
        std::ranges::sort(all, std::greater{});
        if (all.size() > static_cast<std::size_t>(most)) all.resize(static_cast<std::size_t>(most));
        std::vector<int> moves;
        for (std::size_t i = all.size(); i-- > 0;) moves.push_back(all[i].second);
        if (const int move = analogous_move(s); move >= 0) {
            std::erase(moves, move);
            moves.push_back(move);
        }
        return moves;
    }

    static int most_dangerous(const Set& set, const typename Attack::Worth& worth) {
        int best = -1;
        int most = -1;
        set.for_each([&](int bit) {
            const auto i = static_cast<std::size_t>(bit);
            const int danger = worth.attacker[i] + worth.defender[i];
            if (danger > most) {
                most = danger;
                best = bit;
            }
        });
        return best;
    }

  private:
    bool against_pass(Node& node) {
        const Stones& s = node.stones;
        if (!attack_.defender_wins(s).empty()) {
            node.numbers = ProofNumbers::disproved();
            return false;
        }
        if (node.level == 0 && attack_.wins(s).empty()) {
            if (defender_wins_by_fours(s)) {
                node.numbers = ProofNumbers::disproved();
                return false;
            }
        }
        const Node* analogy = analogous(s, false);
        ThreatTree tree;
        std::vector<ThreatTree> guide;
        if (analogy != nullptr) guide.push_back(image(*analogy, 0, s));
        const std::uint64_t limit = settings_.pass_nodes << 2 * node.level;
        if (!found(s, guide, tree, limit)) {
            ++node.level;
            if (!settings_.implicit_threats && (ruled_out_ || node.level > settings_.most_levels)) {
                node.open = attack_.empty(s);
                return true;
            }
            if (ruled_out_ || node.level > settings_.most_levels) {
                node.numbers = ProofNumbers::disproved();
            } else {
                node.pass_open = true;
                node.numbers = {4U << node.level, 1};
            }
            return false;
        }
        node.open = attack_.empty(s);
        cover(node, Node::pass, std::move(tree));
        if (analogy != nullptr) carry_over(node, *analogy);
        return true;
    }

    bool defender_wins_by_fours(const Stones& s) {
        const Unlocked others_go_on(lock_);
        return fours_.find(attack_.stones(s.defender, s.attacker), settings_.fours_nodes) == Fours::Outcome::won;
    }

    /// The trees of a position that differs in a stone, where they hold.
    void carry_over(Node& node, const Node& analogy) {
        const auto* symmetry = symmetry_to(analogy, node.stones);
        if (symmetry == nullptr) return;
        for (std::size_t i = 1; i < analogy.trees.size(); ++i) {
            const auto& given = analogy.trees[i];
            const int reply = (*symmetry)[static_cast<std::size_t>(given.reply)];
            if (node.open.has(reply)) cover(node, reply, TreeImage<Attack>(attack_, *symmetry).of(given.tree));
        }
    }

    /// Plans against one more reply: the tree against a pass and the last one found.
    std::vector<ThreatTree> plans(const Node& node) const {
        std::vector<ThreatTree> list;
        if (!node.trees.empty()) list.push_back(node.trees.front().tree);
        if (node.trees.size() > 1) list.push_back(node.trees.back().tree);
        return list;
    }

    /// Adds a tree, and takes away what it covers. False if it proves nothing.
    bool cover(Node& node, int reply, ThreatTree tree) {
        const Stones at = reply == Node::pass ? node.stones : attack_.defended(node.stones, reply);
        const auto zone = zones_.of(at, tree);
        if (!zone) return false;
        node.trees.push_back({reply, std::move(tree), *zone});
        if (reply != Node::pass) node.open = node.open - Set::of(reply);
        node.open = node.open & *zone;
        std::erase_if(node.children, [&](const auto& child) { return !zone->has(child.move); });
        return true;
    }

    /// A reply that waits for a proof of its own.
    static void add_child(Node& node, int reply, Node& child) {
        node.children.push_back({reply, &child});
        node.open = node.open - Set::of(reply);
    }

    /// A win by threats of the attacker, to move.
    bool found(const Stones& s, const std::vector<ThreatTree>& with, ThreatTree& tree, std::uint64_t most_nodes) {
        const Unlocked others_go_on(lock_);
        ++shared_.searches;
        ruled_out_ = false;
        for (const ThreatTree& guide : with) {
            const bool fits = repair_.find(s, guide, tree, settings_.repair_nodes, 40);
            add_work(repair_.nodes());
            if (fits) return true;
        }
        const auto outcome = threes_.find(s, most_nodes);
        add_work(threes_.nodes());
        ruled_out_ = outcome == Threes::Outcome::none;
        if (outcome != Threes::Outcome::won) return false;
        const bool complete = threes_.write(s, tree, 100 * most_nodes);
        add_work(threes_.nodes());
        return complete;
    }

    void add_work(std::uint64_t positions) {
        work_ += positions;
        shared_.work += positions;
    }

    /// A proved position that differs from this one as an analogy says.
    const Node* analogous(const Stones& s, bool attacker_moves) const {
        for (const Analogy& analogy : analogies_) {
            if (const auto other = changed(s, analogy)) {
                const Node* node = nodes_.find(*other, attacker_moves);
                if (node != nullptr && node->proved() && (attacker_moves || !node->trees.empty())) return node;
            }
        }
        return nullptr;
    }

    std::optional<Stones> changed(const Stones& s, const Analogy& analogy) const {
        Set defender = s.defender;
        if (analogy.removed != Analogy::nothing) {
            if (!defender.has(analogy.removed)) return std::nullopt;
            defender = defender - Set::of(analogy.removed);
        }
        if (analogy.added != Analogy::nothing) {
            if (!attack_.empty(s).has(analogy.added)) return std::nullopt;
            defender = defender | Set::of(analogy.added);
        }
        return attack_.stones(s.attacker, defender);
    }

    /// From the stones of the node to those of an analogy of `s`.
    const typename Attack::Symmetry* symmetry_to(const Node& node, const Stones& s) const {
        for (const Analogy& analogy : analogies_) {
            if (const auto other = changed(s, analogy)) {
                if (const auto* symmetry = nodes_.keys().between(node.stones, *other)) return symmetry;
            }
        }
        return nodes_.keys().between(node.stones, s);
    }

    ThreatTree image(const Node& node, std::size_t tree, const Stones& s) const {
        const auto* symmetry = symmetry_to(node, s);
        const ThreatTree& given = node.trees[tree].tree;
        return symmetry == nullptr ? given : TreeImage<Attack>(attack_, *symmetry).of(given);
    }

    int analogous_move(const Stones& s) const {
        const Node* node = analogous(s, true);
        if (node == nullptr) return -1;
        const auto* symmetry = symmetry_to(*node, s);
        if (symmetry == nullptr) return -1;
        int move = -1;
        if (!node->trees.empty()) {
            const int number = node->trees[0].tree.numbers[0];
            if (number == ThreatTree::ends) return -1;
            move = attack_.bit(number);
        } else {
            for (const auto& child : node->children) {
                if (child.node->proved()) move = child.move;
            }
        }
        if (move < 0) return -1;
        move = (*symmetry)[static_cast<std::size_t>(move)];
        return attack_.playable(s).has(move) ? move : -1;
    }

    Attack attack_;
    SharedSearch<Attack>& shared_;
    std::unique_lock<std::mutex>& lock_;
    const QuietSettings& settings_;
    Nodes& nodes_;
    Threes threes_;
    Fours fours_;
    RelevanceZone<Attack> zones_;
    TreeRepair<Attack> repair_;
    std::vector<Analogy> analogies_;
    std::uint64_t work_ = 0;
    bool ruled_out_ = false;
};

}  // namespace proofbase
