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
#include "records/claims/strategies.hpp"
#include "records/evidence/strategy/strategy_finder.hpp"
#include "search/api/value_questions.hpp"
#include "strategies/connect_four_play.hpp"

namespace proofbase {

namespace {

using connect_four::Diagram;
using connect_four::DiagramPlay;
using connect_four::Set;
using connect_four::Stones;

class Finder final : public AnyStrategyFinder {
    static constexpr std::size_t first_examples = 12;
    static constexpr std::size_t most_examples = 60;
    static constexpr int changes = 3;              ///< of the diagram, for each of the attempts
    static constexpr std::size_t hopeless = 4;     ///< lost examples, after a quarter of the attempts
    static constexpr std::size_t remembered = 40;  ///< diagrams that were found before
    static constexpr std::uint64_t nodes_of_a_question = 5'000;
    static constexpr std::uint32_t most_open_questions = 20;  ///< of a search for a diagram; then it asks no more
    static constexpr std::uint32_t at_random = 16;            ///< one change of so many is made anywhere
    static constexpr int attempts_of_images = 200;
    static constexpr unsigned mistake_bits = 16;
    static constexpr std::size_t mistakes = std::size_t{1} << mistake_bits;
    using Example = DiagramPlay::Line;

  public:
    explicit Finder(const ConnectFour& game)
        : play_(game), board_(play_.board()), values_(ask_values(game, table_bytes(game))), mistakes_(mistakes) {}

    std::uint32_t empty_squares(const void* p) const override {
        return static_cast<std::uint32_t>(std::popcount(board_.squares() & ~position(p).mask));
    }

    FoundStrategy find(const void* memory, int bound, int attempts) override {
        const Stones start = begin(memory, bound);
        const Diagram best = search(start, attempts, best_remembered(start));
        FoundStrategy found = play_.found(best, start);
        if (found.answers_all()) remember(best);
        return found;
    }

    std::optional<Strategy> turned(const Strategy& strategy, const void* from, const void* to, int bound) override {
        const Stones start = begin(to, bound);
        Diagram diagram = play_.usual_marks();
        for (const Strategy::Marked& marked : strategy.marks) {
            play_.set_mark(diagram, Set{1} << marked.square, static_cast<std::size_t>(marked.mark));
        }
        if (!(position(from) == position(to))) diagram = play_.mirrored(diagram);
        if (!play_.settles(diagram, start)) diagram = search(start, attempts_of_images, diagram);
        FoundStrategy image = play_.found(diagram, start);
        return image.answers_all() ? std::optional(std::move(image.strategy)) : std::nullopt;
    }

    std::optional<bool> at_least(const void* memory, int bound, std::uint64_t nodes) override {
        return values_->at_least(memory, bound, nodes);
    }

  private:
    static const ConnectFour::Position& position(const void* memory) {
        return *static_cast<const ConnectFour::Position*>(memory);
    }

    /// The size of the table of values: a megabyte for small boards, 256 for 7x6.
    static std::uint64_t table_bytes(const ConnectFour& game) {
        const int squares = game.width() * game.height();
        return std::uint64_t{1} << (20 + std::clamp(squares / 4 - 2, 0, 8));
    }

    /// What is asked of a position from now on.
    Stones begin(const void* memory, int bound) {
        if (bound != play_.bound()) mistakes_.assign(mistakes, Mistake());
        play_.set_bound(bound);
        open_questions_ = 0;
        const ConnectFour::Position& p = position(memory);
        return {p.current ^ p.mask, p.current};
    }

    void remember(const Diagram& diagram) {
        if (remembered_.size() == remembered) remembered_.erase(remembered_.begin());
        remembered_.push_back(diagram);
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
                column = column + 1 == play_.width() ? 0 : column + 1;
            }
            Set holds = 0;
            Set chosen = 0;
            const auto end = play_.follow(diagram, stones, reply, board_.completing(stones.own, mask), holds, chosen);
            if (choices != nullptr && chosen != 0) {
                choices->push_back({{stones.own & ~chosen, stones.other}, holds, chosen});
            }
            if (end) return *end;
        }
        return false;
    }

    void continue_at_random(Example& example, std::size_t from) {
        for (std::size_t i = from; i < example.size(); ++i)
            example[i] = static_cast<std::uint8_t>(random(play_.width()));
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
            const std::optional<bool> answer = values_->at_least(&p, 1 - play_.bound(), nodes_of_a_question);
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

    /// One that loses few examples: of the diagrams found before, their mirror images and the usual marks.
    Diagram best_remembered(const Stones& start) {
        begin_examples();
        Diagram best = play_.usual_marks();
        std::size_t least = lost(best, start, most_examples).size();
        const auto compare = [&](const Diagram& other) {
            if (least == 0) return;
            const std::size_t its = lost(other, start, least - 1).size();
            if (its < least) best = other, least = its;
        };
        for (std::size_t i = remembered_.size(); i-- > 0;) {
            compare(remembered_[i]);
            compare(play_.mirrored(remembered_[i]));
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
                if (play_.settles(current, start)) return current;
                if (play_.too_many() && ++too_large == 3) break;
                if (!play_.too_many()) add_example();
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
        std::copy_n(play_.beaten_by().begin(), play_.beaten_in(), example.begin());
        continue_at_random(example, play_.beaten_in());
    }

    Diagram change(const Diagram& diagram, const Stones& start, const std::vector<std::size_t>& losses) {
        std::vector<Choice> choices;
        if (!losses.empty()) wins(diagram, start, examples_[losses[random(losses.size())]], &choices);
        Diagram changed = diagram;
        if (choices.empty() || random(at_random) == 0) {
            play_.set_mark(changed, one_of(play_.empty(start)), random(marks_of_squares));
            return changed;
        }
        const bool asks = open_questions_ < most_open_questions;
        const Choice& choice = asks ? mistake_of(choices) : choices[random(choices.size())];
        const Set better = better_squares(choice);
        if (better == 0) return changed;
        for (int more = random(4) == 0 ? 2 : 1; more > 0; --more) {
            const Set square = one_of(better);  // is to come before the one that was chosen
            const std::size_t least = play_.mark_of(changed, square);
            const std::size_t most = play_.mark_of(changed, choice.chosen);
            if (random(2) == 0) {
                play_.set_mark(changed, square, random(most + 1));
            } else {
                play_.set_mark(changed, choice.chosen, least + random(marks_of_squares - least));
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

    DiagramPlay play_;
    const connect_four::Board<Set>& board_;
    std::unique_ptr<ValueQuestions> values_;
    std::vector<Mistake> mistakes_;  ///< by hash, whether positions are lost
    std::uint32_t open_questions_ = 0;
    std::vector<Diagram> remembered_;
    std::vector<Example> examples_;
    std::uint64_t state_ = 88172645463325252u;
};

}  // namespace

std::unique_ptr<AnyStrategyFinder> make_strategy_finder(const ConnectFour& game) {
    return std::make_unique<Finder>(game);
}

}  // namespace proofbase
