// Proof and disproof numbers (Allis, van der Meulen, van den Herik 1994, section 2), seen by the side to move.
//
// Every node of a search asks "does its side to move reach the bound?". `proof` is the least number of leaves that must
// still be solved for a yes, `disproof` for a no; 0 means that this is shown, infinity that it is impossible. A child
// asks the same for the other side. So a node's proof number is the minimum of its children's disproof numbers, and its
// disproof number the sum of their proof numbers: one rule instead of one for OR and one for AND nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace proofbase {

inline constexpr std::uint32_t infinite = 0xffffffff;

struct Numbers {
    std::uint32_t proof;
    std::uint32_t disproof;

    bool operator==(const Numbers&) const = default;
    bool proved() const noexcept { return proof == 0; }
    bool disproved() const noexcept { return disproof == 0; }
    bool solved() const noexcept { return proof == 0 || disproof == 0; }
};

inline constexpr Numbers proved_numbers{0, infinite};
inline constexpr Numbers disproved_numbers{infinite, 0};

/// Backup policy `number`: minimum and sum; sums of finite numbers stay finite.
///
/// A backup policy of a tree is made anew for every calculation of a node: add() takes the children, result() gives the
/// node's numbers. The backup policy of a DAG (`ForDag`) is an object that lives as long as the graph.
class NumberBackup {
  public:
    /// True if leaves can be given up (GivingUpBackup in tree_backups.hpp).
    static constexpr bool gives_up_leaves = false;

    /// What a tree keeps of a solved node for this policy, besides its numbers.
    struct Extra {};

    /// The policy for a DAG (dag.hpp); SetBackup is another one.
    class ForDag {
      public:
        struct Options {};
        explicit ForDag(const Options&) noexcept {}

        /// True if numbers may depend on the order of the updates, with some options.
        static constexpr bool depends_on_update_order = false;

        std::uint64_t bytes() const noexcept { return 0; }
        void reserve(std::uint32_t) const noexcept {}
        void node_created(std::uint32_t, std::uint32_t) const noexcept {}
        void begin_update() const noexcept {}
        bool restarts_at_root() const noexcept { return false; }
        bool repeats_updates() const noexcept { return false; }

        /// Takes the numbers of an expanded node from its edges; true if they changed.
        template <class Graph, class Block>
        bool recalculate(const Graph& graph, Block& block) const noexcept {
            NumberBackup backup;
            for (const auto& edge : block) backup.add(edge.numbers.numbers());
            Numbers now = backup.result();
            using Packed = std::remove_cvref_t<decltype(block.begin()->numbers)>;
            if (now.proof >= Packed::large || now.disproof >= Packed::large) [[unlikely]] {
                // Not all numbers are in the edges, or some are infinite.
                NumberBackup all;
                for (const auto& edge : block) all.add(graph.numbers(edge));
                now = all.result();
            }
            if (now == block.numbers) return false;
            block.numbers = now;
            return true;
        }

        /// The edge to a most-proving node.
        template <class Graph, class Block>
        auto select(const Graph& graph, const Block& block) const noexcept {
            const auto* edge = block.begin();
            while (graph.numbers(*edge).disproof != block.numbers.proof) ++edge;
            return edge;
        }
        void followed() const noexcept {}
    };

    /// The policy for a graph with twin nodes (twin_graph.hpp); TwinSets is another one.
    class ForTwins {
      public:
        struct Options {};
        explicit ForTwins(const Options&) noexcept {}

        std::uint64_t bytes() const noexcept { return 0; }
        void reserve(std::uint32_t) const noexcept {}
        void append(std::uint32_t) const noexcept {}
        void base_created(std::uint32_t, std::uint32_t) const noexcept {}
        void begin_update() const noexcept {}
        void copy(std::uint32_t, std::uint32_t) const noexcept {}
        void release(std::uint32_t) const noexcept {}

        /// The numbers of a node from children of its base; for_each(visit) calls visit(child).
        template <class Graph, class ForEach>
        Numbers take(const Graph& graph, std::uint32_t, ForEach&& for_each) const {
            NumberBackup backup;
            for_each([&](std::uint32_t child) { backup.add(graph.own_numbers(child)); });
            return backup.result();
        }

        /// True if the search below a node should rather go to child `a` than to child `b`.
        template <class Graph>
        bool preferred(const Graph& graph, std::uint32_t, std::uint32_t a, std::uint32_t b) const noexcept {
            return graph.own_numbers(a).disproof < graph.own_numbers(b).disproof;
        }
    };

    void add(const Numbers& child, Extra = {}) noexcept {
        if (child.disproof < proof_) proof_ = child.disproof;
        sum_ += child.proof;
    }

    Numbers result() const noexcept {
        if (proof_ == 0) return proved_numbers;
        return {proof_, sum_ < infinite ? static_cast<std::uint32_t>(sum_) : infinite - 1};
    }

    /// Adjusts the numbers of an open node after its most-proving child has changed its own, and stays that child.
    /// False if the other children are needed for that; then nothing has happened.
    static bool adjust(Numbers& now, const Numbers& before, const Numbers& after) noexcept {
        if (after.solved() || after.disproof > now.proof || now.disproof == infinite - 1) return false;
        const std::uint64_t sum = std::uint64_t{now.disproof} - before.proof + after.proof;
        if (sum >= infinite) return false;
        now = {after.disproof, static_cast<std::uint32_t>(sum)};
        return true;
    }

    /// What is to be kept of the node, if it is solved.
    Extra extra() const noexcept { return {}; }

    /// True if a most-proving node below an unsolved node is below this child.
    static bool leads_to_most_proving(const Numbers& node, const Numbers& child, Extra = {}) noexcept {
        return child.disproof == node.proof;
    }

    /// True if a proved node should rest on a child with `a` and not on one with `b`, whatever their ranks.
    static bool prefers(Extra, Extra) noexcept { return false; }

  private:
    std::uint32_t proof_ = infinite;
    std::uint64_t sum_ = 0;
};

/// The rank of a node that has just been solved, from its children: one more than the rank of the quickest child that
/// proves the node; where every move fails, one more than the rank of the slowest child.
class SolvedRank {
  public:
    explicit SolvedRank(const Numbers& solved) noexcept
        : proved_(solved.proved()), rank_(solved.proved() ? infinite : 0) {}

    void add(const Numbers& child, std::uint32_t rank) noexcept {
        if (!proved_) {
            rank_ = std::max(rank_, rank);
        } else if (child.disproved()) {
            rank_ = std::min(rank_, rank);
        }
    }

    std::uint32_t result() const noexcept { return rank_ + 1; }

  private:
    bool proved_;
    std::uint32_t rank_;
};

}  // namespace proofbase
