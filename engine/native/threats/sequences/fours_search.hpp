// Victory by continuous fours: every move of the attacker threatens to win at once, so the defender has one reply.
// Depth-first, with a table of positions that failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "threats/board/threat_concepts.hpp"

namespace proofbase {

/// One thread at a time; an object keeps its memory from call to call.
template <FoursBoard Attack>
class FoursSearch {
  public:
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;
    enum class Outcome { won, none, cut };

    explicit FoursSearch(const Attack& attack) : attack_(attack), failed_(std::size_t{1} << 14) {}

    /// Does the attacker, to move, win by fours? `cut`: not found in `most_nodes` positions.
    Outcome find(const Stones& start, std::uint64_t most_nodes = 100'000) {
        line_.clear();
        nodes_ = 0;
        most_nodes_ = most_nodes;
        cut_ = false;
        salt_ += 0x9e3779b97f4a7c15;  // the failures of earlier calls no longer match
        if (wins(start)) return Outcome::won;
        return cut_ ? Outcome::cut : Outcome::none;
    }

    /// After `won`: bits of squares, the attacker's and the defender's in turn. The last one wins, or leaves two
    /// squares that win.
    const std::vector<int>& line() const noexcept { return line_; }
    /// Positions with the attacker to move that the last call looked at.
    std::uint64_t nodes() const noexcept { return nodes_; }

  private:
    bool wins(const Stones& s) {
        if (nodes_ == most_nodes_) {
            cut_ = true;
            return false;
        }
        ++nodes_;
        const auto threats = attack_.threats(s);
        if (!threats.five.empty()) return ends_with(threats.five.first());
        const Set must_block = attack_.defender_wins(s);
        if (!must_block.empty()) {
            const int block = must_block.first();
            if (must_block.more_than_one()) return false;
            if (threats.double_four.has(block)) return ends_with(block);
            return threats.four.has(block) && wins_after(s, block);
        }
        if (!threats.double_four.empty()) return ends_with(threats.double_four.first());
        const std::uint64_t mark = (s.hash ^ salt_) | 1;
        std::uint64_t& slot = failed_[mark >> 1 & (failed_.size() - 1)];
        if (slot == mark) return false;
        Set left = threats.four;
        while (!left.empty()) {
            const int move = left.first();
            left = left - Set::of(move);
            if (wins_after(s, move)) return true;
        }
        if (!cut_) slot = mark;
        return false;
    }

    bool ends_with(int move) {
        line_.push_back(move);
        return true;
    }

    bool wins_after(const Stones& s, int move) {
        const Stones four = attack_.attacked(s, move);
        const int reply = attack_.wins(four).first();
        line_.push_back(move);
        line_.push_back(reply);
        if (wins(attack_.defended(four, reply))) return true;
        line_.resize(line_.size() - 2);
        return false;
    }

    Attack attack_;
    std::vector<std::uint64_t> failed_;
    std::vector<int> line_;
    std::uint64_t salt_ = 0;
    std::uint64_t nodes_ = 0;
    std::uint64_t most_nodes_ = 0;
    bool cut_ = false;
};

}  // namespace proofbase
