// Dependency-based search (Allis 1994, 3.4, 3.5 and 4.3): instead of all orders of threats, only threats that depend on
// the one before (dependency stage), and joins of two lines of threats on which one further threat depends
// (combination stage), level by level.
//
// A node stands for a threat with those that it depends on, and carries one playable order of them: what is found can
// be played as it stands. Fours of the defender (4.3.3) are met in three ways: a sequence that gives him two is
// dropped; one that gives him one goes on with threats on the cube that stops it, and no others; and two lines are
// joined in an order in which each such cube is taken in time, the first that is found. The last makes the search
// incomplete, as it is in the thesis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "threats/threat_line.hpp"

namespace proofbase {

/// Not for several threads at a time; an object keeps its memory.
template <ThreatSpace S>
class DependencySearch {
  public:
    using Stones = typename S::Stones;

    /// True if a line was found by which the attacker, to move, wins. Gives up after `most_nodes`.
    bool find(const Stones& start, ThreatLine<S>& line, std::size_t most_nodes = 5000) {
        line_ = &line;
        left_ = most_nodes;
        Sequence root{start, {}, 0, {}};
        const auto counters = S::counters(start);
        bool won = false;
        if (const auto move = S::wins(start)) {
            won = finish(root, *move);
        } else if (counters.count <= 1) {
            root.counters = counters.count;
            root.stop = counters.move;
            won = levels(root);
        }
        cost_.count(most_nodes - left_ + 1);
        cost_.cut += !won && left_ == 0;
        return won;
    }

    const ThreatSearchCost& cost() const noexcept { return cost_; }

  private:
    using Move = typename S::Move;
    using Threat = typename S::Threat;

    /// Threats in a playable order, and the stones after them.
    struct Sequence {
        Stones stones;
        Move stop;     ///< where counters != 0: the cube that the attacker must take next
        int counters;  ///< 1 if the defender threatens to win at once, else 0
        InlineList<Threat, 20> threats;
    };
    struct Node {
        Sequence sequence;
        Move move;  ///< of the last threat, the key operator
    };
    static constexpr std::size_t most_threats = 20;

    /// Searches from a start; where the defender threatens to win, once for every threat that stops him.
    bool levels(const Sequence& root) {
        if (root.counters != 0) {
            typename S::Threats answers;
            S::threats_at(root.stones, root.stop, answers);
            for (const Threat& threat : answers) {
                Sequence next = root;
                if (!spend()) return false;
                const Step step = play(next, threat);
                if (step == Step::won) return true;
                if (step == Step::played && levels(next)) return true;
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

    /// Plays a threat behind a sequence.
    Step play(Sequence& sequence, const Threat& threat) {
        if (sequence.counters != 0 && sequence.stop != threat.move) return Step::failed;
        if (sequence.threats.size() == most_threats) return Step::failed;
        sequence.stones = S::played(sequence.stones, threat);
        sequence.threats.push_back(threat);
        if (const auto move = S::wins_by(sequence.stones, threat.move)) {
            finish(sequence, *move);
            return Step::won;
        }
        const auto counters = S::counters_by(sequence.stones, threat.reply);
        if (counters.count > 1) return Step::failed;
        sequence.counters = counters.count;
        sequence.stop = counters.move;
        return Step::played;
    }

    bool finish(const Sequence& sequence, Move last) {
        line_->clear();
        for (const Threat& threat : sequence.threats) {
            line_->push_back(threat.move);
            line_->push_back(threat.reply);
        }
        line_->push_back(last);
        return true;
    }

    bool spend() {
        if (left_ == 0) return false;
        --left_;
        return true;
    }

    /// A node for the threat behind the sequence, and the dependency stage below it.
    bool extend(const Sequence& sequence, const Threat& threat) {
        if (sequence.counters != 0 && sequence.stop != threat.move) return false;
        if (!spend()) return false;
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
        S::threats_at(next.stones, next.stop, threats);  // also those that do not depend on it: they stop the defender
        for (const Threat& answer : threats) {
            if (extend(next, answer)) return true;
        }
        return false;
    }

    /// Joins two lines if a further threat, or a win, depends on the last threats of both.
    bool combine(std::size_t a, std::size_t b) {
        const Sequence& x = nodes_[a].sequence;
        const Sequence& y = nodes_[b].sequence;
        if (S::disagree(x.stones, y.stones)) return false;
        const Stones both = S::united(x.stones, y.stones);
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
        if (win) return finish(joined, *win);
        for (const Threat& threat : threats) {
            if (extend(joined, threat)) return true;
        }
        return false;
    }

    /// A playable order of the threats of both, each side's in its own order.
    bool join(const Sequence& x, const Sequence& y, Sequence& joined) {
        joined = root_;
        std::size_t at[2] = {0, 0};
        const Sequence* const parts[2] = {&x, &y};
        while (true) {
            for (int side = 0; side < 2; ++side) {
                const auto& threats = parts[side]->threats;
                while (at[side] < threats.size() && S::holds(joined.stones, threats[at[side]])) ++at[side];
            }
            const bool more[2] = {at[0] < x.threats.size(), at[1] < y.threats.size()};
            if (!more[0] && !more[1]) return true;
            int chosen = -1;
            for (int side = 0; side < 2 && chosen < 0; ++side) {
                if (!more[side]) continue;
                const Threat& threat = parts[side]->threats[at[side]];
                if (!S::fits(joined.stones, threat)) return false;
                if (joined.counters != 0 && joined.stop != threat.move) continue;
                const auto counters = S::counters_by(S::played(joined.stones, threat), threat.reply);
                if (counters.count > 1) continue;
                if (counters.count == 1) {  // what stops the defender must be next in line, unless this is the end
                    const std::size_t next = at[side] + 1;
                    const bool own = next < parts[side]->threats.size();
                    const bool stopped =
                        (own && parts[side]->threats[next].move == counters.move) ||
                        (more[1 - side] && parts[1 - side]->threats[at[1 - side]].move == counters.move);
                    if (!stopped && (own || more[1 - side])) continue;
                }
                chosen = side;
            }
            if (chosen < 0 || joined.threats.size() == most_threats) return false;
            const Threat threat = parts[chosen]->threats[at[chosen]++];
            joined.stones = S::played(joined.stones, threat);
            joined.threats.push_back(threat);
            const auto counters = S::counters_by(joined.stones, threat.reply);
            joined.counters = counters.count;
            joined.stop = counters.move;
        }
    }

    ThreatLine<S>* line_ = nullptr;
    std::size_t left_ = 0;
    Sequence root_;
    std::vector<Node> nodes_;
    std::vector<std::vector<std::size_t>> by_move_;  ///< nodes with this last move
    ThreatSearchCost cost_;
};

}  // namespace proofbase
