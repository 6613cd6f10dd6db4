// The graph of pn^2-search (Allis 1994, 2.3.1, with Keetman): a tree whose leaves are developed by a second
// proof-number search. The second search starts at the leaf and may create as many nodes as the first tree has; then
// the children of its root, with their numbers, become leaves of the first tree, and the rest of the second tree is
// deleted (or kept in a cache for a while, as Schaeffer suggests there). So a tree of n nodes stands for a search of
// about n^2 / 2.
//
// When a second search has solved its leaf, only the answer is kept. To emit the solution, the leaf is searched again.
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
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/graph/search_graph.hpp"
#include "search/graph/tree/tree.hpp"
#include "search/policy/leaf.hpp"

namespace proofbase {

template <Game G, class Tree>
class Pn2Tree : public Tree {
  public:
    using Step = typename Tree::Step;
    using Path = typename Tree::Path;

    static constexpr GraphTraits traits{
        .rests_on_repetition = false,
        .evaluates_selected_leaves = false,  // only the second searches evaluate them
        .develops_leaves_by_second_search = true,
        .deletes_nodes = false,
        .gives_up_leaves = false,
        .watches_clock = false,
        .depends_on_update_order = false,
    };

    /// `cache_size`: how many second trees are kept.
    Pn2Tree(const SearchRequest<G>& request, TreeOptions options, std::uint32_t cache_size)
        : Tree(request, options), second_(make_second_tree()), cache_size_(cache_size) {}

    std::uint64_t created() const noexcept {
        return 1 + created_ + (searching_ ? second_->created() - created_before_ : 0);
    }
    std::uint64_t expansions() const noexcept { return expansions_; }

    std::uint64_t updates() const noexcept {
        std::uint64_t updates = Tree::updates() + second_->updates();
        for (const CachedTree& cached : cache_) updates += cached.tree->updates();
        return updates;
    }

    std::uint64_t bytes() const noexcept {
        std::uint64_t bytes = Tree::bytes() + second_->bytes();
        for (const CachedTree& cached : cache_) bytes += cached.tree->bytes();
        return bytes;
    }
    std::uint64_t node_bytes() const noexcept { return bytes(); }
    /// The most nodes that the first tree and the second ones held together.
    std::uint64_t peak_nodes() const noexcept { return std::max(peak_nodes_, held_nodes()); }

    /// Goes on with the second search below the leaf at the end of the path. When it is done, the leaf is solved or has
    /// children, the result is added to `log`, and true is returned; until then, false.
    bool develop(const Path& path, const std::atomic<bool>& cancelled, std::vector<std::uint32_t>& log) {
        if (!searching_) start_second_search(path);
        Tree& second = *second_;
        for (int i = 0; i < expansions_per_call; ++i) {
            if (second.numbers(0).solved() || (second.expanded(0) && second.size() >= max_second_nodes_)) {
                end_second_search(path.back(), log);
                return true;
            }
            expand_most_proving(second, second_path_, cancelled);
            ++expansions_;
        }
        return false;
    }

    /// Gives the leaf the result that develop() has added to the log at `index`, and moves the index behind it.
    void replay_development(const Path& path, const std::vector<std::uint32_t>& log, std::size_t& index) {
        const auto next = [&] {
            if (index == log.size()) throw InvalidCheckpoint("the checkpoint is cut off");
            return log[index++];
        };
        const std::uint64_t created = next();
        const std::uint64_t of_second = created | std::uint64_t{next()} << 32;
        created_ += of_second;
        peak_nodes_ = std::max(peak_nodes_, Tree::held_nodes() + of_second);
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
            Tree::set_result(path.back().node, results_[0]);
        } else if (!Tree::create_children_with_results(path.back(), results_)) {
            throw InvalidCheckpoint("the checkpoint has other moves than the game");
        }
    }

    /// Searches again the leaves that second searches have solved and that the answer of a solved node rests on, and
    /// gives `emit` the tree of each; nodes above get the ranks of these proofs. Throws Cancelled.
    template <class Emit>
    void search_again(const G& game, const Step& solved, const KnownRecords<G>* records,
                      const std::atomic<bool>& cancelled, const Emit& emit) {
        std::vector<Step> steps = supporting_nodes(solved);
        std::unique_ptr<Tree> proof = make_second_tree();
        for (; !steps.empty(); steps.pop_back()) {  // children before parents
            const Step& step = steps.back();
            if (Tree::expanded(step.node)) {
                Tree::recalculate_rank(step.node);
                continue;
            }
            if (!Tree::solved_elsewhere(step.node) || leaf_by_rules(game, step.position, step.bound)) continue;
            const Numbers answer = Tree::numbers(step.node);
            if (records != nullptr) {
                const auto leaf = leaf_by_record(*records, game.key(step.position), step.bound);
                if (leaf && leaf->numbers == answer) {
                    Tree::set_rank(step.node, leaf->rank);
                    continue;
                }
            }
            proof->restart(Tree::path_to(step.node));
            Path path(proof->root());
            while (!proof->numbers(0).solved()) {
                if (cancelled.load(std::memory_order_relaxed)) throw Cancelled();
                expand_most_proving(*proof, path, cancelled);
            }
            if (!(proof->numbers(0) == answer)) throw std::logic_error("a second search comes to another answer");
            emit(std::as_const(*proof));
            Tree::set_rank(step.node, proof->rank(0));
        }
    }

  private:
    using Result = typename Tree::Result;

    static constexpr int expansions_per_call = 4;  // of develop(): the search looks at the clock between two calls

    /// A tree of the second level, with the leaf of the first tree at which it began.
    struct CachedTree {
        std::uint32_t leaf;
        std::unique_ptr<Tree> tree;
    };

    std::unique_ptr<Tree> make_second_tree() const {
        return std::make_unique<Tree>(Tree::game(), Tree::records(), Tree::order(), Tree::initialisation(),
                                      Tree::options());
    }

    /// Starts the second search at the leaf at the end of the path. If a cached tree has nodes below this leaf, the
    /// second search begins with a copy of them.
    void start_second_search(const Path& path) {
        const std::uint32_t leaf = path.back().node;
        const auto from = std::find_if(cache_.begin(), cache_.end(), [&](const CachedTree& cached) {
            return path.size() > 1 && cached.leaf == path[path.size() - 2].node;
        });
        if (from == cache_.end()) {
            second_->restart(path);
        } else {
            second_->restart(path, *from->tree, from->tree->child(0, Tree::index_among_siblings(leaf)));
            std::rotate(from, from + 1, cache_.end());
        }
        second_path_.assign(1, second_->root());
        max_second_nodes_ = Tree::size();
        created_before_ = second_->created();
        expansions_before_ = expansions_;
        searching_ = true;
    }

    /// Hands the result of the second search to the leaf of the first tree and to the log.
    void end_second_search(const Step& leaf, std::vector<std::uint32_t>& log) {
        const std::uint64_t created = second_->created() - created_before_;
        peak_nodes_ = peak_nodes();
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
                log.insert(log.end(),
                           {result.numbers.proof, result.numbers.disproof, result.rank, result.depends_on_depth});
            }
            if (children == 0) {
                Tree::set_result(leaf.node, results_[0]);
            } else {
                Tree::create_children_with_results(leaf, results_);
            }
        } catch (...) {
            log.resize(before);
            throw;
        }
        created_ += created;
        searching_ = false;
        if (children > 0) cache_second_tree(leaf.node);
    }

    /// Puts the second tree of a leaf that has just been expanded into the cache. A full cache drops the least recently
    /// used tree.
    void cache_second_tree(std::uint32_t leaf) {
        if (cache_size_ == 0) return;
        std::unique_ptr<Tree> next;
        if (cache_.size() == cache_size_) {
            next = std::move(cache_.front().tree);
            cache_.erase(cache_.begin());
        } else {
            next = make_second_tree();
        }
        cache_.push_back({leaf, std::exchange(second_, std::move(next))});
    }

    /// One expansion of a proof-number search in a second tree, with its update.
    static void expand_most_proving(Tree& tree, Path& path, const std::atomic<bool>& cancelled) {
        while (tree.expanded(path.back().node)) tree.descend(path);
        if (!tree.evaluate(path)) tree.expand(path, cancelled);
        path.resize(tree.resume_length(tree.update(path)));
    }

    std::uint64_t held_nodes() const noexcept {
        std::uint64_t nodes = Tree::held_nodes() + (searching_ ? second_->held_nodes() : 0);
        for (const CachedTree& cached : cache_) nodes += cached.tree->held_nodes();
        return nodes;
    }

    /// The nodes that the answer of a solved node may rest on, parents before children.
    std::vector<Step> supporting_nodes(const Step& solved) const {
        std::vector<Step> steps{solved};
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step step = steps[i];
            if (!Tree::expanded(step.node)) continue;
            const bool proved = Tree::numbers(step.node).proved();
            Tree::for_each_child(step, [&](const Step& child, typename G::Move, const Numbers& numbers) {
                if (!proved || numbers.disproved()) steps.push_back(child);
            });
        }
        return steps;
    }

    std::unique_ptr<Tree> second_;
    Path second_path_;        ///< from the root of the second tree to where its search stands
    bool searching_ = false;  ///< a second search is under way
    std::uint32_t max_second_nodes_ = 0;
    std::uint64_t created_ = 0;  ///< by the second searches that are done
    std::uint64_t peak_nodes_ = 0;
    std::uint64_t created_before_ = 0;
    std::uint64_t expansions_ = 0;
    std::uint64_t expansions_before_ = 0;
    std::uint32_t cache_size_;
    std::vector<CachedTree> cache_;  ///< the most recently used tree is the last one
    std::vector<Result> results_;
};

}  // namespace proofbase
