// Lines of threats: the attacker's moves and the defender's replies in turn, the attacker's winning move last.
#pragma once

#include <cstddef>
#include <cstdint>

#include "concepts.hpp"
#include "inline_list.hpp"

namespace proofbase {

inline constexpr std::size_t longest_threat_line = 63;

template <ThreatSpace S>
using ThreatLine = InlineList<typename S::Move, longest_threat_line>;

/// What a finder says, and at what cost.
struct ThreatSearchCost {
    std::uint64_t searches = 0;
    std::uint64_t nodes = 0;
    std::uint64_t largest = 0;  ///< most nodes of one search
    std::uint64_t cut = 0;      ///< searches that a limit ended

    void count(std::size_t searched) {
        ++searches;
        nodes += searched;
        if (searched > largest) largest = searched;
    }
};

/// True if the line wins from here with the attacker to move, whatever the defender plays: every reply but the line's
/// leaves the attacker a move that wins at once, and no reply of the line gives the defender a four of his own that
/// the next move does not answer.
template <ThreatSpace S>
bool wins_along(typename S::Stones s, const ThreatLine<S>& line) {
    typename S::Threats made;
    auto counters = S::counters(s);
    std::size_t i = 0;
    for (; i + 1 < line.size(); i += 2) {
        const typename S::Threat threat{line[i], line[i + 1]};
        if (!S::fits(s, threat)) return false;
        if (counters.count > 1 || (counters.count == 1 && counters.move != threat.move)) return false;
        S::threats_at(s, threat.move, made);
        bool found = false;
        for (const auto& other : made) found |= other.reply == threat.reply;
        if (!found) return false;
        s = S::played(s, threat);
        counters = S::counters_by(s, threat.reply);  // older ones were answered by the move
    }
    return S::wins_with(s, line[i]);
}

}  // namespace proofbase
