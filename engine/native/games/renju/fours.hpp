// Wins by fours in renju: each move of the attacker makes a four, and the defender has one reply, or none that is
// allowed. Black's moves are checked by the rules: none is on a forbidden square, and his rows are of exactly five. A
// square that is forbidden to Black stops no four of White's.
//
// A win is a line as in records/line_check.hpp: every reply that is not of the line is answered by five in a row.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/gomoku/board.hpp"
#include "games/renju/forbidden.hpp"
#include "inline_list.hpp"

namespace proofbase::renju {

/// What one side can do against the other one.
class Attack {
  public:
    using Stones = gomoku::Stones;

    Attack(const Forbidden& forbidden, const Stones& board, int stride, bool by_black)
        : forbidden_(&forbidden), board_(&board), stride_(stride), by_black_(by_black) {}

    Stones empty(const Stones& attacker, const Stones& defender) const noexcept {
        return *board_ - attacker - defender;
    }
    /// The squares on which the attacker wins at once.
    Stones fives(const Stones& attacker, const Stones& defender) const noexcept {
        return gomoku::completing(attacker, empty(attacker, defender), stride_, 5, by_black_);
    }
    /// Those on which the defender does.
    Stones counters(const Stones& attacker, const Stones& defender) const noexcept {
        return gomoku::completing(defender, empty(attacker, defender), stride_, 5, !by_black_);
    }
    bool may_move(const Stones& attacker, const Stones& defender, int bit) const noexcept {
        return !by_black_ || forbidden_->fault(attacker, defender, bit) == Fault::none;
    }
    bool may_reply(const Stones& attacker, const Stones& defender, int bit) const noexcept {
        return by_black_ || forbidden_->fault(defender, attacker, bit) == Fault::none;
    }

    /// The empty squares of all rows of five squares without a stone of the defender's and with at least so many stones
    /// of the attacker's.
    Stones extending(const Stones& attacker, const Stones& defender, int least) const noexcept {
        const Stones free = empty(attacker, defender) | attacker;
        Stones found;
        for (const int step : {1, stride_, stride_ + 1, stride_ - 1}) {
            std::array<Stones, 6> counted{};  // rows, by their first square, with at least so many stones
            counted[0] = gomoku::starts(free, step, 5);
            for (int i = 0; i < 5; ++i) {
                const Stones there = attacker.down(i * step);
                for (std::size_t k = 5; k > 0; --k) counted[k] = counted[k] | (counted[k - 1] & there);
            }
            for (int i = 0; i < 5; ++i) found = found | counted[static_cast<std::size_t>(least)].up(i * step);
        }
        return found - attacker;
    }

  private:
    const Forbidden* forbidden_;
    const Stones* board_;
    int stride_;
    bool by_black_;
};

/// Searches for a shortest win by fours, breadth first. One thread at a time.
class FoursSearch {
    using Stones = gomoku::Stones;

  public:
    static constexpr std::size_t longest_line = 63;
    using Line = InlineList<int, longest_line>;  ///< bits of squares

    /// True if the attacker, to move, wins within so many plies; then `line` is such a win. Ends after `most_nodes`.
    bool find(const Attack& attack, const Stones& attacker, const Stones& defender, std::size_t most_nodes,
              std::size_t most_plies, Line& line) {
        line.clear();
        searched_ = 1;
        cut_ = false;
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

    /// Of the last search: positions with the attacker to move, and whether it ended at a limit.
    std::size_t searched() const noexcept { return searched_; }
    bool was_cut() const noexcept { return cut_; }

    /// Whether the line wins, with the attacker to move.
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
    bool expand(const Attack& attack, std::size_t n, Line& line) {
        const Node node = nodes_[n];
        const Stones counters = attack.counters(node.attacker, node.defender);
        if (counters.count() > 1) return false;
        Stones tries = attack.extending(node.attacker, node.defender, 3);
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

}  // namespace proofbase::renju
