// Proofs by repetition, without a look at any path. A question whose answer repetition itself would satisfy has that
// answer if it lies in a *region of safety*: a set of such questions in which every one rests on others of the set, or
// on answers that are known (the local check of safety claims, docs/fact-model.md). Where the side that repetition
// favours is to move, one move has to stay in the set or to lead to a known answer; where the other side is to move,
// all moves. A line that stays in the set for ever is worth what repetition gives.
//
// The region grows from one question. The side that repetition favours, the defender, tries one move at a time, and
// takes another one when the question after it fails. A question that is no safety claim cannot be assumed: then a
// search to some depth is asked for (Step::search), and the answer given back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/null_window/depth_limited/depth_limited_entry.hpp"
#include "search/null_window/depth_limited/depth_limited_frame.hpp"
#include "search/null_window/node_identity.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/policy/leaf.hpp"

namespace proofbase {

template <Game G, class Shared>
class SafetyRegion {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Identity = typename Shared::Identity;

    struct Question {
        Position position;
        Identity identity;
        std::int32_t bound;
    };
    enum class Step : std::uint8_t {
        more,    ///< the region is not complete
        search,  ///< requested() has to be searched; then receive() is called
        closed,  ///< the questions of the region have the answers that repetition satisfies
        failed,  ///< the first question has no region, as far as is known
    };

    explicit SafetyRegion(Shared& shared) : shared_(shared), game_(shared.game) {}

    bool active() const noexcept { return !nodes_.empty(); }
    void clear() noexcept {
        for (auto n = static_cast<std::uint32_t>(nodes_.size()); n-- > 0;)
            slots_[slot_of(n)] = 0;  // the last one first
        nodes_.clear();
        parents_.clear();
        to_expand_.clear();
        requested_.reset();
    }

    /// Begins with a question; `reached`: its answer that would be a safety claim.
    void start(const Question& question, bool reached) {
        clear();
        queue(find_or_add(question, reached));
    }

    /// Looks at the moves of one more question. `known(position, identity, bound)` is the answer that the table or a
    /// record gives, if any. If the rules throw an exception, the step has not been taken.
    template <class Known>
    Step step(Known&& known) {
        while (!to_expand_.empty()) {
            const std::uint32_t n = to_expand_.back();
            if (nodes_[n].state == State::queued && (n == 0 || is_needed(n))) {
                if (!expand(n, known)) return Step::search;
                break;
            }
            if (nodes_[n].state == State::queued) nodes_[n].state = State::fresh;
            to_expand_.pop_back();
        }
        if (nodes_[0].state == State::failed) return Step::failed;
        return to_expand_.empty() ? Step::closed : Step::more;
    }

    const Question& requested() const noexcept { return *requested_; }

    /// The answer to the requested question. It is treated as bad for the defender while it is open.
    void receive(BoundAnswer answer) {
        const std::uint32_t n = find_or_add(*requested_, !requested_by_defender_);
        const bool good = answer == (requested_by_defender_ ? BoundAnswer::below : BoundAnswer::reached);
        nodes_[n].state = good ? State::known : State::failed;
        requested_.reset();
    }

    /// Of a closed region: visit(question, reached, move) for all its questions, whose answer is `reached` or not; the
    /// move is that of the defender if he is to move.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const Node& node : nodes_) {
            if (node.state == State::assumed) visit(node.question, node.defender_moves, node.move);
        }
    }

    /// Likewise: visit(question, entry), with what the table is to know.
    template <class Visit>
    void for_each_entry(Visit&& visit) const {
        for_each([&](const Question& question, bool reached, Move) {
            const int limit = value_limit(game_, question.position);
            DepthLimitedEntry entry{reached ? question.bound : -limit, reached ? limit : question.bound - 1};
            entry.work = static_cast<std::uint32_t>(std::bit_width(nodes_.size() + 1));
            visit(question, entry);
        });
    }

    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
    bool first_is_reached() const noexcept { return nodes_[0].defender_moves; }
    Move move_of_first() const noexcept { return nodes_[0].move; }

    std::uint64_t bytes() const noexcept {
        return nodes_.capacity() * sizeof(Node) + parents_.capacity() * sizeof(Parent) +
               slots_.capacity() * sizeof(std::uint32_t);
    }

  private:
    enum class State : std::uint8_t {
        fresh,    ///< not looked at, and not needed
        queued,   ///< to be looked at
        assumed,  ///< it rests on other questions and on known answers
        known,    ///< a search has found the answer that favours the defender
        failed,   ///< nothing supports the answer that favours the defender
    };
    static constexpr std::uint32_t none = 0xffffffff;

    struct Node {
        Question question;
        bool defender_moves;  ///< the defender wants the bound to be reached
        State state = State::fresh;
        Move move{};                  ///< where the defender moves
        std::uint32_t choice = none;  ///< the question after that move; none: a known answer
        std::uint32_t last_parent = none;
    };
    /// A list of the questions that rest, or have rested, on a question.
    struct Parent {
        std::uint32_t node;
        std::uint32_t next;
    };
    /// A move of the question that is looked at.
    struct Option {
        Question question;
        Move move;
        bool can_be_assumed;
        std::uint32_t safe_plies;  ///< to this depth no search shows that the defender fails
    };

  public:
    static constexpr std::uint64_t bytes_of_question = 2 * (sizeof(Node) + 2 * sizeof(Parent) + 8);

  private:
    static std::uint64_t hash(const Question& question) noexcept {
        return hash_of_question(question.identity, question.bound);
    }

    /// A position may be met with either side to move, if its key does not tell: then the same question is two nodes.
    std::uint32_t find(const Question& question, bool defender_moves) const {
        if (nodes_.empty()) return none;
        for (std::size_t i = hash(question) & (slots_.size() - 1); slots_[i] != 0; i = (i + 1) & (slots_.size() - 1)) {
            const Node& node = nodes_[slots_[i] - 1];
            if (!(node.question.identity == question.identity) || node.question.bound != question.bound) continue;
            if (node.defender_moves == defender_moves) return slots_[i] - 1;
        }
        return none;
    }

    /// The slot that a node has.
    std::size_t slot_of(std::uint32_t n) const {
        std::size_t i = hash(nodes_[n].question) & (slots_.size() - 1);
        while (slots_[i] != n + 1) i = (i + 1) & (slots_.size() - 1);
        return i;
    }

    void insert(std::uint32_t n) {
        std::size_t i = hash(nodes_[n].question) & (slots_.size() - 1);
        while (slots_[i] != 0) i = (i + 1) & (slots_.size() - 1);
        slots_[i] = n + 1;
    }

    std::uint32_t find_or_add(const Question& question, bool defender_moves) {
        if (const std::uint32_t n = find(question, defender_moves); n != none) return n;
        const auto n = static_cast<std::uint32_t>(nodes_.size());
        if (3 * (nodes_.size() + 1) > 2 * slots_.size()) {
            slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), 0);
            for (std::uint32_t m = 0; m < n; ++m) insert(m);
        }
        nodes_.push_back({question, defender_moves});
        insert(n);
        return n;
    }

    void queue(std::uint32_t n) {
        nodes_[n].state = State::queued;
        to_expand_.push_back(n);
    }

    /// Whether a question that does not fail rests on this one.
    bool is_needed(std::uint32_t n) const noexcept {
        for (std::uint32_t i = nodes_[n].last_parent; i != none; i = parents_[i].next) {
            const Node& parent = nodes_[parents_[i].node];
            if (parent.state == State::assumed && (!parent.defender_moves || parent.choice == n)) return true;
        }
        return false;
    }

    void rest_on(std::uint32_t n, std::uint32_t child) {
        parents_.push_back({n, nodes_[child].last_parent});
        nodes_[child].last_parent = static_cast<std::uint32_t>(parents_.size() - 1);
        if (nodes_[child].state == State::fresh) queue(child);
    }

    /// Finds out what a question rests on; it is the last one to be looked at. False if a search is needed first.
    template <class Known>
    bool expand(std::uint32_t n, Known&& known) {
        const Question question = nodes_[n].question;
        const bool defender_moves = nodes_[n].defender_moves;
        options_.clear();
        shared_.move_order(game_, question.position, moves_);
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            Option option{{game_.play(question.position, moves_[i]), {}, 0}, moves_[i], false, 0};
            option.question.bound = game_.reward(question.position, moves_[i]) - question.bound + 1;
            const BoundAnswer answer = answer_of(option, defender_moves, known);
            const bool good = answer == (defender_moves ? BoundAnswer::below : BoundAnswer::reached);
            if (good && defender_moves) {
                to_expand_.pop_back();
                nodes_[n].state = State::assumed;
                nodes_[n].move = moves_[i];
                nodes_[n].choice = none;
                return true;
            }
            if (!good && answer != BoundAnswer::open && !defender_moves) {
                to_expand_.pop_back();
                fail(n);
                return true;
            }
            if (answer == BoundAnswer::open) options_.push_back(std::move(option));
        }
        return defender_moves ? choose(n) : assume_all(n);
    }

    /// Fills in an option. The answer is known by the rules, the region or known(), or it is open.
    template <class Known>
    BoundAnswer answer_of(Option& option, bool defender_moves, Known&& known) {
        auto& [position, identity, bound] = option.question;
        if (const auto leaf = leaf_by_rules(game_, position, bound)) {
            return leaf->numbers.proved() ? BoundAnswer::reached : BoundAnswer::below;
        }
        identity = shared_.identity(position);
        const std::uint32_t n = find(option.question, !defender_moves);
        const State state = n == none ? State::fresh : nodes_[n].state;
        const BoundAnswer good = defender_moves ? BoundAnswer::below : BoundAnswer::reached;
        const BoundAnswer bad = defender_moves ? BoundAnswer::reached : BoundAnswer::below;
        if (state == State::known) return good;
        if (state == State::failed) return bad;
        DepthLimitedEntry entry;
        const BoundAnswer answer = known(position, identity, bound, entry);
        if (answer != BoundAnswer::open) return answer;
        option.can_be_assumed = is_safety_claim(game_, position, bound, !defender_moves);
        if (entry.open_bound == bound) {
            option.safe_plies = defender_moves ? entry.depth_without_lower : entry.depth_without_upper;
        }
        if (state == State::assumed) option.safe_plies = 0x7fffffff;  // as good as any, and it costs nothing more
        return answer;
    }

    /// The defender's move: of those that can be assumed, one to a question that the region has already, or that has
    /// stood the deepest search.
    bool choose(std::uint32_t n) {
        const Option* best = nullptr;
        for (const Option& option : options_) {
            if (option.can_be_assumed && (best == nullptr || option.safe_plies > best->safe_plies)) best = &option;
        }
        if (best == nullptr && !options_.empty()) return request(options_.front(), true);
        to_expand_.pop_back();
        if (best == nullptr) {
            fail(n);
            return true;
        }
        const std::uint32_t child = find_or_add(best->question, false);
        Node& node = nodes_[n];
        node.state = State::assumed;
        node.move = best->move;
        node.choice = child;
        rest_on(n, child);
        return true;
    }

    /// All moves of the other side.
    bool assume_all(std::uint32_t n) {
        for (const Option& option : options_) {
            if (!option.can_be_assumed) return request(option, false);
        }
        to_expand_.pop_back();
        nodes_[n].state = State::assumed;
        nodes_[n].choice = none;
        for (const Option& option : options_) rest_on(n, find_or_add(option.question, true));
        return true;
    }

    bool request(const Option& option, bool by_defender) {
        requested_ = option.question;
        requested_by_defender_ = by_defender;
        return false;
    }

    /// Nothing supports the question: those that rest on it fail as well, or choose another move.
    void fail(std::uint32_t n) {
        failing_.assign(1, n);
        while (!failing_.empty()) {
            const std::uint32_t failed = failing_.back();
            failing_.pop_back();
            if (nodes_[failed].state == State::failed) continue;
            nodes_[failed].state = State::failed;
            for (std::uint32_t i = nodes_[failed].last_parent; i != none; i = parents_[i].next) {
                const std::uint32_t p = parents_[i].node;
                Node& parent = nodes_[p];
                if (parent.state != State::assumed) continue;
                if (!parent.defender_moves) {
                    failing_.push_back(p);
                } else if (parent.choice == failed) {
                    queue(p);
                }
            }
        }
        if (nodes_[0].state == State::failed) to_expand_.clear();
    }

    Shared& shared_;
    const G& game_;
    std::vector<Node> nodes_;  ///< the first question first
    std::vector<Parent> parents_;
    std::vector<std::uint32_t> slots_;  ///< open addressing: one more than the number of a node, 0: free
    std::vector<std::uint32_t> to_expand_;
    std::vector<std::uint32_t> failing_;
    std::optional<Question> requested_;
    bool requested_by_defender_ = false;
    typename G::Moves moves_;  ///< of the question that is looked at
    std::vector<Option> options_;
};

}  // namespace proofbase
