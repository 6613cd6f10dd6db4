// The depth-first search of df-pn-plies: does the attacker win within so many plies? Df-pn (Nagai 2002) with weak sums
// (Ueda et al. 2008) and the thresholds of Pawlewicz and Lew (2006), in a table where a position has one entry for all
// the plies that may be left: who wins within 5 plies wins within 7, and who does not within 7 does not within 5.
//
// The attacker makes the last move, so what is left of the plies is odd where he is to move. At the end only moves that
// win at once count: a position with two plies left is settled when it is reached, and has no node. One with three is a
// node whose children are neither kept nor numbered: they would fill the table.
//
// A reply that no search has numbered yet is thought to be as hard to prove as the attacker has moves after it; a
// killer move as hard as one move.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/api/search.hpp"
#include "search/plies/inner_game.hpp"
#include "search/plies/killer_moves.hpp"
#include "search/plies/plies_table.hpp"
#include "virtual_game/records.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// Numbers of a node: the win within the plies is proved where `proof` is 0, and refuted where `disproof` is 0.
struct PliesNumbers {
    static constexpr std::uint32_t infinite = 60'000;

    std::uint32_t proof = 1;
    std::uint32_t disproof = 1;
    PliesKnown known;

    bool solved() const noexcept { return proof == 0 || disproof == 0; }

    /// Sets the numbers where what is known settles it.
    void settle(std::uint32_t plies) noexcept {
        if (known.win <= plies) {
            proof = 0, disproof = infinite;
        } else if (known.no_win >= plies) {
            proof = infinite, disproof = 0;
        }
    }
};

template <TellsWinningMoves I>
class PliesWorker {
  public:
    using Position = typename I::Position;
    using Move = typename I::Move;
    using Key = typename I::Key;
    using Table = PliesTable<Key>;

    /// A solved node with many plies left, for checkpoints.
    struct Solved {
        Key key;
        std::uint8_t plies;
        PliesKnown known;
    };

    /// `records`: whose tables settle positions; may be null. `most_plies`: of the game.
    PliesWorker(const VirtualGame& game, const VirtualRecords* records, std::uint32_t most_plies,
                const std::atomic<bool>& cancelled)
        : game_(game), inner_(game_), records_(records), most_plies_(most_plies), cancelled_(cancelled) {}

    const InnerGame<I>& inner() const noexcept { return inner_; }
    Table& table() noexcept { return table_; }
    const Table& table() const noexcept { return table_; }
    std::uint64_t expansions() const noexcept { return expansions_; }
    void set_expansions(std::uint64_t expansions) noexcept { expansions_ = expansions; }
    std::uint64_t bytes() const noexcept {
        return table_.bytes() + children_.capacity() * sizeof(Child) + solved_.capacity() * sizeof(Solved);
    }
    std::vector<Solved> take_solved() noexcept { return std::exchange(solved_, {}); }
    void restore(const Solved& entry) {
        table_.store(entry.key, entry.plies, Table::hash(entry.key, entry.plies), entry.known, 1, 1);
    }

    /// Searches for so many expansions, or until the node is solved. Precondition: the position is not terminal.
    PliesNumbers search(const Position& p, std::uint32_t plies, std::uint64_t most_expansions) {
        end_ = expansions_ + most_expansions;
        in_use_ = 0;
        if (const auto settled = settled_at_once(p, plies, rules().moves_to_win(p).moves)) return *settled;
        return search_node(p, plies, {infinite, infinite, {}});
    }

    /// What is known of a position without a search. Precondition: the position is not terminal.
    PliesNumbers look_up(const Position& p, std::uint32_t plies) {
        if (plies <= 2) return *settled_at_once(p, plies, rules().moves_to_win(p).moves);
        const Key key = rules().key(p);
        PliesNumbers numbers;
        numbers.known = known_by_table(p, key, plies);
        if (const auto* const slot = table_.find(key, plies, Table::hash(key, plies))) {
            numbers.known.merge(slot->known);
        }
        numbers.settle(plies);
        return numbers;
    }

    /// What a table of values says of a position.
    PliesKnown known_by_table(const Position& p, const Key& key, std::uint32_t plies) const {
        PliesKnown known;
        if (records_ == nullptr || records_->tables() == nullptr || !rules().few_men(p)) return known;
        const bool attacks = plies % 2 == 1;
        const auto entry = records_->tables()->entry(position_of_key(game_, inner_.key(key, most_plies_)));
        if (!entry) return known;
        if (entry->value == (attacks ? 1 : -1)) {
            known.win = static_cast<std::uint8_t>(entry->plies);
            if (entry->plies > 0) known.no_win = static_cast<std::uint8_t>(entry->plies - 1);
        } else {
            known.no_win = static_cast<std::uint8_t>(most_plies_);
        }
        return known;
    }

    /// The numbers where no search is needed: of the end of the game, and of the last two plies.
    std::optional<PliesNumbers> settled_at_once(const Position& p, std::uint32_t plies, std::uint32_t moves) {
        PliesNumbers numbers;
        const bool attacks = plies % 2 == 1;
        if (moves == 0) {
            const bool wins = !attacks && *rules().terminal(p) < 0;
            numbers.known = wins ? PliesKnown{0, 0} : PliesKnown{PliesKnown::never, PliesKnown::always};
        } else if (plies == 0) {
            numbers.known.no_win = 1;  // the next ply is not the attacker's
        } else if (plies == 1) {
            numbers.known = rules().wins_at_once(p) ? PliesKnown{1, 0} : PliesKnown{PliesKnown::never, 2};
        } else if (plies == 2) {
            numbers.known = known_of_two_plies(p);
        } else {
            return std::nullopt;
        }
        numbers.settle(plies);
        return numbers;
    }

    const I& rules() const noexcept { return inner_.rules(); }

  private:
    static constexpr std::uint32_t infinite = PliesNumbers::infinite;
    static constexpr std::uint32_t least_plies_to_keep = 5;  ///< of entries in checkpoints

    struct Child {
        Move move;
        Position position;
        Key key;
        std::uint64_t hash;
        PliesNumbers numbers;
    };

    bool stops() const noexcept { return expansions_ >= end_ || cancelled_.load(std::memory_order_relaxed); }

    /// Of a position with three plies left, by trying all moves of both sides.
    PliesKnown known_of_three_plies(const Position& p) {
        typename I::Moves moves;
        rules().moves(p, moves);
        PliesKnown known{PliesKnown::never, PliesKnown::always};
        for (const Move move : moves) {
            const Position child = rules().play(p, move);
            PliesKnown found = known_of_two_plies(child);
            if (rules().few_men(child)) found.merge(known_by_table(child, rules().key(child), 2));
            known.win = std::min(known.win, found.win);
            known.no_win = std::min(known.no_win, found.no_win);
            if (known.win == 0) break;
        }
        return known.one_ply_before(known.win == 0);
    }

    /// Of one with two plies left.
    PliesKnown known_of_two_plies(const Position& p) {
        typename I::Moves moves;
        rules().moves(p, moves);
        if (moves.size() == 0) {
            return *rules().terminal(p) < 0 ? PliesKnown{0, 0} : PliesKnown{PliesKnown::never, PliesKnown::always};
        }
        return loses_in_two(p, moves) ? PliesKnown{2, 1} : PliesKnown{PliesKnown::never, 3};
    }

    /// Whether every move lets the attacker win at once. Killer moves are tried first.
    bool loses_in_two(const Position& p, const typename I::Moves& moves) {
        const auto holds = [&](Move move) {
            if (wins_after(p, move)) return false;
            killers_.note(1, move);
            return true;
        };
        const auto killers = killers_.at(1);
        for (const Move move : killers) {
            if (std::find(moves.begin(), moves.end(), move) != moves.end() && holds(move)) return false;
        }
        for (const Move move : moves) {
            if (std::find(killers.begin(), killers.end(), move) == killers.end() && holds(move)) return false;
        }
        return true;
    }
    bool wins_after(const Position& p, Move move) const { return rules().wins_at_once(rules().play(p, move)); }

    /// `thresholds`: the search of the node ends where a number reaches one of these.
    PliesNumbers search_node(const Position& p, std::uint32_t plies, const PliesNumbers& thresholds) {
        ++expansions_;
        if (plies == 3) return settle_three_plies(p);
        const bool attacks = plies % 2 == 1;
        const std::size_t first = in_use_;
        const bool has_all = make_children(p, plies);
        PliesNumbers numbers;
        while (true) {
            const Choice choice = back_up(first, plies, has_all);
            numbers = choice.numbers;
            if (numbers.solved() || numbers.proof >= thresholds.proof || numbers.disproof >= thresholds.disproof) break;
            if (stops()) break;
            const std::uint32_t own = attacks ? thresholds.proof : thresholds.disproof;
            const std::uint32_t others = attacks ? thresholds.disproof : thresholds.proof;
            const std::uint32_t smaller = std::min(own, choice.second + choice.second / 4 + 1);
            const std::uint32_t larger = others >= infinite ? infinite : others - (choice.open - 1);
            const Position position = children_[choice.best].position;
            const PliesNumbers limits{attacks ? smaller : larger, attacks ? larger : smaller, {}};
            const PliesNumbers result = search_node(position, plies - 1, limits);
            PliesNumbers& child = children_[choice.best].numbers;
            child.proof = result.proof;
            child.disproof = result.disproof;
            child.known.merge(result.known);
        }
        if (!attacks && numbers.disproof == 0) note_refutation(first, plies);
        in_use_ = first;
        const Key key = rules().key(p);
        table_.store(key, plies, Table::hash(key, plies), numbers.known, std::min(numbers.proof, infinite),
                     std::min(numbers.disproof, infinite));
        if (numbers.solved() && plies >= least_plies_to_keep) {
            solved_.push_back({key, static_cast<std::uint8_t>(plies), numbers.known});
        }
        return numbers;
    }

    /// Of a defender's node whose children stand behind `first`.
    void note_refutation(std::size_t first, std::uint32_t plies) {
        for (std::size_t i = first; i < in_use_; ++i) {
            if (children_[i].numbers.disproof == 0) return killers_.note(plies - 1, children_[i].move);
        }
    }

    /// A node that needs no numbers: its children are settled when they are reached.
    PliesNumbers settle_three_plies(const Position& p) {
        PliesNumbers numbers;
        numbers.known = known_of_three_plies(p);
        numbers.settle(3);
        const Key key = rules().key(p);
        table_.store(key, 3, Table::hash(key, 3), numbers.known, numbers.proof, numbers.disproof);
        return numbers;
    }

    /// False if children are missing, since one wins.
    [[gnu::noinline]] bool make_children(const Position& p, std::uint32_t plies) {
        const bool attacks = plies % 2 == 1;
        typename I::Moves moves;
        rules().moves(p, moves);
        const std::size_t count = moves.size();
        keys_.resize(std::max(keys_.size(), count));
        counts_.resize(keys_.size());
        rules().describe_children(p, {moves.begin(), count}, {keys_.data(), count}, {counts_.data(), count});
        if (children_.size() < in_use_ + count) children_.resize(2 * (in_use_ + count));
        Child* const children = children_.data() + in_use_;
        for (std::size_t i = 0; i < count; ++i) {
            children[i].key = keys_[i];
            children[i].hash = Table::hash(keys_[i], plies - 1);
            table_.prefetch(children[i].hash);
        }
        for (std::size_t i = 0; i < count; ++i) {
            children[i].move = moves[i];
            children[i].position = rules().play(p, moves[i]);
            evaluate(children[i], plies - 1, counts_[i]);
            ++in_use_;
            if (attacks && children[i].numbers.proof == 0) return i + 1 == count;
        }
        return true;
    }

    void evaluate(Child& child, std::uint32_t plies, std::uint32_t moves) {
        const bool attacks = plies % 2 == 1;
        PliesNumbers& numbers = child.numbers;
        numbers = {};
        if (moves > 0) {
            if (attacks) {
                numbers.proof = 1;
                numbers.disproof = killers_.has(plies, child.move) ? 1 : moves;
            } else {
                numbers.proof = moves;
                numbers.known.no_win = 1;
            }
            numbers.known.merge(known_by_table(child.position, child.key, plies));
            if (const auto* const slot = table_.find(child.key, plies, child.hash)) {
                numbers.known.merge(slot->known);
                if (slot->plies == plies && slot->proof > 0 && slot->disproof > 0) {
                    numbers.proof = slot->proof;
                    numbers.disproof = slot->disproof;
                }
            }
            numbers.settle(plies);
            if (numbers.solved()) return;
        }
        if (const auto settled = settled_at_once(child.position, plies, moves)) {
            numbers.known.merge(settled->known);
            numbers.settle(plies);
        }
    }

    /// The numbers of a node, and where its search goes on.
    struct Choice {
        PliesNumbers numbers;
        std::size_t best;
        std::uint32_t second;  ///< the second smallest number of those that the best child has the smallest of
        std::uint32_t open;    ///< children that are not solved for the other side
    };

    /// From the children behind `first`. `has_all`: these are all.
    Choice back_up(std::size_t first, std::uint32_t plies, bool has_all) const {
        const bool attacks = plies % 2 == 1;
        std::uint32_t smallest = infinite, second = infinite, largest = 0, open = 0;
        std::size_t best = first;
        PliesKnown known = attacks ? PliesKnown{PliesKnown::never, PliesKnown::always} : PliesKnown{0, 0};
        for (std::size_t i = first; i < in_use_; ++i) {
            const PliesNumbers& child = children_[i].numbers;
            const std::uint32_t own = attacks ? child.proof : child.disproof;
            const std::uint32_t other = attacks ? child.disproof : child.proof;
            if (attacks) {
                known.win = std::min(known.win, child.known.win);
                known.no_win = std::min(known.no_win, child.known.no_win);
            } else {
                known.win = std::max(known.win, child.known.win);
                known.no_win = std::max(known.no_win, child.known.no_win);
            }
            if (other > 0) {
                ++open;
                largest = std::max(largest, other);
            }
            if (own < smallest) {
                second = smallest, smallest = own;
                best = i;
            } else if (own < second) {
                second = own;
            }
        }
        // A child that is missing may be the end of the game, as one may be that is won within 0 plies.
        known = known.one_ply_before(attacks && (!has_all || known.win == 0));
        PliesNumbers numbers;
        const std::uint32_t sum = open == 0 ? 0 : std::min(largest + open - 1, infinite);
        numbers.proof = attacks ? smallest : sum;
        numbers.disproof = attacks ? sum : smallest;
        numbers.known = known;
        numbers.settle(plies);
        return {numbers, best, second, open};
    }

    VirtualGame game_;
    InnerGame<I> inner_;
    const VirtualRecords* records_;
    std::uint32_t most_plies_;
    const std::atomic<bool>& cancelled_;
    Table table_;
    std::vector<Child> children_;  ///< of all nodes on the path
    std::size_t in_use_ = 0;
    std::vector<Key> keys_;
    std::vector<std::uint32_t> counts_;
    KillerMoves<Move> killers_;
    std::uint64_t expansions_ = 0;
    std::uint64_t end_ = 0;
    std::vector<Solved> solved_;
};

}  // namespace proofbase
