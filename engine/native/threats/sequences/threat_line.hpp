// Lines of threats: the attacker's moves and the defender's replies alternate; the last move wins the game.
#pragma once

#include <cstddef>

#include "concepts.hpp"
#include "threats/sequences/threat_findings.hpp"

namespace proofbase {

template <ThreatSpace S>
using ThreatLine = typename ThreatFindings<typename S::Move>::Line;

/// True if the attacker, to move, wins by this line whatever the defender plays: after each move of the attacker every
/// reply but the line's leaves the attacker a winning move, and a reply of the line that threatens to win for the
/// defender is answered by the next move of the line.
template <ThreatSpace S>
bool wins_along(typename S::Stones s, const ThreatLine<S>& line) {
    if (line.size() % 2 == 0) return false;  // without a last move
    typename S::Threats made;
    auto counters = S::counters(s);
    std::size_t i = 0;
    for (; i + 1 < line.size(); i += 2) {
        const typename S::Threat threat{line[i], line[i + 1]};
        if (!S::can_play(s, threat)) return false;
        if (counters.count > 1 || (counters.count == 1 && counters.move != threat.move)) return false;
        S::threats_at(s, threat.move, made);
        bool found = false;
        for (const auto& other : made) found |= other.reply == threat.reply;
        if (!found) return false;
        s = S::play(s, threat);
        counters = S::counters_by(s, threat.reply);  // earlier counters were prevented by the move
    }
    return S::wins_with(s, line[i]);
}

}  // namespace proofbase
