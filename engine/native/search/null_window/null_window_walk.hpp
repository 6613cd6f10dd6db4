// How one thread takes a solution out of null-window search. A walk goes down from the position: by one move
// where the side to move reaches its bound, by all moves where it does not. It asks the search what it does not find in
// the table; the table is warm, so most of these searches are short. What the search believed of a game's static bounds
// is played out by the same walk: no claim rests on them.
//
// Where a small search settles a claim, the claim rests on that search, and the walk does not go on below it; likewise
// where a diagram of the game does (records/evidence/strategy/diagram_claims.hpp). One that does not answer every reply
// leaves the walk the others.
//
// A position is visited once for every bound that is asked of it. The walk is depth first, with a stack of its own, and
// emits the claim of a position after those that it rests on; so its rank is one more than the largest of theirs.
//
// Several walks meet each question once. A walk does not wait where another one makes the claim of a child: it goes on
// with the other children, and a claim whose rank is not known at its end is put off until all walks have ended. To a
// thread that waits a walk gives the child that is nearest to the root, which it meets itself later.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/small_search/small_search_claims.hpp"
#include "records/evidence/strategy/diagram_claims.hpp"
#include "records/value_tables.hpp"
#include "search/api/search.hpp"
#include "search/null_window/null_window_entry.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/null_window_solution_state.hpp"
#include "search/null_window/null_window_visited.hpp"
#include "search/null_window/null_window_worker.hpp"
#include "search/policy/leaf.hpp"

namespace proofbase {

template <Game G>
class NullWindowWalk {
  public:
    using Shared = NullWindowShared<G>;
    using Position = typename G::Position;
    using Key = typename G::Key;
    using Move = typename G::Move;
    using Identity = typename Shared::Identity;
    using Question = NullWindowQuestion<G>;
    using State = NullWindowSolutionState<G>;

    explicit NullWindowWalk(State& state)
        : state_(state),
          shared_(state.search),
          game_(shared_.game),
          worker_(shared_),
          small_searches_(game_, state.small_search_nodes, nullptr, FindsDiagrams<G>),
          diagrams_(game_, state.small_search_nodes > 0) {}

    ~NullWindowWalk() { worker_.clear_stack(); }  // where the walk was broken off, it has marks there
    NullWindowWalk(const NullWindowWalk&) = delete;

    /// The walk from the root. Throws Cancelled.
    void begin(const Position& position, int bound, bool proved) {
        const bool by_lines = small_searches_.enabled() && !small_searches_.to_limits();
        state_.plies_to_limit = by_lines ? plies_to_limit(position, bound, proved) : most_plies;
        walk({position, bound, proved, 0}, 0);
    }

    /// A walk from a question that another thread has given to this one, likewise.
    void go_on(const typename State::Given& given) {
        const Question question = given.question;
        walk(question, given.ply);
    }

  private:
    static constexpr std::uint64_t nodes_between_checks = Unproven<G> ? 64 : 4096;  // for cancel()
    static constexpr std::uint32_t unknown_effort = Question::unknown_effort;

    /// A question of which something has been asked for in memory.
    struct Expected {
        Question question;
        Identity identity;
        bool ends;  ///< the rules settle the question
        bool ends_refuted;
    };
    /// A question whose claim is emitted when the walk has visited its children.
    struct Node {
        Key key;
        int bound;
        bool proved;
        std::uint32_t number = 0;
        std::size_t first_child = 0;  ///< of what the answer rests on
        std::size_t next_child = 0;
        std::size_t children_to_keep = 0;      ///< the end of those that no other thread was given
        std::size_t first_needed = 0;          ///< of the claims of children that other threads make
        std::uint32_t largest_child_rank = 0;  ///< of the children that were visited
        bool by_diagram = false;               ///< which answers the other replies: see diagrams_of_stack_
    };
    /// The stack is empty before it.
    void walk(const Question& root, std::size_t ply) {
        root_ply_ = ply;
        visit(root);
        while (!stack_.empty()) {
            stop_if_cancelled();
            if (state_.threads.parallel() && state_.threads.somebody_waits()) give_child();
            const Node& node = stack_.back();
            if (node.next_child == children_.size()) {
                emit_claim_of_top();
            } else {
                const Question child = children_[node.next_child];
                visit(child);  // may push a node
            }
        }
    }

    /// Plies from the root to the children of the node on top.
    std::size_t ply() const noexcept { return root_ply_ + stack_.size(); }

    /// Gives a child that nobody has met yet to a thread that waits, if there is one.
    [[gnu::cold]] void give_child() {
        for (std::size_t i = 0; i < stack_.size(); ++i) {
            Node& node = stack_[i];
            while (node.children_to_keep > node.next_child + 1) {
                const Question& child = children_[--node.children_to_keep];
                if (leaf_by_rules(game_, child.position, child.bound)) continue;
                if (state_.visited.find(shared_.identity(child.position), child.bound).found()) continue;
                const auto thread = state_.threads.take_waiting();
                if (!thread) return;
                state_.given[*thread] = {child, root_ply_ + i + 1};
                return state_.threads.give(*thread);
            }
        }
    }

    void stop_if_cancelled() const {
        if (shared_.cancelled.load(std::memory_order_relaxed) || state_.threads.stopped()) throw Cancelled();
    }

    /// Gives the rank of the answer to the node on top, or pushes a node for the question if the walk has to visit its
    /// children.
    void visit(const Question& question) {
        const int bound = question.bound;
        if (leaf_by_rules(game_, question.position, bound)) return add_child_rank(0);
        const Key key = game_.key(question.position);
        const Identity identity = shared_.identities(key);
        if (const MetQuestion met = state_.visited.find(identity, bound); met.found()) return add_child(met);
        // A claim is about the canonical position: its witness is a move there.
        const Position position = position_of_key(game_, key);
        std::optional<Claim> of_table;
        if (shared_.records != nullptr) {
            const Side side = question.proved ? Side::lower : Side::upper;
            const auto* const tables = shared_.records->tables();
            if (tables != nullptr) of_table = table_claim(game_, *tables, position, side);
            const auto leaf = of_table ? std::nullopt : leaf_by_record(*shared_.records, key, bound);
            if (leaf && leaf->numbers.proved() == question.proved) return add_child_rank(leaf->rank);
        }
        Node node{key, bound, question.proved};
        const MetQuestion met = state_.visited.enter(identity, bound, question.proved, node.number);
        if (met.found()) return add_child(met);
        const auto end_by = [&](const Claim& claim) {
            state_.emit(key, claim);
            state_.visited.finish(node.number, claim.rank);
            add_child_rank(claim.rank);
        };
        if (of_table) return end_by(*of_table);
        if (const auto claim = by_diagram(position, node)) return end_by(*claim);
        node.first_child = node.next_child = children_.size();
        list_children(node, position);
        if (const auto claim = by_small_search(position, node)) {
            children_.resize(node.first_child);
            return end_by(*claim);
        }
        if (!node.proved) leave_to_diagram(node, position);
        node.children_to_keep = children_.size();
        node.first_needed = needed_.size();
        stack_.push_back(node);
    }

    /// The claim of a node by a diagram alone. A disproved node has been tried with its parent, except the root.
    std::optional<Claim> by_diagram(const Position& position, const Node& node) {
        if (node.proved) return diagrams_.lower(position, node.bound);
        return stack_.empty() ? diagrams_.upper(position, node.bound - 1, true) : std::nullopt;
    }

    /// Takes the children of a disproved node away that a diagram answers, if there is one.
    void leave_to_diagram(Node& node, const Position& position) {
        std::optional<Claim> claim = diagrams_.upper(position, node.bound - 1, false);
        if (!claim) return;
        const std::vector<std::uint32_t> named = claim->named();
        const auto answered = [&](const Question& child) {
            return !std::ranges::binary_search(named, std::uint32_t{child.move});
        };
        const auto first = children_.begin() + static_cast<std::ptrdiff_t>(node.first_child);
        children_.erase(std::remove_if(first, children_.end(), answered), children_.end());
        node.by_diagram = true;
        diagrams_of_stack_.push_back(*std::move(claim));
    }

    /// The claim of a node by small search, or by a pairing. Of a proved node only the witness is tried: the search of
    /// its child, or the pairing there, is what the claim rests on. A disproved node has been tried with its parent,
    /// except the root.
    std::optional<Claim> by_small_search(const Position& position, const Node& node) {
        if (!node.proved) {
            if (!stack_.empty()) return std::nullopt;
            return small_searches_.answer(position, node.bound, false, state_.plies_to_limit, stage(unknown_effort));
        }
        const Question& child = children_.back();
        if (child.effort <= effort_of_claim || leaf_by_rules(game_, child.position, child.bound)) return std::nullopt;
        if (auto by_diagram = diagrams_.lower_by(position, node.bound, child.move)) return by_diagram;
        const auto child_ply = static_cast<std::uint32_t>(ply() + 1);
        const std::uint32_t to_limit = state_.plies_to_limit;
        const std::uint32_t plies = to_limit > child_ply ? to_limit - child_ply : most_plies;
        const auto claim = small_searches_.answer(child.position, child.bound, false, plies, stage(child.effort));
        if (!claim) return std::nullopt;
        return Claim::lower(node.bound, claim->rank + 1, child.move).by_evidence_of(*claim);
    }

    /// The plies after which the side that the answer favours cannot reach its bound any more, by the limits of the
    /// values, as far as some lines of play tell: a small search need not go on. `most_plies` where they tell nothing.
    std::uint32_t plies_to_limit(const Position& root, int root_bound, bool root_proved) const {
        std::uint32_t found = 0;
        for (std::uint32_t line = 1; line <= lines_to_limit; ++line) {
            Question at{root, root_bound, root_proved, 0};
            for (std::uint32_t ply = 0; ply < most_plies; ++ply) {
                if (game_.terminal(at.position)) break;
                if (const auto leaf = leaf_by_rules(game_, at.position, at.bound)) {
                    if (leaf->numbers.proved() == at.proved) return most_plies;
                    found = std::max(found, ply);
                    break;
                }
                typename G::Moves moves;
                game_.moves(at.position, moves);
                at = child(at.position, {{}, at.bound, at.proved}, moves[(ply / 2 * line + line) % moves.size()]);
            }
        }
        return found == 0 ? most_plies : found;
    }

    /// The deeper in the walk, and the less effort, the less is left to search.
    std::uint32_t stage(std::uint32_t effort) const noexcept {
        constexpr std::uint32_t efforts = 12;
        constexpr std::uint32_t depths = 21;
        const auto depth = static_cast<std::uint32_t>(std::min<std::size_t>(ply() / 2, depths - 1));
        return (depths - 1 - depth) * efforts + std::min(effort / 2, efforts - 1);
    }

    /// Only a user's game can have said wrongly that it has no cycles.
    [[noreturn]] void refuse_recurrence(std::uint32_t number) const {
        if constexpr (Unproven<G>) {
            std::vector<Position> line;
            for (const Node& node : stack_) {
                if (!line.empty() || node.number == number) line.push_back(position_of_key(game_, node.key));
            }
            line.push_back(line.front());
            game_.refuse_recurrence(line);
        }
        throw std::logic_error("a claim rests on itself, in question " + std::to_string(number));
    }

    /// Adds the children that the answer rests on.
    void list_children(const Node& node, const Position& position) {
        typename G::Moves moves;
        game_.moves(position, moves);
        if (node.proved) {
            children_.push_back(proving_child(position, node.bound, moves));
            return;
        }
        for (std::size_t i = 0; i < moves.size(); ++i) children_.push_back(child(position, node, moves[i]));
    }

    Question child(const Position& position, const Node& parent, Move move) const {
        return {game_.play(position, move), game_.reward(position, move) - parent.bound + 1, !parent.proved, move};
    }

    /// The child that shows that a position reaches its bound: of the children that are known to do so, the one with
    /// the least effort; if none is known, the one that a search finds.
    Question proving_child(const Position& position, int bound, const typename G::Moves& moves) {
        const Node parent{{}, bound, true};
        expected_.clear();
        for (std::size_t i = 0; i < moves.size(); ++i) expect(child(position, parent, moves[i]));
        std::optional<Question> best;
        std::uint32_t least_effort = unknown_effort;
        for (const Expected& one : expected_) {
            const std::uint32_t effort = effort_of_refuted(one);
            if (effort >= least_effort) continue;
            least_effort = effort;
            best = one.question;
            best->effort = effort;
            if (effort == 0) break;
        }
        if (best) return *std::move(best);
        worker_.start(position, bound);
        while (!worker_.done()) {
            stop_if_cancelled();
            worker_.search(nodes_between_checks);
        }
        if (worker_.value() < bound) throw std::logic_error("null-window: a second search gives another answer");
        return child(position, parent, worker_.best_move());
    }

    /// Asks for what will be looked up of a question.
    void expect(const Question& question) {
        Expected one{question, {}, false, false};
        if (const auto leaf = leaf_by_rules(game_, question.position, question.bound)) {
            one.ends = true;
            one.ends_refuted = leaf->numbers.disproved();
        } else {
            one.identity = shared_.identity(question.position);
            shared_.table.prefetch(one.identity);
            state_.visited.prefetch(one.identity, question.bound);
        }
        expected_.push_back(one);
    }

    /// How much a claim below is expected to take that the value of the position is below the bound; `unknown_effort`
    /// if that is not known to be so.
    std::uint32_t effort_of_refuted(const Expected& expected) {
        if (expected.ends) return expected.ends_refuted ? 0 : unknown_effort;
        const Question& question = expected.question;
        const Identity& identity = expected.identity;
        if (const MetQuestion met = state_.visited.find(identity, question.bound); met.found()) {
            const bool to_come = met.finished() || state_.threads.parallel();
            return met.proved || !to_come ? unknown_effort : effort_of_claim;
        }
        if (const auto leaf = shared_.leaf_by_store(question.position, question.bound)) {
            return leaf->numbers.disproved() ? effort_of_claim : unknown_effort;
        }
        NullWindowEntry entry;
        if (shared_.table.find(identity, entry) && entry.upper < question.bound) {
            return effort_of_claim + std::max(entry.work, 1u);
        }
        if constexpr (StaticBounds<G>) {
            if (game_.static_bounds(question.position).upper < question.bound) return effort_of_static_bound;
        }
        return unknown_effort;
    }

    static constexpr std::uint32_t most_plies = 10'000;  // of a small search
    static constexpr std::uint32_t lines_to_limit = 16;
    static constexpr std::uint32_t effort_of_claim = 1;          // there is one already
    static constexpr std::uint32_t effort_of_static_bound = 14;  // its proof has to be played out

    /// Removes the node on top, whose children were all visited, and gives its rank to the node below.
    void emit_claim_of_top() {
        if (stack_.back().first_needed < needed_.size()) look_for_needed_ranks();
        const Node node = stack_.back();
        stack_.pop_back();
        const std::uint32_t rank = node.largest_child_rank + 1;
        Claim claim = node.proved ? Claim::lower(node.bound, rank, children_[node.first_child].move)
                                  : Claim::upper(node.bound - 1, rank);
        if (node.by_diagram) {
            claim = std::move(diagrams_of_stack_.back());
            diagrams_of_stack_.pop_back();
            claim.rank = std::max(claim.rank, rank);
        }
        children_.resize(node.first_child);
        if (node.first_needed < needed_.size()) return put_off(node, std::move(claim));
        state_.emit(node.key, claim);
        state_.visited.finish(node.number, claim.rank);
        add_child_rank(claim.rank);
    }

    /// Takes the ranks that are known by now out of those that the node on top needs.
    [[gnu::cold]] void look_for_needed_ranks() {
        Node& node = stack_.back();
        std::size_t end = node.first_needed;
        for (std::size_t i = node.first_needed; i < needed_.size(); ++i) {
            const std::uint32_t rank = state_.visited.rank(needed_[i]);
            if (rank == MetQuestion::no_rank) {
                needed_[end++] = needed_[i];
            } else {
                node.largest_child_rank = std::max(node.largest_child_rank, rank);
            }
        }
        needed_.resize(end);
    }

    [[gnu::cold]] void put_off(const Node& node, Claim claim) {
        const auto first = needed_.begin() + static_cast<std::ptrdiff_t>(node.first_needed);
        state_.put_off({node.number, {first, needed_.end()}}, node.key, std::move(claim));
        needed_.resize(node.first_needed);
        add_child({node.number, MetQuestion::no_rank, node.proved});
    }

    /// The node on top has a child that has been met before.
    void add_child(const MetQuestion& met) {
        if (met.finished()) return add_child_rank(met.rank);
        if (!state_.threads.parallel()) refuse_recurrence(met.number);
        if (stack_.empty()) return;
        needed_.push_back(met.number);
        add_child_rank(0);
    }

    /// The node on top has a child with this rank, and goes on to its next child.
    void add_child_rank(std::uint32_t rank) {
        if (stack_.empty()) return;
        Node& node = stack_.back();
        node.largest_child_rank = std::max(node.largest_child_rank, rank);
        ++node.next_child;
    }

    State& state_;
    Shared& shared_;
    const G& game_;
    NullWindowWorker<G> worker_;
    SmallSearchClaims<G> small_searches_;
    std::size_t root_ply_ = 0;  ///< from the root of the solution to that of this walk
    std::vector<Node> stack_;
    std::vector<Question> children_;     ///< of the nodes of the stack, those of the node on top last
    std::vector<std::uint32_t> needed_;  ///< numbers of their claims that other threads make, likewise
    std::vector<Expected> expected_;     ///< of one position
    DiagramClaims<G> diagrams_;
    std::vector<Claim> diagrams_of_stack_;  ///< claims of the nodes of the stack that rest on a diagram
};

}  // namespace proofbase
