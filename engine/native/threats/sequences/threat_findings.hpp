// What threats alone tell of a position (threat_analysis.hpp), for games of any type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inline_list.hpp"

namespace proofbase {

inline constexpr std::size_t longest_threat_line = 63;

/// `won`: the side to move wins by threats. `lost`: the opponent wins by threats after every move. `nobody_in_time`:
/// nobody wins within the plies that are left. `open`: threats do not settle the position.
enum class ThreatVerdict : std::uint8_t { won, lost, nobody_in_time, open };

template <class M>
struct ThreatFindings {
    using Move = M;
    using Line = InlineList<Move, longest_threat_line>;

    ThreatVerdict verdict = ThreatVerdict::open;
    /// By which the side to move wins. Verdict `won` only.
    Line line;
    /// Lines of the opponent: after every move that is not open, one of these lines wins. Not for the verdict `won`.
    std::vector<Line> lines;
    /// The moves that no line refutes. Not for the verdict `won`.
    std::vector<Move> open;
    /// Plies within which the lines win, counted from the position; of `nobody_in_time` the plies that are left.
    std::uint32_t plies = 0;
    /// The disproof number of the verdict `open`.
    std::uint32_t effort = 0;

    void clear() {
        verdict = ThreatVerdict::open;
        line.clear();
        lines.clear();
        open.clear();
        plies = effort = 0;
    }

    /// The same, with moves of another type.
    template <class Other>
    void write_to(ThreatFindings<Other>& out) const {
        const auto copy = [](const Line& from, auto& to) {
            to.clear();
            for (const Move move : from) to.push_back(static_cast<Other>(move));
        };
        out.clear();
        out.verdict = verdict;
        copy(line, out.line);
        for (const Line& other : lines) copy(other, out.lines.emplace_back());
        out.open.assign(open.begin(), open.end());
        out.plies = plies;
        out.effort = effort;
    }
};

}  // namespace proofbase
