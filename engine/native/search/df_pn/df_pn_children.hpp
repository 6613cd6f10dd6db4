// Generates the children of a node: their keys, and their values as far as these need no records.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "concepts.hpp"
#include "in_place.hpp"
#include "search/df_pn/df_pn_child.hpp"
#include "search/df_pn/df_pn_kept_children.hpp"
#include "search/df_pn/df_pn_shared.hpp"
#include "search/policy/initialisation.hpp"

namespace proofbase {

/// The children of one node at a time; the memory is used again for the next node.
template <Game G>
class DfPnChildren {
  public:
    using Shared = DfPnShared<G>;
    using Position = typename G::Position;
    using KeyWords = typename Shared::KeyWords;
    using Child = DfPnChild<KeyWords>;
    using Question = DfPnQuestion<KeyWords>;

    /// Fetches what the search of a child will need: its entry, and its own children if they may have been kept.
    void prefetch(const Shared& shared, const Child& child) const noexcept {
        shared.table.prefetch(child.question.hash);
        if constexpr (keeps_children) {
            if (child.work() > 0) kept_.prefetch(child.question.hash);
        }
    }

    /// Lists the moves of a node, or finds its children where they were kept, and returns for how many evaluate() needs
    /// room.
    std::uint32_t list(const Shared& shared, const Position& position, const Question& question, bool expanded_before) {
        if constexpr (keeps_children) {
            kept_node_ = expanded_before ? kept_.find(question.hash, position, question.bound) : nullptr;
            if (kept_node_ != nullptr) {
                const std::span<const Child> children = kept_.children(*kept_node_);
                for (const Child& child : children) shared.table.prefetch(child.question.hash);
                return kept_node_->count;
            }
        }
        shared.move_order(shared.game, position, moves_);
        return static_cast<std::uint32_t>(moves_.size());
    }

    /// Generates the children of list(), looks them up in the table, evaluates those that it does not have, and writes
    /// all to `out`, which has room for them. A child whose evaluation proves it is omitted: its move fails. Returns
    /// the number of children written. (A position that its evaluation settles never gets into the table.)
    std::uint32_t evaluate(Shared& shared, const Position& position, const Question& question, Child* out) {
        if constexpr (keeps_children) {
            if (kept_node_ != nullptr) return take_kept(shared, position, out);
        }
        generate(shared, position, question, out);
        const std::uint32_t count = evaluate_generated(shared, position, out);
        if constexpr (keeps_children) keep(position, question, out, count);
        return count;
    }

    /// Whether a child that evaluate() has written is in the table, by its place in `out`.
    bool in_table(std::uint32_t child) const noexcept { return in_table_[child] != 0; }

    /// The largest rank of the children that evaluate() has omitted.
    std::uint32_t rank_of_omitted() const noexcept { return rank_of_omitted_; }

    /// Limits the memory of kept children.
    void limit_bytes(std::uint64_t bytes) noexcept { kept_.limit_bytes(bytes); }
    std::uint64_t bytes() const noexcept { return kept_.bytes(); }

  private:
    /// Where children cost little, the memory that is touched costs more than the expansions that are saved.
    static constexpr bool keeps_children = CountsMoves<G> && std::is_trivially_copyable_v<Position>;

    /// Whether children are described, without their positions.
    static bool describes(const Shared& shared) noexcept {
        return shared.evaluator.counts_moves() && describes_children(shared.game);
    }

    /// Writes the moves and the questions of the children. The table is asked for their cache lines as early as
    /// possible: memory answers after the time of a thousand instructions.
    void generate(Shared& shared, const Position& position, const Question& question, Child* out) {
        const auto set_child = [&](std::size_t i, auto&& key_of) {
            Child& child = out[i];
            child.move = moves_[i];
            child.question.bound = shared.game.reward(position, moves_[i]) - question.bound + 1;
            make_in_place(child.question.key, [&] { return shared.keys.words(key_of()); });
            child.question.hash = hash_key_words(child.question.key, child.question.bound);
            shared.table.prefetch(child.question.hash);
        };
        const std::size_t count = moves_.size();
        if constexpr (DescribesChildren<G>) {
            if (describes(shared)) return describe(shared, position, set_child);
        }
        if (positions_.size() < count) positions_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            make_in_place(positions_[i], [&] { return shared.game.play(position, moves_[i]); });
            set_child(i, [&] { return shared.game.key(positions_[i]); });
        }
    }

    /// In small groups: while the next children are described, memory answers for those before.
    template <class SetChild>
    void describe(const Shared& shared, const Position& position, SetChild&& set_child) {
        constexpr std::size_t group = 8;
        std::array<typename G::Key, group> keys;
        const std::size_t count = moves_.size();
        if (counts_.size() < count) counts_.resize(count);
        for (std::size_t first = 0; first < count; first += group) {
            const std::size_t size = std::min(group, count - first);
            shared.game.describe_children(position, std::span(moves_.begin() + first, size),
                                          std::span(keys).first(size), std::span(counts_).subspan(first, size));
            for (std::size_t i = 0; i < size; ++i) set_child(first + i, [&] { return keys[i]; });
        }
    }

    /// Flattened: this is the hottest loop of df-pn, and calls in it cost 7 % of all instructions.
    [[gnu::flatten]] std::uint32_t evaluate_generated(const Shared& shared, const Position& position, Child* out) {
        std::uint32_t count = 0;
        std::uint32_t rank_of_omitted = 0;
        const auto generated = static_cast<std::uint32_t>(moves_.size());
        if (in_table_.size() < generated) in_table_.resize(generated);
        for (std::uint32_t i = 0; i < generated; ++i) {
            if (count != i) out[count] = out[i];
            Child& child = out[count];
            DfPnEntry entry;
            in_table_[count] = shared.table.find(child.question, entry);
            if (in_table_[count]) {
                child.set_entry(entry);
                ++count;
                continue;
            }
            const Leaf leaf = evaluate_leaf(shared, position, i, child.question.bound);
            child.set_leaf(leaf);
            // Without branches: a processor could not predict which moves fail.
            const std::uint32_t unproved = leaf.numbers.proof != 0;
            rank_of_omitted = std::max(rank_of_omitted, leaf.rank & (unproved - 1));
            count += unproved;
        }
        rank_of_omitted_ = rank_of_omitted;
        return count;
    }

    /// The value of the i-th generated child as a leaf.
    [[gnu::always_inline]] Leaf evaluate_leaf(const Shared& shared, const Position& position, std::uint32_t i,
                                              int bound) const {
        if (describes(shared)) {
            const auto position_of = [&] { return shared.game.play(position, moves_[i]); };
            return shared.evaluate_counted(position_of, bound, CountedMoves::of(counts_[i]));
        }
        return shared.evaluate_without_key(positions_[i], bound, shared.evaluator.count(positions_[i]));
    }

    std::uint32_t take_kept(const Shared& shared, const Position& position, Child* out) {
        const std::span<const Child> children = kept_.children(*kept_node_);
        rank_of_omitted_ = kept_node_->rank_of_omitted;
        if (in_table_.size() < children.size()) in_table_.resize(children.size());
        std::uint32_t count = 0;
        for (const Child& kept : children) {
            Child& child = out[count];
            child = kept;
            DfPnEntry entry;
            in_table_[count] = shared.table.find(kept.question, entry);
            if (in_table_[count]) {
                child.set_entry(entry);
            } else if (kept.unevaluated()) {
                const Position next = shared.game.play(position, static_cast<typename G::Move>(kept.move));
                const Leaf leaf = shared.evaluate_without_key(next, kept.question.bound, shared.evaluator.count(next));
                child.set_leaf(leaf);
                if (leaf.numbers.proved()) {
                    rank_of_omitted_ = std::max(rank_of_omitted_, leaf.rank);
                    continue;
                }
            }
            ++count;
        }
        return count;
    }

    void keep(const Position& position, const Question& question, const Child* children, std::uint32_t count) {
        Child* const room = kept_.keep(question.hash, position, question.bound, count, rank_of_omitted_);
        if (room == nullptr) return;
        std::copy_n(children, count, room);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (in_table_[i]) room[i].set_unevaluated();
        }
    }

    typename G::Moves moves_;
    std::vector<Position> positions_;    ///< of generated children that are not described
    std::vector<std::uint32_t> counts_;  ///< of the moves of described children
    std::vector<std::uint8_t> in_table_;
    std::uint32_t rank_of_omitted_ = 0;
    DfPnKeptChildren<Position, KeyWords> kept_;
    const typename DfPnKeptChildren<Position, KeyWords>::Node* kept_node_ = nullptr;
};

}  // namespace proofbase
