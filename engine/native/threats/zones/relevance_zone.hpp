// The relevance zone of a threat tree: an extra stone of the defender on a square outside it leaves the tree a proof.
//
// A tree is replayed by the rules of threats, and the zone is what the replay rests on:
//   the moves of the attacker, the squares that win at a node that `ends`, the answer to every four;
//   after a three, so many of the double fours that it threatens, with the squares that they win on, that only listed
//   replies meet them all;
//   the empty squares of windows without a stone of the attacker in which the extra stone, alone or with the reply
//   after a three, would give the defender a square that wins at once: those with length - 2 stones of his where the
//   attacker is to move or a four is pending, with length - 3 after a three.
// docs/zones.md has the proof.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "threats/board/threat_concepts.hpp"
#include "threats/trees/threat_tree.hpp"

namespace proofbase {

template <QuietThreatBoard Attack>
class RelevanceZone {
  public:
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;

    explicit RelevanceZone(const Attack& attack) : attack_(attack) {}

    /// The zone of the tree at a position with the attacker to move; nothing if the tree proves nothing there.
    std::optional<Set> of(const Stones& start, const ThreatTree& tree) {
        tree_ = &tree;
        at_ = 0;
        zone_ = Set{};
        std::size_t end = 0;
        if (!well_formed(end) || end != tree.numbers.size() || !node(start)) return std::nullopt;
        return zone_;
    }

  private:
    /// Whether the node at this number of the tree is complete, with squares of the board; goes on behind it.
    bool well_formed(std::size_t& at) const {
        const auto& numbers = tree_->numbers;
        const auto is_square = [&] { return at < numbers.size() && attack_.bit(numbers[at]) < Set::capacity; };
        if (at < numbers.size() && numbers[at] == ThreatTree::ends) return ++at, true;
        if (!is_square() || ++at == numbers.size()) return false;
        for (int count = numbers[at++]; count > 0; --count) {
            if (!is_square() || !well_formed(++at)) return false;
        }
        return true;
    }

    int next() { return tree_->numbers[at_++]; }

    bool node(const Stones& s) {
        const int number = next();
        const Set wins = attack_.wins(s);
        if (number == ThreatTree::ends) return end(s, wins);
        const int move = attack_.bit(number);
        const Set stone = Set::of(move);
        if ((attack_.empty(s) & stone).empty()) return false;
        add(stone);
        add(attack_.defender_windows(s, attack_.length() - 2));
        const Stones after = attack_.attacked(s, move);
        if (!attack_.defender_wins(after).empty()) return false;
        int count = next();
        const std::size_t children = at_;
        Set listed;
        for (int i = 0; i < count; ++i) {
            listed = listed | Set::of(attack_.bit(next()));
            skip();
        }
        if (!(listed - attack_.empty(after)).empty()) return false;
        if (!pending(after, listed)) return false;
        at_ = children;
        for (; count > 0; --count) {
            const int reply = attack_.bit(next());
            if (!node(attack_.defended(after, reply))) return false;
        }
        return true;
    }

    bool end(const Stones& s, const Set& wins) {
        if (!wins.empty()) {
            if ((wins & zone_).empty()) add(Set::of(wins.first()));
            return true;
        }
        if (!attack_.defender_wins(s).empty()) return false;
        const Set double_fours = attack_.threats(s).double_four;
        if (double_fours.empty()) return false;
        add(attack_.defender_windows(s, attack_.length() - 2));
        Set best;
        int least = Set::capacity + 1;
        double_fours.for_each([&](int bit) {
            const Set squares = squares_of(s, bit);
            const int added = (squares - zone_).count();
            if (added < least) {
                least = added;
                best = squares;
            }
        });
        add(best);
        return true;
    }

    /// What must stay empty for a double four: its square and two of those that win after it.
    Set squares_of(const Stones& s, int bit) const {
        Set wins = attack_.wins(attack_.attacked(s, bit));
        Set chosen = Set::of(bit);
        for (int i = 0; i < 2; ++i) {
            const Set known = wins & zone_;
            const Set square = Set::of(known.empty() ? wins.first() : known.first());
            chosen = chosen | square;
            wins = wins - square;
        }
        return chosen;
    }

    /// After a move of the attacker: whether every reply that is not listed lets him win.
    bool pending(const Stones& s, const Set& listed) {
        const Set wins = attack_.wins(s);
        if (!wins.empty()) {
            add(attack_.defender_windows(s, attack_.length() - 2));
            if (!wins.more_than_one()) {
                add(wins);
                return (wins - listed).empty();
            }
            Set two = wins & zone_;
            for (Set left = wins - zone_; !two.more_than_one();) {
                const Set square = Set::of(left.first());
                two = two | square;
                left = left - square;
            }
            add(two);
            return true;
        }
        add(attack_.defender_windows(s, attack_.length() - 3));
        if (!(attack_.defender_fours(s) - listed).empty()) return false;
        Set unanswered = attack_.empty(s) - listed;
        for (Set options = attack_.threats(s).double_four; !unanswered.empty();) {
            int best = -1;
            int best_left = unanswered.count();
            int best_added = 0;
            Set best_squares;
            Set useless;
            options.for_each([&](int bit) {
                Set squares = Set::of(bit) | attack_.wins(attack_.attacked(s, bit));
                const int left = (unanswered & squares).count();
                const int added = (squares - zone_).count();
                if (left == unanswered.count()) {
                    useless = useless | Set::of(bit);
                } else if (best < 0 || left < best_left || (left == best_left && added < best_added)) {
                    best = bit;
                    best_left = left;
                    best_added = added;
                    best_squares = squares;
                }
            });
            if (best < 0) return false;
            options = options - useless - Set::of(best);
            add(best_squares);
            // A reply takes one of three squares that win, and two are left.
            unanswered = unanswered & (best_squares.count() == 3 ? best_squares : Set::of(best));
        }
        return true;
    }

    void add(const Set& squares) { zone_ = zone_ | squares; }

    void skip() {
        if (next() == ThreatTree::ends) return;
        for (int count = next(); count > 0; --count) {
            ++at_;
            skip();
        }
    }

    Attack attack_;
    const ThreatTree* tree_ = nullptr;
    std::size_t at_ = 0;
    Set zone_;
};

}  // namespace proofbase
