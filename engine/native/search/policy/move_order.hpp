// The order in which a search lists moves. Averages in papers are taken over random orders (Schijf 1993,
// Tables 4.1-4.3: 100 of them, with the moves of every node shuffled), so every algorithm has the policy `order-N` with
// a seed N. The moves of a position have the same order on every path to it.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"

namespace proofbase {

/// Shuffles different moves by a seed, whatever their order was.
void shuffle_moves(std::uint64_t seed, std::vector<std::uint32_t>& moves);

/// Lists the moves of positions: as the rules give them (seed 0), or shuffled by the seed and the position.
class MoveOrder {
  public:
    explicit MoveOrder(std::uint64_t seed = 0) noexcept : seed_(seed) {}

    /// As Game::moves.
    template <Game G>
    void operator()(const G& game, const typename G::Position& position, typename G::Moves& out) const {
        game.moves(position, out);
        if (seed_ == 0) return;
        if constexpr (requires { game.oriented_hash(position); }) {
            shuffle(mix(seed_) ^ game.oriented_hash(position), out);
        } else if constexpr (Symmetric<G>) {
            shuffle(mix(seed_) ^ hash_key(game.oriented_key(position)), out);
        } else {
            shuffle(mix(seed_) ^ hash_key(game.key(position)), out);
        }
    }

    /// By which moves of equal score are arranged: a number for the hash of the position after the move; 0 for seed 0.
    [[gnu::always_inline]] std::uint32_t lot(std::uint64_t hash) const noexcept {
        return seed_ == 0 ? 0 : static_cast<std::uint32_t>(mix(mix(seed_) ^ hash) >> 32);
    }

  private:
    template <class Moves>
    [[gnu::noinline]] static void shuffle(std::uint64_t seed, Moves& moves) {
        std::vector<std::uint32_t> numbers;
        for (std::size_t i = 0; i < moves.size(); ++i) numbers.push_back(moves[i]);
        shuffle_moves(seed, numbers);
        moves.clear();
        using Move = std::remove_cvref_t<decltype(moves[0])>;
        for (const std::uint32_t move : numbers) moves.push_back(static_cast<Move>(move));
    }

    std::uint64_t seed_;
};

}  // namespace proofbase
