// Graph kind `dag` for several threads: one graph (dag.hpp), in which each thread expands leaves of its own.
//
// What is passed up stays right without a common lock: a thread changes a node, then locks one parent after the other,
// and writes into the edge what the node has at that moment. So the thread that comes last writes the newest numbers,
// and the numbers of a node are those of its edges whenever its lock is free.
//
// Threads part as the workers of a proof manager do: below a node whose children all have to be refuted, a child counts
// as larger for each other thread that went there. A leaf is expanded by the thread that claims it first; the others
// take the next best child. So with more threads the search expands some leaves that one thread would not.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/dag/shared_blocks.hpp"
#include "search/graph/dag/shared_index.hpp"
#include "search/graph/question_index.hpp"
#include "search/graph/search_graph.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/orientation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G>
class SharedDag {
    using Questions = QuestionIndex<G>;
    using Child = typename Questions::Child;
    using Key = typename G::Key;
    static_assert(std::is_trivially_copyable_v<Key>, "keys of varying length need a pool, which threads cannot share");

  public:
    using Position = typename G::Position;
    using Step = QuestionStep<G, NodeRef>;
    using Marks = NodeMarks<SharedDag>;

    /// A node on the path of a thread.
    struct PathStep {
        Step step;
        std::uint64_t seen;  ///< its numbers when the next step was chosen
        bool shared;         ///< another thread came here as well
    };

    /// What one thread has of its own.
    struct alignas(128) Thread {
        std::vector<PathStep> path;
        // Counters; written by the thread, read by all.
        std::atomic<std::uint64_t> created = 0;
        std::atomic<std::uint64_t> expansions = 0;
        std::atomic<std::uint64_t> updates = 0;
        std::atomic<std::uint64_t> traversed = 0;
        std::atomic<std::uint64_t> log_bytes = 0;  ///< of `expanded`

      private:
        friend SharedDag;

        struct Changed {
            std::uint32_t block;
            Parents parents;
        };

        std::vector<std::uint32_t> expanded;  // nodes that it has expanded, since take_expanded()
        typename G::Moves moves;
        std::vector<Child> children;   // of the node that it is expanding
        std::vector<Changed> changed;  // blocks of one level that changed
        std::vector<Changed> above;    // and those of the next one
        ArenaPart nodes;
        ArenaPart units;
        std::uint32_t spare = Questions::none;  // a node that was made in vain
        /// The way down: the block at each depth, and the edge that was chosen there. Read by other threads.
        alignas(128) std::array<std::atomic<std::uint64_t>, 64> way{};
    };

    SharedDag(const SearchRequest<G>& request, Orientation<G> orientation, std::size_t threads)
        : game_(request.game),
          order_(request.order),
          questions_(request, game_, orientation),
          nodes_(NodeRef::limit),
          index_(std::max<std::uint64_t>(least_index, 2 * threads * nodes_between_looks)),
          threads_(threads) {
        Child root{};
        root.position = questions_.representative(request.position);
        root.bound = request.at_least;
        questions_.identify(root);
        find_or_create(threads_[0], root);
        root_ = {NodeRef::leaf(0), root.bound, root.position};
    }

    Thread& thread(std::size_t number) noexcept { return threads_[number]; }
    const Thread& thread(std::size_t number) const noexcept { return threads_[number]; }
    std::size_t threads() const noexcept { return threads_.size(); }
    /// The sum of one of the counters of all threads.
    std::uint64_t total(std::atomic<std::uint64_t> Thread::* counter) const noexcept {
        std::uint64_t sum = 0;
        for (const Thread& thread : threads_) sum += (thread.*counter).load(std::memory_order_relaxed);
        return sum;
    }
    std::uint64_t bytes() const noexcept {
        return nodes_.bytes() + blocks_.bytes() + index_.bytes() + total(&Thread::log_bytes);
    }
    std::uint64_t node_bytes() const noexcept { return nodes_.bytes(); }

    // As in Dag.

    Step root() const { return {resolved(root_.node), root_.bound, root_.position}; }
    std::uint32_t size() const noexcept { return nodes_.size(); }
    std::uint32_t number(NodeRef node) const noexcept {
        return node.is_expanded() ? blocks_[node.index()].node : node.index();
    }
    Numbers numbers(NodeRef node) const noexcept {
        const NodeRef now = resolved(node);
        return now.is_expanded() ? blocks_[now.index()].now() : nodes_[now.index()].numbers;
    }
    std::uint32_t rank(NodeRef node) const noexcept {
        const NodeRef now = resolved(node);
        return now.is_expanded() ? load_relaxed(blocks_[now.index()].rank) : nodes_[now.index()].rank;
    }
    bool expanded(NodeRef node) const noexcept { return resolved(node).is_expanded(); }
    bool omits_refuted_moves() const noexcept { return questions_.omits_refuted_moves(); }
    bool claimed_elsewhere(NodeRef) const noexcept { return false; }
    bool preferred(NodeRef a, NodeRef b) const noexcept { return rank(a) < rank(b); }

    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        typename G::Moves moves;
        list_moves(step.position, moves);
        const SharedEdge* edges = blocks_[resolved(step.node).index()].begin();
        for (std::uint32_t i = 0; i < moves.size(); ++i) {
            const NodeRef child = resolved(edges[i].ref());
            visit(questions_.step(step, moves[i], child), moves[i], numbers(child));
        }
    }

    /// True if the index has to be enlarged before any thread creates `nodes_between_looks` more nodes.
    bool index_is_full() const noexcept {
        return index_.full(total(&Thread::created) + threads_.size() * nodes_between_looks);
    }
    /// While no other thread uses the graph. False if `cancelled` was set. Throws std::bad_alloc.
    bool enlarge_index(const std::atomic<bool>& cancelled) {
        return index_.enlarge(total(&Thread::created) + threads_.size() * nodes_between_looks, cancelled);
    }
    /// Nodes that a thread may create between two calls of index_is_full(); one more expansion fits.
    static constexpr std::uint64_t nodes_between_looks = 4096;

    /// Goes on from the thread's path to a leaf that is to be expanded, and claims it: no other thread expands it.
    /// False if there is none at the moment: the root is solved, or others have all of them.
    bool descend(Thread& me) {
        std::vector<PathStep>& path = me.path;
        if (path.empty()) path.push_back({root(), 0, threads_.size() > 1});
        shorten(path);
        while (true) {
            PathStep& top = path.back();
            top.step.node = resolved(top.step.node);
            if (!top.step.node.is_expanded()) {  // the root, or what another thread has given back
                if (nodes_[top.step.node.index()].numbers.solved()) return false;
                if (claim(top.step.node.index())) {
                    top.seen = packed(nodes_[top.step.node.index()].numbers);
                    return true;
                }
                if (expanded(top.step.node)) continue;
                path.resize(1);
                return false;
            }
            const std::uint32_t b = top.step.node.index();
            SharedBlock& block = blocks_[b];
            const Numbers now = block.now();
            if (now.solved()) {
                const bool at_root = path.size() == 1;
                path.resize(1);
                if (at_root) return false;
                continue;
            }
            top.seen = packed(now);
            const std::size_t depth = path.size() - 1;
            const SharedEdge* edge = select(me, block, b, depth, now);
            if (edge == nullptr) {
                // All is claimed, or another thread solves the block just now.
                path.resize(1);
                return false;
            }
            const auto number = static_cast<std::uint32_t>(edge - block.begin());
            const NodeRef child = resolved(edge->ref());
            if (child.is_expanded()) {
                blocks_.prefetch(child.index());
            } else {
                __builtin_prefetch(&nodes_[child.index()]);
            }
            const bool shared = top.shared && go(me, depth, b, number);
            list_moves(top.step.position, me.moves);
            Step step = questions_.step(top.step, me.moves[number], child);
            path.push_back({std::move(step), 0, shared});
            add(me.traversed, 1);
        }
    }

    /// Expands the leaf at the end of the thread's path, which it has claimed, and passes its numbers up. Throws what
    /// the rules throw, or std::bad_alloc; the leaf can then be claimed again.
    void expand(Thread& me) {
        const std::uint32_t number = me.path.back().step.node.index();
        std::uint32_t here = 0;
        try {
            here = make_block(me, me.path.back().step, number);
        } catch (...) {
            lock_word(nodes_[number].state);
            unlock_word(nodes_[number].state, 0);
            throw;
        }
        me.path.back().step.node = NodeRef::expanded(here);
        add(me.expansions, 1);
        update(me, here);
    }

    /// Expands the node of a checkpoint. False if the graph has no such node yet.
    bool expand_again(Thread& me, const Key& key, int bound) {
        Child child{};
        child.key = key;
        child.hash = hash_question(key, bound);
        child.bound = bound;
        const std::uint32_t n = find(child);
        if (n == Questions::none) return false;
        if (numbers(NodeRef::leaf(n)).solved() || !claim(n)) return true;
        me.path.assign(1, {{NodeRef::leaf(n), bound, questions_.position(nodes_[n].key)}, 0, false});
        expand(me);
        me.path.clear();
        return true;
    }

    /// The nodes that were expanded since the last call. While no thread searches.
    std::vector<std::uint32_t> take_expanded() {
        std::vector<std::uint32_t> all;
        for (Thread& thread : threads_) {
            all.insert(all.end(), thread.expanded.begin(), thread.expanded.end());
            thread.expanded = {};
            thread.log_bytes = 0;
        }
        return all;
    }

    /// The question of a node.
    std::pair<Key, int> question(std::uint32_t number) const { return {nodes_[number].key, nodes_[number].bound}; }

  private:
    static constexpr std::uint64_t least_index = 1 << 15;
    static constexpr std::uint32_t nodes_at_a_time = 1 << 9;
    static constexpr double spread = 2.0;  ///< as SPREAD of the proof manager (question_tree.py)

    struct Node {
        Key key;
        Numbers numbers;  ///< of a leaf: they do not change
        std::int32_t bound;
        std::uint32_t rank;   ///< of a solved leaf; else the least rank that a disproof of the node can have (Leaf)
        std::uint32_t state;  ///< 0 of a leaf, `claimed`, or the block; with the lock. A block is for ever.
        Parents parents;      ///< of a leaf; written under the lock

        static constexpr std::uint32_t claimed = 0x40000000;
    };

    static void add(std::atomic<std::uint64_t>& counter, std::uint64_t more) noexcept {
        counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);  // one thread writes
    }

    /// What the node of a leaf is by now.
    NodeRef resolved(NodeRef node) const noexcept {
        if (node.is_expanded()) return node;
        const std::atomic_ref state(const_cast<std::uint32_t&>(nodes_[node.index()].state));
        const std::uint32_t block = state.load(std::memory_order_acquire) & ~(shared_lock_bit | Node::claimed);
        return block == 0 ? node : NodeRef::expanded(block);
    }

    void list_moves(const Position& position, typename G::Moves& moves) const {
        order_(game_, position, moves);
        if constexpr (TellsThreats<G>) {
            if (omits_refuted_moves()) omit_refuted_moves(game_, position, moves);
        }
    }

    // Creating

    std::uint32_t find(const Child& child) const {
        return index_.find(child.hash, [&](std::uint32_t n) { return questions_.same_question(child, nodes_[n]); });
    }

    std::uint32_t find_or_create(Thread& me, Child& child) {
        const std::uint32_t found = find(child);
        if (found != Questions::none) return found;
        child.leaf = questions_.evaluate(child);
        if (me.spare == Questions::none) me.spare = me.nodes.take(nodes_, 1, nodes_at_a_time);
        const std::uint32_t mine = me.spare;
        nodes_[mine] = {child.key, child.leaf.numbers, child.bound, child.leaf.rank, 0, {}};
        const std::uint32_t n = index_.insert(
            child.hash, mine, [&](std::uint32_t other) { return questions_.same_question(child, nodes_[other]); });
        if (n != mine) return n;
        me.spare = Questions::none;
        add(me.created, 1);
        return n;
    }

    bool claim(std::uint32_t number) noexcept {
        const std::uint32_t before = lock_word(nodes_[number].state);
        unlock_word(nodes_[number].state, before == 0 ? Node::claimed : before);
        return before == 0;
    }

    /// Makes the block of a claimed leaf, with its children.
    std::uint32_t make_block(Thread& me, const Step& step, std::uint32_t number) {
        list_moves(step.position, me.moves);
        const auto count = static_cast<std::uint32_t>(me.moves.size());
        // In passes, so that the cache misses of the index, then of the nodes, then of their blocks overlap.
        me.children.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = me.children.emplace_back(questions_.make_child(step.position, step.bound, me.moves[i]));
            questions_.identify(child);
            index_.prefetch(child.hash);
        }
        for (const Child& child : me.children) index_.prefetch_candidates(child.hash, nodes_);
        for (Child& child : me.children) child.node = find_or_create(me, child);
        if (me.expanded.size() == me.expanded.capacity()) {
            me.expanded.reserve(2 * me.expanded.size() + 64);
            me.log_bytes.store(me.expanded.capacity() * sizeof(me.expanded[0]), std::memory_order_relaxed);
        }
        const std::uint32_t here = blocks_.take(me.units, count);  // nothing fails from here on
        SharedBlock& block = blocks_[here];
        block.numbers = packed(nodes_[number].numbers);
        block.node = number;
        block.rank = nodes_[number].rank;
        SharedEdge* edge = block.begin();
        for (const Child& child : me.children) {
            const NodeRef ref = resolved(NodeRef::leaf(child.node));
            if (ref.is_expanded()) __builtin_prefetch(&blocks_[ref.index()]);
            (edge++)->child = std::bit_cast<std::uint32_t>(ref);
        }
        for (std::uint32_t i = 0; i < count; ++i) link(here, block, i, me.children);
        Node& node = nodes_[number];
        lock_word(node.state);
        block.parents = node.parents;
        unlock_word(node.state, here);
        unlock_word(block.state, count);
        me.expanded.push_back(number);
        return here;
    }

    /// Tells a child of its new parent, and the edge of the child's numbers.
    void link(std::uint32_t here, SharedBlock& block, std::uint32_t i, const std::vector<Child>& children) {
        SharedEdge& edge = block.begin()[i];
        const std::uint32_t child = children[i].node;
        for (std::uint32_t before = 0; before < i; ++before) {
            if (children[before].node != child) continue;
            edge = block.begin()[before];
            return;
        }
        const Numbers now = numbers(NodeRef::leaf(child));
        if (now.solved()) {  // it changes no more
            edge.numbers = packed(now);
            return;
        }
        Node& node = nodes_[child];
        const std::uint32_t state = lock_word(node.state);
        if (state == 0 || state == Node::claimed) {
            add_parent(node.parents, here, edge);
            edge.numbers = packed(node.numbers);
            unlock_word(node.state, state);
            return;
        }
        unlock_word(node.state, state);
        SharedBlock& below = blocks_[state];
        const std::uint32_t held = lock_word(below.state);
        add_parent(below.parents, here, edge);
        edge.child = std::bit_cast<std::uint32_t>(NodeRef::expanded(state));
        edge.numbers = below.numbers;
        unlock_word(below.state, held);
    }

    // Passing up

    /// Passes the numbers of a new block up, level by level.
    void update(Thread& me, std::uint32_t created) {
        SharedBlock& block = blocks_[created];
        const std::uint32_t count = lock_word(block.state);
        recalculate(block, count);
        me.changed.assign(1,
                          {created, block.parents});  // parents have to know of it even where its numbers are as before
        unlock_word(block.state, count);
        std::uint64_t updates = 1;
        while (!me.changed.empty()) {
            me.above.clear();
            for (const auto& [b, parents] : me.changed) {
                for (const std::uint32_t first : parents.last) {
                    for (std::uint32_t parent = first; parent != 0; ++updates) parent = pass(me, b, parent);
                }
            }
            me.changed.swap(me.above);
        }
        add(me.updates, updates);
    }

    /// Writes the numbers of a block into the edges from one of its parents, and recalculates the parent. Returns the
    /// next parent.
    std::uint32_t pass(Thread& me, std::uint32_t b, std::uint32_t parent) {
        SharedBlock& block = blocks_[parent];
        const auto leaf = std::bit_cast<std::uint32_t>(NodeRef::leaf(blocks_[b].node));
        const auto ref = std::bit_cast<std::uint32_t>(NodeRef::expanded(b));
        const std::uint32_t count = lock_word(block.state);
        const std::uint64_t now = packed(blocks_[b].now());
        std::uint32_t next = 0;
        bool other = false;
        SharedEdge* const edges = block.begin();
        for (std::uint32_t i = count; i-- > 0;) {
            SharedEdge& edge = edges[i];
            if (edge.child != ref && edge.child != leaf) continue;
            next = edge.next_parent;
            if (edge.child != ref) std::atomic_ref(edge.child).store(ref, std::memory_order_release);
            other |= edge.numbers != now;
            store_relaxed(edge.numbers, now);
        }
        const bool changed = other && recalculate(block, count);
        const Parents parents = block.parents;
        unlock_word(block.state, count);
        if (changed &&
            std::none_of(me.above.begin(), me.above.end(), [&](const auto& c) { return c.block == parent; })) {
            for (const std::uint32_t above : parents.last) blocks_.prefetch(above);
            me.above.push_back({parent, parents});
        }
        return next;
    }

    /// Takes the numbers of a locked block, and its rank if it is solved, from its children. True if they changed.
    bool recalculate(SharedBlock& block, std::uint32_t count) {
        const Numbers before = unpacked(block.numbers);
        if (before.solved()) return false;
        NumberBackup backup;
        const SharedEdge* const edges = block.begin();
        for (std::uint32_t i = 0; i < count; ++i) backup.add(unpacked(edges[i].numbers));
        const Numbers now = backup.result();
        if (now == before) return false;
        if (now.solved()) {
            SolvedRank rank(now);
            for (std::uint32_t i = 0; i < count; ++i) {
                const Numbers child = unpacked(edges[i].numbers);
                if (child.solved()) rank.add(child, this->rank(edges[i].ref()));
            }
            std::uint32_t plies = rank.result();
            // A disproof has to refute the omitted moves, too: see Node::rank.
            if (omits_refuted_moves() && now.disproved()) plies = std::max(plies, nodes_[block.node].rank);
            store_relaxed(block.rank, plies);
        }
        std::atomic_ref(block.numbers).store(packed(now), std::memory_order_release);
        return true;
    }

    // Choosing

    /// Cuts the path off behind the parent of the first node that has changed since it was chosen.
    void shorten(std::vector<PathStep>& path) const noexcept {
        std::size_t kept = 0;
        while (kept < path.size() && packed(numbers(path[kept].step.node)) == path[kept].seen) ++kept;
        path.resize(std::max<std::size_t>(1, std::min(kept, path.size())));
    }

    /// Notes which way the thread goes, for others; true if another one went the same way.
    bool go(Thread& me, std::size_t depth, std::uint32_t block, std::uint32_t edge) noexcept {
        if (depth >= me.way.size()) return false;
        const std::uint64_t here = std::uint64_t{block} << 32 | edge;
        if (me.way[depth].load(std::memory_order_relaxed) != here) me.way[depth].store(here, std::memory_order_relaxed);
        bool shared = false;
        for (const Thread& other : threads_) {
            shared |= &other != &me && other.way[depth].load(std::memory_order_relaxed) == here;
        }
        return shared;
    }

    /// The edge to a most-proving node; null if every such node is claimed, or the block is about to be solved.
    const SharedEdge* select(const Thread& me, const SharedBlock& block, std::uint32_t b, std::size_t depth,
                             Numbers now) const {
        if (me.path.back().shared && depth < me.way.size()) return select_apart(me, block, b, depth, now);
        const SharedEdge* best = nullptr;
        std::uint32_t least = infinite;
        for (const SharedEdge& edge : block) {
            const Numbers child = edge.seen();
            if (child.disproof >= least) continue;
            if (child.solved()) return nullptr;
            least = child.disproof;
            best = &edge;
        }
        if (best == nullptr || may_go(*best)) return best;
        best = nullptr;
        least = infinite;
        for (const SharedEdge& edge : block) {
            const Numbers child = edge.seen();
            if (child.solved() || child.disproof >= least || !may_go(edge)) continue;
            least = child.disproof;
            best = &edge;
        }
        return best;
    }

    /// The same where other threads are at this block: a child counts as larger for each of them that is below it.
    const SharedEdge* select_apart(const Thread& me, const SharedBlock& block, std::uint32_t b, std::size_t depth,
                                   Numbers now) const {
        // `spread` where the node is as good as disproved and all children have to be answered, 0 where it is as good
        // as proved.
        const double ratio = static_cast<double>(now.disproof) / now.proof;
        const double weight = spread / (1.0 + ratio * ratio);
        const SharedEdge* best = nullptr;
        double least = 0;
        const SharedEdge* const edges = block.begin();
        const std::uint32_t count = block.count();
        for (std::uint32_t i = 0; i < count; ++i) {
            const Numbers child = edges[i].seen();
            if (child.disproof == 0) return nullptr;
            if (child.solved()) continue;
            const std::uint64_t here = std::uint64_t{b} << 32 | i;
            int others = 0;
            for (const Thread& other : threads_) {
                others += &other != &me && other.way[depth].load(std::memory_order_relaxed) == here;
            }
            const double size = others == 0 ? child.disproof : child.disproof * std::pow(1 + others, weight);
            if ((best != nullptr && size >= least) || !may_go(edges[i])) continue;
            least = size;
            best = &edges[i];
        }
        return best;
    }

    /// False for a leaf that another thread has claimed.
    bool may_go(const SharedEdge& edge) const noexcept {
        const NodeRef child = edge.ref();
        return child.is_expanded() || (load_relaxed(nodes_[child.index()].state) & ~shared_lock_bit) != Node::claimed;
    }

    G game_;
    MoveOrder order_;
    Questions questions_;
    SharedArena<Node> nodes_;
    SharedBlocks blocks_;
    SharedIndex index_;
    std::vector<Thread> threads_;
    Step root_;
};

}  // namespace proofbase
