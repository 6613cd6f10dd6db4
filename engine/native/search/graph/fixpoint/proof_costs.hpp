// The costs of proofs in a graph with cycles, and the plan of the least cost.
//
// In every node one side, the attacker, has to make progress: an endless line suits the other side, the defender. A
// proof for the attacker is a finite strategy that leads every line to a solved leaf. The cost of a node is
//
//   of a leaf that the attacker has won   its rank
//   of a leaf that the defender has won   infinite
//   of any other leaf                     `open_cost` + an estimate
//   where the attacker is to move         1 + the least cost of a child
//   where the defender is to move         1 + the largest cost of a child
//
// the least solution of these equations (Knuth, A generalization of Dijkstra's algorithm, 1977). So a cost below
// `open_cost` is a proof. A node of infinite cost has no proof, whatever the leaves turn out to be: the defender keeps
// all lines away from them. Both answers hold on every path, and no path is looked at.
//
// A change of a leaf changes few costs. They are found by the algorithm of Ramalingam and Reps (An incremental
// algorithm for a generalization of the shortest-path problem, 1996): of the nodes whose cost does not fit to those of
// their children, the one with the least cost comes first. A cost that is too small becomes infinite before it
// becomes larger, so that no node can rest on itself.
//
// Behind a reward the sides may change their parts. There the child is a leaf for its parent, whose cost says no more
// than whether it is solved.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <queue>
#include <utility>
#include <vector>

#include "search/graph/arena.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

class ProofCosts {
  public:
    static constexpr std::uint32_t open_cost = 1u << 30;

    /// Adds a node, with the number size(). `by_repetition`: an endless line proves it for its side to move. `numbers`
    /// are its answer or its estimates.
    void add(const Numbers& numbers, std::uint32_t rank, bool by_repetition) {
        const std::uint32_t n = nodes_.append(1);
        const std::uint32_t own = by_repetition ? numbers.disproof : numbers.proof;
        std::uint32_t cost = open_cost + std::clamp(own, 1u, most_estimate);
        if (numbers.solved()) cost = own == 0 ? std::min(rank, open_cost - 1) : infinite;
        nodes_[n] = {cost, cost, 0, 0, none, 0, numbers.solved(), by_repetition};
    }

    std::uint32_t size() const noexcept { return nodes_.size(); }
    bool expanded(std::uint32_t n) const noexcept { return nodes_[n].count != 0; }
    bool by_repetition(std::uint32_t n) const noexcept { return nodes_[n].by_repetition; }
    std::uint32_t child_count(std::uint32_t n) const noexcept { return nodes_[n].count; }
    std::uint32_t child(std::uint32_t n, std::uint32_t i) const noexcept {
        return edges_[nodes_[n].first_edge + i].child;
    }

    Numbers numbers(std::uint32_t n) const noexcept {
        const Node& node = nodes_[n];
        if (node.solved) return (node.cost == infinite) == node.by_repetition ? proved_numbers : disproved_numbers;
        const std::uint32_t cost = std::max(std::min(node.cost, infinite - 1), open_cost + 1) - open_cost;
        return node.by_repetition ? Numbers{1, cost} : Numbers{cost, 1};
    }

    /// Makes room for the children of one node. Throws std::bad_alloc.
    void reserve(std::uint32_t children) {
        if (changed_.size() == changed_.capacity()) changed_.reserve(2 * changed_.size() + 64);
        nodes_.reserve(children);
        edges_.reserve(children);
    }

    /// Gives a leaf children, whose nodes exist.
    template <class ChildOf>
    void expand(std::uint32_t n, std::uint32_t count, ChildOf&& child_of) {
        const std::uint32_t first = edges_.append(count);
        nodes_[n].first_edge = first;
        nodes_[n].count = count;
        for (std::uint32_t i = 0; i < count; ++i) {
            Node& child = nodes_[child_of(i)];
            edges_[first + i] = {child_of(i), n, child.last_parent};
            child.last_parent = first + i;
        }
        changed_.push_back(n);
    }

    /// Brings all costs up to date. check() is called now and then and may throw: the next call goes on.
    template <class Check>
    void update(Check&& check) {
        try {
            if (std::exchange(incomplete_, false)) reconsider_all();
            find_fixpoint(check);
        } catch (const std::bad_alloc&) {
            incomplete_ = true;  // some changes were not passed on
            throw;
        }
    }

    std::uint64_t updates() const noexcept { return updates_; }

    /// Finds up to `most` leaves that are worth expanding, at least one, where node 0 is open: those of the strategy of
    /// the least cost, and of others that are nearly as good. Those of the least slack come first: by how much costs on
    /// the way could change before the leaf counts at node 0. A leaf without slack sets its cost. Precondition:
    /// update() has brought all costs up to date.
    void make_plan(std::size_t most, std::vector<std::uint32_t>& leaves) {
        constexpr std::uint64_t most_slack = 2;
        using Slack = std::pair<std::uint64_t, std::uint32_t>;  // with the number of a node
        std::priority_queue<Slack, std::vector<Slack>, std::greater<>> next;
        ++plan_;
        next.emplace(0, 0);
        while (!next.empty() && leaves.size() < most) {
            const auto [slack, n] = next.top();
            next.pop();
            Node& node = nodes_[n];
            if (node.plan == plan_) continue;
            node.plan = plan_;
            if (node.count == 0) {
                leaves.push_back(n);
                continue;
            }
            for (std::uint32_t e = node.first_edge; e < node.first_edge + node.count; ++e) {
                const std::uint32_t c = edges_[e].child;
                const std::uint32_t cost = cost_for(node, c);
                if (nodes_[c].solved || nodes_[c].plan == plan_) continue;
                const std::uint32_t more = node.by_repetition ? node.cost - 1 - cost : cost + 1 - node.cost;
                if (slack + more <= most_slack) next.emplace(slack + more, c);
            }
        }
    }

    /// The child of an expanded node that its cost rests on.
    std::uint32_t next_on_line(std::uint32_t n) const noexcept {
        const Node& node = nodes_[n];
        const auto cost = [&](std::uint32_t e) { return cost_for(node, edges_[e].child); };
        std::uint32_t best = node.first_edge;
        for (std::uint32_t e = best + 1; e < node.first_edge + node.count; ++e) {
            if (node.by_repetition ? cost(e) > cost(best) : cost(e) < cost(best)) best = e;
        }
        return edges_[best].child;
    }

    std::uint64_t bytes() const noexcept {
        return nodes_.bytes() + edges_.bytes() + queue_.size() * sizeof(CostOfNode) +
               (changed_.capacity() + unreachable_.capacity()) * sizeof(std::uint32_t);
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr std::uint32_t most_estimate = 1u << 20;
    static constexpr std::uint32_t updates_between_checks = 4096;

    using CostOfNode = std::pair<std::uint32_t, std::uint32_t>;

    struct Node {
        std::uint32_t cost;
        std::uint32_t target;  ///< what the costs of the children say
        std::uint32_t first_edge;
        std::uint32_t count;        ///< of children; 0: a leaf
        std::uint32_t last_parent;  ///< the last edge that leads here
        std::uint32_t plan;         ///< the last plan that has met the node
        bool solved;
        bool by_repetition;
    };

    struct Edge {
        std::uint32_t child;
        std::uint32_t parent;
        std::uint32_t next_parent;  ///< the next edge to the same child
    };

    template <class Visit>
    void for_each_parent(std::uint32_t n, Visit&& visit) {
        for (std::uint32_t e = nodes_[n].last_parent; e != none; e = edges_[e].next_parent) visit(edges_[e].parent);
    }

    template <class Check>
    void find_fixpoint(Check&& check) {
        while (true) {
            for (; !changed_.empty(); changed_.pop_back()) {
                if (!nodes_[changed_.back()].solved) reconsider(changed_.back());
            }
            while (!queue_.empty()) {
                if (++updates_ % updates_between_checks == 0) check();
                const auto [cost, n] = queue_.top();
                queue_.pop();
                Node& node = nodes_[n];
                if (node.solved || node.cost == node.target || cost != std::min(node.cost, node.target)) continue;
                if (node.target < node.cost) {
                    set_cost(n, node.target);
                } else {
                    set_cost(n, infinite);
                    unreachable_.push_back(n);
                    if (node.target != infinite) queue_.emplace(node.target, n);
                }
            }
            // What has no cost now will never have one.
            for (; !unreachable_.empty(); unreachable_.pop_back()) {
                Node& node = nodes_[unreachable_.back()];
                if (node.solved || node.cost != infinite) continue;
                node.solved = true;
                const std::uint32_t n = unreachable_.back();
                for_each_parent(n, [&](std::uint32_t p) {
                    if (nodes_[p].by_repetition == nodes_[n].by_repetition) changed_.push_back(p);
                });
            }
            if (changed_.empty()) return;
        }
    }

    /// The cost of a child as its parent sees it. Where both are proved, or both disproved, by an endless line, the
    /// sides have changed their parts.
    std::uint32_t cost_for(const Node& parent, std::uint32_t child) const noexcept {
        const Node& node = nodes_[child];
        if (node.by_repetition != parent.by_repetition) return node.cost;
        if (!node.solved) return open_cost + 1;
        return node.cost == infinite ? 0 : infinite;
    }

    static std::uint32_t plus_one(std::uint32_t cost) noexcept { return cost >= infinite - 1 ? infinite : cost + 1; }

    std::uint32_t target_of(const Node& node) const noexcept {
        std::uint32_t best = node.by_repetition ? 0 : infinite;
        for (std::uint32_t e = node.first_edge; e < node.first_edge + node.count; ++e) {
            const std::uint32_t cost = cost_for(node, edges_[e].child);
            best = node.by_repetition ? std::max(best, cost) : std::min(best, cost);
        }
        return plus_one(best);
    }

    void set_target(std::uint32_t n, std::uint32_t target) {
        Node& node = nodes_[n];
        node.target = target;
        if (node.cost != target) queue_.emplace(std::min(node.cost, target), n);
    }

    void reconsider_all() {
        for (std::uint32_t n = 0; n < size(); ++n) {
            if (nodes_[n].solved || nodes_[n].count == 0) continue;
            if (nodes_[n].cost == infinite) unreachable_.push_back(n);
            reconsider(n);
        }
    }

    void reconsider(std::uint32_t n) { set_target(n, target_of(nodes_[n])); }

    void set_cost(std::uint32_t n, std::uint32_t cost) {
        Node& node = nodes_[n];
        const std::uint32_t before = std::exchange(node.cost, cost);
        if (cost < open_cost) node.solved = true;
        for_each_parent(n, [&](std::uint32_t p) {
            Node& parent = nodes_[p];
            if (parent.solved) return;
            if (parent.by_repetition == node.by_repetition) {
                if (node.solved) reconsider(p);
                return;
            }
            const std::uint32_t by_child = plus_one(cost);
            if (parent.by_repetition ? by_child > parent.target : by_child < parent.target) {
                set_target(p, by_child);
            } else if (plus_one(before) == parent.target) {
                reconsider(p);
            }
        });
    }

    Arena<Node> nodes_;
    Arena<Edge> edges_;
    std::priority_queue<CostOfNode, std::vector<CostOfNode>, std::greater<>> queue_;  ///< costs that do not fit
    std::vector<std::uint32_t> changed_;      ///< nodes whose children have changed
    std::vector<std::uint32_t> unreachable_;  ///< nodes that have, or had, an infinite cost
    std::uint32_t plan_ = 0;
    std::uint64_t updates_ = 0;
    bool incomplete_ = false;  ///< memory ran out in the middle of an update
};

}  // namespace proofbase
