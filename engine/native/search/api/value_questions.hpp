// Questions about the values of many positions, one after the other, whose searches share a table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "concepts.hpp"

namespace proofbase {

/// Answers by search: what it says is no proof. One thread at a time. A position is memory that holds one of the game's
/// own type.
class ValueQuestions {
  public:
    virtual ~ValueQuestions() = default;

    /// Whether the value of a position is at least `bound`; nothing if a search of so many nodes leaves it open.
    virtual std::optional<bool> at_least(const void* position, int bound, std::uint64_t nodes) = 0;
};

/// Asks by null-window search, with a table of so many bytes. For games without cycles.
template <Game G>
std::unique_ptr<ValueQuestions> ask_values(const G& game, std::uint64_t table_bytes);

}  // namespace proofbase
