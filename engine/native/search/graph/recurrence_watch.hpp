// Watches the graph of a search for a position that comes back although the game says that none does. Only users' games
// are watched (Unproven): in a graph without cycles, updates that go up along all edges end; in one with a cycle they
// may not.
//
// Every node has a level that is higher than those of all its parents. An edge to an existing node may have to raise
// that node, and the nodes below it. If that comes back to the node that the edge begins at, there is a cycle; and
// every cycle is found like this by the edge that closes it. Where all lines of play to a position are equally long, no
// node is ever raised.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "concepts.hpp"

namespace proofbase {

/// For games whose acyclic() is proven: nothing is watched.
template <Game G>
class RecurrenceWatch {
  public:
    explicit RecurrenceWatch(const G&) noexcept {}
    void created(std::uint32_t, std::uint32_t) noexcept {}
    template <class Children, class ForEachChild, class PositionOf>
    void expanding(std::uint32_t, const Children&, ForEachChild&&, PositionOf&&) noexcept {}
    std::uint64_t bytes() const noexcept { return 0; }
};

template <Game G>
    requires Unproven<G>
class RecurrenceWatch<G> {
  public:
    /// `game` outlives the watch.
    explicit RecurrenceWatch(const G& game) : game_(game), watches_(game.acyclic()) {}

    /// A new node, below a node that is being expanded (the root: below itself).
    void created(std::uint32_t node, std::uint32_t parent) {
        if (!watches_) return;
        if (levels_.size() <= node) levels_.resize(node + 1);
        levels_[node] = node == parent ? 0 : levels_[parent] + 1;
    }

    /// To be called before the edges of `node` are added. `children` have the numbers of existing nodes in `node`;
    /// other numbers stand for nodes that will be created. for_each_child(n, visit) calls visit(child) for the children
    /// of an expanded node; position_of(n) is a node's position. Throws what game.refuse_recurrence() throws; then
    /// nothing has changed.
    template <class Children, class ForEachChild, class PositionOf>
    void expanding(std::uint32_t node, const Children& children, ForEachChild&& for_each_child,
                   PositionOf&& position_of) {
        if (!watches_) return;
        for (const auto& child : children) {
            if (child.node >= levels_.size() || raise(node, child.node, for_each_child)) continue;
            std::vector<typename G::Position> line{position_of(child.node)};
            for (std::uint32_t n = node; n != child.node; n = raised_.at(n).from) line.push_back(position_of(n));
            line.push_back(position_of(child.node));
            std::reverse(line.begin(), line.end());
            for (const auto& [n, before] : raised_) levels_[n] = before.level;
            game_.refuse_recurrence(line);
        }
    }

    std::uint64_t bytes() const noexcept { return levels_.capacity() * sizeof(std::uint32_t); }

  private:
    /// A node that was raised: its level before, and the parent that it was raised for last.
    struct Raised {
        std::uint32_t level;
        std::uint32_t from;
    };

    /// Raises `child` and the nodes below it above the level of `node`. False if one of them is `node`.
    template <class ForEachChild>
    bool raise(std::uint32_t node, std::uint32_t child, ForEachChild&& for_each_child) {
        raised_.clear();
        if (child == node) return false;
        if (levels_[child] > levels_[node]) return true;
        bool comes_back = false;
        const auto above = [&](std::uint32_t n, std::uint32_t parent) {
            if (levels_[n] > levels_[parent] || comes_back) return;
            raised_.try_emplace(n, levels_[n], parent).first->second.from = parent;
            comes_back = n == node;
            if (comes_back) return;
            levels_[n] = levels_[parent] + 1;
            to_visit_.push_back(n);
        };
        to_visit_.clear();
        above(child, node);
        while (!to_visit_.empty() && !comes_back) {
            const std::uint32_t n = to_visit_.back();
            to_visit_.pop_back();
            for_each_child(n, [&](std::uint32_t below) { above(below, n); });
        }
        return !comes_back;
    }

    const G& game_;
    bool watches_;
    std::vector<std::uint32_t> levels_;  ///< by node
    std::unordered_map<std::uint32_t, Raised> raised_;
    std::vector<std::uint32_t> to_visit_;
};

}  // namespace proofbase
