// A game `within:N:GAME` as the searches that count plies see it: positions of GAME's own type, and the plies left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "concepts.hpp"
#include "games/within.hpp"
#include "virtual_game/key.hpp"
#include "virtual_game/rules_of.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// `I`: the game inside.
template <TellsWinningMoves I>
class InnerGame {
  public:
    using Position = typename I::Position;

    /// Whether this is the game inside.
    static bool is_inside(const VirtualGame& game) noexcept {
        return within(game) != nullptr && inner(game) != nullptr;
    }

    /// Precondition: is_inside(game).
    explicit InnerGame(const VirtualGame& game) : rules_(inner(game)->game()), plies_at_(game.key_size() - 2) {}

    const I& rules() const noexcept { return rules_; }

    static const Position& position(const VirtualGame::Position& p) noexcept {
        return RulesOf<I>::own(RulesOf<Within>::own(p.memory()).inner.data());
    }
    static std::uint32_t plies(const VirtualGame::Position& p) noexcept {
        return static_cast<std::uint32_t>(RulesOf<Within>::own(p.memory()).plies);
    }

    /// The key of a position with so many plies left, from its key in the game inside.
    VirtualKey key(const typename I::Key& own, std::uint32_t plies) const noexcept {
        Within::Key key{};
        VirtualKey inner_key, out;
        to_virtual_key(own, plies_at_, inner_key);
        std::copy_n(inner_key.bytes.data(), plies_at_, key.data());
        key[plies_at_] = static_cast<std::uint8_t>(plies >> 8);
        key[plies_at_ + 1] = static_cast<std::uint8_t>(plies);
        to_virtual_key(key, plies_at_ + 2, out);
        return out;
    }

  private:
    static const Within* within(const VirtualGame& game) noexcept {
        const auto* const rules = dynamic_cast<const RulesOf<Within>*>(&game.rules());
        return rules == nullptr ? nullptr : &rules->game();
    }
    static const RulesOf<I>* inner(const VirtualGame& game) noexcept {
        return dynamic_cast<const RulesOf<I>*>(&within(game)->inner());
    }

    I rules_;
    std::size_t plies_at_;  ///< where the plies stand in a key
};

}  // namespace proofbase
