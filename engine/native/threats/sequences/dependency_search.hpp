// Dependency-based search (Allis 1994, 3.4, 3.5 and 4.3): instead of all orders of threats, only threats that depend on
// the one before (dependency stage), and joins of two lines of threats on which one further threat depends
// (combination stage), level by level.
//
// A node stands for a threat and the threats that it depends on. The node holds one playable order of them, so every
// line that is found can be played. Counters of the defender (concepts.hpp; the fours of 4.3.3) are treated in three
// ways. A sequence that gives the defender two counters is dropped. A sequence that gives him one counter goes on only
// with threats whose first move prevents the counter. Two lines are joined in the first order that is found in which
// every counter is prevented by the next move; since other orders are not tried, the search is incomplete, like that of
// the thesis.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "threats/sequences/threat_line.hpp"
#include "threats/sequences/threat_search_cost.hpp"

namespace proofbase {

/// One thread at a time. An object keeps its memory from one call of `find` to the next.
template <ThreatSpace S>
class DependencySearch {
  public:
    using Stones = typename S::Stones;

    /// True if a line of at most `most_plies` plies was found by which the attacker, to move, wins. Ends after
    /// `most_nodes` without one.
    bool find(const Stones& start, ThreatLine<S>& line, std::size_t most_nodes = 5000,
              std::size_t most_plies = longest_threat_line) {
        if (most_plies == 0) return false;
        line_ = &line;
        most_threats_ = std::min(most_threats, (most_plies - 1) / 2);
        nodes_left_ = most_nodes;
        Sequence root{start, {}, 0, {}};
        const auto counters = S::counters(start);
        bool won = false;
        if (const auto move = S::wins(start)) {
            set_line(root, *move);
            won = true;
        } else if (counters.count <= 1 && most_threats_ != 0) {
            root.counters = counters.count;
            root.counter = counters.move;
            won = search_levels(root);
        }
        cost_.count(most_nodes - nodes_left_ + 1);
        cost_.cut += !won && nodes_left_ == 0;
        return won;
    }

    const ThreatSearchCost& cost() const noexcept { return cost_; }

  private:
    using Move = typename S::Move;
    using Threat = typename S::Threat;

    static constexpr std::size_t most_threats = 20;  // of a sequence

    /// Threats in a playable order, and the stones after them.
    struct Sequence {
        Stones stones;
        Move counter;  ///< if counters is 1: the defender's winning move, which the attacker must play next himself
        int counters;  ///< counters of the defender: 0 or 1
        InlineList<Threat, most_threats> threats;
    };
    struct Node {
        Sequence sequence;
        Move move;  ///< first move of the last threat (the key operator)
    };

    /// Searches from a start, level by level. If the defender has a counter, searches once after every threat that
    /// prevents it. True if a line was found.
    bool search_levels(const Sequence& root) {
        if (root.counters != 0) {
            typename S::Threats answers;
            S::threats_at(root.stones, root.counter, answers);
            for (const Threat& threat : answers) {
                Sequence next = root;
                if (!take_node()) return false;
                const Step step = play(next, threat);
                if (step == Step::won) return true;
                if (step == Step::played && search_levels(next)) return true;
            }
            return false;
        }
        nodes_.clear();
        for (auto& list : by_move_) list.clear();
        root_ = root;
        typename S::Threats threats;
        S::threats(root.stones, threats);
        for (const Threat& threat : threats) {
            if (extend(root, threat)) return true;
        }
        // Combination stages: pairs of which one node is new since the last stage.
        for (std::size_t done = 0; done < nodes_.size();) {
            const std::size_t end = nodes_.size();
            for (std::size_t i = done; i < end; ++i) {
                for (const Move partner : S::partners(nodes_[i].move)) {
                    if (by_move_.size() <= partner) continue;
                    for (std::size_t k = 0; k < by_move_[partner].size() && by_move_[partner][k] < i; ++k) {
                        if (combine(i, by_move_[partner][k])) return true;
                    }
                }
            }
            done = end;
        }
        return false;
    }

    enum class Step { won, played, failed };

    /// Plays a threat after a sequence.
    Step play(Sequence& sequence, const Threat& threat) {
        if (sequence.counters != 0 && sequence.counter != threat.move) return Step::failed;
        if (sequence.threats.size() == most_threats_) return Step::failed;
        sequence.stones = S::play(sequence.stones, threat);
        sequence.threats.push_back(threat);
        if (const auto move = S::wins_by(sequence.stones, threat.move)) {
            set_line(sequence, *move);
            return Step::won;
        }
        const auto counters = S::counters_by(sequence.stones, threat.reply);
        if (counters.count > 1) return Step::failed;
        sequence.counters = counters.count;
        sequence.counter = counters.move;
        return Step::played;
    }

    /// Sets the line that was found.
    void set_line(const Sequence& sequence, Move last) {
        line_->clear();
        for (const Threat& threat : sequence.threats) {
            line_->push_back(threat.move);
            line_->push_back(threat.reply);
        }
        line_->push_back(last);
    }

    /// Counts a node. False if the limit is reached.
    bool take_node() {
        if (nodes_left_ == 0) return false;
        --nodes_left_;
        return true;
    }

    /// Adds a node for the threat after the sequence, and runs the dependency stage below the node. True if a line was
    /// found.
    bool extend(const Sequence& sequence, const Threat& threat) {
        if (sequence.counters != 0 && sequence.counter != threat.move) return false;
        if (!take_node()) return false;
        Sequence next = sequence;
        const Step step = play(next, threat);
        if (step != Step::played) return step == Step::won;
        if (by_move_.size() <= threat.move) by_move_.resize(threat.move + std::size_t{1});
        by_move_[threat.move].push_back(nodes_.size());
        nodes_.push_back({next, threat.move});

        typename S::Threats threats;
        S::threats_by(next.stones, threat.move, threats);
        for (const Threat& dependent : threats) {
            if (extend(next, dependent)) return true;
        }
        if (next.counters == 0) return false;
        // Threats that prevent the counter follow too, whether they depend on this threat or not.
        S::threats_at(next.stones, next.counter, threats);
        for (const Threat& answer : threats) {
            if (extend(next, answer)) return true;
        }
        return false;
    }

    /// Joins two lines if a further threat or a winning move depends on the last threats of both. True if a line was
    /// found.
    bool combine(std::size_t a, std::size_t b) {
        const Sequence& x = nodes_[a].sequence;
        const Sequence& y = nodes_[b].sequence;
        if (S::conflict(x.stones, y.stones)) return false;
        const Stones both = S::unite(x.stones, y.stones);
        if (both == x.stones || both == y.stones) return false;
        const Move first = nodes_[a].move;
        const Move second = nodes_[b].move;
        const auto win = S::wins_by_both(both, first, second);
        typename S::Threats threats;
        if (!win) {
            S::threats_by_both(both, first, second, threats);
            if (threats.size() == 0) return false;
        }
        Sequence joined;
        if (!join(x, y, joined)) return false;
        if (win) {
            set_line(joined, *win);
            return true;
        }
        for (const Threat& threat : threats) {
            if (extend(joined, threat)) return true;
        }
        return false;
    }

    /// Finds a playable order of the threats of both sequences that keeps the order within each. False if none was
    /// found.
    bool join(const Sequence& x, const Sequence& y, Sequence& joined) {
        joined = root_;
        std::size_t at[2] = {0, 0};
        const Sequence* const parts[2] = {&x, &y};
        while (true) {
            for (int part = 0; part < 2; ++part) {
                const auto& threats = parts[part]->threats;
                while (at[part] < threats.size() && S::has_both(joined.stones, threats[at[part]])) ++at[part];
            }
            const bool more[2] = {at[0] < x.threats.size(), at[1] < y.threats.size()};
            if (!more[0] && !more[1]) return true;
            int chosen = -1;
            for (int part = 0; part < 2 && chosen < 0; ++part) {
                if (!more[part]) continue;
                const Threat& threat = parts[part]->threats[at[part]];
                if (!S::can_play(joined.stones, threat)) return false;
                if (joined.counters != 0 && joined.counter != threat.move) continue;
                const auto counters = S::counters_by(S::play(joined.stones, threat), threat.reply);
                if (counters.count > 1) continue;
                if (counters.count == 1) {  // the next threat of either must prevent the counter, unless none is left
                    const std::size_t next = at[part] + 1;
                    const bool has_next = next < parts[part]->threats.size();
                    const bool prevented =
                        (has_next && parts[part]->threats[next].move == counters.move) ||
                        (more[1 - part] && parts[1 - part]->threats[at[1 - part]].move == counters.move);
                    if (!prevented && (has_next || more[1 - part])) continue;
                }
                chosen = part;
            }
            if (chosen < 0 || joined.threats.size() == most_threats_) return false;
            const Threat threat = parts[chosen]->threats[at[chosen]++];
            joined.stones = S::play(joined.stones, threat);
            joined.threats.push_back(threat);
            const auto counters = S::counters_by(joined.stones, threat.reply);
            joined.counters = counters.count;
            joined.counter = counters.move;
        }
    }

    ThreatLine<S>* line_ = nullptr;
    std::size_t nodes_left_ = 0;
    std::size_t most_threats_ = most_threats;
    Sequence root_;
    std::vector<Node> nodes_;
    std::vector<std::vector<std::size_t>> by_move_;  ///< by first move of the last threat: the nodes
    ThreatSearchCost cost_;
};

}  // namespace proofbase
