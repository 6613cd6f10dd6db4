// Graph kind `dag`: one node for each position (up to symmetry) and bound, with all its parents; for games in which
// no line of play comes back to a position (Schijf 1993, 4.4: the practical algorithm).
//
// Numbers are passed up to all parents in the order in which nodes were touched (a queue), and only from nodes that
// changed. Where all ways to a position are equally long, every node so changes at most once per expansion.
//
// The time goes into cache misses (about 300 ns each in a large graph), so an edge holds the numbers of its child:
// a node reads the edges to its children, which lie side by side, and not the children; and what the next steps
// will read is fetched ahead.
#pragma once

#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "search/arena.hpp"
#include "search/key_pool.hpp"
#include "search/leaf.hpp"
#include "search/node_index.hpp"
#include "search/numbers.hpp"

namespace proofbase {

template <Game G, class Backup, class Initialisation>
class Dag {
  public:
    static constexpr const char* name = "dag";
    using Position = typename G::Position;
    using Key = typename G::Key;

    struct Step {
        std::uint32_t node;
        int bound;
        Position position;  ///< the canonical one
    };
    using Path = std::vector<Step>;

    Dag(const G& game, const Position& root, int bound, const RecordTable<G>* known)
        : game_(game), valuation_(game, known) {
        edges_.append(1);  // edge 0 stands for "none"
        reserve(1);
        const Key key = game_.key(root);
        const Position canonical = *game_.position(key);
        create(key, hash(key, bound), bound, valuation_(canonical, bound, [&] { return key; }));
        root_ = {0, bound, canonical};
        if (!numbers(0).solved()) nodes_[0].place = 1;  // of a solved node it is the rank
    }

    Step root() const { return root_; }
    Numbers numbers(std::uint32_t node) const noexcept { return {nodes_[node].proof, nodes_[node].disproof}; }
    std::uint32_t rank(std::uint32_t node) const noexcept { return nodes_[node].place; }
    bool expanded(std::uint32_t node) const noexcept { return nodes_[node].first_edge != 0; }
    std::uint32_t size() const noexcept { return nodes_.size(); }
    std::uint64_t created() const noexcept { return nodes_.size(); }
    std::uint64_t bytes() const noexcept { return nodes_.bytes() + edges_.bytes() + index_.bytes() + keys_.bytes(); }

    /// Which nodes a walk has met.
    class Marks {
      public:
        explicit Marks(const Dag& graph) : marked_(graph.nodes_.size()) {}

        /// False if the node was marked before.
        bool mark(std::uint32_t node) {
            if (marked_[node]) return false;
            return marked_[node] = true;
        }

      private:
        std::vector<bool> marked_;
    };

    /// Creates the children of an unsolved leaf, or finds them where they exist.
    void expand(const Step& step) {
        game_.moves(step.position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        reserve(count);
        // Three passes, so that the misses of the index, and then of the nodes, overlap.
        children_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children_[i];
            child.position = game_.play(step.position, moves_[i]);
            child.bound = game_.reward(step.position, moves_[i]) - step.bound + 1;
            child.key = game_.key(child.position);
            child.hash = hash(child.key, child.bound);
            index_.prefetch(child.hash);
        }
        for (const Child& child : children_) {
            index_.for_each_candidate(child.hash, [&](std::uint32_t node) { __builtin_prefetch(&nodes_[node]); });
        }
        const std::uint32_t first = edges_.append(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            const Child& child = children_[i];
            std::uint32_t node = find(child.key, child.hash, child.bound);
            if (node == none) {
                const Leaf leaf = valuation_(child.position, child.bound, [&] { return child.key; });
                node = create(child.key, child.hash, child.bound, leaf);
            }
            Node& below = nodes_[node];
            edges_[first + i] = {node, step.node, below.parents, below.proof, below.disproof};
            below.parents = first + i;
        }
        nodes_[step.node].first_edge = first;
    }

    /// Passes the numbers of the node at the end of `path` up; returns the length of the path up to the lowest node
    /// above which nothing on the path has changed.
    std::size_t update(const Path& path) {
        std::size_t length = path.size();
        waiting_.clear();
        waiting_.push_back(path.back().node);
        for (std::size_t next = 0; next < waiting_.size(); ++next) {
            if (next + 2 < waiting_.size()) prefetch_edges(waiting_[next + 2]);
            const std::uint32_t n = waiting_[next];
            const std::uint32_t place = nodes_[n].place;
            if (numbers(n).solved() || !recalculate(n)) continue;
            if (place != 0 && place <= length) length = place > 1 ? place - 1 : 1;
            pass_up(n, [&](std::uint32_t parent) {
                __builtin_prefetch(&nodes_[parent]);
                waiting_.push_back(parent);
            });
        }
        for (std::size_t i = length; i < path.size(); ++i) {
            if (!numbers(path[i].node).solved()) nodes_[path[i].node].place = 0;
        }
        return length;
    }

    void descend(Path& path) {
        const Step& step = path.back();
        const std::uint32_t proof = nodes_[step.node].proof;
        std::uint32_t edge = nodes_[step.node].first_edge;
        while (edges_[edge].disproof != proof) ++edge;
        const std::uint32_t child = edges_[edge].child;
        __builtin_prefetch(&nodes_[child]);
        game_.moves(step.position, moves_);
        const auto move = moves_[edge - nodes_[step.node].first_edge];
        Position below = canonical(game_.play(step.position, move));
        const int bound = game_.reward(step.position, move) - step.bound + 1;
        path.push_back({child, bound, std::move(below)});
        nodes_[child].place = static_cast<std::uint32_t>(path.size());
    }

    template <class Visit>
    void for_each_child(const Step& step, Visit&& visit) const {
        typename G::Moves moves;
        game_.moves(step.position, moves);
        const std::uint32_t first = nodes_[step.node].first_edge;
        for (std::uint32_t i = 0; i < moves.size(); ++i) {
            const std::uint32_t child = edges_[first + i].child;
            const Step below{child, nodes_[child].bound, canonical(game_.play(step.position, moves[i]))};
            if (!visit(below, moves[i])) return;
        }
    }

    Step step(std::uint32_t node) const {
        return {node, nodes_[node].bound, *game_.position(keys_.key(nodes_[node].key))};
    }

    /// Recalculates every node until nothing changes. Most children have higher numbers than their parents, so
    /// few rounds suffice; every round settles at least the lowest unsettled level.
    void recalculate_all() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t n = nodes_.size(); n-- > 0;) {
                if (!expanded(n) || numbers(n).solved() || !recalculate(n)) continue;
                changed = true;
                pass_up(n, [](std::uint32_t) {});
            }
        }
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;

    struct Node {
        typename KeyPool<Key>::Stored key;
        std::uint32_t proof;
        std::uint32_t disproof;
        std::uint32_t first_edge;  ///< the edges to the children lie side by side; 0: a leaf
        std::uint32_t parents;     ///< the last edge that leads here
        std::int32_t bound;
        std::uint32_t place;  ///< solved: the rank; else the place on the path from 1, or 0
    };

    struct Edge {
        std::uint32_t child;
        std::uint32_t parent;
        std::uint32_t next_parent;  ///< the next edge that leads to the same child
        std::uint32_t proof;        ///< of the child: kept here too, so that a parent reads its edges only
        std::uint32_t disproof;
    };

    struct Child {
        Position position;
        Key key;
        std::uint64_t hash;
        int bound;
    };

    static std::uint64_t hash(const Key& key, int bound) noexcept {
        return hash_key(key) + static_cast<std::uint64_t>(static_cast<std::int64_t>(bound)) * 0x9e3779b97f4a7c15ULL;
    }

    std::uint32_t find(const Key& key, std::uint64_t hash, int bound) const {
        std::uint32_t found = none;
        index_.for_each_candidate(hash, [&](std::uint32_t n) {
            if (nodes_[n].bound == bound && keys_.key(nodes_[n].key) == key) found = n;
        });
        return found;
    }

    std::uint32_t create(const Key& key, std::uint64_t hash, int bound, const Leaf& leaf) {
        const std::uint32_t n = nodes_.append(1);
        const bool solved = leaf.numbers.solved();
        nodes_[n] = {keys_.store(key), leaf.numbers.proof, leaf.numbers.disproof, 0, 0, bound, solved ? leaf.rank : 0};
        index_.insert(hash, n);
        return n;
    }

    /// Makes room for `count` more nodes and as many edges, so that an expansion is made whole or not at all.
    void reserve(std::uint32_t count) {
        nodes_.reserve(count);
        edges_.reserve(count);
        if (!index_.full(nodes_.size() + count)) return;
        index_.grow(nodes_.size() + count, nodes_.size(),
                    [&](std::uint32_t n) { return hash(keys_.key(nodes_[n].key), nodes_[n].bound); });
    }

    /// The position that the key of `p` stands for.
    Position canonical(Position p) const {
        if constexpr (Symmetric<G>) {
            const Key key = game_.key(p);
            if (game_.oriented_key(p) != key) return *game_.position(key);
        }
        return p;
    }

    void prefetch_edges(std::uint32_t n) const noexcept {
        __builtin_prefetch(&edges_[nodes_[n].parents]);
        __builtin_prefetch(&edges_[nodes_[n].first_edge]);
        __builtin_prefetch(&edges_[nodes_[n].first_edge] + 3);
    }

    /// Writes the numbers of a node to the edges that lead to it and calls visit(parent) for each.
    template <class Visit>
    void pass_up(std::uint32_t n, Visit&& visit) {
        const Numbers now = numbers(n);
        for (std::uint32_t e = nodes_[n].parents; e != 0; e = edges_[e].next_parent) {
            edges_[e].proof = now.proof;
            edges_[e].disproof = now.disproof;
            visit(edges_[e].parent);
        }
    }

    /// Takes the numbers of an expanded node from its edges; true if they changed.
    bool recalculate(std::uint32_t n) {
        const std::uint32_t first = nodes_[n].first_edge;
        Backup backup;
        std::uint32_t edge = first;
        for (; edge < edges_.size() && edges_[edge].parent == n; ++edge) {
            backup.add({edges_[edge].proof, edges_[edge].disproof});
        }
        const Numbers now = backup.result();
        Node& node = nodes_[n];
        if (now == Numbers{node.proof, node.disproof}) return false;
        node.proof = now.proof;
        node.disproof = now.disproof;
        if (now.solved()) {
            SolvedRank rank(now);
            for (std::uint32_t e = first; e < edge; ++e) {
                rank.add({edges_[e].proof, edges_[e].disproof}, nodes_[edges_[e].child].place);
            }
            node.place = rank.result();
        }
        return true;
    }

    G game_;
    LeafValuation<G, Initialisation> valuation_;
    KeyPool<Key> keys_;
    Arena<Node> nodes_;
    Arena<Edge> edges_;
    NodeIndex index_;
    Step root_;
    typename G::Moves moves_;
    std::vector<Child> children_;
    std::vector<std::uint32_t> waiting_;
};

}  // namespace proofbase
