// Graph kind `dag`: one node for each position (up to symmetry) and bound, with all its parents; for games in which
// no line of play comes back to a position (Schijf 1993, 4.4: the practical algorithm).
//
// Numbers are passed up to all parents, level by level, and only from nodes that changed. Where all ways to a position
// are equally long, every node so changes at most once per expansion.
//
// The time goes into cache misses (about 300 ns each in a large graph), so an edge holds the numbers of its child:
// a node reads the edges to its children, which lie side by side, and not the children; and what the next steps
// will read is fetched ahead.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "search/api/any_search.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/arena.hpp"
#include "search/graph/dag/blocks.hpp"
#include "search/graph/key_pool.hpp"
#include "search/graph/node_index.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G, class Backup>
class Dag {
  public:
    using Position = typename G::Position;
    using Key = typename G::Key;

    struct Step {
        NodeRef node;
        int bound;
        Position position;  ///< the one that stands for the node
    };
    using Path = std::vector<Step>;

    using BackupOptions = typename Backup::OfGraph::Options;

    explicit Dag(const SearchRequest<G>& request, Orientation<G> orientation = Orientation<G>(),
                 const BackupOptions& options = {})
        : game_(request.game),
          order_(request.order),
          orientation_(orientation),
          evaluator_(game_, request.known, request.algorithm.initialisation()),
          backup_(options) {
        reserve(1, std::atomic<bool>(false));
        const int bound = request.at_least;
        const Position position = orientation_.representative(game_, request.position);
        const Key key = orientation_.key(game_, position);
        create(key, hash_question(key, bound), bound, evaluator_(position, bound, [&] { return game_.key(position); }),
               0);
        root_ = {NodeRef::leaf(0), bound, position};
    }

    Step root() const { return {ref(0), root_.bound, root_.position}; }
    /// The node with this number: nodes are numbered from 0 in the order in which they were created.
    NodeRef ref(std::uint32_t number) const noexcept {
        const std::uint32_t block = nodes_[number].block;
        return block != 0 ? NodeRef::expanded(block) : NodeRef::leaf(number);
    }
    std::uint32_t number(NodeRef node) const noexcept {
        return node.is_expanded() ? blocks_[node.place()].node : node.place();
    }
    Numbers numbers(NodeRef node) const noexcept {
        return node.is_expanded() ? blocks_[node.place()].numbers : nodes_[node.place()].numbers;
    }
    std::uint32_t rank(NodeRef node) const noexcept {
        return node.is_expanded() ? blocks_[node.place()].place : nodes_[node.place()].rank;
    }
    bool expanded(NodeRef node) const noexcept { return node.is_expanded(); }
    std::uint32_t size() const noexcept { return nodes_.size(); }
    /// True where lines of winning threats answer moves that nodes do not have (policy `threats`).
    bool leaves_moves_to_lines() const noexcept { return evaluator_.leaves_moves_to_lines(); }
    std::uint64_t created() const noexcept { return nodes_.size(); }
    std::uint64_t updates() const noexcept { return updates_; }
    std::uint64_t bytes() const noexcept {
        return nodes_.bytes() + blocks_.bytes() + index_.bytes() + keys_.bytes() + backup_.bytes();
    }
    std::uint64_t node_bytes() const noexcept { return nodes_.bytes() + blocks_.header_bytes() + keys_.bytes(); }

    /// Which nodes a walk has met.
    class Marks {
      public:
        explicit Marks(const Dag& graph) : graph_(graph), marked_(graph.nodes_.size()) {}

        /// False if the node was marked before.
        bool mark(NodeRef node) {
            const std::uint32_t number = graph_.number(node);
            if (marked_[number]) return false;
            return marked_[number] = true;
        }

      private:
        const Dag& graph_;
        std::vector<bool> marked_;
    };

    /// Creates the children of an unsolved leaf, or finds them where they exist; the step then refers to its block.
    /// Throws Cancelled or std::bad_alloc before anything has changed.
    void expand(Step& step, const std::atomic<bool>& cancelled) {
        const std::uint32_t number = step.node.place();
        list(step.position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        reserve(count, cancelled);
        // In passes, so that the misses of the index, then of the nodes, then of their blocks overlap.
        children_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_[i];
            child.position = game_.play(step.position, moves_[i]);
            child.bound = game_.reward(step.position, moves_[i]) - step.bound + 1;
            child.key = orientation_.key(game_, child.position);
            child.hash = hash_question(child.key, child.bound);
            index_.prefetch(child.hash);
        }
        const Parents parents = nodes_[number].parents;
        for (const std::uint32_t parent : parents.last) blocks_.prefetch(parent);
        for (const Child& child : children_) {
            index_.for_each_candidate(child.hash, [&](std::uint32_t node) { __builtin_prefetch(&nodes_[node]); });
        }
        const std::uint32_t here = blocks_.append(count);
        Block& block = blocks_[here];
        block.numbers = nodes_[number].numbers;
        block.node = number;
        block.place = block.numbers.solved() ? nodes_[number].rank : 0;
        block.waiting = 0;
        block.parents = parents;
        Edge* edge = block.begin();
        for (const Child& child : children_) {
            std::uint32_t node = index_.find(child.hash, child.key, child.bound, nodes_, keys_);
            if (node == NodeIndex::none) {
                const Leaf leaf = evaluator_(child.position, child.bound, [&] { return game_.key(child.position); });
                node = create(child.key, child.hash, child.bound, leaf, number);
            }
            edge->child = ref(node);
            if (edge->child.is_expanded()) __builtin_prefetch(&blocks_[edge->child.place()]);
            ++edge;
        }
        for (Edge& to : block) {
            to.numbers = numbers(to.child);
            Parents& of_child =
                to.child.is_expanded() ? blocks_[to.child.place()].parents : nodes_[to.child.place()].parents;
            if (of_child.last[0] != here) of_child.push(here, to);
        }
        const NodeRef leaf = step.node;
        step.node = NodeRef::expanded(here);
        nodes_[number].block = here;
        for_each_parent(parents, leaf, [&](std::uint32_t, Edge& to) { to.child = step.node; });
    }

    /// Passes the numbers of the node at the end of `path` up; returns the length of the path up to the lowest node
    /// above which nothing on the path has changed.
    std::size_t update(const Path& path) {
        std::size_t length = path.size();
        backup_.begin_update();
        waiting_.clear();
        waiting_.push_back(path.back().node.place());
        blocks_[waiting_[0]].place = static_cast<std::uint32_t>(length);
        // Level by level: the misses on the way to all parents of a level overlap.
        while (!waiting_.empty()) {
            changed_.clear();
            for (const std::uint32_t b : waiting_) {
                Block& block = blocks_[b];
                block.waiting = 0;
                const std::uint32_t place = block.place;
                if (block.numbers.solved()) continue;
                ++updates_;
                if (!recalculate(block)) continue;
                if (place != 0 && place <= length) length = place > 1 ? place - 1 : 1;
                for (const std::uint32_t parent : block.parents.last) blocks_.prefetch(parent);
                changed_.push_back(b);
            }
            waiting_.clear();
            for (const std::uint32_t b : changed_) {
                pass_up(b, [&](std::uint32_t parent) {
                    if (blocks_[parent].waiting) return;
                    blocks_[parent].waiting = 1;
                    waiting_.push_back(parent);
                });
            }
        }
        if (backup_.from_root()) length = 1;
        for (std::size_t i = length; i < path.size(); ++i) {
            Block& block = blocks_[path[i].node.place()];
            if (!block.numbers.solved()) block.place = 0;
        }
        return length;
    }

    void descend(Path& path) {
        const Step& step = path.back();
        Block& block = blocks_[step.node.place()];
        block.place = static_cast<std::uint32_t>(path.size());
        const Edge* edge = backup_.select(*this, block);
        const NodeRef child = edge->child;
        if (child.is_expanded()) {
            blocks_.prefetch(child.place());
        } else {
            __builtin_prefetch(&nodes_[child.place()]);
        }
        list(step.position, moves_);
        const auto move = moves_[static_cast<std::size_t>(edge - block.begin())];
        Position below = orientation_.representative(game_, game_.play(step.position, move));
        const int bound = game_.reward(step.position, move) - step.bound + 1;
        path.push_back({child, bound, std::move(below)});
    }

    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        typename G::Moves moves;
        list(step.position, moves);
        const Block& block = blocks_[step.node.place()];
        for (std::uint32_t i = 0; i < moves.size(); ++i) {
            const auto move = moves[i];
            const int bound = game_.reward(step.position, move) - step.bound + 1;
            const Step below{block.begin()[i].child, bound,
                             orientation_.representative(game_, game_.play(step.position, move))};
            visit(below, move);
        }
    }

    /// True if a restored search must update after each expansion, for the backup depends on what was before.
    bool repeats_updates() const noexcept { return backup_.repeats_updates(); }

    /// Updates above a node that was expanded on its own, outside of a path.
    void update_above(const Step& expanded) {
        update(Path{expanded});
        Block& block = blocks_[expanded.node.place()];
        if (!block.numbers.solved()) block.place = 0;
    }

    /// The node with this number as a step on its own.
    Step step(std::uint32_t number) const {
        return {ref(number), nodes_[number].bound, *game_.position(keys_.key(nodes_[number].key))};
    }

    /// Recalculates every node until nothing changes. Most children have higher numbers than their parents, so
    /// few rounds suffice; every round settles at least the lowest unsettled level.
    void recalculate_all() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t n = nodes_.size(); n-- > 0;) {
                const std::uint32_t b = nodes_[n].block;
                if (b == 0 || blocks_[b].numbers.solved() || !recalculate(blocks_[b])) continue;
                changed = true;
                pass_up(b, [](std::uint32_t) {});
            }
        }
    }

  private:
    /// `numbers`, `rank` (of a solved node) and `parents` are those of a leaf; an expanded node has them in its
    /// block.
    struct Node {
        typename KeyPool<Key>::Stored key;
        Numbers numbers;
        std::int32_t bound;
        std::uint32_t rank;
        std::uint32_t block;
        Parents parents;
    };

    struct Child {
        Position position;
        Key key;
        std::uint64_t hash;
        int bound;
    };

    /// The moves of a node, in the search's order; the same at every call.
    void list(const Position& position, typename G::Moves& moves) const {
        order_(game_, position, moves);
        if constexpr (Threats<G>) {
            if (evaluator_.leaves_moves_to_lines()) keep_unanswered_moves(game_, position, moves);
        }
    }

    std::uint32_t create(const Key& key, std::uint64_t hash, int bound, const Leaf& leaf, std::uint32_t parent) {
        const std::uint32_t n = nodes_.append(1);
        backup_.created(n, parent);
        nodes_[n] = {keys_.store(key), leaf.numbers, bound, leaf.rank, 0, {}};
        index_.insert(hash, n);
        return n;
    }

    /// Makes room for `count` more nodes and as many edges, so that an expansion is made whole or not at all.
    void reserve(std::uint32_t count, const std::atomic<bool>& cancelled) {
        nodes_.reserve(count);
        blocks_.reserve(count);
        backup_.reserve(count);
        if (nodes_.size() + std::uint64_t{count} > NodeRef::most) throw std::bad_alloc();
        index_.reserve(count, nodes_, keys_, cancelled);
    }

    /// Calls visit(block, edge) for every edge that leads to `child`.
    template <class Visit>
    void for_each_parent(const Parents& parents, NodeRef child, Visit&& visit) {
        for (std::uint32_t parent : parents.last) {
            while (parent != 0) {
                Block& block = blocks_[parent];
                std::uint32_t next = 0;
                for (std::uint32_t i = block.count; i-- > 0;) {
                    Edge& edge = block.begin()[i];
                    if (edge.child != child) continue;
                    next = edge.next_parent;
                    visit(parent, edge);
                }
                parent = next;
            }
        }
    }

    /// Writes the numbers of a node to the edges that lead to it and calls visit(parent) for each.
    template <class Visit>
    void pass_up(std::uint32_t b, Visit&& visit) {
        const Numbers now = blocks_[b].numbers;
        for_each_parent(blocks_[b].parents, NodeRef::expanded(b), [&](std::uint32_t parent, Edge& edge) {
            edge.numbers = now;
            visit(parent);
        });
    }

    /// Backs up an expanded node from its children; true if something that its parents see changed.
    bool recalculate(Block& block) {
        if (!backup_.recalculate(*this, block)) return false;
        if (block.numbers.solved()) {
            SolvedRank rank(block.numbers);
            for (const Edge& edge : block) rank.add(edge.numbers, this->rank(edge.child));
            block.place = rank.result();
            if (evaluator_.leaves_moves_to_lines() &&
                block.numbers.disproved()) {  // the moves that are left out count as well
                block.place = std::max(block.place, nodes_[block.node].rank);
            }
        }
        return true;
    }

    G game_;
    MoveOrder order_;
    Orientation<G> orientation_;
    LeafEvaluator<G> evaluator_;
    [[no_unique_address]] typename Backup::OfGraph backup_;
    KeyPool<Key> keys_;
    Arena<Node> nodes_;
    Blocks blocks_;
    NodeIndex index_;
    Step root_;
    std::uint64_t updates_ = 0;
    typename G::Moves moves_;
    std::vector<Child> children_;
    std::vector<std::uint32_t> waiting_;  ///< blocks of one level
    std::vector<std::uint32_t> changed_;
};

}  // namespace proofbase
