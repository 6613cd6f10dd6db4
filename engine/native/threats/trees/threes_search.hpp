// Victory by threes and fours: every move of the attacker threatens to win at once or to leave two squares that win.
// df-pn (Nagai 2002) in a table of bounded size.
//
// The attacker moves: if he must block, the block, as long as a threat stands after it; else all fours and threes. A
// four and the reply that it leaves are one step. The defender has these replies to a three: the squares that meet
// every double four at once, and all squares that make a four of his. After any other the attacker leaves two squares
// that win, and the defender has no four to delay it with.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "threats/board/threat_concepts.hpp"
#include "threats/trees/proof_table.hpp"
#include "threats/trees/threat_tree.hpp"

namespace proofbase {

/// One thread at a time. The table lasts from call to call.
template <ThreatBoard Attack>
class ThreesSearch {
  public:
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;
    enum class Outcome { won, none, cut };

    /// A table of 2^`table_size` buckets of 64 bytes.
    explicit ThreesSearch(const Attack& attack, int table_size = 16) : attack_(attack), table_(table_size) {}

    /// Does the attacker, to move, win by threes and fours? `cut`: not settled with `most_nodes` positions.
    Outcome find(const Stones& start, std::uint64_t most_nodes) {
        nodes_ = 0;
        most_nodes_ = most_nodes;
        return outcome_of(search(start));
    }

    /// Positions whose threats the last call of `find` looked at: each as a child, once, unless the table forgot it.
    std::uint64_t nodes() const noexcept { return nodes_; }

    /// The proof that `find` found. What the table has forgotten meanwhile is searched again, with `most_nodes`
    /// positions at most; false if these were not enough, or the tree is too large for a record.
    bool write(const Stones& start, ThreatTree& tree, std::uint64_t most_nodes) {
        nodes_ = 0;
        most_nodes_ = most_nodes;
        tree = {};
        return write_node(start, tree);
    }

    void clear() noexcept { table_.clear(); }

    /// Where the flag is true `pause` is called, in the midst of a search, which goes on when it returns. May be null.
    const std::atomic<bool>* interrupted = nullptr;
    std::function<void()> pause;

  private:
    static constexpr std::uint64_t most_tree_nodes = 10'000;             ///< larger trees do not fit into a record
    static constexpr std::uint64_t defender_moves = 0x5851f42d4c957f2d;  ///< part of the key
    static constexpr std::uint16_t none = 0xffff;

    /// After `move`, and `reply` if that is a square.
    struct Child {
        std::uint64_t key;
        ProofNumbers numbers;
        std::uint16_t move;
        std::uint16_t reply;
    };

    static Outcome outcome_of(ProofNumbers n) {
        return n.proof == 0 ? Outcome::won : n.disproof == 0 ? Outcome::none : Outcome::cut;
    }

    ProofNumbers search(const Stones& start) {
        const ProofNumbers first = attacker_estimate(start);
        if (first.proof == 0 || first.disproof == 0) return first;
        children_.clear();
        return expand(start, true, {ProofNumbers::infinite, ProofNumbers::infinite});
    }

    /// The numbers of a new position with the attacker to move.
    ProofNumbers attacker_estimate(const Stones& s) {
        ++nodes_;
        const auto threats = attack_.threats(s);
        if (!threats.five.empty()) return ProofNumbers::proved();
        const Set must_block = attack_.defender_wins(s);
        if (!must_block.empty()) {
            if (must_block.more_than_one()) return ProofNumbers::disproved();
            if (!(threats.double_four & must_block).empty()) return ProofNumbers::proved();
            // A three that stood before can stand after the block.
            const bool goes_on = !((threats.four | threats.three) & must_block).empty() || !threats.double_four.empty();
            return goes_on ? ProofNumbers{6, 1} : ProofNumbers::disproved();
        }
        if (!threats.double_four.empty()) return ProofNumbers::proved();
        const auto moves = static_cast<std::uint32_t>((threats.four | threats.three).count());
        if (moves == 0) return ProofNumbers::disproved();
        return {!threats.four_three.empty() ? 1U : !threats.double_three.empty() ? 2U : 6U, moves};
    }

    /// The replies to a move of the attacker that makes no four.
    Set replies_to(const Stones& s, const Set& double_fours) const {
        return attack_.meeting(s, double_fours) | attack_.defender_fours(s);
    }

    /// The numbers of a new position with the defender to move, the attacker without a square that wins at once.
    ProofNumbers defender_estimate(const Stones& s) {
        ++nodes_;
        const Set double_fours = attack_.threats(s).double_four;
        if (double_fours.empty()) return ProofNumbers::disproved();
        const auto replies = static_cast<std::uint32_t>(replies_to(s, double_fours).count());
        return replies == 0 ? ProofNumbers::proved() : ProofNumbers{3 * replies, 1};
    }

    ProofNumbers numbers_of(const Stones& s, const Child& child) {
        if (const ProofTable::Entry* entry = table_.find(child.key)) return entry->numbers();
        const Stones next = after(s, child);
        const ProofNumbers numbers = child.reply != none ? attacker_estimate(next) : defender_estimate(next);
        table_.put(child.key, numbers, 1, none);
        return numbers;
    }

    /// Adds the child of a move of the attacker, without its numbers.
    void add_move(const Stones& s, int move, bool makes_four) {
        const Stones after = attack_.attacked(s, move);
        Child child{after.hash ^ defender_moves, {}, static_cast<std::uint16_t>(move), none};
        if (makes_four) {
            const int reply = attack_.wins(after).first();
            child.key = attack_.defended(after, reply).hash;
            child.reply = static_cast<std::uint16_t>(reply);
        }
        table_.prefetch(child.key);
        children_.push_back(child);
    }

    void add_moves(const Stones& s) {
        const auto threats = attack_.threats(s);
        const Set must_block = attack_.defender_wins(s);
        if (!must_block.empty()) {
            const int move = must_block.first();
            add_move(s, move, threats.four.has(move));
            return;
        }
        (threats.four | threats.three).for_each([&](int move) { add_move(s, move, threats.four.has(move)); });
    }

    void add_replies(const Stones& s) {
        replies_to(s, attack_.threats(s).double_four).for_each([&](int reply) {
            const std::uint64_t key = attack_.defended(s, reply).hash;
            table_.prefetch(key);
            children_.push_back({key, {}, none, static_cast<std::uint16_t>(reply)});
        });
    }

    /// The numbers of the children from `begin` on. Those after one that settles the position are removed.
    void rate_children(const Stones& s, bool attacker_moves, std::size_t begin) {
        for (std::size_t i = begin; i < children_.size(); ++i) {
            Child& child = children_[i];
            child.numbers = numbers_of(s, child);
            if ((attacker_moves ? child.numbers.proof : child.numbers.disproof) == 0) children_.resize(i + 1);
        }
    }

    Stones after(const Stones& s, const Child& child) const {
        const Stones moved = child.move == none ? s : attack_.attacked(s, child.move);
        return child.reply == none ? moved : attack_.defended(moved, child.reply);
    }

    /// Searches a position that is not settled until one of its numbers reaches its limit.
    ProofNumbers expand(const Stones& s, bool attacker_moves, ProofNumbers limit) {
        const std::size_t begin = children_.size();
        const std::uint64_t before = nodes_;
        if (attacker_moves) {
            add_moves(s);
        } else {
            add_replies(s);
        }
        rate_children(s, attacker_moves, begin);
        // Seen by the side to move: `least` is what it has to reach 0 in one child, the others' numbers add up.
        const auto least_of = [&](const ProofNumbers& n) { return attacker_moves ? n.proof : n.disproof; };
        const auto summed_of = [&](const ProofNumbers& n) { return attacker_moves ? n.disproof : n.proof; };
        const auto numbers = [&](std::uint32_t least, std::uint32_t sum) {
            return attacker_moves ? ProofNumbers{least, sum} : ProofNumbers{sum, least};
        };
        while (true) {
            std::size_t best = begin;
            std::uint32_t least = ProofNumbers::infinite;
            std::uint32_t second = ProofNumbers::infinite;
            std::uint64_t sum = 0;
            bool infinite = false;
            for (std::size_t i = begin; i < children_.size(); ++i) {
                const ProofNumbers& n = children_[i].numbers;
                sum += summed_of(n);
                infinite |= summed_of(n) == ProofNumbers::infinite;
                if (least_of(n) < least) {
                    second = least;
                    least = least_of(n);
                    best = i;
                } else {
                    second = std::min(second, least_of(n));
                }
            }
            const auto total = static_cast<std::uint32_t>(
                infinite ? ProofNumbers::infinite : std::min<std::uint64_t>(sum, ProofNumbers::infinite - 1));
            const ProofNumbers now = least == 0 ? numbers(0, ProofNumbers::infinite) : numbers(least, total);
            if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed)) pause();
            if (least >= least_of(limit) || total >= summed_of(limit) || least == 0 || total == 0 ||
                nodes_ >= most_nodes_) {
                const bool proved = attacker_moves && least == 0;
                table_.put(s.hash ^ (attacker_moves ? 0 : defender_moves), now, nodes_ - before + 1,
                           proved ? children_[best].move : none);
                children_.resize(begin);
                return now;
            }
            const Child child = children_[best];
            const std::uint32_t room = summed_of(limit) - total + summed_of(child.numbers);
            // A quarter more than the second best: fewer changes from child to child and back, each of which makes the
            // moves of a position again (the 1 + epsilon of Pawlewicz and Lew 2007).
            const ProofNumbers next_limit = numbers(std::min(least_of(limit), second + 1 + second / 4), room);
            const bool attacker_next = child.reply != none;
            const ProofNumbers found = expand(after(s, child), attacker_next, next_limit);
            children_[best].numbers = found;
        }
    }

    /// The node of a proved position with the attacker to move.
    bool write_node(const Stones& s, ThreatTree& tree) {
        if (++tree.nodes > most_tree_nodes) return false;
        const auto threats = attack_.threats(s);
        const Set must_block = attack_.defender_wins(s);
        if (!threats.five.empty() || (must_block.empty() && !threats.double_four.empty())) {
            tree.numbers.push_back(ThreatTree::ends);
            return true;
        }
        int move = none;
        if (!must_block.empty()) {
            if (must_block.more_than_one()) return false;
            move = must_block.first();
        } else {
            move = proving_move(s);
            if (move == none) return false;
        }
        const Stones after = attack_.attacked(s, move);
        const Set wins = attack_.wins(after);
        Set replies;
        if (wins.empty()) {
            const Set double_fours = attack_.threats(after).double_four;
            if (double_fours.empty()) return false;
            replies = replies_to(after, double_fours);
        } else if (!wins.more_than_one()) {
            replies = wins;
        }
        tree.numbers.push_back(static_cast<std::uint16_t>(attack_.square(move)));
        tree.numbers.push_back(static_cast<std::uint16_t>(replies.count()));
        bool complete = true;
        replies.for_each([&](int reply) {
            tree.numbers.push_back(static_cast<std::uint16_t>(attack_.square(reply)));
            complete = complete && write_node(attack_.defended(after, reply), tree);
        });
        return complete;
    }

    int proving_move(const Stones& s) {
        const ProofTable::Entry* entry = table_.find(s.hash);
        if (entry != nullptr && entry->proof == 0 && entry->move != none) return entry->move;
        if (search(s).proof != 0) return none;
        entry = table_.find(s.hash);
        return entry != nullptr ? entry->move : none;
    }

    Attack attack_;
    ProofTable table_;
    std::vector<Child> children_;
    std::uint64_t nodes_ = 0;
    std::uint64_t most_nodes_ = 0;
};

}  // namespace proofbase
