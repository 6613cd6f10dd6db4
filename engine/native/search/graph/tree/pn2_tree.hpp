// Graph kind `two levels` for pn^2-search (Allis 1994, 2.3.1, with Keetman): a tree whose leaves are developed by a
// second proof-number search. It starts at the leaf and may grow as many nodes as the first tree has; then the children
// of its root, with their numbers, become leaves of the first tree, and the rest is deleted (or kept in a cache for
// a while, as Schaeffer suggests there). So a tree of n nodes stands for a search of about n^2 / 2.
//
// Of a leaf that a second search has solved only the answer stays. When the solution is taken out, it is searched
// again.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "search/api/any_search.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/tree/tree.hpp"
#include "search/policy/leaf.hpp"
#include "search/solution/graph_solution.hpp"

namespace proofbase {

template <Game G, class Tree>
class TwoLevels : public Tree {
  public:
    using Step = typename Tree::Step;
    using Path = typename Tree::Path;

    /// `cached`: how many second trees are kept.
    TwoLevels(const SearchRequest<G>& request, TreeOptions options, std::uint32_t cached)
        : Tree(request, options), second_(new_tree()), cached_(cached) {}

    std::uint64_t created() const noexcept { return 1 + created_ + (busy_ ? second_->created() - created_before_ : 0); }
    std::uint64_t expansions() const noexcept { return expansions_; }

    std::uint64_t updates() const noexcept {
        std::uint64_t updates = Tree::updates() + second_->updates();
        for (const Cached& cached : cache_) updates += cached.tree->updates();
        return updates;
    }

    std::uint64_t bytes() const noexcept {
        std::uint64_t bytes = Tree::bytes() + second_->bytes();
        for (const Cached& cached : cache_) bytes += cached.tree->bytes();
        return bytes;
    }
    std::uint64_t node_bytes() const noexcept { return bytes(); }

    /// Goes on with the second search below the leaf at the end of the path. When it is done, the leaf is solved or has
    /// children, what happened is added to `log`, and the answer is true; until then, false.
    bool expand(const Path& path, const std::atomic<bool>& cancelled, std::vector<std::uint32_t>& log) {
        if (!busy_) begin(path);
        Tree& second = *second_;
        for (int turn = 0; turn < turns; ++turn) {
            if (second.numbers(0).solved() || (second.expanded(0) && second.size() >= limit_)) {
                finish(path.back(), log);
                return true;
            }
            grow_second(cancelled);
        }
        return false;
    }

    /// Does again what expand() has added to the log at place `at`.
    void replay(const Path& path, const std::vector<std::uint32_t>& log, std::size_t& at) {
        const auto next = [&] {
            if (at == log.size()) throw InvalidCheckpoint("the checkpoint is cut off");
            return log[at++];
        };
        const std::uint64_t low = next();
        created_ += low | std::uint64_t{next()} << 32;
        const std::uint64_t expansions = next();
        expansions_ += expansions | std::uint64_t{next()} << 32;
        const std::uint32_t children = next();
        results_.clear();
        for (std::uint32_t i = 0; i < std::max(children, 1u); ++i) {
            const std::uint32_t proof = next();
            const std::uint32_t disproof = next();
            const std::uint32_t rank = next();
            results_.push_back({{proof, disproof}, rank, next()});
        }
        if (children == 0) {
            Tree::settle(path.back().node, results_[0]);
        } else if (!Tree::adopt(path.back(), results_)) {
            throw InvalidCheckpoint("the checkpoint has other moves than the game");
        }
    }

    /// Emits what the second searches below a solved node have solved and its answer rests on, by searching it again;
    /// nodes above get the ranks of these proofs. Throws Cancelled.
    template <class Sink>
    void reprove(const G& game, const Step& solved, const RecordTable<G>* known, const Sink& sink,
                 const std::atomic<bool>& cancelled) {
        std::vector<Step> steps{solved};  // parents before children
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step step = steps[i];
            if (!Tree::expanded(step.node)) continue;
            const bool proved = Tree::numbers(step.node).proved();
            Tree::for_each_child(step, [&](const Step& child, typename G::Move) {
                if (!proved || Tree::numbers(child.node).disproved()) steps.push_back(child);
            });
        }
        std::unique_ptr<Tree> proof = new_tree();
        for (; !steps.empty(); steps.pop_back()) {
            const Step& step = steps.back();
            if (Tree::expanded(step.node)) {
                Tree::rank_again(step.node);
                continue;
            }
            if (!Tree::released(step.node) || leaf_by_rules(game, step.position, step.bound)) continue;
            const Numbers answer = Tree::numbers(step.node);
            if (known != nullptr) {
                const auto leaf = leaf_by_record(*known, game.key(step.position), step.bound);
                if (leaf && leaf->numbers == answer) {
                    Tree::set_rank(step.node, leaf->rank);
                    continue;
                }
            }
            proof->restart(Tree::path(step.node));
            Path path{proof->root()};
            while (!proof->numbers(0).solved()) {
                if (cancelled.load(std::memory_order_relaxed)) throw Cancelled();
                grow(*proof, path, cancelled);
            }
            if (!(proof->numbers(0) == answer)) throw std::logic_error("a second search comes to another answer");
            Extraction<G, Tree, const Sink&>(game, *proof, known, sink, cancelled).below(proof->root());
            Tree::set_rank(step.node, proof->rank(0));
        }
    }

  private:
    using Result = typename Tree::Result;

    static constexpr int turns = 4;  // expansions of the second search between two looks at the clock

    std::unique_ptr<Tree> new_tree() const {
        return std::make_unique<Tree>(Tree::game(), Tree::known(), Tree::order(), Tree::initialisation(),
                                      Tree::options());
    }

    /// Starts the second search at the end of the path: from the leaf, or from what a cached tree has below it.
    void begin(const Path& path) {
        const std::uint32_t leaf = path.back().node;
        const auto from = std::find_if(cache_.begin(), cache_.end(), [&](const Cached& cached) {
            return path.size() > 1 && cached.leaf == path[path.size() - 2].node;
        });
        if (from == cache_.end()) {
            second_->restart(path);
        } else {
            second_->restart(path, *from->tree, from->tree->child(0, Tree::place(leaf)));
            std::rotate(from, from + 1, cache_.end());  // the last one used is the last to go
        }
        way_.assign(1, second_->root());
        limit_ = Tree::size();
        created_before_ = second_->created();
        expansions_before_ = expansions_;
        busy_ = true;
    }

    void grow_second(const std::atomic<bool>& cancelled) {
        grow(*second_, way_, cancelled);
        ++expansions_;
    }

    void finish(const Step& leaf, std::vector<std::uint32_t>& log) {
        const std::uint64_t created = second_->created() - created_before_;
        const std::uint64_t expansions = expansions_ - expansions_before_;
        const std::uint32_t children = second_->numbers(0).solved() ? 0 : second_->children(0);
        results_.clear();
        if (children == 0) results_.push_back(second_->result(0));
        for (std::uint32_t i = 0; i < children; ++i) results_.push_back(second_->result(second_->child(0, i)));
        const std::size_t before = log.size();
        try {
            for (const std::uint64_t number : {created, expansions}) {
                log.push_back(static_cast<std::uint32_t>(number));
                log.push_back(static_cast<std::uint32_t>(number >> 32));
            }
            log.push_back(children);
            for (const Result& result : results_) {
                log.insert(log.end(), {result.numbers.proof, result.numbers.disproof, result.rank, result.lean});
            }
            if (children == 0) {
                Tree::settle(leaf.node, results_[0]);
            } else {
                Tree::adopt(leaf, results_);
            }
        } catch (...) {
            log.resize(before);
            throw;
        }
        created_ += created;
        busy_ = false;
        if (children > 0) keep(leaf.node);
    }

    /// Keeps the second tree of a leaf that is expanded now; the one that was not used for longest goes.
    void keep(std::uint32_t leaf) {
        if (cached_ == 0) return;
        std::unique_ptr<Tree> next;
        if (cache_.size() == cached_) {
            next = std::move(cache_.front().tree);
            cache_.erase(cache_.begin());
        } else {
            next = new_tree();
        }
        cache_.push_back({leaf, std::exchange(second_, std::move(next))});
    }

    static void grow(Tree& tree, Path& path, const std::atomic<bool>& cancelled) {
        while (tree.expanded(path.back().node)) tree.descend(path);
        if (!tree.evaluate(path)) tree.expand(path, cancelled);
        path.resize(tree.resume(tree.update(path)));
    }

    struct Cached {
        std::uint32_t leaf;  ///< of the first tree, where this one began
        std::unique_ptr<Tree> tree;
    };

    std::unique_ptr<Tree> second_;
    Path way_;  ///< where the second search stands
    bool busy_ = false;
    std::uint32_t limit_ = 0;
    std::uint64_t created_ = 0;  ///< by the second searches that are done
    std::uint64_t created_before_ = 0;
    std::uint64_t expansions_ = 0;
    std::uint64_t expansions_before_ = 0;
    std::uint32_t cached_;
    std::vector<Cached> cache_;  ///< the last one is the one used last
    std::vector<Result> results_;
};

}  // namespace proofbase
