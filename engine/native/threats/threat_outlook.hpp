// What threats alone say of a position: the side to move wins by them; or whatever it plays, the other side does; or
// which moves are left, because the other side has no winning threats behind them that were found.
//
// The moves of a position are not looked at one by one. A line by which the other side would win if the side to move
// passed answers most moves as it stands; the first move that it does not answer is looked at on its own, and the line
// found there, if any, answers further ones; and so on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "threats/db_search.hpp"
#include "threats/threat_line.hpp"

namespace proofbase {

/// Not for several threads at a time. The same position always gives the same answer.
template <Threats G>
class ThreatOutlook {
  public:
    using Space = typename G::ThreatSpace;
    using Move = typename G::Move;
    using Line = ThreatLine<Space>;

    enum class Verdict { won, lost, open };

    /// Looks at a position that is not terminal. The rest of the interface tells what was seen last.
    void look(const G& game, const typename G::Position& position) {
        lines_.clear();
        open_.clear();
        plies_ = 0;
        if (search_.find(game.attack(position), line_)) {
            verdict_ = Verdict::won;
            plies_ = static_cast<std::uint32_t>(line_.size());
        } else {
            game.moves(position, moves_);
            left_.assign(moves_.begin(), moves_.end());
            Line line;
            if (search_.find(game.pressure(position), line)) {
                answer(game, position, line);
                while (!left_.empty()) {
                    const Move move = left_.front();
                    if (search_.find(game.attack(game.play(position, move)), line)) {
                        answer(game, position, line);
                    } else {
                        open_.push_back(move);
                        left_.erase(left_.begin());
                    }
                }
            } else {
                open_ = left_;
            }
            verdict_ = open_.empty() ? Verdict::lost : Verdict::open;
        }
    }

    Verdict verdict() const noexcept { return verdict_; }
    /// By which the side to move wins, where it does.
    const Line& line() const noexcept { return line_; }
    /// Of the other side: behind every move that is not open one of these wins.
    const std::vector<Line>& lines() const noexcept { return lines_; }
    /// The moves that no line answers, where the side to move does not win.
    const std::vector<Move>& open() const noexcept { return open_; }
    /// True if the other side threatens to win at once.
    bool urgent() const noexcept {
        return std::any_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.size() == 1; });
    }
    /// Plies within which the lines win, counted from this position.
    std::uint32_t plies() const noexcept { return plies_; }

  private:
    /// Strikes out the moves that the line answers, and keeps the line if there are any.
    void answer(const G& game, const typename G::Position& position, const Line& line) {
        const auto answered = [&](Move move) {
            return wins_along<Space>(game.attack(game.play(position, move)), line);
        };
        if (std::erase_if(left_, answered) == 0) return;
        lines_.push_back(line);
        plies_ = std::max(plies_, static_cast<std::uint32_t>(line.size()) + 1);
    }

    DependencySearch<Space> search_;
    Verdict verdict_ = Verdict::open;
    Line line_;
    std::vector<Line> lines_;
    std::vector<Move> open_;
    std::vector<Move> left_;
    typename G::Moves moves_;
    std::uint32_t plies_ = 0;
};

}  // namespace proofbase
