// Looks for strategies in connect-four: local search over diagrams, with lines of play that beat earlier diagrams as
// the examples, and the playing out of everything as the judge.
//
//   * Examples are lists of columns for the other side; where one is full, the next column that is not. A diagram is
//     rated by the examples that it does not win.
//   * A diagram is changed where it made a mistake in a lost example: a null-window search tells after which of its
//     moves the bound was out of reach, and which moves keep it. The change is kept if no more examples are lost.
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
#include "search/api/value_questions.hpp"

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
    static constexpr std::size_t remembered = 40;  ///< diagrams that were found before
    static constexpr std::uint64_t nodes_of_a_question = 5'000;
    static constexpr std::uint32_t most_open_questions = 20;  ///< of a search for a diagram; then it asks no more
    static constexpr std::uint32_t at_random = 16;  ///< one change of so many is made anywhere
    static constexpr std::size_t longest = 64;     ///< plies of an example
    static constexpr int attempts_of_images = 200;
    static constexpr unsigned mistake_bits = 16;
    static constexpr std::size_t mistakes = std::size_t{1} << mistake_bits;
    using Example = std::array<std::uint8_t, longest>;

  public:
    explicit Finder(const ConnectFour& game)
        : game_(game), board_(game.board()), values_(ask_values(game, table_bytes(game))), mistakes_(mistakes) {
        for (int s = 0; s < game_.squares(); ++s) {
            if (game_.answers(s)) answers_ |= Set{1} << s;
        }
        answers_ &= board_.squares();
    }

    std::uint32_t empty_squares(const void* p) const override {
        return static_cast<std::uint32_t>(std::popcount(board_.squares() & ~position(p).mask));
    }

    FoundStrategy find(const void* memory, int bound, int attempts) override {
        const Stones start = begin(memory, bound);
        const Diagram best = search(start, attempts, best_remembered(start));
        return found(best, start);
    }

    std::optional<Strategy> turned(const Strategy& strategy, const void* from, const void* to, int bound) override {
        const Stones start = begin(to, bound);
        Diagram diagram = usual_marks();
        for (const Strategy::Marked& marked : strategy.marks) {
            set_mark(diagram, Set{1} << marked.square, static_cast<std::size_t>(marked.mark));
        }
        if (!(position(from) == position(to))) diagram = mirrored(diagram);
        if (!settles(diagram, start)) diagram = search(start, attempts_of_images, diagram);
        FoundStrategy image = found(diagram, start);
        return image.answers_all() ? std::optional(std::move(image.strategy)) : std::nullopt;
    }

    std::optional<bool> at_least(const void* memory, int bound, std::uint64_t nodes) override {
        return values_->at_least(memory, bound, nodes);
    }

  private:
    static const ConnectFour::Position& position(const void* memory) {
        return *static_cast<const ConnectFour::Position*>(memory);
    }

    /// Of the table of values: a megabyte for small boards, 256 for 7x6.
    static std::uint64_t table_bytes(const ConnectFour& game) {
        const int squares = game.width() * game.height();
        return std::uint64_t{1} << (20 + std::clamp(squares / 4 - 2, 0, 8));
    }

    /// What is asked of a position from now on.
    Stones begin(const void* memory, int bound) {
        if (bound != bound_) mistakes_.assign(mistakes, Mistake());
        bound_ = bound;
        open_questions_ = 0;
        const ConnectFour::Position& p = position(memory);
        return {p.current ^ p.mask, p.current};
    }

    Set empty(const Stones& stones) const { return board_.squares() & ~(stones.own | stones.other); }

    /// The diagram as a strategy, with few marks, and with the replies named that it does not answer.
    FoundStrategy found(const Diagram& best, const Stones& start) {
        FoundStrategy found;
        const Diagram usual = usual_marks();
        const Diagram shown = settles(best, start) ? with_usual_marks(best, start) : best;
        std::size_t met = 0;
        for (int column = 0; column < game_.width(); ++column) {
            const Set field = board_.column_field() << (column * board_.column_bits());
            const Set reply = board_.playable(start.own | start.other) & field;
            if (reply == 0) continue;
            ++found.replies;
            met_.clear();
            too_many_ = false;
            const bool answered = answers_reply(shown, start, reply, 0);
            if (!answered || met + met_.size() > PositionSet::most_positions) {
                found.strategy.named.push_back(static_cast<std::uint32_t>(column));
            } else {
                met += met_.size();
            }
        }
        if (!found.answers_some()) return found;
        for (Set rest = empty(start); rest != 0; rest &= rest - 1) {
            const Set square = rest & -rest;
            const std::size_t mark = mark_of(shown, square);
            if (mark == mark_of(usual, square)) continue;
            found.strategy.marks.push_back(
                {static_cast<std::uint32_t>(std::countr_zero(square)), static_cast<Mark>(mark)});
        }
        if (found.answers_all()) remember(shown);
        return found;
    }

    Diagram mirrored(const Diagram& diagram) const {
        Diagram out;
        for (std::size_t mark = 0; mark < diagram.size(); ++mark) out[mark] = board_.mirror(diagram[mark]);
        return out;
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
    Diagram with_usual_marks(Diagram diagram, const Stones& start) {
        const Diagram usual = usual_marks();
        for (Set rest = empty(start); rest != 0; rest &= rest - 1) {
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
        Stones before;
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
            if (choices != nullptr && chosen != 0) {
                choices->push_back({{stones.own & ~chosen, stones.other}, holds, chosen});
            }
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

    // --- Mistakes ---

    struct Mistake {
        Set key = 0;
        bool made = false;
    };

    /// Whether the side of the strategy can no longer reach the bound, with the other side to move; false where that
    /// takes a long search.
    bool is_lost(const Stones& stones) {
        const Set mask = stones.own | stones.other;
        if (mask == board_.squares()) return false;
        const Set key = stones.other | (mask + board_.bottom());
        Mistake& known = mistakes_[(key * 0x9e3779b97f4a7c15u) >> (64 - mistake_bits)];
        if (known.key != key) {
            if (open_questions_ == most_open_questions) return false;
            const ConnectFour::Position p{stones.other, mask};
            const std::optional<bool> answer = values_->at_least(&p, 1 - bound_, nodes_of_a_question);
            if (!answer) ++open_questions_;
            known = {key, answer == true};
        }
        return known.made;
    }

    /// The choice by which a line of play that ends badly went wrong.
    const Choice& mistake_of(const std::vector<Choice>& choices) {
        std::size_t first = 0;
        std::size_t last = choices.size() - 1;
        while (first < last) {
            const std::size_t middle = (first + last) / 2;
            const Choice& choice = choices[middle];
            if (is_lost({choice.before.own | choice.chosen, choice.before.other})) {
                last = middle;
            } else {
                first = middle + 1;
            }
        }
        return choices[first];
    }

    /// The squares that the diagram might have chosen instead, without losing the bound.
    Set better_squares(const Choice& choice) {
        Set out = 0;
        for (Set rest = choice.holds & ~choice.chosen; rest != 0; rest &= rest - 1) {
            const Set square = rest & -rest;
            if (!is_lost({choice.before.own | square, choice.before.other})) out |= square;
        }
        return out;
    }

    // --- Local search ---

    void begin_examples() {
        examples_.assign(first_examples, Example{});
        for (Example& example : examples_) continue_at_random(example, 0);
    }

    /// Of the diagrams that were found before, their mirror images and the usual marks, one that loses few examples.
    Diagram best_remembered(const Stones& start) {
        begin_examples();
        Diagram best = usual_marks();
        std::size_t least = lost(best, start, most_examples).size();
        const auto compare = [&](const Diagram& other) {
            if (least == 0) return;
            const std::size_t its = lost(other, start, least - 1).size();
            if (its < least) best = other, least = its;
        };
        for (std::size_t i = remembered_.size(); i-- > 0;) {
            compare(remembered_[i]);
            compare(mirrored(remembered_[i]));
        }
        return best;
    }

    /// A diagram that answers everything, or else one that loses few examples.
    Diagram search(const Stones& start, int attempts, Diagram current) {
        if (examples_.empty()) begin_examples();
        std::vector<std::size_t> losses = lost(current, start, most_examples);
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
            const Diagram changed = change(current, start, losses);
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

    Diagram change(const Diagram& diagram, const Stones& start, const std::vector<std::size_t>& losses) {
        std::vector<Choice> choices;
        if (!losses.empty()) wins(diagram, start, examples_[losses[random(losses.size())]], &choices);
        Diagram changed = diagram;
        if (choices.empty() || random(at_random) == 0) {
            set_mark(changed, one_of(empty(start)), random(marks_of_squares));
            return changed;
        }
        const bool asks = open_questions_ < most_open_questions;
        const Choice& choice = asks ? mistake_of(choices) : choices[random(choices.size())];
        const Set better = better_squares(choice);
        if (better == 0) return changed;
        for (int more = random(4) == 0 ? 2 : 1; more > 0; --more) {
            const Set square = one_of(better);  // is to come before the one that was chosen
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
    std::unique_ptr<ValueQuestions> values_;
    std::vector<Mistake> mistakes_;  ///< by hash, whether positions are lost
    std::uint32_t open_questions_ = 0;
    Set answers_ = 0;                ///< squares with the usual mark `answer`
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
