// Memory policies: what a search does with nodes that have been solved.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claim.hpp"
#include "search/extraction.hpp"

namespace proofbase {

/// Memory policy `keep`: the whole graph stays, and the solution is taken from it at the end.
struct Keep {
    static constexpr bool keeps_all = true;

    template <Game G, class Graph>
    struct Of {
        void after_update(const G&, Graph&, const RecordTable<G>*, const typename Graph::Path&, std::size_t,
                          const std::atomic<bool>&) {}
        template <class Sink>
        void emit(const Sink&) const {}
        std::uint64_t bytes() const noexcept { return 0; }
    };
};

/// Memory policy `delete-solved` (DeleteSolvedSubtrees, Allis et al. 1994, 4.1), for trees: what a node's answer rests
/// on is emitted as soon as the node is solved, and the nodes below it are deleted. The claims of all solved nodes are
/// kept, also of those that the final solution does not need.
struct DeleteSolved {
    static constexpr bool keeps_all = false;

    template <Game G, class Graph>
    class Of {
      public:
        /// `path` was updated; the nodes from place `length` on changed, and the first of them that is solved takes
        /// its subtree with it. Throws Cancelled: then all of this is still to be done.
        void after_update(const G& game, Graph& graph, const RecordTable<G>* known, const typename Graph::Path& path,
                          std::size_t length, const std::atomic<bool>& cancelled) {
            for (std::size_t i = length - 1; i < path.size(); ++i) {
                const auto& step = path[i];
                if (!graph.numbers(step.node).solved()) continue;
                if (!graph.expanded(step.node)) return;
                const auto sink = [this](const typename G::Key& key, const Claim& claim) {
                    emitted_.emplace_back(key, claim);
                };
                const std::size_t before = emitted_.size();
                try {
                    Extraction<G, Graph, decltype(sink)>(game, graph, known, sink, cancelled).below(step);
                } catch (...) {
                    emitted_.resize(before);  // half of a solution would not stand
                    throw;
                }
                graph.release(step.node);
                return;
            }
        }

        template <class Sink>
        void emit(const Sink& sink) const {
            for (const auto& [key, claim] : emitted_) sink(key, claim);
        }

        std::uint64_t bytes() const noexcept { return emitted_.capacity() * sizeof(emitted_[0]); }

      private:
        std::vector<std::pair<typename G::Key, Claim>> emitted_;
    };
};

}  // namespace proofbase
