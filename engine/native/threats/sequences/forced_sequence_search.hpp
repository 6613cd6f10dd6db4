// Plain search of forced sequences: all sequences of threats with their forced replies, breadth first, each set of
// stones once (a tactical search in the words of Patashnik 1980). Finds the shortest winning line, if there is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "threats/sequences/threat_line.hpp"
#include "threats/sequences/threat_search_cost.hpp"

namespace proofbase {

/// One thread at a time. An object keeps its memory from one call of `find` to the next.
template <ThreatSpace S>
class ForcedSequenceSearch {
  public:
    using Stones = typename S::Stones;

    /// True if the attacker, to move, wins by threats; then `line` is such a line. Ends after `most_nodes` without one.
    bool find(const Stones& start, ThreatLine<S>& line, std::size_t most_nodes = 5000) {
        nodes_.clear();
        slots_.assign(64, 0);
        add(start, no_parent, {});
        line.clear();
        bool won = false;
        std::size_t n = 0;
        if (const auto move = S::wins(start)) {
            line.push_back(*move);
            cost_.count(1);
            return true;
        }
        for (; n < nodes_.size() && n < most_nodes && !won; ++n) won = expand(n, line);
        cost_.count(n);
        cost_.cut += !won && n < nodes_.size();
        return won;
    }

    const ThreatSearchCost& cost() const noexcept { return cost_; }

  private:
    static constexpr std::uint32_t no_parent = 0xffffffff;

    struct Node {
        Stones stones;
        std::uint32_t parent;
        typename S::Threat threat;
    };

    /// Adds the children of a node. True if one of them wins; then `line` is the line to it.
    bool expand(std::size_t n, ThreatLine<S>& line) {
        const Stones stones = nodes_[n].stones;
        const auto counters = S::counters(stones);
        if (counters.count > 1) return false;
        if (counters.count == 1) {
            S::threats_at(stones, counters.move, threats_);
        } else {
            S::threats(stones, threats_);
        }
        for (const auto& threat : threats_) {
            const Stones next = S::play(stones, threat);
            if (const auto last = S::wins_by(next, threat.move)) {  // a second threat with the same move
                set_line_to(n, line);
                line.push_back(threat.move);
                line.push_back(threat.reply);
                line.push_back(*last);
                return true;
            }
            if (!seen(next)) add(next, static_cast<std::uint32_t>(n), threat);
        }
        return false;
    }

    void set_line_to(std::size_t n, ThreatLine<S>& line) const {
        std::vector<std::uint32_t> path;
        for (auto i = static_cast<std::uint32_t>(n); nodes_[i].parent != no_parent; i = nodes_[i].parent) {
            path.push_back(i);
        }
        line.clear();
        for (; !path.empty(); path.pop_back()) {
            line.push_back(nodes_[path.back()].threat.move);
            line.push_back(nodes_[path.back()].threat.reply);
        }
    }

    /// The slot of the node with these stones; a free slot if there is none.
    std::size_t slot(const Stones& stones) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = S::hash(stones) & mask;
        while (slots_[i] != 0 && !(nodes_[slots_[i] - 1].stones == stones)) i = (i + 1) & mask;
        return i;
    }

    bool seen(const Stones& stones) const { return slots_[slot(stones)] != 0; }

    void add(const Stones& stones, std::uint32_t parent, const typename S::Threat& threat) {
        nodes_.push_back({stones, parent, threat});
        if (nodes_.size() * 2 > slots_.size()) {
            slots_.assign(slots_.size() * 2, 0);
            for (std::size_t n = 0; n < nodes_.size(); ++n) {
                slots_[slot(nodes_[n].stones)] = static_cast<std::uint32_t>(n + 1);
            }
        } else {
            slots_[slot(stones)] = static_cast<std::uint32_t>(nodes_.size());
        }
    }

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> slots_;  ///< node numbers from 1; 0: free
    typename S::Threats threats_;
    ThreatSearchCost cost_;
};

}  // namespace proofbase
