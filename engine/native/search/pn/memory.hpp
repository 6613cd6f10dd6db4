// Memory policies: which nodes a search deletes, when they have been solved or when its memory is used up.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/small_search/small_search_claims.hpp"
#include "records/known_records.hpp"
#include "records/record_table.hpp"
#include "records/solution/trimmed_records.hpp"
#include "search/graph/search_graph.hpp"
#include "search/policy/tree_backups.hpp"
#include "search/solution/graph_solution.hpp"

namespace proofbase {

/// A memory policy of a graph.
///
/// Requirements
///   may_delete        a search with the policy may delete nodes.
///   gives_up_leaves   the policy gives up leaves when memory is short (tree_backups.hpp).
///   For<G, Graph>     the class of the policy's object in a search, made of the game and the graph. after_update(game,
///                     graph, records, path, length, cancelled) is called after every update, emit(sink) emits the
///                     claims of deleted nodes that are needed, bytes() is the memory of the object. keeps_all(): this
///                     search deletes no node, so when it is restored it may update all numbers once, at its end.
template <class Memory, class G, class Graph>
concept MemoryPolicy =
    (!Memory::may_delete || static_cast<bool>(Graph::traits.deletes_nodes)) &&
    (!Memory::gives_up_leaves || static_cast<bool>(Graph::traits.gives_up_leaves)) &&
    requires(typename Memory::template For<G, Graph>& memory, const typename Memory::template For<G, Graph>& constant,
             const G& game, Graph& graph, const KnownRecords<G>* records, const typename Graph::Path& path,
             std::size_t length, const std::atomic<bool>& cancelled,
             void (&sink)(const typename G::Key&, const Claim&)) {
        { memory.after_update(game, graph, records, path, length, cancelled) } -> std::same_as<void>;
        { constant.emit(sink) } -> std::same_as<void>;
        { constant.bytes() } -> std::same_as<std::uint64_t>;
        { constant.keeps_all() } -> std::same_as<bool>;
    };

/// Memory policy `keep`: the whole graph stays, and the solution is taken from it at the end.
struct Keep {
    static constexpr bool may_delete = false;
    static constexpr bool gives_up_leaves = false;

    template <Game G, class Graph>
    struct For {
        For(const G&, const Graph&) {}
        void after_update(const G&, Graph&, const KnownRecords<G>*, const typename Graph::Path&, std::size_t,
                          const std::atomic<bool>&) {}
        template <class Sink>
        void emit(const Sink&) const {}
        std::uint64_t bytes() const noexcept { return 0; }
        static constexpr bool keeps_all() noexcept { return true; }
    };
};

/// Memory policy `delete-solved` (DeleteSolvedSubtrees, Allis et al. 1994, 4.1), for trees. As soon as a node is
/// solved, the claims that its answer rests on are emitted, and the nodes below it are deleted. In a game with cycles
/// an answer that depends on an ancestor is no fact by itself: its nodes stay in the tree until the ancestor is solved.
/// Before the table of the claims grows, those that no node of the tree rests on any more are removed.
///
/// Trees that do not ask for it (TreeOptions) keep all nodes: so each kind of tree is compiled once.
struct DeleteSolved {
    static constexpr bool may_delete = true;
    static constexpr bool gives_up_leaves = false;

    template <Game G, class Graph>
    class For {
      public:
        For(const G& game, const Graph& graph) : no_small_searches_(game, 0) {
            if (graph.deletes_solved()) emitted_ = std::make_unique<RecordTable<G>>(game);
        }

        bool keeps_all() const noexcept { return emitted_ == nullptr; }

        /// To be called when graph.update(path) has returned `length`: only the nodes path[length - 1], path[length],
        /// ... may have changed. Of these nodes, takes the highest one that is solved on every path. Emits the claims
        /// that its answer rests on, and deletes the nodes below it. Throws Cancelled; then nothing has been emitted or
        /// deleted, and the call has to be repeated.
        void after_update(const G& game, Graph& graph, const KnownRecords<G>* records, const typename Graph::Path& path,
                          std::size_t length, const std::atomic<bool>& cancelled) {
            if (keeps_all()) return;
            for (std::size_t i = length - 1; i < path.size(); ++i) {
                const auto& step = path[i];
                if (!graph.numbers(step.node).solved() || graph.depends_on_path(step.node)) continue;
                if (!graph.expanded(step.node)) return;
                std::vector<std::pair<typename G::Key, Claim>> claims;  // kept only when they are complete
                const auto sink = [&](const typename G::Key& key, const Claim& claim) {
                    claims.emplace_back(key, claim);
                };
                GraphSolution<G, Graph, decltype(sink)>(game, graph, records, no_small_searches_, sink, cancelled)
                    .emit_below(step);
                if (emitted_->growth(claims.size()) > 0) trim(graph, cancelled);
                for (const auto& [key, claim] : claims) emitted_->add(key, claim);
                graph.delete_below(step.node);
                return;
            }
        }

        template <class Sink>
        void emit(const Sink& sink) const {
            if (keeps_all()) return;
            emitted_->for_each([&](const typename G::Key& key, const Claims& claims) {
                for (const Claim& claim : claims) sink(key, claim);
            });
        }

        std::uint64_t bytes() const noexcept { return keeps_all() ? 0 : emitted_->bytes(); }

      protected:
        /// Removes the claims that no solved node of the graph rests on. Throws Cancelled; then all are there.
        void trim(const Graph& graph, const std::atomic<bool>& cancelled) {
            std::vector<typename G::Key> roots;
            graph.for_each_solved_elsewhere(
                [&](const typename G::Position& position) { roots.push_back(emitted_->game().key(position)); });
            auto kept = emitted_->empty_table();
            TrimmedRecords<G, RecordTable<G>> trimmed(*emitted_, 0, [&] { stop_if(cancelled); });
            trimmed.collect_all(roots, *kept);
            emitted_ = std::move(kept);
        }

        /// Bytes by which the table of the claims grows soon: when an eighth of its slots is taken.
        std::uint64_t growth() const noexcept { return emitted_->growth(emitted_->slots() / 8); }

      private:
        std::unique_ptr<RecordTable<G>> emitted_;  ///< null: all nodes are kept
        SmallSearchClaims<G> no_small_searches_;
    };
};

/// Memory policy `delete-least` (DeleteLeastProving, Allis et al. 1994, 4.1): as `delete-solved`; and when memory is
/// short, the least-proving leaves are given up. It is short when three quarters of the budget are full and few nodes
/// of the tree are free, or when all is used up: the claims of deleted nodes count, and the log of the checkpoint.
/// Leaves that were given up are not searched again, so the search may end without an answer: then the root is given
/// up.
struct DeleteLeast : DeleteSolved {
    static constexpr bool gives_up_leaves = true;

    template <Game G, class Graph>
    class For : public DeleteSolved::For<G, Graph> {
        using Base = DeleteSolved::For<G, Graph>;

      public:
        using Base::Base;

        void after_update(const G& game, Graph& graph, const KnownRecords<G>* records, const typename Graph::Path& path,
                          std::size_t length, const std::atomic<bool>& cancelled) {
            Base::after_update(game, graph, records, path, length, cancelled);
            for (std::size_t i = length - 1; i < path.size(); ++i) {
                if (!(graph.numbers(path[i].node) == given_up_numbers)) continue;
                graph.delete_below(path[i].node);
                return;
            }
        }

        /// True if least-proving leaves are to be given up. `others`: bytes that are neither the graph's nor the
        /// policy's.
        bool is_short(const Graph& graph, std::uint64_t others, std::uint64_t budget) const noexcept {
            return tree_is_full(graph, others, budget) || claims_are_many(graph, others, budget);
        }

        /// Gives up leaves until an eighth of the tree is free, but not more than `max_leaves`; or some leaves, where
        /// the claims take too much: those that nothing rests on then are removed by the next call. Ends when the root
        /// is given up. Returns how many leaves were given up. Throws Cancelled; then nothing has happened.
        std::uint32_t give_up_leaves(Graph& graph, std::uint32_t max_leaves, std::uint64_t others, std::uint64_t budget,
                                     const std::atomic<bool>& cancelled) {
            if (claims_are_many(graph, others, budget)) this->trim(graph, cancelled);
            const bool many = claims_are_many(graph, others, budget);
            if (many) max_leaves = std::min(max_leaves, leaves_between_trims);
            std::uint32_t leaves = 0;
            for (; leaves < max_leaves && !graph.root_given_up(); ++leaves) {
                if (!many && graph.free_bytes() >= graph.bytes() / 8) break;
                if (leaves % 64 == 0 && cancelled.load(std::memory_order_relaxed)) break;
                graph.give_up_least_proving();
            }
            return leaves;
        }

      private:
        static constexpr std::uint32_t leaves_between_trims = 256;

        bool tree_is_full(const Graph& graph, std::uint64_t others, std::uint64_t budget) const noexcept {
            return graph.bytes() + this->bytes() + others >= budget / 4 * 3 && graph.free_bytes() < graph.bytes() / 16;
        }
        bool claims_are_many(const Graph& graph, std::uint64_t others, std::uint64_t budget) const noexcept {
            return graph.bytes() + this->bytes() + this->growth() + others >= budget / 64 * 63;
        }
    };
};

}  // namespace proofbase
