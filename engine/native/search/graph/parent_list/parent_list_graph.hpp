// Graph kinds of linked nodes, updated as Schijf prints it (1993): every node knows its children and all its parents,
// and numbers are passed up by stack or by queue (4.6), with or without stopping where nothing changes.
//
//   linked dag     a node for each position and bound (4.4: the practical algorithm); what dag.hpp does faster
//   cyclic         the same for games with cycles (5.4): a move to an ancestor leads to an end node instead, which is
//                  worth what repetition is worth, until the ancestor is proved to be worth the opposite
//
// An end node is an edge that is marked: it shows what repetition gives, or the numbers of the ancestor itself once
// they settle the opposite. An answer of the cyclic kind may rest on a repetition that is none on another path; what
// may be believed of it, cyclic_extraction.hpp finds out.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "records/local_check.hpp"
#include "search/api/any_search.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/arena.hpp"
#include "search/graph/key_pool.hpp"
#include "search/graph/node_index.hpp"
#include "search/graph/parent_list/ancestor_walk.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"
#include "search/policy/update_order.hpp"

namespace proofbase {

template <Game G, class Backup, bool cyclic>
class Linked {
  public:
    using Position = typename G::Position;
    using Key = typename G::Key;

    static constexpr bool rests_on_repetition = cyclic;

    struct Step {
        std::uint32_t node;
        int bound;
        Position position;  ///< the one that stands for the node
    };
    using Path = std::vector<Step>;

    Linked(const SearchRequest<G>& request, Orientation<G> orientation, UpdatePolicy policy)
        : game_(request.game),
          order_(request.order),
          orientation_(orientation),
          policy_(policy),
          evaluator_(game_, request.known, request.algorithm.initialisation()) {
        links_.append(1);  // number 0 stands for "none"
        children_.reserve(1);
        Child& root = children_.emplace_back();
        root.position = orientation_.representative(game_, request.position);
        root.bound = request.at_least;
        look_up(root, std::atomic<bool>(false));
        create(root);
        root_ = {0, root.bound, root.position};
        children_.clear();
    }

    Step root() const { return root_; }
    /// Nodes are referred to by their numbers, whether expanded or not.
    std::uint32_t ref(std::uint32_t number) const noexcept { return number; }
    std::uint32_t number(std::uint32_t node) const noexcept { return node; }
    Numbers numbers(std::uint32_t node) const noexcept { return nodes_[node].numbers; }
    /// Of a solved node. The cyclic kind knows the ranks of leaves only.
    std::uint32_t rank(std::uint32_t node) const noexcept { return nodes_[node].place; }
    bool expanded(std::uint32_t node) const noexcept { return nodes_[node].count != 0; }
    std::uint32_t size() const noexcept { return nodes_.size(); }
    std::uint64_t created() const noexcept { return nodes_.size() + end_nodes_; }
    std::uint64_t updates() const noexcept { return updates_; }
    std::uint64_t bytes() const noexcept {
        return nodes_.bytes() + edges_.bytes() + links_.bytes() + index_.bytes() + keys_.bytes() + walk_.bytes();
    }
    std::uint64_t node_bytes() const noexcept { return nodes_.bytes() + keys_.bytes(); }

    /// Which nodes a walk has met.
    class Marks {
      public:
        explicit Marks(const Linked& graph) : marked_(graph.nodes_.size()) {}

        /// False if the node was marked before.
        bool mark(std::uint32_t node) {
            if (marked_[node]) return false;
            return marked_[node] = true;
        }

      private:
        std::vector<bool> marked_;
    };

    /// Creates the children of an unsolved leaf, or finds them where they exist. Throws, also what the rules throw,
    /// before anything has changed.
    void expand(const Step& step, const std::atomic<bool>& cancelled) {
        cancelled_ = &cancelled;
        order_(game_, step.position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        children_.clear();
        children_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_[i];
            const int reward = game_.reward(step.position, moves_[i]);
            child.position = game_.play(step.position, moves_[i]);
            child.bound = reward - step.bound + 1;
            child.paid = reward != 0;
            look_up(child, cancelled);
        }
        nodes_.reserve(count);
        edges_.reserve(count);
        links_.reserve(count);
        if (cyclic && !game_.acyclic()) mark_ends(step.node);

        const std::uint32_t first = edges_.append(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_[i];
            // The same position may stand twice among the children.
            std::uint32_t node = child.node == none ? find(child) : child.node;
            if (node == none) node = create(child);
            if (child.ends) ++end_nodes_;
            edges_[first + i] = node | (child.ends ? flag : 0);
            link(node, step.node, child.ends, child.paid);
        }
        nodes_[step.node].first_edge = first;
        nodes_[step.node].count = static_cast<Count>(count);
    }

    /// Passes the numbers of the node at the end of `path` up; returns the length of the path up to the first node of
    /// which a child may have changed: above it the way is the same.
    std::size_t update(const Path& path) {
        for (std::size_t i = 0; i < path.size(); ++i) {
            nodes_[path[i].node].place = static_cast<std::uint32_t>(i + 1);
        }
        length_ = path.size();
        if (policy_.order == UpdateOrder::stack) {
            update_by_stack(path.back().node);
        } else {
            waiting_.push_back(path.back().node);
        }
        update_by_queue();
        for (const Step& step : path) {
            if (!ranked(step.node)) nodes_[step.node].place = 0;
        }
        return length_;
    }

    void descend(Path& path) {
        const Step& step = path.back();
        const Node& node = nodes_[step.node];
        std::uint32_t i = 0;
        while (seen(edges_[node.first_edge + i]).disproof != node.numbers.proof) ++i;
        const std::uint32_t edge = edges_[node.first_edge + i];
        order_(game_, step.position, moves_);
        path.push_back(below(step, edge & ~flag, moves_[i]));
    }

    /// Calls visit(step of the child, move) for the children of an expanded node.
    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        for_each_option(step, [&](const Step& child, typename G::Move move, Numbers) { visit(child, move); });
    }

    /// Calls visit(step of the child, move, numbers that the child shows here); for an end node the step is that of the
    /// ancestor.
    template <class Visit>
    void for_each_option(const Step& step, Visit&& visit) const {
        typename G::Moves moves;
        order_(game_, step.position, moves);
        const Node& node = nodes_[step.node];
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const std::uint32_t edge = edges_[node.first_edge + i];
            visit(below(step, edge & ~flag, moves[i]), moves[i], seen(edge));
        }
    }

    /// The node with this number as a step on its own.
    Step step(std::uint32_t number) const {
        return {number, nodes_[number].bound, *game_.position(keys_.key(nodes_[number].key))};
    }

    /// Recalculates every node until nothing changes.
    void recalculate_all() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t n = nodes_.size(); n-- > 0;) {
                if (expanded(n) && recalculate(n)) changed = true;
            }
        }
    }

  private:
    static constexpr std::uint32_t none = NodeIndex::none;
    static constexpr std::uint32_t flag = 0x80000000;  ///< of an edge or a link: an end node
    static constexpr std::uint32_t paid = 0x40000000;  ///< of a link: by a move with a reward, which no cycle has
    static constexpr std::uint32_t most = 0x3fffffff;  ///< nodes
    static constexpr std::uint32_t clock = 4096;       ///< updates between two looks at the flag of cancel()

    using Count = std::conditional_t<sizeof(typename G::Move) == 1, std::uint16_t, std::uint32_t>;

    struct Node {
        typename KeyPool<Key>::Stored key;
        Numbers numbers;
        std::int32_t bound;
        std::uint32_t first_edge;
        std::uint32_t first_link;  ///< to its parents, in the order in which they came
        std::uint32_t last_link;
        std::uint32_t place;  ///< solved: the rank; else the place on the path from 1, or 0
        Count count;          ///< of children, 0: a leaf
        bool repetition;      ///< what repetition says about the question
        bool waiting;         ///< in the queue
    };

    struct Link {
        std::uint32_t parent;  ///< and marks
        std::uint32_t next;
    };

    struct Child {
        Position position;
        Key key;
        std::uint64_t hash;
        int bound;
        std::uint32_t node;
        Leaf leaf;
        bool repetition;
        bool paid = false;
        bool ends = false;
    };

    std::uint32_t find(const Child& child) const {
        return index_.find(child.hash, child.key, child.bound, nodes_, keys_);
    }

    /// Everything that has to be asked of the rules, and room in the index.
    void look_up(Child& child, const std::atomic<bool>& cancelled) {
        child.position = orientation_.representative(game_, std::move(child.position));
        child.key = orientation_.key(game_, child.position);
        child.hash = hash_question(child.key, child.bound);
        if (nodes_.size() + std::uint64_t{children_.size()} > most) throw std::bad_alloc();
        index_.reserve(children_.size(), nodes_, keys_, cancelled);
        child.node = find(child);
        if (child.node != none) return;
        child.leaf = evaluator_(child.position, child.bound, [&] { return game_.key(child.position); });
        if constexpr (cyclic) {
            const std::optional<int> rho = repetition_value(game_, child.position);
            child.repetition = rho && *rho >= child.bound;
        }
    }

    std::uint32_t create(const Child& child) {
        const std::uint32_t n = nodes_.append(1);
        nodes_[n] = {keys_.store(child.key),
                     child.leaf.numbers,
                     child.bound,
                     0,
                     0,
                     0,
                     child.leaf.numbers.solved() ? child.leaf.rank : 0,
                     0,
                     child.repetition,
                     false};
        index_.insert(child.hash, n);
        return n;
    }

    void link(std::uint32_t node, std::uint32_t parent, bool ends, bool with_reward) {
        Node& child = nodes_[node];
        const std::uint32_t mark = (ends ? flag : 0) | (with_reward ? paid : 0);
        if (child.last_link != 0 && links_[child.last_link].parent == (parent | mark)) return;
        const std::uint32_t n = links_.append(1);
        links_[n] = {parent | mark, 0};
        (child.last_link != 0 ? links_[child.last_link].next : child.first_link) = n;
        child.last_link = n;
    }

    /// Marks the children that are ancestors of `node`, or the node itself. Only ways without rewards lead back.
    void mark_ends(std::uint32_t node) {
        const auto may_end = [&](const Child& child) { return child.node != none && !child.paid; };
        std::uint32_t left = 0;
        for (Child& child : children_) {
            child.ends = may_end(child) && child.node == node;
            left += may_end(child) && !child.ends && expanded(child.node);
        }
        if (left == 0) return;
        walk_.from(node, nodes_.size(), [&](std::uint32_t n, auto&& visit) {
            for (std::uint32_t l = nodes_[n].first_link; l != 0; l = links_[l].next) {
                if ((links_[l].parent & (flag | paid)) == 0) visit(links_[l].parent);
            }
        });
        for (Child& child : children_) child.ends |= may_end(child) && walk_.met(child.node);
    }

    /// What a node shows to its parent over an edge.
    Numbers seen(std::uint32_t edge) const noexcept {
        const Node& child = nodes_[edge & ~flag];
        if constexpr (cyclic) {
            if ((edge & flag) != 0) {
                if (child.repetition) return child.numbers.disproved() ? disproved_numbers : proved_numbers;
                return child.numbers.proved() ? proved_numbers : disproved_numbers;
            }
        }
        return child.numbers;
    }

    Step below(const Step& step, std::uint32_t node, typename G::Move move) const {
        const int bound = game_.reward(step.position, move) - step.bound + 1;
        return {node, bound, orientation_.representative(game_, game_.play(step.position, move))};
    }

    bool ranked(std::uint32_t node) const noexcept { return !cyclic && nodes_[node].numbers.solved(); }

    /// The update of one node; true if what is above has to be updated.
    bool compute(std::uint32_t n) {
        ++updates_;
        Node& node = nodes_[n];
        // A solved node has its rank in the place, and is no longer on the path that counts.
        if (!ranked(n) && node.place != 0 && node.place < length_) length_ = node.place;
        return recalculate(n) || !policy_.early_stop;
    }

    void update_by_stack(std::uint32_t start) {
        stack_.assign(1, start);
        std::uint32_t tick = 0;
        while (!stack_.empty()) {
            if (++tick % clock == 0 && cancelled_->load(std::memory_order_relaxed)) {
                // All paths may be more than there is time for: what is left is done by queue.
                for (; !stack_.empty(); stack_.pop_back()) enqueue(stack_.back());
                return;
            }
            const std::uint32_t node = stack_.back();
            stack_.pop_back();
            if (!compute(node)) continue;
            const std::size_t before = stack_.size();
            for_each_parent(node, [&](std::uint32_t parent) { stack_.push_back(parent); });
            std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(before), stack_.end());
        }
    }

    void update_by_queue() {
        while (!waiting_.empty()) {
            const std::uint32_t node = waiting_.front();
            waiting_.pop_front();
            nodes_[node].waiting = false;
            if (compute(node)) for_each_parent(node, [&](std::uint32_t parent) { enqueue(parent); });
        }
    }

    void enqueue(std::uint32_t node) {
        if (std::exchange(nodes_[node].waiting, true)) return;
        waiting_.push_back(node);
    }

    /// Those that see a change of the node's numbers: over an end node only whether the node is solved.
    template <class Visit>
    void for_each_parent(std::uint32_t node, Visit&& visit) const {
        const bool solved = before_.solved() || nodes_[node].numbers.solved();
        for (std::uint32_t l = nodes_[node].first_link; l != 0; l = links_[l].next) {
            const std::uint32_t parent = links_[l].parent;
            if ((parent & flag) == 0 || solved) visit(parent & most);
        }
    }

    /// Takes the numbers of an expanded node from its children; true if they changed.
    bool recalculate(std::uint32_t n) {
        Node& node = nodes_[n];
        Backup backup;
        for (std::uint32_t i = 0; i < node.count; ++i) backup.add(seen(edges_[node.first_edge + i]));
        const Numbers now = backup.result();
        before_ = node.numbers;
        if (now == before_) return false;
        node.numbers = now;
        if (ranked(n)) {
            SolvedRank rank(now);
            for (std::uint32_t i = 0; i < node.count; ++i) {
                const Node& child = nodes_[edges_[node.first_edge + i]];
                rank.add(child.numbers, child.place);
            }
            node.place = rank.result();
        }
        return true;
    }

    G game_;
    MoveOrder order_;
    Orientation<G> orientation_;
    UpdatePolicy policy_;
    LeafEvaluator<G> evaluator_;
    KeyPool<Key> keys_;
    Arena<Node> nodes_;
    Arena<std::uint32_t> edges_;  ///< children of a node side by side
    Arena<Link> links_;
    NodeIndex index_;
    Step root_;
    std::uint64_t end_nodes_ = 0;
    std::uint64_t updates_ = 0;
    typename G::Moves moves_;
    std::vector<Child> children_;
    std::vector<std::uint32_t> stack_;
    std::deque<std::uint32_t> waiting_;
    std::size_t length_ = 0;
    Numbers before_{};                              ///< of the node that was recalculated last
    const std::atomic<bool>* cancelled_ = nullptr;  ///< of the expansion under way
    AncestorWalk walk_;
};

}  // namespace proofbase
