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

template <IndexedByPlies G>
class InnerTablesOf final : public InnerTables {
  public:
    InnerTablesOf(const G& game, const std::filesystem::path& directory, Damage damage,
                  const std::shared_ptr<BlockCache>& cache)
        : tables_(game, directory, game.classes(0xffff), damage, TableColumn::values, cache) {}

    std::optional<TableValue> entry(const void* p) const override { return tables_.entry(RulesOf<G>::own(p)); }
    std::string name(const void* p) const override { return tables_.name(RulesOf<G>::own(p)); }
    std::string damage(const void* p) const override { return tables_.damage(RulesOf<G>::own(p)); }
    std::vector<DamageReport> damaged() const override { return tables_.damaged(); }
    bool changed() const override { return tables_.changed(); }

  private:
    TableSet<G> tables_;
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

/// What a game's file does while the module is loaded, for games with tables of plies.
template <class G>
void offer_inner_tables() {
    if constexpr (FitsInsideWithin<G> && IndexedByPlies<G>) {
        add_inner_tables(G::family,
                         [](std::string_view parameters, const std::filesystem::path& directory, Damage damage,
                            const std::shared_ptr<BlockCache>& cache) -> std::shared_ptr<const InnerTables> {
                             return std::make_shared<InnerTablesOf<G>>(G::from_parameters(parameters), directory,
                                                                       damage, cache);
                         });
    }
}

}  // namespace proofbase
