// The tables of a game and the work on them, for Python. They are compiled in a file of their own, once for all games
// with the same TableGame (native/compiled/): tables_adapter.hpp has the definitions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "bindings/interfaces/any_tables.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_set.hpp"

namespace proofbase {

/// `cache`: takes the blocks; null if what was read is to stay in memory.
template <HasTables G>
std::shared_ptr<AnyTables> tables_of(const G& game, const std::filesystem::path& directory, Damage damage,
                                     const std::shared_ptr<BlockCache>& cache);

template <HasTables G>
std::unique_ptr<AnyTableWork> table_work_of(const G& game, const std::filesystem::path& directory, std::uint32_t size,
                                            unsigned threads, bool plies);

}  // namespace proofbase
