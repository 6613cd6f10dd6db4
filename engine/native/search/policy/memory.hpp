// Memory policies: what a search does with nodes that have been solved, and when its memory is used up.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claim.hpp"
#include "records/record_table.hpp"
#include "search/policy/tree_backups.hpp"
#include "search/solution/graph_solution.hpp"

namespace proofbase {

/// Memory policy `keep`: the whole graph stays, and the solution is taken from it at the end.
struct Keep {
    static constexpr bool keeps_all = true;
    static constexpr bool gives_up = false;

    template <Game G, class Graph>
    struct Of {
        explicit Of(const G&) {}
        void after_update(const G&, Graph&, const RecordTable<G>*, const typename Graph::Path&, std::size_t,
                          const std::atomic<bool>&) {}
        template <class Sink>
        void emit(const Sink&) const {}
        std::uint64_t bytes() const noexcept { return 0; }
    };
};

/// Memory policy `delete-solved` (DeleteSolvedSubtrees, Allis et al. 1994, 4.1), for trees: what a node's answer rests
/// on is emitted as soon as the node is solved, and the nodes below it are deleted. The claims of all solved nodes are
/// kept, also of those that the final solution does not need. In a game with cycles an answer that leans on an
/// ancestor stays in the tree until that ancestor is solved: alone it would be no fact.
struct DeleteSolved {
    static constexpr bool keeps_all = false;
    static constexpr bool gives_up = false;

    template <Game G, class Graph>
    class Of {
      public:
        explicit Of(const G& game) : emitted_(game) {}

        /// `path` was updated; the nodes from place `length` on changed, and the first of them that is solved for good
        /// takes its subtree with it. Throws Cancelled: then all of this is still to be done.
        void after_update(const G& game, Graph& graph, const RecordTable<G>* known, const typename Graph::Path& path,
                          std::size_t length, const std::atomic<bool>& cancelled) {
            for (std::size_t i = length - 1; i < path.size(); ++i) {
                const auto& step = path[i];
                if (!graph.numbers(step.node).solved() || !graph.independent(step.node)) continue;
                if (!graph.expanded(step.node)) return;
                std::vector<std::pair<typename G::Key, Claim>> claims;  // half of a solution would not stand
                const auto sink = [&](const typename G::Key& key, const Claim& claim) {
                    claims.emplace_back(key, claim);
                };
                Extraction<G, Graph, decltype(sink)>(game, graph, known, sink, cancelled).below(step);
                for (const auto& [key, claim] : claims) emitted_.add(key, claim);
                graph.release(step.node);
                return;
            }
        }

        template <class Sink>
        void emit(const Sink& sink) const {
            emitted_.for_each([&](const typename G::Key& key, const Claims& claims) {
                for (const Claim& claim : claims) sink(key, claim);
            });
        }

        std::uint64_t bytes() const noexcept { return emitted_.bytes(); }

      private:
        RecordTable<G> emitted_;
    };
};

/// Memory policy `delete-least` (DeleteLeastProving, Allis et al. 1994, 4.1): as `delete-solved`; and when three
/// quarters of the budget are full, the least-proving leaves are given up until a part of the tree is free again.
/// What was given up is not searched again, so the search may end without an answer.
struct DeleteLeast : DeleteSolved {
    static constexpr bool gives_up = true;

    template <Game G, class Graph>
    class Of : public DeleteSolved::Of<G, Graph> {
      public:
        using DeleteSolved::Of<G, Graph>::Of;

        void after_update(const G& game, Graph& graph, const RecordTable<G>* known, const typename Graph::Path& path,
                          std::size_t length, const std::atomic<bool>& cancelled) {
            DeleteSolved::Of<G, Graph>::after_update(game, graph, known, path, length, cancelled);
            for (std::size_t i = length - 1; i < path.size(); ++i) {
                if (!(graph.numbers(path[i].node) == given_up_numbers)) continue;
                graph.release(path[i].node);
                return;
            }
        }

        /// True if least-proving leaves are to be given up: `used` of `budget` bytes are in use.
        static bool is_short(const Graph& graph, std::uint64_t used, std::uint64_t budget) noexcept {
            return used >= budget / 4 * 3 && graph.free_bytes() < graph.bytes() / 16;
        }

        /// Gives up leaves until an eighth of the tree is free, or nothing is left, or `most` were given up. Returns
        /// how many.
        static std::uint32_t make_room(Graph& graph, std::uint32_t most, const std::atomic<bool>& cancelled) {
            std::uint32_t leaves = 0;
            for (; leaves < most && graph.free_bytes() < graph.bytes() / 8 && !graph.exhausted(); ++leaves) {
                if (leaves % 64 == 0 && cancelled.load(std::memory_order_relaxed)) break;
                graph.give_up_least_proving();
            }
            return leaves;
        }
    };
};

}  // namespace proofbase
