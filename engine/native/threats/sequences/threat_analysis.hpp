// What threats alone decide about a position. There are three cases: the side to move wins by threats; the opponent
// wins by threats after every move; or some moves are left open, after which no winning threats of the opponent were
// found.
//
// The moves of a position are not searched one by one. A line by which the opponent would win if the side to move
// passed refutes most moves unchanged. The first move that the line does not refute is searched on its own; the line
// found there, if any, refutes further moves; and so on.
//
// Lines may be limited to so many plies. A line of n plies wins within n plies whatever is played: each reply that is
// not of the line is answered by a win at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "threats/sequences/dependency_search.hpp"
#include "threats/sequences/threat_findings.hpp"
#include "threats/sequences/threat_line.hpp"

namespace proofbase {

/// One thread at a time. The same position always gives the same answer.
template <Threats G>
class ThreatAnalysis {
  public:
    using Space = typename G::ThreatSpace;
    using Move = typename G::Move;
    using Findings = ThreatFindings<Move>;
    using Line = typename Findings::Line;

    /// Analyses a position that is not terminal: who wins by threats within `most_plies`, at least 1? The findings are
    /// valid until the next call.
    const Findings& analyse(const G& game, const typename G::Position& position,
                            std::uint32_t most_plies = longest_threat_line + 1) {
        found_.clear();
        if (find(game.mover_attacks(position), found_.line, most_plies)) {
            found_.verdict = ThreatVerdict::won;
            found_.plies = static_cast<std::uint32_t>(found_.line.size());
            return found_;
        }
        game.moves(position, moves_);
        candidates_.assign(moves_.begin(), moves_.end());
        Line line;
        if (find(game.opponent_attacks(position), line, most_plies - 1)) {
            remove_refuted(game, position, line);
            while (!candidates_.empty()) {
                const Move move = candidates_.front();
                if (find(game.mover_attacks(game.play(position, move)), line, most_plies - 1)) {
                    remove_refuted(game, position, line);
                } else {
                    found_.open.push_back(move);
                    candidates_.erase(candidates_.begin());
                }
            }
        } else {
            found_.open = candidates_;
        }
        judge_open(most_plies);
        return found_;
    }

  private:
    bool find(const typename Space::Stones& stones, Line& line, std::uint32_t most_plies) {
        return search_.find(stones, line, most_nodes, most_plies);
    }

    /// Removes the candidates that the line refutes, and keeps the line if there are any.
    void remove_refuted(const G& game, const typename G::Position& position, const Line& line) {
        const auto refuted = [&](Move move) {
            return wins_along<Space>(game.mover_attacks(game.play(position, move)), line);
        };
        if (std::erase_if(candidates_, refuted) == 0) return;
        found_.lines.push_back(line);
        found_.plies = std::max(found_.plies, static_cast<std::uint32_t>(line.size()) + 1);
    }

    /// The verdict by the moves that are open. Within two plies a line is a single move, and no such move is missed.
    void judge_open(std::uint32_t most_plies) {
        if (found_.open.empty()) {
            found_.verdict = ThreatVerdict::lost;
        } else if (most_plies <= 2) {
            found_.verdict = ThreatVerdict::nobody_in_time;
            found_.plies = most_plies;
        }
        const bool threatened = std::ranges::any_of(found_.lines, [](const Line& line) { return line.size() == 1; });
        found_.effort = static_cast<std::uint32_t>(found_.open.size());
        if (threatened) found_.effort = std::max(found_.effort, G::forced_reply_effort);
    }

    static constexpr std::size_t most_nodes = 5000;

    DependencySearch<Space> search_;
    Findings found_;
    std::vector<Move> candidates_;
    typename G::Moves moves_;
};

}  // namespace proofbase
