// The order in which a search lists moves. Averages in papers are over random move orders (Schijf 1993, Tables 4.1-4.3:
// 100 of them, the moves of every node shuffled), so an order can be chosen by a seed: policy `order-N` of every
// algorithm. The moves of a position have one order, however the search came to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"

namespace proofbase {

/// Lists the moves of positions: as the rules give them (seed 0), or shuffled by the seed and the position.
class MoveOrder {
  public:
    explicit MoveOrder(std::uint64_t seed = 0) noexcept : seed_(seed) {}

    /// As Game::moves.
    template <Game G>
    void operator()(const G& game, const typename G::Position& position, typename G::Moves& out) const {
        game.moves(position, out);
        if (seed_ == 0) return;
        if constexpr (Symmetric<G>) {
            shuffle(mix(seed_) ^ hash_key(game.oriented_key(position)), out);
        } else {
            shuffle(mix(seed_) ^ hash_key(game.key(position)), out);
        }
    }

  private:
    template <class Moves>
    [[gnu::noinline]] static void shuffle(std::uint64_t seed, Moves& moves) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> placed;
        for (std::size_t i = 0; i < moves.size(); ++i) placed.emplace_back(mix(mix(seed) ^ moves[i]), moves[i]);
        std::sort(placed.begin(), placed.end());
        moves.clear();
        using Move = std::remove_cvref_t<decltype(moves[0])>;
        for (const auto& [place, move] : placed) moves.push_back(static_cast<Move>(move));
    }

    std::uint64_t seed_;
};

}  // namespace proofbase
