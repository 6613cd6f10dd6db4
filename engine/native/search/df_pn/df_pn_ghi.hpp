// Graph-history interaction: in a graph with cycles the result of a node may depend on the path to it.
//
// A line that comes back to a node of the path is a repetition, and settles that node for the side that the game's
// repetition value suits. A result for that side may therefore depend on nodes of the path above it. Such a
// *conditional result* says: "if those nodes are settled for this side, then so is this node". That statement is true
// on every path. So conditional results are stored by node, together with the nodes that they depend on. A conditional
// result holds wherever each of these nodes is on the path, or has been settled for this side on every path. Results
// for the other side never depend on a repetition.
//
// Kishimoto and Mueller, "A general solution to the graph history interaction problem" (2004), store results by a code
// of the whole path instead. Conditions need no code, which two paths might share, and serve on other paths.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "search/df_pn/df_pn_question.hpp"
#include "search/df_pn/path_dependency.hpp"

namespace proofbase {

template <class KeyWords>
struct DfPnPathNode {
    DfPnQuestion<KeyWords> question;
    bool repetition_proves = false;  ///< a line that comes back to the node proves it; otherwise it disproves it
};

/// The nodes from the root to the node that is searched now.
template <class KeyWords>
class DfPnPath {
  public:
    using Node = DfPnPathNode<KeyWords>;
    using Question = DfPnQuestion<KeyWords>;

    std::size_t size() const noexcept { return nodes_.size(); }
    const Node& operator[](std::uint32_t index) const noexcept { return nodes_[index]; }

    void push(const Node& node) {
        indices_.emplace(node.question, static_cast<std::uint32_t>(nodes_.size()));
        nodes_.push_back(node);
        ++counts_[node.question.hash % counts_.size()];
    }
    void pop() {
        indices_.erase(nodes_.back().question);
        --counts_[nodes_.back().question.hash % counts_.size()];
        nodes_.pop_back();
    }

    std::optional<std::uint32_t> index_of(const Question& question) const {
        if (counts_[question.hash % counts_.size()] == 0) return std::nullopt;  // nearly always
        const auto found = indices_.find(question);
        return found != indices_.end() ? std::optional(found->second) : std::nullopt;
    }

    std::uint64_t bytes() const noexcept { return nodes_.size() * (2 * sizeof(Node) + 32); }

  private:
    std::vector<Node> nodes_;
    std::unordered_map<Question, std::uint32_t, HashOfDfPnQuestion> indices_;
    std::array<std::uint32_t, 1024> counts_{};  ///< of the nodes, by the low bits of their hashes
};

/// The conditional results that one thread has found.
template <class KeyWords>
class DfPnConditionalResults {
  public:
    using Path = DfPnPath<KeyWords>;
    using Node = DfPnPathNode<KeyWords>;
    using Question = DfPnQuestion<KeyWords>;

    /// A result on the current path.
    struct Result {
        bool proved;
        PathDependency depends_on;
    };

    /// Stores the result of a node, which depends on nodes of the path. At the memory limit all stored results are
    /// dropped: the search can find them again.
    void store(const Question& question, const Result& result, const Path& path) {
        if (!result.depends_on.complete()) return;
        Conditional conditional{{}, result.depends_on.size(), result.proved};
        std::transform(result.depends_on.begin(), result.depends_on.end(), conditional.conditions.begin(),
                       [&](std::uint32_t index) { return path[index]; });
        if (results_.size() >= max_nodes_) {
            results_.clear();
            hashes_.reset();
        }
        hashes_.set(question.hash % hashes_.size());
        std::vector<Conditional>& results = results_[question];
        if (results.size() == max_results_per_node) results.erase(results.begin());
        results.push_back(conditional);
    }

    /// A stored result whose conditions all hold on this path. `settled_by_table(node)` tells whether the table has the
    /// node settled as a repetition would settle it.
    template <class SettledByTable>
    std::optional<Result> find(const Question& question, const Path& path, SettledByTable&& settled_by_table) const {
        if (!hashes_.test(question.hash % hashes_.size())) return std::nullopt;  // nearly always
        const auto found = results_.find(question);
        if (found == results_.end()) return std::nullopt;
        for (auto conditional = found->second.rbegin(); conditional != found->second.rend(); ++conditional) {
            Result result{conditional->proved, {}};
            bool holds = true;
            for (std::uint32_t i = 0; i < conditional->count && holds; ++i) {
                const Node& condition = conditional->conditions[i];
                if (const auto index = path.index_of(condition.question)) {
                    result.depends_on.add(PathDependency::on(*index));
                } else {
                    holds = settled_by_table(condition);
                }
            }
            if (holds) return result;
        }
        return std::nullopt;
    }

    /// Limits the memory to about this many bytes.
    void limit_bytes(std::uint64_t bytes) noexcept {
        max_nodes_ = std::max<std::uint64_t>(16, bytes / (4 * sizeof(Conditional)));
    }

    std::uint64_t bytes() const noexcept { return results_.size() * (2 * sizeof(Conditional) + 64); }

  private:
    static constexpr std::size_t max_results_per_node = 4;

    struct Conditional {
        std::array<Node, PathDependency::max_listed> conditions;
        std::uint32_t count;  ///< of the conditions
        bool proved;
    };

    std::unordered_map<Question, std::vector<Conditional>, HashOfDfPnQuestion> results_;
    std::bitset<65'536> hashes_;  ///< of the stored nodes, by their low bits
    std::uint64_t max_nodes_ = 1024;
};

}  // namespace proofbase
