// A search for strategies (docs/strategies.md), as solutions that are taken out ask for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "records/claims/strategies.hpp"

namespace proofbase {

/// What a search for a strategy has come to.
struct FoundStrategy {
    Strategy strategy;        ///< with the replies named that the diagram does not answer
    std::size_t replies = 0;  ///< legal ones of the other side
    bool answers_all() const noexcept { return strategy.named.empty(); }
    bool answers_some() const noexcept { return strategy.named.size() < replies; }
};

/// Looks for strategies of one game. One thread at a time. A position is memory that holds one of the game's own type.
/// What is found depends on the calls before: diagrams that were found are tried again first.
class AnyStrategyFinder {
  public:
    virtual ~AnyStrategyFinder() = default;

    /// A diagram by which the side that is not to move gets at least `bound`, at least 0, from a position that is not
    /// over. `attempts`: its patience; the time grows with it.
    virtual FoundStrategy find(const void* position, int bound, int attempts) = 0;

    /// The strategy that answers all replies of a position, for another orientation of that position; nothing if none
    /// is found there. Among equal marks a diagram prefers squares with small numbers, so its image need not do.
    virtual std::optional<Strategy> turned(const Strategy& strategy, const void* position, const void* other,
                                           int bound) = 0;

    /// Whether the value of a position, for the side to move, is at least `bound`: by search, so it is no proof.
    /// Nothing if a search of so many nodes leaves it open.
    virtual std::optional<bool> at_least(const void* position, int bound, std::uint64_t nodes) = 0;

    /// The empty squares of a position: no game takes more plies.
    virtual std::uint32_t empty_squares(const void* position) const = 0;
};

template <class Word>
class ConnectFourOn;
/// For boards of up to 64 bits (strategies/connect_four_finder.cpp).
std::unique_ptr<AnyStrategyFinder> make_strategy_finder(const ConnectFourOn<std::uint64_t>& game);

}  // namespace proofbase
