// What threats alone decide about a position. There are three cases: the side to move wins by threats; the opponent
// wins by threats after every move; or some moves are left open, after which no winning threats of the opponent were
// found.
//
// The moves of a position are not searched one by one. A line by which the opponent would win if the side to move
// passed refutes most moves unchanged. The first move that the line does not refute is searched on its own; the line
// found there, if any, refutes further moves; and so on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "threats/sequences/dependency_search.hpp"
#include "threats/sequences/threat_line.hpp"

namespace proofbase {

/// One thread at a time. The same position always gives the same answer.
template <Threats G>
class ThreatAnalysis {
  public:
    using Space = typename G::ThreatSpace;
    using Move = typename G::Move;
    using Line = ThreatLine<Space>;

    enum class Verdict { won, lost, open };

    /// Analyses a position that is not terminal. The other members describe the position that was analysed last.
    void analyse(const G& game, const typename G::Position& position) {
        lines_.clear();
        open_.clear();
        plies_ = 0;
        if (search_.find(game.mover_attacks(position), line_)) {
            verdict_ = Verdict::won;
            plies_ = static_cast<std::uint32_t>(line_.size());
        } else {
            game.moves(position, moves_);
            candidates_.assign(moves_.begin(), moves_.end());
            Line line;
            if (search_.find(game.opponent_attacks(position), line)) {
                remove_refuted(game, position, line);
                while (!candidates_.empty()) {
                    const Move move = candidates_.front();
                    if (search_.find(game.mover_attacks(game.play(position, move)), line)) {
                        remove_refuted(game, position, line);
                    } else {
                        open_.push_back(move);
                        candidates_.erase(candidates_.begin());
                    }
                }
            } else {
                open_ = candidates_;
            }
            verdict_ = open_.empty() ? Verdict::lost : Verdict::open;
        }
    }

    Verdict verdict() const noexcept { return verdict_; }
    /// The line by which the side to move wins. Verdict `won` only.
    const Line& line() const noexcept { return line_; }
    /// Lines of the opponent: after every move that is not open, one of these lines wins. Not for the verdict `won`.
    const std::vector<Line>& lines() const noexcept { return lines_; }
    /// The moves that no line refutes. Not for the verdict `won`.
    const std::vector<Move>& open() const noexcept { return open_; }
    /// True if the opponent threatens to win with the next move.
    bool opponent_threatens() const noexcept {
        return std::any_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.size() == 1; });
    }
    /// Plies within which the lines win, counted from the position.
    std::uint32_t plies() const noexcept { return plies_; }

  private:
    /// Removes the candidates that the line refutes, and keeps the line if there are any.
    void remove_refuted(const G& game, const typename G::Position& position, const Line& line) {
        const auto refuted = [&](Move move) {
            return wins_along<Space>(game.mover_attacks(game.play(position, move)), line);
        };
        if (std::erase_if(candidates_, refuted) == 0) return;
        lines_.push_back(line);
        plies_ = std::max(plies_, static_cast<std::uint32_t>(line.size()) + 1);
    }

    DependencySearch<Space> search_;
    Verdict verdict_ = Verdict::open;
    Line line_;
    std::vector<Line> lines_;
    std::vector<Move> open_;
    std::vector<Move> candidates_;
    typename G::Moves moves_;
    std::uint32_t plies_ = 0;
};

}  // namespace proofbase
