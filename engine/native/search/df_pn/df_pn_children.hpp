// Generates the children of a node: their keys, and their values as far as these need no records.
#pragma once

#include <algorithm>
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

    /// Generates the children of a node, or finds those that were kept, and returns for how many evaluate() needs room.
    /// The table is asked for their cache lines as early as possible: memory answers after the time of a thousand
    /// instructions.
    std::uint32_t generate(Shared& shared, const Position& position, const Question& question, bool expanded_before) {
        if constexpr (keeps_children) {
            kept_node_ = expanded_before ? kept_.find(question.hash, position, question.bound) : nullptr;
            if (kept_node_ != nullptr) {
                const std::span<const Child> children = kept_.children(*kept_node_);
                for (const Child& child : children) shared.table.prefetch(child.question.hash);
                return kept_node_->count;
            }
        }
        const G& game = shared.game;
        shared.move_order(game, position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        if (generated_.size() < count) generated_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Generated& child = generated_[i];
            make_in_place(child.position, [&] { return game.play(position, moves_[i]); });
            child.question.bound = game.reward(position, moves_[i]) - question.bound + 1;
            make_in_place(child.question.key, [&] { return shared.keys.words(game.key(child.position)); });
            child.question.hash = hash_key_words(child.question.key, child.question.bound);
            shared.table.prefetch(child.question.hash);
        }
        return count;
    }

    /// Looks the children of generate() up in the table, evaluates those that it does not have, and writes all to
    /// `out`, which has room for them. A child whose evaluation proves it is omitted: its move fails. Returns the
    /// number of children written. (A position that its evaluation settles never gets into the table.)
    std::uint32_t evaluate(const Shared& shared, const Position& position, const Question& question, Child* out) {
        if constexpr (keeps_children) {
            if (kept_node_ != nullptr) return take_kept(shared, position, out);
        }
        const std::uint32_t count = evaluate_generated(shared, out);
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
    struct Generated {
        Position position;
        Question question;
    };

    /// Where children cost little, the memory that is touched costs more than the expansions that are saved.
    static constexpr bool keeps_children = CountsMoves<G> && std::is_trivially_copyable_v<Position>;

    /// Flattened: this is the hottest loop of df-pn, and calls in it cost 7 % of all instructions.
    [[gnu::flatten]] std::uint32_t evaluate_generated(const Shared& shared, Child* out) {
        std::uint32_t count = 0;
        std::uint32_t rank_of_omitted = 0;
        const auto generated_count = static_cast<std::uint32_t>(moves_.size());
        in_table_.resize(generated_count);
        count_moves(shared);
        for (std::uint32_t i = 0; i < generated_count; ++i) {
            const Generated& generated = generated_[i];
            Child& child = out[count];
            // Field by field: a wide load of fields that were just stored one by one would stall the processor.
            child.question.key = generated.question.key;
            child.question.bound = generated.question.bound;
            child.question.hash = generated.question.hash;
            child.move = moves_[i];
            DfPnEntry entry;
            in_table_[count] = shared.table.find(generated.question, entry);
            if (in_table_[count]) {
                child.set_entry(entry);
                ++count;
                continue;
            }
            const Leaf leaf =
                shared.evaluate_without_key(generated.position, generated.question.bound, counted(shared, i));
            child.set_leaf(leaf);
            // Without branches: a processor could not predict which moves fail.
            const std::uint32_t unproved = leaf.numbers.proof != 0;
            rank_of_omitted = std::max(rank_of_omitted, leaf.rank & (unproved - 1));
            count += unproved;
        }
        rank_of_omitted_ = rank_of_omitted;
        return count;
    }

    /// Counts the moves of all generated children at once, if the evaluator needs them and the game can.
    void count_moves(const Shared& shared) {
        if constexpr (CountsMovesTogether<G>) {
            if (!shared.evaluator.counts_moves()) return;
            positions_.clear();
            for (std::size_t i = 0; i < moves_.size(); ++i) positions_.push_back(&generated_[i].position);
            counts_.resize(positions_.size());
            shared.game.count_moves(positions_, counts_);
        }
    }

    [[gnu::always_inline]] CountedMoves counted(const Shared& shared, std::uint32_t i) const {
        if constexpr (CountsMovesTogether<G>) {
            return shared.evaluator.counts_moves() ? CountedMoves::of(counts_[i]) : CountedMoves{};
        }
        return shared.evaluator.count(generated_[i].position);
    }

    std::uint32_t take_kept(const Shared& shared, const Position& position, Child* out) {
        const std::span<const Child> children = kept_.children(*kept_node_);
        rank_of_omitted_ = kept_node_->rank_of_omitted;
        in_table_.resize(children.size());
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
    std::vector<Generated> generated_;
    std::vector<const Position*> positions_;  ///< of the generated children, and the numbers of their moves
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint8_t> in_table_;
    std::uint32_t rank_of_omitted_ = 0;
    DfPnKeptChildren<Position, KeyWords> kept_;
    const typename DfPnKeptChildren<Position, KeyWords>::Node* kept_node_ = nullptr;
};

}  // namespace proofbase
