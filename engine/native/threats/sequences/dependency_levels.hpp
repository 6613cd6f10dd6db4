// The stages of dependency-based search (Allis 1994, 3.4, 3.5 and 5.3) over threats whose replies are all played at
// once: after a threat only threats that need its stone (dependency stage), and two sequences of threats are joined
// only where a further threat needs the last stones of both (combination stage), level by level.
//
// DependencySearch (qubic) has the same stages for threats with one reply, and plays the defender's counters within
// them; here counters are left to whoever visits the nodes, as in 5.3.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inline_list.hpp"
#include "threats/board/threat_concepts.hpp"

namespace proofbase {

/// An object keeps its memory.
template <class Lines, SquareSet Set>
    requires ThreatOperators<Lines, Set>
class DependencyLevels {
  public:
    using Threat = typename Lines::Threat;
    static constexpr std::size_t most_threats = 24;  ///< of a sequence; longer ones are not searched

    /// A sequence of threats, in an order that can be played, and the stones after it and its replies.
    struct Node {
        Set own;
        Set other;
        InlineList<std::uint32_t, most_threats> threats;  ///< numbers for `threat`
        int category = 2;                                 ///< of threats that may follow, at most
    };
    enum class Visit { go_on, end_here, stop };

    explicit DependencyLevels(const Lines& lines) : lines_(lines) {}

    const Threat& threat(std::uint32_t number) const noexcept { return threats_[number]; }
    const std::vector<Node>& nodes() const noexcept { return nodes_; }

    /// All sequences that depend on each other, from these stones. `visit(node)` may lower the category of what
    /// follows, or stop the search; `level_ends()` is asked after each level whether to stop. At most `most_nodes`
    /// nodes.
    template <class VisitNode, class LevelEnds>
    void search(const Set& own, const Set& other, int category, std::size_t most_nodes, VisitNode&& visit,
                LevelEnds&& level_ends) {
        nodes_.clear();
        threats_.clear();
        for (auto& list : by_move_) list.clear();
        most_nodes_ = most_nodes;
        root_ = {own, other, {}, category};
        scratch_.clear();
        lines_.add_all(own, other, category, scratch_);
        const std::vector<Threat> first = scratch_;
        for (const Threat& threat : first) {
            if (!extend(root_, threat, visit)) return;
        }
        for (std::size_t done = 0; done < nodes_.size();) {
            if (level_ends()) return;
            const std::size_t end = nodes_.size();
            for (std::size_t i = done; i < end; ++i) {
                if (!combine_with_earlier(i, visit)) return;
            }
            done = end;
        }
    }

    bool cut() const noexcept { return nodes_.size() >= most_nodes_; }

  private:
    int move_of(const Node& node) const noexcept { return threats_[node.threats[node.threats.size() - 1]].move; }

    /// Adds the node of a threat, and runs the dependency stage below it. False to stop.
    template <class VisitNode>
    bool extend(const Node& before, const Threat& threat, VisitNode& visit) {
        if (cut()) return false;
        if (before.threats.size() == most_threats) return true;
        Node node = before;
        node.own = node.own | Set::of(threat.move);
        node.other = node.other | threat.replies;
        node.threats.push_back(static_cast<std::uint32_t>(threats_.size()));
        threats_.push_back(threat);
        const Visit seen = visit(node);
        if (seen == Visit::stop) return false;
        if (seen == Visit::end_here) return true;
        const auto place = static_cast<std::size_t>(threat.move);
        if (by_move_.size() <= place) by_move_.resize(place + 1);
        by_move_[place].push_back(static_cast<std::uint32_t>(nodes_.size()));
        nodes_.push_back(node);
        std::vector<Threat> next;
        lines_.add_with(node.own, node.other, threat.move, node.category, next);
        for (const Threat& further : next) {
            if (!extend(node, further, visit)) return false;
        }
        return true;
    }

    template <class VisitNode>
    bool combine_with_earlier(std::size_t i, VisitNode& visit) {
        const int move = move_of(nodes_[i]);
        for (std::size_t place = 0; place < by_move_.size(); ++place) {
            if (by_move_[place].empty() || !lines_.on_a_line(move, static_cast<int>(place))) continue;
            for (std::size_t k = 0; k < by_move_[place].size() && by_move_[place][k] < i; ++k) {
                if (!combine(i, by_move_[place][k], visit)) return false;
            }
        }
        return true;
    }

    /// Joins two sequences if a further threat needs the last stones of both. False to stop.
    template <class VisitNode>
    bool combine(std::size_t a, std::size_t b, VisitNode& visit) {
        const Node& x = nodes_[a];
        const Node& y = nodes_[b];
        if (!(x.own & y.other).empty() || !(x.other & y.own).empty()) return true;
        if ((x.own - y.own).empty() || (y.own - x.own).empty()) return true;
        const int category = x.category < y.category ? x.category : y.category;
        scratch_.clear();
        lines_.add_with_both(x.own | y.own, x.other | y.other, move_of(x), move_of(y), category, scratch_);
        if (scratch_.empty()) return true;
        Node joined;
        if (!join(x, y, joined) && !join(y, x, joined)) return true;
        joined.category = category;
        const std::vector<Threat> further = scratch_;
        for (const Threat& threat : further) {
            if (!extend(joined, threat, visit)) return false;
        }
        return true;
    }

    /// The threats of the first sequence, and behind them those of the second. False if that cannot be played.
    bool join(const Node& first, const Node& second, Node& joined) const {
        joined = first;
        for (const std::uint32_t number : second.threats) {
            const Threat& threat = threats_[number];
            if (!(joined.own & Set::of(threat.move)).empty()) continue;
            if (!(joined.other & threat.squares).empty() || !(joined.own & threat.extensions).empty()) return false;
            if (joined.threats.size() == most_threats) return false;
            joined.own = joined.own | Set::of(threat.move);
            joined.other = joined.other | threat.replies;
            joined.threats.push_back(number);
        }
        return true;
    }

    Lines lines_;
    Node root_;
    std::vector<Node> nodes_;
    std::vector<Threat> threats_;
    std::vector<Threat> scratch_;
    std::vector<std::vector<std::uint32_t>> by_move_;  ///< by move of the last threat: the nodes
    std::size_t most_nodes_ = 0;
};

}  // namespace proofbase
