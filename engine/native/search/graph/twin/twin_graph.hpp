// The nodes of the graph kind base-twin (base_twin.hpp): every move leads to a node of its own with its own numbers.
// The first node of a position and bound is its base node, the others are its twin nodes, and only the base node has
// children.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "concepts.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/arena.hpp"
#include "search/graph/question_index.hpp"
#include "search/graph/recurrence_watch.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G, class Backup>
class TwinGraph {
    using Index = QuestionIndex<G>;
    using Child = typename Index::Child;

  public:
    using Step = QuestionStep<G, std::uint32_t>;

    using Options = typename Backup::ForTwins::Options;

    TwinGraph(const SearchRequest<G>& request, Orientation<G> orientation, const Options& options = {})
        : backup_(options),
          game_(request.game),
          order_(request.order),
          index_(request, game_, orientation),
          watch_(game_) {
        Child root{};
        root.position = request.position;
        root.bound = request.at_least;
        index_.look_up_with_repetition(root, 1, bases_, std::atomic<bool>(false));
        nodes_.append(1);
        backup_.append(1);
        create(0, root, 0);
    }

    Step root() const { return step(0); }
    /// The number belongs to the base. A node is referred to by its index among all base nodes and twin nodes.
    std::uint32_t ref(std::uint32_t number) const noexcept { return bases_[number].base_node; }
    std::uint32_t number(std::uint32_t node) const noexcept { return nodes_[node].base; }
    Numbers numbers(std::uint32_t node) const noexcept {
        const Numbers& base_numbers = numbers_of_base(nodes_[node].base);
        return base_numbers.solved() ? base_numbers : nodes_[node].numbers;
    }
    /// The numbers of a node itself: those of its base may be known better.
    const Numbers& own_numbers(std::uint32_t node) const noexcept { return nodes_[node].numbers; }
    std::uint32_t base_node(std::uint32_t node) const noexcept { return bases_[nodes_[node].base].base_node; }
    std::uint32_t rank(std::uint32_t node) const noexcept { return bases_[nodes_[node].base].rank; }
    bool expanded(std::uint32_t node) const noexcept { return bases_[nodes_[node].base].count != 0; }
    std::uint32_t size() const noexcept { return bases_.size(); }
    std::uint64_t created() const noexcept { return nodes_.size(); }
    std::uint64_t peak_nodes() const noexcept { return created(); }
    std::uint64_t bytes() const noexcept {
        return nodes_.bytes() + bases_.bytes() + index_.bytes() + watch_.bytes() + backup_.bytes();
    }
    std::uint64_t node_bytes() const noexcept { return nodes_.bytes() + bases_.bytes() + index_.key_bytes(); }

    /// Calls visit(step of the child, move, numbers of the child) for the children of an expanded node.
    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        typename G::Moves moves;
        order_(game_, step.position, moves);
        const Base& base = bases_[nodes_[step.node].base];
        for (std::uint32_t i = 0; i < base.count; ++i) {
            const std::uint32_t child = base.first_child + i;
            visit(index_.step(step, moves[i], child), moves[i], numbers(child));
        }
    }

    /// The base node with this number, as a step without a path.
    Step step(std::uint32_t number) const {
        const Base& base = bases_[number];
        return {base.base_node, base.bound, index_.position(base.key)};
    }

  protected:
    static constexpr std::uint32_t none = Index::none;
    using Count = std::conditional_t<sizeof(typename G::Move) == 1, std::uint16_t, std::uint32_t>;

    /// A base node or a twin node.
    struct Node {
        std::uint32_t base;
        Numbers numbers;
        /// The length of the current path up to the highest node that a line below repeats; 0: no draw is possible.
        std::uint32_t draw_mark;
    };

    /// What a base node and its twin nodes have in common.
    struct Base {
        typename Index::StoredKey key;
        std::int32_t bound;
        std::uint32_t base_node;
        std::uint32_t first_child;  ///< the children lie side by side
        std::uint32_t path_length;  ///< of the current path up to this position and bound, or 0
        std::uint32_t rank;         ///< of a solved leaf
        Count count;                ///< of children, 0: a leaf
        bool repetition_proves;     ///< endless play would prove the node, otherwise disprove it
    };

    /// Fig. 14, 3: gives a leaf its children. Where this or the rules throw, nothing has changed.
    void create_children(const Step& step, const std::atomic<bool>& cancelled) {
        order_(game_, step.position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        children_.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_.emplace_back(index_.make_child(step.position, step.bound, moves_[i]));
            index_.look_up_with_repetition(child, count, bases_, cancelled);
        }
        const std::uint32_t here = nodes_[step.node].base;
        watch_.expanding(
            here, children_,
            [&](std::uint32_t n, auto&& visit) {
                for (std::uint32_t i = 0; i < bases_[n].count; ++i) visit(nodes_[bases_[n].first_child + i].base);
            },
            [&](std::uint32_t n) { return index_.position(bases_[n].key); });
        bases_.reserve(count);
        backup_.reserve(count);
        const std::uint32_t first = nodes_.append(count);
        backup_.append(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_[i];
            // The same position may stand twice among the children.
            if (child.node == none) child.node = index_.find(child, bases_);
            if (child.node == none) {
                create(first + i, child, bases_[here].base_node);
            } else {
                const Base& base = bases_[child.node];
                nodes_[first + i] = {child.node, numbers_of_base(child.node), 0};
                if (base.count != 0) nodes_[first + i].numbers = from_children(first + i, base);
            }
        }
        Base& base = bases_[here];
        base.first_child = first;
        base.count = static_cast<Count>(count);
    }

    /// The numbers of a base or twin node from the children of its base. Its sets, if it has any, become theirs as
    /// well.
    Numbers from_children(std::uint32_t node, const Base& base) {
        return backup_.take(*this, node, [&](auto&& visit) {
            for (std::uint32_t n = base.first_child; n < base.first_child + base.count; ++n) visit(n);
        });
    }

    /// Gives a node the numbers of a solved one.
    void settle(std::uint32_t node, const Numbers& solved) noexcept {
        nodes_[node].numbers = solved;
        backup_.release(node);
    }

    Numbers& numbers_of_base(std::uint32_t base) noexcept { return nodes_[bases_[base].base_node].numbers; }
    const Numbers& numbers_of_base(std::uint32_t base) const noexcept { return nodes_[bases_[base].base_node].numbers; }
    bool solved(std::uint32_t base) const noexcept { return numbers_of_base(base).solved(); }

    Arena<Node> nodes_;
    Arena<Base> bases_;
    [[no_unique_address]] typename Backup::ForTwins backup_;

  private:
    /// Makes a node the base node of a new base, below another base node.
    void create(std::uint32_t node, const Child& child, std::uint32_t parent) {
        const std::uint32_t n = bases_.append(1);
        watch_.created(n, nodes_[parent].base);
        backup_.base_created(node, parent);
        bases_[n] = {index_.insert(child, n), child.bound, node, 0, 0, child.leaf.rank, 0, child.repetition_proves};
        nodes_[node] = {n, child.leaf.numbers, 0};
    }

    G game_;
    MoveOrder order_;
    Index index_;
    [[no_unique_address]] RecurrenceWatch<G> watch_;
    typename G::Moves moves_;
    std::vector<Child> children_;  ///< of the node that is being expanded
};

}  // namespace proofbase
