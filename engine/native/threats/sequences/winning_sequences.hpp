// Victory by one sequence of threats, as chapter 5 of Allis 1994 finds it: dependency-based search with all replies to
// a threat played at once gives potential winning sequences; each is then tried against the defender's other ways.
//
// `by_search` is the thesis's test (5.3.3): after every three of the sequence the defender must not, by a
// dependency-based search of his own fours, win or come to a square that the sequence still needs; after every four he
// must not have a square that wins, all his fours so far taken together. It may reject sequences that win.
// `by_replay` plays the sequence's moves against every reply of the searches of threats (threes_search.hpp), blocking
// the defender's fours: exact for the moves given. A sequence that passes either test is written as a tree, so what is
// found is proved by its tree alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "threats/board/threat_concepts.hpp"
#include "threats/sequences/dependency_levels.hpp"
#include "threats/trees/threat_tree.hpp"

namespace proofbase {

/// `Lines`: the threats of one side. One thread at a time.
template <ThreatBoard Attack, ThreatOperators<typename Attack::Set> Lines>
class WinningSequences {
  public:
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;
    enum class Outcome { won, none, cut };
    enum class Test { by_search, by_replay };

    /// What a call of `find` did.
    struct Cost {
        std::uint64_t nodes = 0;      ///< of the attacker's search
        std::uint64_t defences = 0;   ///< nodes of the defender's searches, or positions of replays
        std::uint64_t potential = 0;  ///< sequences tested
        std::uint64_t unproved = 0;   ///< sequences that passed `by_search`, and have no tree
    };

    /// `attacker`, `defender`: the threats of the two sides.
    WinningSequences(const Attack& attack, const Lines& attacker, const Lines& defender)
        : attack_(attack), levels_(attacker), defences_(defender) {}

    /// Does the attacker, to move, win by a sequence of threats? `cut`: not found in `most_nodes` nodes, or
    /// `most_potential` sequences failed their test up to the end of a level (the thesis's T = 10).
    Outcome find(const Stones& start, std::size_t most_nodes, Test test = Test::by_replay,
                 std::uint64_t most_potential = 10) {
        cost_ = {};
        tree_ = {};
        test_ = test;
        start_ = start;
        blocks_.clear();
        Stones s = start;
        Set must_block = attack_.defender_wins(s);
        if (!attack_.wins(s).empty() || (must_block.empty() && !attack_.threats(s).double_four.empty())) {
            return prove({}) ? Outcome::won : Outcome::none;
        }
        root_ = s;
        // The defender's fours are blocked before the search: a block must be a four, or leave a three.
        while (!must_block.empty()) {
            if (must_block.more_than_one()) return Outcome::none;
            const int block = must_block.first();
            s = attack_.attacked(s, block);
            const Set wins = attack_.wins(s);
            if (wins.more_than_one()) return prove({}) ? Outcome::won : Outcome::none;
            Threat made{block, 1, wins, wins | Set::of(block), {}};
            if (wins.empty()) {
                const Set doubles = attack_.threats(s).double_four;
                if (doubles.empty()) return Outcome::none;
                made.category = 2;
                made.replies = attack_.meeting(s, doubles);
                made.squares = made.squares | doubles;
                doubles.for_each(
                    [&](int bit) { made.squares = made.squares | attack_.wins(attack_.attacked(s, bit)); });
            }
            blocks_.push_back(made);
            made.replies.for_each([&](int reply) { s = attack_.defended(s, reply); });
            if (ends(s)) return prove({}) ? Outcome::won : Outcome::none;
            must_block = attack_.defender_wins(s);
        }
        bool won = false;
        bool given_up = false;
        levels_.search(
            s.attacker, s.defender, 2, most_nodes, [&](auto& node) { return visit(node, won); },
            [&] { return given_up = cost_.potential > most_potential; });
        cost_.nodes = levels_.nodes().size();
        return won ? Outcome::won : levels_.cut() || given_up ? Outcome::cut : Outcome::none;
    }

    /// After `won`.
    const ThreatTree& tree() const noexcept { return tree_; }
    const Cost& cost() const noexcept { return cost_; }
    /// After `won`: the attacker's moves, as squares, but for the last one; with them the replies of the sequence.
    const std::vector<int>& moves() const noexcept { return moves_; }

  private:
    using Levels = DependencyLevels<Lines, Set>;
    using Node = typename Levels::Node;
    using Threat = typename Lines::Threat;
    static constexpr std::uint64_t most_replayed = 3000;
    static constexpr std::size_t most_defences = 1000;

    Stones stones_of(const Set& attacker, const Set& defender) const { return {attacker, defender, 0}; }

    bool ends(const Stones& s) const {
        if (!attack_.wins(s).empty()) return true;
        return attack_.defender_wins(s).empty() && !attack_.threats(s).double_four.empty();
    }

    typename Levels::Visit visit(Node& node, bool& won) {
        const Stones s = stones_of(node.own, node.other);
        const auto threats = attack_.threats(s);
        if (!threats.five.empty() || !threats.straight_four.empty()) {
            ++cost_.potential;
            std::vector<Threat> sequence = blocks_;
            for (const std::uint32_t number : node.threats) sequence.push_back(levels_.threat(number));
            std::vector<int> moves;
            for (const Threat& threat : sequence) moves.push_back(threat.move);
            const bool passed = test_ == Test::by_replay || !is_refuted(sequence, s, threats.five.empty());
            won = passed && prove(moves);
            cost_.unproved += passed && !won && test_ == Test::by_search;
            return won ? Levels::Visit::stop : Levels::Visit::end_here;
        }
        // Category reduction (5.3.4): a standing threat of the defender lets only quicker ones through.
        if (!attack_.defender_wins(s).empty()) return Levels::Visit::end_here;
        if (node.category == 2 && !attack_.defender_straight_fours(s).empty()) node.category = 1;
        return Levels::Visit::go_on;
    }

    /// The test `by_search`. `straight` says that the sequence ends with a straight four, else with a five.
    bool is_refuted(const std::vector<Threat>& sequence, const Stones& after, bool straight) {
        // The squares that the sequence needs from each threat on, and the extensions that it must not get.
        const std::size_t count = sequence.size();
        std::vector<Set> needed(count + 1);
        std::vector<Set> kept_free(count + 1);
        add_last(after, straight, needed[count], kept_free[count]);
        for (std::size_t i = count; i-- > 0;) {
            const Threat& threat = sequence[i];
            needed[i] = needed[i + 1] | threat.squares;
            kept_free[i] = kept_free[i + 1] | threat.extensions;
        }
        Set own = root_.attacker;
        Set other = root_.defender;
        Set interjected;  // stones of fours that the defender may have played earlier
        for (std::size_t i = 0; i < count; ++i) {
            const Threat& threat = sequence[i];
            own = own | Set::of(threat.move);
            const Set planned = own;
            if (has_five(own, other | interjected)) return true;
            if (threat.category == 2) {
                const Set goals = needed[i] - own;
                bool refuted = false;
                const auto look = [&](const auto& defence) {
                    ++cost_.defences;
                    interjected = interjected | (defence.own - other);
                    const Set blocks = defence.other - planned;
                    refuted = !(defence.own & goals).empty() || !(blocks & kept_free[i]).empty() ||
                              has_five(defence.other, defence.own);
                    using Visit = typename Levels::Visit;
                    return refuted ? Visit::stop : Visit::go_on;
                };
                defences_.search(other, own, 1, most_defences, look, [] { return false; });
                if (refuted || defences_.cut()) return true;
            }
            other = other | threat.replies;
        }
        return straight && has_five(own, other | interjected);
    }

    /// Whether the defender, with these stones, has a square that wins.
    bool has_five(const Set& attacker, const Set& defender) const {
        return !attack_.defender_wins(stones_of(attacker, defender)).empty();
    }

    /// The squares that the last move of a sequence needs, and those that must not get a stone of the attacker.
    void add_last(const Stones& s, bool straight, Set& needed, Set& kept_free) const {
        const auto threats = attack_.threats(s);
        const int last = (straight ? threats.straight_four : threats.five).first();
        needed = Set::of(last);
        if (straight) needed = needed | attack_.wins(attack_.attacked(s, last));
        const Set squares = needed;
        attack_.empty(s).for_each([&](int bit) {
            if (squares.has(bit)) return;
            const auto after = attack_.threats(attack_.attacked(s, bit));
            if (!(straight ? after.straight_four : after.five).has(last)) kept_free = kept_free | Set::of(bit);
        });
    }

    /// Writes the tree of the position in which the attacker plays these moves, in this order. False if some reply
    /// refutes them.
    bool prove(const std::vector<int>& moves) {
        tree_ = {};
        moves_ = moves;
        replayed_ = 0;
        return write(start_, 0);
    }

    bool write(const Stones& s, std::size_t next) {
        if (++replayed_ > most_replayed) return false;
        ++cost_.defences;
        ++tree_.nodes;
        const Set five = attack_.wins(s);
        const Set must_block = attack_.defender_wins(s);
        if (!five.empty() || (must_block.empty() && !attack_.threats(s).double_four.empty())) {
            tree_.numbers.push_back(ThreatTree::ends);
            return true;
        }
        while (next < moves_.size() && s.attacker.has(moves_[next])) ++next;
        int move = -1;
        if (!must_block.empty()) {
            if (must_block.more_than_one()) return false;
            move = must_block.first();
            if (next < moves_.size() && moves_[next] == move) ++next;
        } else {
            if (next == moves_.size() || s.defender.has(moves_[next])) return false;
            move = moves_[next++];
        }
        const Stones after = attack_.attacked(s, move);
        Set replies = attack_.wins(after);
        if (replies.more_than_one()) {
            replies = Set{};  // every reply leaves one of them
        } else if (replies.empty()) {
            const Set doubles = attack_.threats(after).double_four;
            if (doubles.empty()) return false;
            replies = attack_.meeting(after, doubles) | attack_.defender_fours(after);
        }
        tree_.numbers.push_back(static_cast<std::uint16_t>(attack_.square(move)));
        tree_.numbers.push_back(static_cast<std::uint16_t>(replies.count()));
        bool complete = true;
        replies.for_each([&](int reply) {
            if (!complete) return;
            tree_.numbers.push_back(static_cast<std::uint16_t>(attack_.square(reply)));
            complete = write(attack_.defended(after, reply), next);
        });
        return complete;
    }

    Attack attack_;
    Levels levels_;
    Levels defences_;
    Test test_ = Test::by_replay;
    Stones start_;
    Stones root_;
    std::vector<Threat> blocks_;  ///< of the defender's fours, before the search
    std::vector<int> moves_;
    ThreatTree tree_;
    Cost cost_;
    std::uint64_t replayed_ = 0;
};

}  // namespace proofbase
