// Graph kind `fixpoint`, for games with cycles: one node for each position and bound, whatever the path. Answers and
// costs of proofs come from the graph as a whole, as fixpoints (proof_costs.hpp), so no line of play is walked along to
// see whether it comes back.
//
// The search goes in rounds. A round brings the costs up to date and chooses leaves: those of the strategy with the
// least cost, the ones that set the cost of the root first. Then these are expanded. In an ending whose pawns are
// locked the costs of thousands of positions rest on a few leaves and change together. So a round takes more leaves
// the larger the graph is.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/arena.hpp"
#include "search/graph/fixpoint/proof_costs.hpp"
#include "search/graph/question_index.hpp"
#include "search/graph/recurrence_watch.hpp"
#include "search/graph/search_graph.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G>
class FixpointGraph {
    using Index = QuestionIndex<G>;
    using Child = typename Index::Child;

  public:
    using Step = QuestionStep<G, std::uint32_t>;
    /// The root, and the leaf to be expanded where one has been chosen.
    using Path = std::vector<Step>;

    static constexpr GraphTraits traits{
        .rests_on_repetition = true,
        .evaluates_selected_leaves = false,
        .develops_leaves_by_second_search = false,
        .deletes_nodes = false,
        .gives_up_leaves = false,
        .watches_clock = true,
        .depends_on_update_order = false,
    };

    FixpointGraph(const SearchRequest<G>& request, Orientation<G> orientation)
        : game_(request.game), order_(request.order), index_(request, game_, orientation), watch_(game_) {
        Child root{};
        root.position = request.position;
        root.bound = request.at_least;
        index_.look_up_with_repetition(root, 1, nodes_, std::atomic<bool>(false));
        create(root, 0);
    }

    Step root() const { return step(0); }
    std::uint32_t ref(std::uint32_t number) const noexcept { return number; }
    std::uint32_t number(std::uint32_t node) const noexcept { return node; }
    Numbers numbers(std::uint32_t node) const noexcept { return costs_.numbers(node); }
    std::uint32_t rank(std::uint32_t node) const noexcept { return nodes_[node].rank; }
    bool expanded(std::uint32_t node) const noexcept { return costs_.expanded(node); }
    std::uint32_t size() const noexcept { return nodes_.size(); }
    std::uint64_t created() const noexcept { return nodes_.size(); }
    std::uint64_t peak_nodes() const noexcept { return created(); }
    std::uint64_t updates() const noexcept { return costs_.updates(); }
    std::uint64_t bytes() const noexcept { return nodes_.bytes() + index_.bytes() + watch_.bytes() + costs_.bytes(); }
    std::uint64_t node_bytes() const noexcept { return nodes_.bytes() + index_.key_bytes(); }

    /// A round that is under way at this time is broken off: then descend() throws Cancelled, and can be called again.
    void set_deadline(std::chrono::steady_clock::time_point time) noexcept { deadline_ = time; }
    /// True once after a round that took long.
    bool take_long_step() noexcept { return std::exchange(long_round_, false); }

    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        typename G::Moves moves;
        order_(game_, step.position, moves);
        for (std::uint32_t i = 0; i < costs_.child_count(step.node); ++i) {
            const std::uint32_t child = costs_.child(step.node, i);
            visit(index_.step(step, moves[i], child), moves[i], numbers(child));
        }
    }

    Step step(std::uint32_t number) const {
        const Node& node = nodes_[number];
        return {number, node.bound, index_.position(node.key)};
    }

    /// Gives a leaf its children. Where this or the rules throw, nothing has changed.
    void expand(const Path& path, const std::atomic<bool>& cancelled) {
        cancelled_ = &cancelled;
        const Step& step = path.back();
        order_(game_, step.position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        children_.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_.emplace_back(index_.make_child(step.position, step.bound, moves_[i]));
            index_.look_up_with_repetition(child, count, nodes_, cancelled);
        }
        watch_.expanding(
            step.node, children_,
            [&](std::uint32_t n, auto&& visit) {
                for (std::uint32_t i = 0; i < costs_.child_count(n); ++i) visit(costs_.child(n, i));
            },
            [&](std::uint32_t n) { return index_.position(nodes_[n].key); });
        nodes_.reserve(count);
        costs_.reserve(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_[i];
            // The same position may stand twice among the children.
            if (child.node == Index::none) child.node = index_.find(child, nodes_);
            if (child.node == Index::none) child.node = create(child, step.node);
        }
        costs_.expand(step.node, count, [&](std::uint32_t i) { return children_[i].node; });
    }

    /// Answers are found in rounds.
    std::size_t update(const Path&) noexcept { return 1; }
    std::size_t resume_length(std::size_t length) const noexcept { return length; }

    /// Appends the next leaf of the round to the path. Where the round has none left, begins the next one, which may
    /// solve the root.
    void descend(Path& path) {
        while (next_ < leaves_.size()) {
            const std::uint32_t leaf = leaves_[next_++];
            if (!expanded(leaf)) return path.push_back(step(leaf));
        }
        begin_round();
    }

    Path path_to(std::uint32_t number) const { return {step(number)}; }
    /// The line that sets the cost of the root.
    Path shown_path(const Path&) const {
        Path line{root()};
        std::unordered_set<std::uint32_t> met;
        for (std::uint32_t n = 0; expanded(n) && !numbers(n).solved() && met.insert(n).second;) {
            n = costs_.next_on_line(n);
            line.push_back(step(n));
        }
        return line;
    }

    void recalculate_all(const std::atomic<bool>& cancelled) {
        cancelled_ = &cancelled;
        costs_.update([&] { stop_if(cancelled); });
    }

  private:
    static constexpr std::uint32_t nodes_per_leaf = 32;  ///< of the graph, for each leaf of a round but the first
    static constexpr std::uint64_t updates_of_long_round = 1 << 16;

    struct Node {
        typename Index::StoredKey key;
        std::int32_t bound;
        std::uint32_t rank;  ///< of a solved leaf
    };

    std::uint32_t create(const Child& child, std::uint32_t parent) {
        const std::uint32_t n = nodes_.append(1);
        watch_.created(n, parent);
        nodes_[n] = {index_.insert(child, n), child.bound, child.leaf.rank};
        costs_.add(child.leaf.numbers, child.leaf.rank, child.repetition_proves);
        return n;
    }

    void begin_round() {
        const std::uint64_t before = costs_.updates();
        leaves_.clear();
        next_ = 0;
        costs_.update([this] { check_cancelled(); });
        if (!numbers(0).solved()) costs_.make_plan(1 + size() / nodes_per_leaf, leaves_);
        long_round_ = costs_.updates() - before >= updates_of_long_round;
    }

    void check_cancelled() const {
        if ((cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed)) ||
            std::chrono::steady_clock::now() >= deadline_)
            throw Cancelled();
    }

    G game_;
    MoveOrder order_;
    Index index_;
    [[no_unique_address]] RecurrenceWatch<G> watch_;
    Arena<Node> nodes_;
    ProofCosts costs_;
    std::vector<std::uint32_t> leaves_;  ///< of the round
    std::size_t next_ = 0;               ///< of them
    typename G::Moves moves_;
    std::vector<Child> children_;  ///< of the node that is being expanded
    std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
    const std::atomic<bool>* cancelled_ = nullptr;  ///< of the last expansion
    bool long_round_ = false;
};

}  // namespace proofbase
