// Which questions the nodes of a path ask. A leaf of a game with cycles is compared with all of its ancestors, of which
// there may be hundreds: a signature tells almost always that it repeats none of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"

namespace proofbase {

/// A question of a game with cycles, to be compared with others: by its signature, then by its key. Of games with
/// signatures (HasSignatures) the key is made only where signatures are equal.
template <Game G>
class PathQuestion {
  public:
    PathQuestion() = default;
    PathQuestion(const G& game, const typename G::Position& p, int bound) {
        if constexpr (HasSignatures<G>) {
            signature_ = hash_with_bound(game.signature(p), bound);
        } else {
            key_ = game.key(p);
            signature_ = hash_question(key_, bound);
        }
    }

    std::uint64_t signature() const noexcept { return signature_; }

    /// Whether p, the position of this question, has the key of another position.
    bool has_key_of(const G& game, const typename G::Position& p, const PathQuestion& other,
                    const typename G::Position& other_position) const {
        if constexpr (HasSignatures<G>) {
            return game.key(p) == game.key(other_position);
        } else {
            return key_ == other.key_;
        }
    }

  private:
    std::uint64_t signature_ = 0;
    [[no_unique_address]] std::conditional_t<HasSignatures<G>, std::monostate, typename G::Key> key_{};
};

/// The signatures of the questions on a path, from the root of the search on, with the nodes of a tree that ask them.
class PathSignatures {
  public:
    std::size_t size() const noexcept { return listed_.size(); }
    std::uint32_t last_node() const noexcept { return listed_.back().node; }

    void push(std::uint32_t node, std::uint64_t signature) {
        listed_.push_back({node, signature});
        ++counts_[slot(signature)];
    }
    void pop() noexcept {
        --counts_[slot(listed_.back().signature)];
        listed_.pop_back();
    }

    /// False if no question has this signature.
    bool may_have(std::uint64_t signature) const noexcept { return counts_[slot(signature)] != 0; }

    std::uint64_t operator[](std::size_t i) const noexcept { return listed_[i].signature; }

  private:
    struct Listed {
        std::uint32_t node;
        std::uint64_t signature;
    };

    static constexpr std::size_t slots = 4096;
    static std::size_t slot(std::uint64_t signature) noexcept { return signature % slots; }

    std::vector<Listed> listed_;
    std::array<std::uint32_t, slots> counts_{};
};

/// Finds the node of a path that asks a given question, in games with cycles. `Step` has the `node`, the `bound`, the
/// `position` and the `question` (a PathQuestion).
template <Game G, class Step>
class PathQuestions {
  public:
    /// The path begins below these steps of another tree.
    void start_below(const std::vector<Step>& outer) {
        outer_ = &outer;
        while (signatures_.size() > 0) signatures_.pop();
        for (const Step& step : outer) signatures_.push(step.node, step.question.signature());
    }

    /// The depth of the lowest of the first `ancestors` steps of the path that asks "value(p) >= bound?", the steps of
    /// the outer path included. `deletions` counts how often the tree has deleted nodes: then another node may have the
    /// number of an earlier one.
    template <class Path>
    [[gnu::always_inline]] std::optional<std::size_t> find(const G& game, const typename G::Position& p, int bound,
                                                           const Path& path, std::size_t ancestors,
                                                           std::uint64_t deletions) {
        if (!follows(path, ancestors, deletions)) follow(path, ancestors, deletions);
        const PathQuestion<G> question(game, p, bound);
        if (!signatures_.may_have(question.signature())) return std::nullopt;
        return find_equal(game, p, bound, path, question);
    }

  private:
    /// In a tree one way leads to a node: what is listed up to a node of the path is the path up to it.
    template <class Path>
    bool follows(const Path& path, std::size_t ancestors, std::uint64_t deletions) const noexcept {
        return deletions == deletions_ && signatures_.size() == outer_->size() + ancestors &&
               (ancestors == 0 || signatures_.last_node() == path[ancestors - 1].node);
    }

    template <class Path>
    [[gnu::noinline]] void follow(const Path& path, std::size_t ancestors, std::uint64_t deletions) {
        const std::size_t outer = outer_->size();
        const std::size_t most = deletions == deletions_ ? outer + ancestors : outer;
        deletions_ = deletions;
        while (signatures_.size() > most) signatures_.pop();
        while (signatures_.size() > outer && signatures_.last_node() != path[signatures_.size() - outer - 1].node) {
            signatures_.pop();
        }
        for (std::size_t i = signatures_.size() - outer; i < ancestors; ++i) {
            signatures_.push(path[i].node, path[i].question.signature());
        }
    }

    template <class Path>
    [[gnu::noinline]] std::optional<std::size_t> find_equal(const G& game, const typename G::Position& p, int bound,
                                                            const Path& path, const PathQuestion<G>& question) const {
        const std::size_t outer = outer_->size();
        for (std::size_t i = signatures_.size(); i-- > 0;) {
            if (signatures_[i] != question.signature()) continue;
            const Step& step = i < outer ? (*outer_)[i] : path[i - outer];
            if (step.bound == bound && question.has_key_of(game, p, step.question, step.position)) return i;
        }
        return std::nullopt;
    }

    const std::vector<Step>* outer_ = nullptr;
    PathSignatures signatures_;
    std::uint64_t deletions_ = 0;
};

}  // namespace proofbase
