// Wins by fours in go-moku and renju: each move of the attacker makes a four, and the defender has one reply, or in
// renju none that is allowed. ("Four" and "five" stand for rows of other lengths, too.)
//
// A win is a line as in records/evidence/line/line_check.hpp: every reply that is not of the line is answered by five
// in a row.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/gomoku/board.hpp"
#include "inline_list.hpp"
#include "threats/sequences/threat_findings.hpp"

namespace proofbase::gomoku {

inline constexpr std::size_t longest_length = 19;
inline constexpr std::size_t most_fours_nodes = 500;  ///< of a search for a win by fours at a node of another search

/// The empty squares of all rows of so many squares without a stone of the defender's and with at least `least` stones
/// of the attacker's.
inline Stones extending_rows(const Stones& attacker, const Stones& empty, int stride, int length, int least) noexcept {
    const Stones free = empty | attacker;
    Stones found;
    for (const int step : {1, stride, stride + 1, stride - 1}) {
        std::array<Stones, longest_length + 1> counted;  // rows, by their first square, with at least so many stones
        counted[0] = starts(free, step, length);
        for (int i = 0; i < length; ++i) {
            const Stones there = attacker.down(i * step);
            for (auto k = static_cast<std::size_t>(length); k > 0; --k) {
                counted[k] = counted[k] | (counted[k - 1] & there);
            }
        }
        for (int i = 0; i < length; ++i) found = found | counted[static_cast<std::size_t>(least)].up(i * step);
    }
    return found - attacker;
}

/// One side of go-moku.
class FoursAttack {
  public:
    FoursAttack(const Stones& board, int stride, int length, bool exact)
        : board_(&board), stride_(stride), length_(length), exact_(exact) {}

    Stones empty(const Stones& attacker, const Stones& defender) const noexcept {
        return *board_ - attacker - defender;
    }
    /// The squares on which the attacker wins at once.
    Stones fives(const Stones& attacker, const Stones& defender) const noexcept {
        return completing(attacker, empty(attacker, defender), stride_, length_, exact_);
    }
    /// Those on which the defender does.
    Stones counters(const Stones& attacker, const Stones& defender) const noexcept {
        return completing(defender, empty(attacker, defender), stride_, length_, exact_);
    }
    static constexpr bool may_move(const Stones&, const Stones&, int) noexcept { return true; }
    static constexpr bool may_reply(const Stones&, const Stones&, int) noexcept { return true; }
    /// Squares of a row that wins.
    int length() const noexcept { return length_; }
    Stones extending(const Stones& attacker, const Stones& defender, int least) const noexcept {
        return extending_rows(attacker, empty(attacker, defender), stride_, length_, least);
    }

  private:
    const Stones* board_;
    int stride_;
    int length_;
    bool exact_;
};

/// Searches for a shortest win by fours, breadth first. One thread at a time.
class FoursSearch {
  public:
    static constexpr std::size_t longest_line = 63;
    using Line = InlineList<int, longest_line>;  ///< bits of squares

    /// True if the attacker, to move, wins within so many plies; then `line` is such a win. Ends after `most_nodes`.
    template <class Attack>
    bool find(const Attack& attack, const Stones& attacker, const Stones& defender, std::size_t most_nodes,
              std::size_t most_plies, Line& line) {
        line.clear();
        searched_ = 1;
        cut_ = most_plies == 0;
        if (cut_) return false;
        if (const Stones fives = attack.fives(attacker, defender); !fives.empty()) {
            line.push_back(first(fives));
            return true;
        }
        most_plies = std::min(most_plies, longest_line);
        nodes_.clear();
        slots_.assign(64, 0);
        add({attacker, defender, no_parent, 0, 0, 0});
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            cut_ = n == most_nodes || 2 * nodes_[n].depth + 3 > most_plies;
            if (cut_) return false;
            searched_ = n + 1;
            if (expand(attack, n, line)) return true;
        }
        return false;
    }

    /// Positions with the attacker to move in the last search, and whether it ended at a limit.
    std::size_t searched() const noexcept { return searched_; }
    bool was_cut() const noexcept { return cut_; }

    /// Whether the line wins, with the attacker to move.
    template <class Attack>
    static bool wins_along(const Attack& attack, Stones attacker, Stones defender, const Line& line) {
        for (std::size_t i = 0;; i += 2) {
            const int move = line[i];
            if ((attacker | defender).has(move)) return false;
            if (i + 1 == line.size()) return attack.fives(attacker, defender).has(move);
            Stones counters = attack.counters(attacker, defender);
            counters.remove(move);
            if (!counters.empty() || !attack.may_move(attacker, defender, move)) return false;
            attacker.add(move);
            const int reply = line[i + 1];
            if ((attacker | defender).has(reply) || !attack.may_reply(attacker, defender, reply)) return false;
            const Stones fives = attack.fives(attacker, defender);
            if (fives.empty()) return false;
            if (fives.count() == 1 && !fives.has(reply) && attack.may_reply(attacker, defender, first(fives))) {
                return false;
            }
            defender.add(reply);
        }
    }

  private:
    static constexpr std::uint32_t no_parent = 0xffffffff;

    struct Node {
        Stones attacker;
        Stones defender;
        std::uint32_t parent;
        std::uint16_t move;
        std::uint16_t reply;
        std::uint32_t depth;
    };

    static int first(const Stones& set) noexcept {
        for (int i = 0; i < Stones::words; ++i) {
            const std::uint64_t word = set.word[static_cast<std::size_t>(i)];
            if (word != 0) return 64 * i + std::countr_zero(word);
        }
        return -1;
    }

    /// Adds the children of a node. True if one of its moves wins; then `line` is the line from the root.
    template <class Attack>
    bool expand(const Attack& attack, std::size_t n, Line& line) {
        const Node node = nodes_[n];
        const Stones counters = attack.counters(node.attacker, node.defender);
        if (counters.count() > 1) return false;
        Stones tries = attack.extending(node.attacker, node.defender, attack.length() - 2);
        if (!counters.empty()) tries = tries & counters;  // a stone there leaves the defender none
        bool won = false;
        tries.for_each([&](int move) {
            if (won || !attack.may_move(node.attacker, node.defender, move)) return;
            Stones attacker = node.attacker;
            attacker.add(move);
            const Stones fives = attack.fives(attacker, node.defender);
            if (fives.empty()) return;
            const auto reply = losing_reply(attack, attacker, node.defender, fives);
            if (!reply) {
                const int forced = first(fives);
                Stones defender = node.defender;
                defender.add(forced);
                add({attacker, defender, static_cast<std::uint32_t>(n), static_cast<std::uint16_t>(move),
                     static_cast<std::uint16_t>(forced), node.depth + 1});
                return;
            }
            if (*reply < 0) return;
            won = true;
            line.clear();
            append_path(n, line);
            line.push_back(move);
            line.push_back(*reply);
            line.push_back(first(fives - Stones::of(*reply)));
        });
        return won;
    }

    /// A reply, where every reply to the four loses at once; nothing where one does not. -1: there is no reply at all.
    template <class Attack>
    static std::optional<int> losing_reply(const Attack& attack, const Stones& attacker, const Stones& defender,
                                           const Stones& fives) {
        std::optional<int> allowed;
        fives.for_each([&](int bit) {
            if (!allowed && attack.may_reply(attacker, defender, bit)) allowed = bit;
        });
        if (allowed) return fives.count() > 1 ? allowed : std::nullopt;
        int other = -1;
        (attack.empty(attacker, defender) - fives).for_each([&](int bit) {
            if (other < 0 && attack.may_reply(attacker, defender, bit)) other = bit;
        });
        return other;
    }

    void append_path(std::size_t n, Line& line) const {
        std::array<std::uint32_t, longest_line / 2 + 1> path;
        std::size_t length = 0;
        for (auto i = static_cast<std::uint32_t>(n); nodes_[i].parent != no_parent; i = nodes_[i].parent) {
            path[length++] = i;
        }
        while (length > 0) {
            const Node& node = nodes_[path[--length]];
            line.push_back(node.move);
            line.push_back(node.reply);
        }
    }

    static std::uint64_t hash(const Node& node) noexcept {
        std::uint64_t mixed = 0;
        for (const Stones* stones : {&node.attacker, &node.defender}) {
            for (const std::uint64_t word : stones->word) {
                mixed = (mixed ^ word) * 0x9e3779b97f4a7c15;
                mixed ^= mixed >> 29;
            }
        }
        return mixed;
    }

    std::size_t slot(const Node& node) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = hash(node) & mask;
        while (slots_[i] != 0 &&
               !(nodes_[slots_[i] - 1].attacker == node.attacker && nodes_[slots_[i] - 1].defender == node.defender)) {
            i = (i + 1) & mask;
        }
        return i;
    }

    void add(const Node& node) {
        const std::size_t free = slot(node);
        if (slots_[free] != 0) return;
        nodes_.push_back(node);
        slots_[free] = static_cast<std::uint32_t>(nodes_.size());
        if (nodes_.size() * 2 <= slots_.size()) return;
        slots_.assign(slots_.size() * 2, 0);
        for (std::size_t n = 0; n < nodes_.size(); ++n) slots_[slot(nodes_[n])] = static_cast<std::uint32_t>(n + 1);
    }

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> slots_;  ///< node numbers from 1; 0: free
    std::size_t searched_ = 0;
    bool cut_ = false;
};

/// What wins by fours tell of a position, as ThreatAnalysis (threats/sequences/threat_analysis.hpp) does of other
/// threats.
///
/// `board` has `bit(move)` and `move(bit)`. `mover` and `opponent` are the sides as attackers, with the stones `own`
/// and `other`. `candidates`: the moves of the position that count.
template <class Board, class Attack, class Moves, class Move>
void find_threats_by_fours(const Board& board, const Attack& mover, const Attack& opponent, const Stones& own,
                           const Stones& other, const Moves& candidates, std::uint32_t most_plies,
                           ThreatFindings<Move>& out) {
    constexpr std::uint32_t forced_reply_effort = 10;
    thread_local FoursSearch search;
    thread_local std::vector<Move> left;
    const auto moves_of = [&](const FoursSearch::Line& line) {
        typename ThreatFindings<Move>::Line moves;
        for (const int square : line) moves.push_back(board.move(square));
        return moves;
    };
    out.clear();
    FoursSearch::Line line;
    if (search.find(mover, own, other, most_fours_nodes, most_plies, line)) {
        out.verdict = ThreatVerdict::won;
        out.line = moves_of(line);
        out.plies = static_cast<std::uint32_t>(line.size());
        return;
    }
    left.assign(candidates.begin(), candidates.end());
    const auto after = [&](Move move) {
        Stones stones = own;
        stones.add(board.bit(move));
        return stones;
    };
    const auto remove_refuted = [&] {
        const auto refuted = [&](Move move) { return FoursSearch::wins_along(opponent, other, after(move), line); };
        if (std::erase_if(left, refuted) == 0) return false;
        out.lines.push_back(moves_of(line));
        out.plies = std::max(out.plies, static_cast<std::uint32_t>(line.size()) + 1);
        return true;
    };
    const auto find = [&](const Stones& defender) {
        return search.find(opponent, other, defender, most_fours_nodes, most_plies - 1, line);
    };
    if (!find(own)) {
        out.open = left;
    } else {
        remove_refuted();
        while (!left.empty()) {
            const Move move = left.front();
            if (find(after(move)) && remove_refuted()) continue;
            out.open.push_back(move);
            left.erase(left.begin());
        }
    }
    if (out.open.empty()) {
        out.verdict = ThreatVerdict::lost;
    } else if (most_plies <= 2) {
        out.verdict = ThreatVerdict::nobody_in_time;
        out.plies = most_plies;
    }
    out.effort = static_cast<std::uint32_t>(out.open.size());
    const bool forced = std::ranges::any_of(out.lines, [](const auto& one) { return one.size() == 1; });
    if (forced) out.effort = std::max(out.effort, forced_reply_effort);
}

}  // namespace proofbase::gomoku
