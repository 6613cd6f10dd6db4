// Looks for strategies in connect-four: local search over diagrams, with lines of play that beat earlier diagrams as
// the examples, and the playing out of everything as the judge.
//
//   * Examples are lists of columns for the other side; where one is full, the next column that is not. A diagram is
//     rated by the examples that it does not win.
//   * A diagram is changed at a square that mattered in a lost example; it is kept if no more examples are lost.
//   * A diagram that loses none is played out against everything. The line that beats it becomes an example.
//   * Of a diagram that answers everything the marks that are not needed become the usual ones again.
//
// The steady-state diagrams of 2swap's WeakC4 gave the idea; the search is our own.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "games/connect_four.hpp"
#include "records/strategies.hpp"
#include "records/strategy_finder.hpp"

namespace proofbase {

namespace {

using Set = std::uint64_t;

/// By mark, the squares that have it.
using Diagram = std::array<Set, marks_of_squares>;
constexpr auto pair_level = static_cast<std::size_t>(Mark::pair);

/// The stones of the side of the strategy, and those of the other side.
struct Stones {
    Set own;
    Set other;
};

/// A set of positions that is emptied often. There is room for most_positions of them.
class PositionSet {
  public:
    static constexpr std::size_t most_positions = 3'000;

    void clear() {
        size_ = 0;
        if (++round_ == 0) {
            rounds_.fill(0);
            round_ = 1;
        }
    }
    std::size_t size() const noexcept { return size_; }

    /// False if it was there.
    bool insert(Set position) {
        std::size_t at = (position * 0x9e3779b97f4a7c15u) >> (64 - bits);
        for (; rounds_[at] == round_; at = (at + 1) % slots) {
            if (positions_[at] == position) return false;
        }
        rounds_[at] = round_;
        positions_[at] = position;
        ++size_;
        return true;
    }

  private:
    static constexpr unsigned bits = 13;
    static constexpr std::size_t slots = std::size_t{1} << bits;
    std::array<Set, slots> positions_{};
    std::array<std::uint32_t, slots> rounds_{};
    std::uint32_t round_ = 1;
    std::size_t size_ = 0;
};

class Finder final : public AnyStrategyFinder {
    static constexpr std::size_t first_examples = 12;
    static constexpr std::size_t most_examples = 60;
    static constexpr int changes = 3;              ///< of the diagram, for each of the attempts
    static constexpr std::size_t hopeless = 4;     ///< lost examples, after a quarter of the attempts
    static constexpr std::size_t remembered = 20;  ///< diagrams that were found before
    static constexpr std::size_t longest = 64;     ///< plies of an example
    using Example = std::array<std::uint8_t, longest>;

  public:
    explicit Finder(const ConnectFour& game) : game_(game), board_(game.board()) {
        for (int s = 0; s < game_.squares(); ++s) {
            if (game_.answers(s)) answers_ |= Set{1} << s;
        }
        answers_ &= board_.squares();
    }

    std::uint32_t empty_squares(const void* p) const override {
        return static_cast<std::uint32_t>(std::popcount(board_.squares() & ~position(p).mask));
    }

    FoundStrategy find(const void* memory, int bound, int attempts) override {
        const ConnectFour::Position& p = position(memory);
        const Stones start{p.current ^ p.mask, p.current};
        bound_ = bound;
        const Set empty = board_.squares() & ~p.mask;
        const Diagram best = search(start, empty, attempts);
        FoundStrategy found;
        const Diagram usual = usual_marks();
        const Diagram shown = settles(best, start) ? with_usual_marks(best, start, empty) : best;
        for (int column = 0; column < game_.width(); ++column) {
            const Set reply = board_.playable(p.mask) & (board_.column_field() << (column * board_.column_bits()));
            if (reply == 0) continue;
            ++found.replies;
            met_.clear();
            too_many_ = false;
            if (!answers_reply(shown, start, reply, 0))
                found.strategy.named.push_back(static_cast<std::uint32_t>(column));
        }
        if (!found.answers_some()) return found;
        for (Set rest = empty; rest != 0; rest &= rest - 1) {
            const Set square = rest & -rest;
            const std::size_t mark = mark_of(shown, square);
            if (mark == mark_of(usual, square)) continue;
            found.strategy.marks.push_back(
                {static_cast<std::uint32_t>(std::countr_zero(square)), static_cast<Mark>(mark)});
        }
        if (found.answers_all()) remember(shown);
        return found;
    }

  private:
    static const ConnectFour::Position& position(const void* memory) {
        return *static_cast<const ConnectFour::Position*>(memory);
    }

    Diagram usual_marks() const {
        Diagram marks{};
        marks[static_cast<std::size_t>(Mark::answer)] = answers_;
        marks[static_cast<std::size_t>(Mark::middle)] = board_.squares() & ~answers_;
        return marks;
    }

    static std::size_t mark_of(const Diagram& diagram, Set square) {
        for (std::size_t mark = 0; mark < diagram.size(); ++mark) {
            if ((diagram[mark] & square) != 0) return mark;
        }
        return static_cast<std::size_t>(Mark::middle);
    }

    static void set_mark(Diagram& diagram, Set square, std::size_t mark) {
        for (Set& marked : diagram) marked &= ~square;
        diagram[mark] |= square;
    }

    /// Replaces marks by the usual ones where the diagram still answers everything.
    Diagram with_usual_marks(Diagram diagram, const Stones& start, Set empty) {
        const Diagram usual = usual_marks();
        for (Set rest = empty; rest != 0; rest &= rest - 1) {
            const Set square = rest & -rest;
            const std::size_t mark = mark_of(usual, square);
            if (mark_of(diagram, square) == mark) continue;
            Diagram changed = diagram;
            set_mark(changed, square, mark);
            if (settles(changed, start)) diagram = changed;
        }
        return diagram;
    }

    void remember(const Diagram& diagram) {
        if (remembered_.size() == remembered) remembered_.erase(remembered_.begin());
        remembered_.push_back(diagram);
    }

    // --- How a diagram plays (docs/strategies.md) ---

    bool enough(int value) const { return value >= bound_; }
    /// What a win is worth that comes with this stone.
    int win(int stones) const { return game_.win_with(stones); }

    /// The squares that hold, and of these the one that the diagram takes; 0 if none holds.
    Set choose(const Diagram& diagram, const Stones& stones, Set& holds) const {
        const Set mask = stones.own | stones.other;
        const Set open = board_.playable(mask);
        const Set lost = board_.completing(stones.other, mask);
        const Set forced = open & lost;
        holds = open & ~(lost >> 1);  // not below a square on which the other side wins
        if (forced != 0) holds &= (forced & (forced - 1)) != 0 ? 0 : forced;
        for (std::size_t mark = 0; mark < diagram.size(); ++mark) {
            const Set marked = open & diagram[mark];
            if (mark == pair_level && (marked & (marked - 1)) != 0) continue;
            if (const Set found = marked & holds) return found & -found;
        }
        return holds & -holds;
    }

    /// What follows a reply: an end (whether it is enough), or the stones after the answer.
    std::optional<bool> follow(const Diagram& diagram, Stones& stones, Set reply, Set wins, Set& holds,
                               Set& chosen) const {
        holds = chosen = 0;
        stones.other |= reply;
        const Set mask = stones.own | stones.other;
        if (mask == board_.squares()) return enough(0);
        if ((wins & ~reply & board_.playable(mask)) != 0) return enough(win(std::popcount(mask) + 1));
        chosen = choose(diagram, stones, holds);
        if (chosen == 0) return false;
        stones.own |= chosen;
        if ((mask | chosen) == board_.squares()) return enough(0);
        return std::nullopt;
    }

    // --- Playing out everything ---

    bool settles(const Diagram& diagram, const Stones& start) {
        met_.clear();
        too_many_ = false;
        return answers_everything(diagram, start, 0);
    }

    bool answers_everything(const Diagram& diagram, const Stones& stones, std::size_t ply) {
        if (met_.size() >= PositionSet::most_positions) too_many_ = true;
        if (too_many_) return false;
        const Set mask = stones.own | stones.other;
        if (!met_.insert(stones.own | (mask + board_.bottom()))) return true;
        for (Set rest = board_.playable(mask); rest != 0; rest &= rest - 1) {
            if (!answers_reply(diagram, stones, rest & -rest, ply)) return false;  // what was met is of no use then
        }
        return true;
    }

    bool answers_reply(const Diagram& diagram, Stones stones, Set reply, std::size_t ply) {
        const Set mask = stones.own | stones.other;
        beaten_by_[ply] = static_cast<std::uint8_t>(std::countr_zero(reply) / board_.column_bits());
        beaten_in_ = ply + 1;
        if ((reply & board_.completing(stones.other, mask)) != 0) return false;
        Set holds = 0;
        Set chosen = 0;
        const auto end = follow(diagram, stones, reply, board_.completing(stones.own, mask), holds, chosen);
        return end ? *end : answers_everything(diagram, stones, ply + 1);
    }

    // --- Examples ---

    struct Choice {
        Set holds;
        Set chosen;
    };

    bool wins(const Diagram& diagram, Stones stones, const Example& example, std::vector<Choice>* choices) const {
        for (const std::uint8_t wanted : example) {
            const Set mask = stones.own | stones.other;
            const Set open = board_.playable(mask);
            if ((board_.completing(stones.other, mask) & open) != 0) return false;
            int column = wanted;
            Set reply = 0;
            while ((reply = open & (board_.column_field() << (column * board_.column_bits()))) == 0) {
                column = column + 1 == game_.width() ? 0 : column + 1;
            }
            Set holds = 0;
            Set chosen = 0;
            const auto end = follow(diagram, stones, reply, board_.completing(stones.own, mask), holds, chosen);
            if (choices != nullptr && chosen != 0) choices->push_back({holds, chosen});
            if (end) return *end;
        }
        return false;
    }

    void continue_at_random(Example& example, std::size_t from) {
        for (std::size_t i = from; i < longest; ++i) example[i] = static_cast<std::uint8_t>(random(game_.width()));
    }

    /// The examples that a diagram does not win, the newest first; it is left at one more than `most`.
    std::vector<std::size_t> lost(const Diagram& diagram, const Stones& start, std::size_t most) const {
        std::vector<std::size_t> found;
        for (std::size_t i = examples_.size(); i-- > 0 && found.size() <= most;) {
            if (!wins(diagram, start, examples_[i], nullptr)) found.push_back(i);
        }
        return found;
    }

    // --- Local search ---

    /// The diagram that answers everything, or else the one that loses the fewest examples.
    Diagram search(const Stones& start, Set empty, int attempts) {
        examples_.assign(first_examples, Example{});
        for (Example& example : examples_) continue_at_random(example, 0);
        Diagram current = usual_marks();
        std::vector<std::size_t> losses = lost(current, start, most_examples);
        for (const Diagram& other : remembered_) {
            auto its = lost(other, start, losses.size());
            if (its.size() < losses.size()) current = other, losses = std::move(its);
        }
        int too_large = 0;
        attempts *= changes;
        for (int attempt = 0; attempt < attempts; ++attempt) {
            if (attempt == attempts / 4 && losses.size() > hopeless) break;
            if (attempt == attempts / 2 && losses.size() > hopeless / 2) break;
            if (losses.empty()) {
                if (settles(current, start)) return current;
                if (too_many_ && ++too_large == 3) break;
                if (!too_many_) add_example();
                losses = lost(current, start, most_examples);
            }
            const Diagram changed = change(current, start, empty, losses);
            const std::size_t most = losses.size() + (random(16) == 0);
            auto its = lost(changed, start, most);
            if (its.size() <= most) current = changed, losses = std::move(its);
        }
        return current;
    }

    /// The line that has beaten a diagram becomes an example.
    void add_example() {
        if (examples_.size() == most_examples) {
            examples_.erase(examples_.begin() + static_cast<std::ptrdiff_t>(random(most_examples / 2)));
        }
        Example& example = examples_.emplace_back();
        std::copy_n(beaten_by_.begin(), beaten_in_, example.begin());
        continue_at_random(example, beaten_in_);
    }

    Diagram change(const Diagram& diagram, const Stones& start, Set empty, const std::vector<std::size_t>& losses) {
        std::vector<Choice> choices;
        if (!losses.empty()) wins(diagram, start, examples_[losses[random(losses.size())]], &choices);
        Diagram changed = diagram;
        for (int more = random(4) == 0 ? 2 : 1; more > 0; --more) {
            if (choices.empty() || random(5) == 0) {
                set_mark(changed, one_of(empty), random(marks_of_squares));
                continue;
            }
            const Choice& choice = choices[random(choices.size())];
            const Set others = choice.holds & ~choice.chosen;
            if (others == 0) continue;
            const Set square = one_of(others);  // is to come before the one that was chosen
            const std::size_t least = mark_of(changed, square);
            const std::size_t most = mark_of(changed, choice.chosen);
            if (random(2) == 0) {
                set_mark(changed, square, random(most + 1));
            } else {
                set_mark(changed, choice.chosen, least + random(marks_of_squares - least));
            }
        }
        return changed;
    }

    Set one_of(Set squares) {
        for (std::size_t skipped = random(static_cast<std::size_t>(std::popcount(squares))); skipped > 0; --skipped) {
            squares &= squares - 1;
        }
        return squares & -squares;
    }

    std::size_t random(std::size_t below) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<std::size_t>(state_ % below);
    }

    ConnectFour game_;
    connect_four::Board<Set> board_;
    Set answers_ = 0;  ///< squares with the usual mark `answer`
    int bound_ = 0;
    std::vector<Diagram> remembered_;
    std::vector<Example> examples_;
    PositionSet met_;  ///< that are answered, or on the way to it
    bool too_many_ = false;
    Example beaten_by_{};
    std::size_t beaten_in_ = 0;
    std::uint64_t state_ = 88172645463325252u;
};

}  // namespace

std::unique_ptr<AnyStrategyFinder> make_strategy_finder(const ConnectFour& game) {
    return std::make_unique<Finder>(game);
}

}  // namespace proofbase
