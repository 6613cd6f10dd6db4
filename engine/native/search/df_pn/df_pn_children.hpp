// Generates the children of a node: their keys, and their values as far as these need no records.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "in_place.hpp"
#include "search/df_pn/df_pn_child.hpp"
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

    /// Generates the children of a node and returns their number. The table is asked for their cache lines as early as
    /// possible: memory answers after the time of a thousand instructions.
    std::uint32_t generate(Shared& shared, const Position& position, int bound) {
        const G& game = shared.game;
        shared.move_order(game, position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        if (generated_.size() < count) generated_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Generated& child = generated_[i];
            make_in_place(child.position, [&] { return game.play(position, moves_[i]); });
            child.question.bound = game.reward(position, moves_[i]) - bound + 1;
            make_in_place(child.question.key, [&] { return shared.keys.words(game.key(child.position)); });
            child.question.hash = hash_key_words(child.question.key, child.question.bound);
            shared.table.prefetch(child.question.hash);
        }
        return count;
    }

    /// Looks the generated children up in the table, evaluates those that it does not have, and writes all to `out`,
    /// which has room for them. A child whose evaluation proves it is omitted: its move fails. Returns the number of
    /// children written. (A position that its evaluation settles never gets into the table.)
    ///
    /// Flattened: this is the hottest loop of df-pn, and calls in it cost 7 % of all instructions.
    [[gnu::flatten]] std::uint32_t evaluate(const Shared& shared, Child* out) {
        std::uint32_t count = 0;
        std::uint32_t rank_of_omitted = 0;
        in_table_.resize(moves_.size());
        for (std::uint32_t i = 0; i < moves_.size(); ++i) {
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
            const Leaf leaf = shared.evaluate_without_key(generated.position, generated.question.bound);
            child.set_leaf(leaf);
            // Without branches: a processor could not predict which moves fail.
            const std::uint32_t unproved = leaf.numbers.proof != 0;
            rank_of_omitted = std::max(rank_of_omitted, leaf.rank & (unproved - 1));
            count += unproved;
        }
        rank_of_omitted_ = rank_of_omitted;
        return count;
    }

    /// Whether a child that evaluate() has written is in the table, by its place in `out`.
    bool in_table(std::uint32_t child) const noexcept { return in_table_[child] != 0; }

    /// The largest rank of the children that evaluate() has omitted.
    std::uint32_t rank_of_omitted() const noexcept { return rank_of_omitted_; }

  private:
    struct Generated {
        Position position;
        DfPnQuestion<KeyWords> question;
    };

    typename G::Moves moves_;
    std::vector<Generated> generated_;
    std::vector<std::uint8_t> in_table_;
    std::uint32_t rank_of_omitted_ = 0;
};

}  // namespace proofbase
