#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "table_concepts.hpp"

namespace proofbase {

/// Games with tables whose classes are listed before the work on them (listed_game.hpp). Moves may lead to finished
/// positions that are in no table.
///
/// Requirements
///   list_class(c, task)      lists the moves of a class, before all else is asked of its positions.
///   table_name(c)            of the table of a class.
///   table_fingerprint(c)     of the rules and the numbering of a class.
template <class G>
concept ListsMoves = HasTables<G> && requires(const G& game, std::uint32_t c) {
    { game.table_name(c) } -> std::same_as<std::string>;
    { game.table_fingerprint(c) } -> std::same_as<std::uint64_t>;
};

}  // namespace proofbase
