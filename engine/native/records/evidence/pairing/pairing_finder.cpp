#include "records/evidence/pairing/pairing_finder.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

namespace proofbase {

namespace {

struct Candidate {
    std::uint32_t lines;   ///< that hold it
    std::uint32_t others;  ///< lines through one of its squares
    Pair pair;
};

std::vector<Pair> pairs_of(const LineSquares& line) {
    std::vector<std::uint32_t> squares;
    for (std::uint32_t s = 0; s < most_line_squares; ++s) {
        if (line[s]) squares.push_back(s);
    }
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < squares.size(); ++i) {
        for (std::size_t k = i + 1; k < squares.size(); ++k) pairs.push_back({squares[i], squares[k]});
    }
    return pairs;
}

/// The pairs of the free squares of a line, from the best one on.
std::vector<Candidate> candidates(const LineSquares& of, const std::vector<LineSquares>& lines) {
    std::vector<Candidate> found;
    for (const Pair& pair : pairs_of(of)) {
        Candidate& candidate = found.emplace_back(0u, 0u, pair);
        for (const LineSquares& line : lines) {
            const bool first = line[pair.first];
            const bool second = line[pair.second];
            candidate.lines += first && second;
            candidate.others += first != second;
        }
    }
    std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        return std::tuple(b.lines, a.others, a.pair) < std::tuple(a.lines, b.others, b.pair);
    });
    return found;
}

}  // namespace

PairingFinder::PairingFinder(const AnyLineBoard& board) : board_(board) {
    std::map<Pair, std::uint32_t> lines;
    for (const BoardLine& line : board.lines()) {
        for (const Pair& pair : pairs_of(line.squares)) {
            most_lines_of_a_pair_ = std::max(most_lines_of_a_pair_, ++lines[pair]);
        }
    }
}

std::optional<Pairing> PairingFinder::find(const LineSquares& own, const LineSquares& other, std::uint32_t most_steps) {
    steps_left_ = most_steps;
    pairing_.clear();
    Lines lines;
    for (const BoardLine& line : board_.lines()) {
        if ((line.squares & other).any() || (line.spoilers & own).any()) continue;
        lines.push_back(line.squares & ~own);
        if (lines.back().count() < 2) return std::nullopt;
    }
    if (!hold(lines)) return std::nullopt;
    std::sort(pairing_.begin(), pairing_.end());
    return pairing_;
}

bool PairingFinder::hold(const Lines& lines) {
    if (lines.empty()) return true;
    if (steps_left_ == 0) return false;
    --steps_left_;
    const auto least = std::min_element(
        lines.begin(), lines.end(), [](const LineSquares& a, const LineSquares& b) { return a.count() < b.count(); });
    if (least->count() < 2) return false;
    LineSquares free;
    for (const LineSquares& line : lines) free |= line;
    if (lines.size() > most_lines_of_a_pair_ * (free.count() / 2)) return false;
    for (const Candidate& candidate : candidates(*least, lines)) {
        const auto [first, second] = candidate.pair;
        Lines left;
        for (const LineSquares& line : lines) {
            if (line[first] && line[second]) continue;
            left.push_back(line);
            left.back().reset(first).reset(second);
        }
        pairing_.push_back(candidate.pair);
        if (hold(left)) return true;
        pairing_.pop_back();
        if (steps_left_ == 0) return false;
    }
    return false;
}

}  // namespace proofbase
