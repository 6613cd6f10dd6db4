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
    const Node& operator[](std::uint32_t index) const noexcept { return nodes_[index].node; }

    void push(const Node& node) {
        if (nodes_.size() >= nodes_per_chain * last_.size()) enlarge();
        append(node);
    }
    void pop() noexcept {
        last_[chain(nodes_.back().node.question)] = nodes_.back().earlier;
        nodes_.pop_back();
    }

    /// False if the question is not on the path. Nearly always its chain is empty.
    bool may_have(const Question& question) const noexcept { return last_[chain(question)] != none; }

    /// Where the question is on the path.
    std::optional<std::uint32_t> index_of(const Question& question) const noexcept {
        for (std::uint32_t i = last_[chain(question)]; i != none; i = nodes_[i].earlier) {
            if (nodes_[i].node.question == question) return i;
        }
        return std::nullopt;
    }

    std::uint64_t bytes() const noexcept {
        return nodes_.capacity() * sizeof(Linked) + last_.capacity() * sizeof(std::uint32_t);
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr std::size_t first_chains = 1024;
    static constexpr std::size_t nodes_per_chain = 2;  ///< at most, on the average

    /// Nodes whose hashes have the same low bits are a chain.
    struct Linked {
        Node node;
        std::uint32_t earlier;  ///< the node of the chain before this one, or `none`
    };

    std::size_t chain(const Question& question) const noexcept { return question.hash & (last_.size() - 1); }

    void append(const Node& node) {
        std::uint32_t& last = last_[chain(node.question)];
        nodes_.push_back({node, last});
        last = static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    [[gnu::noinline]] void enlarge() {
        last_.assign(2 * last_.size(), none);
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            std::uint32_t& last = last_[chain(nodes_[i].node.question)];
            nodes_[i].earlier = last;
            last = i;
        }
    }

    std::vector<Linked> nodes_;
    std::vector<std::uint32_t> last_ = std::vector<std::uint32_t>(first_chains, none);  ///< of each chain
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

    /// False if there are no results of the question, as nearly always.
    bool may_have(const Question& question) const noexcept { return hashes_.test(question.hash % hashes_.size()); }

    /// A stored result whose conditions all hold on this path. `settled_by_table(node)` tells whether the table has the
    /// node settled as a repetition would settle it.
    template <class SettledByTable>
    std::optional<Result> find(const Question& question, const Path& path, SettledByTable&& settled_by_table) const {
        if (!may_have(question)) return std::nullopt;
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
