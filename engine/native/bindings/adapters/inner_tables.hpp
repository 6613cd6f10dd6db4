// Tables of plies of the game inside `within:N:GAME`, behind virtual functions, as that game is
// (virtual_game/rules.hpp).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/within.hpp"
#include "records/value_tables.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_set.hpp"
#include "virtual_game/rules_of.hpp"

namespace proofbase {

/// The tables of plies of a game in a directory. The functions are those of TableSet; positions are memory that holds
/// one of the game's own type.
class InnerTables {
  public:
    virtual ~InnerTables() = default;
    virtual std::optional<TableValue> entry(const void* p) const = 0;
    virtual std::string name(const void* p) const = 0;
    virtual std::string damage(const void* p) const = 0;
    virtual std::vector<DamageReport> damaged() const = 0;
    virtual bool changed() const = 0;
};

/// `cache`: takes the blocks; null if what was read is to stay in memory.
using OpenInnerTables = std::function<std::shared_ptr<const InnerTables>(
    std::string_view parameters, const std::filesystem::path& directory, Damage damage,
    const std::shared_ptr<BlockCache>& cache)>;

/// Makes the tables of a family of games known, while the module is loaded.
void add_inner_tables(std::string_view family, OpenInnerTables open);

/// The tables of an inner game by its name. Throws NoTables if it has no tables of plies, and what TableSet throws.
std::shared_ptr<const InnerTables> open_inner_tables(std::string_view game, const std::filesystem::path& directory,
                                                     Damage damage, const std::shared_ptr<BlockCache>& cache);

/// Defined in tables_adapter.hpp.
template <IndexedByPlies G>
std::shared_ptr<const InnerTables> inner_tables_of(const G& game, const std::filesystem::path& directory, Damage damage,
                                                   const std::shared_ptr<BlockCache>& cache);

/// What a game's file does while the module is loaded, for games with tables of plies.
template <class G>
void offer_inner_tables() {
    if constexpr (FitsInsideWithin<G> && IndexedByPlies<G>) {
        add_inner_tables(G::family,
                         [](std::string_view parameters, const std::filesystem::path& directory, Damage damage,
                            const std::shared_ptr<BlockCache>& cache) -> std::shared_ptr<const InnerTables> {
                             return inner_tables_of<TableGame<G>>(G::from_parameters(parameters), directory, damage,
                                                                  cache);
                         });
    }
}

}  // namespace proofbase
