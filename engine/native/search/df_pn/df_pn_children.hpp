// The children of a node before the table is asked: their keys, and what a first look at them says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "search/df_pn/df_pn_shared.hpp"
#include "search/df_pn/df_pn_stack.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/policy/initialisation.hpp"

namespace proofbase {

template <Game G>
class DfPnListing {
  public:
    using Shared = DfPnShared<G>;
    using Position = typename G::Position;
    using Words = typename Shared::Words;
    using Child = DfPnChild<Words>;

    /// Lists the children of a node and asks the table for their lines, and that first of all: it answers after the
    /// time of a thousand instructions. Returns their number.
    std::uint32_t list(Shared& shared, const Position& position, int bound) {
        const G& game = shared.game;
        shared.order(game, position, moves_);
        const auto count = static_cast<std::uint32_t>(moves_.size());
        if (items_.size() < count) items_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Item& item = items_[i];
            item.position = game.play(position, moves_[i]);
            item.bound = game.reward(position, moves_[i]) - bound + 1;
            item.key = shared.keys.words(game.key(item.position));
            item.hash = hash_node(item.key, item.bound);
            shared.table.prefetch(item.hash);
        }
        return count;
    }

    /// Writes those children to `children` that a first look does not show to lose, and returns their number. There is
    /// room for as many as list() said.
    std::uint32_t value(const Shared& shared, Child* children) {
        std::uint32_t count = 0;
        std::uint32_t lost = 0;
        for (std::uint32_t i = 0; i < moves_.size(); ++i) {
            const Item& item = items_[i];
            const Leaf leaf = shared.look(item.position, item.bound);
            Child& child = children[count];
            child.key = item.key;
            child.hash = item.hash;
            child.numbers.proof = leaf.numbers.proof;
            child.numbers.disproof = leaf.numbers.disproof;
            child.rank = leaf.numbers.disproof == 0 ? leaf.rank : 0;
            child.move = moves_[i];
            child.bound = item.bound;
            // Without branches: which moves lose is not to be foreseen.
            const std::uint32_t stays = leaf.numbers.proof != 0;
            lost = std::max(lost, leaf.rank & (stays - 1));
            count += stays;
        }
        lost_ = lost;
        return count;
    }

    /// The largest rank of the moves that value() has left out.
    std::uint32_t lost() const noexcept { return lost_; }

  private:
    struct Item {
        Position position;
        Words key;
        std::uint64_t hash;
        int bound;
    };

    typename G::Moves moves_;
    std::vector<Item> items_;
    std::uint32_t lost_ = 0;
};

}  // namespace proofbase
