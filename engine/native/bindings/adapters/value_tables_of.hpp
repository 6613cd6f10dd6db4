// The tables of a game in the forms that a record table of the game is attached to.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "bindings/interfaces/any_tables.hpp"
#include "concepts.hpp"
#include "records/value_tables.hpp"
#include "virtual_game/records.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// Tables that a record table can be attached to.
class AttachableTables : public AnyTables {
  public:
    virtual std::string game_name() const = 0;
    virtual std::shared_ptr<const ValueTables<VirtualGame>> virtual_tables() const = 0;
};

template <Game G>
class ValueTablesOf : public AttachableTables {
  public:
    virtual const G& game() const = 0;
    virtual std::shared_ptr<const ValueTables<G>> tables() const = 0;

    std::string game_name() const override { return game().name(); }
    std::shared_ptr<const ValueTables<VirtualGame>> virtual_tables() const override {
        const auto source = [tables = tables()]() noexcept -> const ValueTables<G>* { return tables.get(); };
        return std::make_shared<const VirtualTablesOf<G, decltype(source)>>(source);
    }
};

/// The tables for records of the type `G`. Throws nb::value_error if they are of another game.
template <Game G>
std::shared_ptr<const ValueTables<G>> value_tables_for(const G& game, const std::shared_ptr<AnyTables>& given) {
    const auto tables = std::dynamic_pointer_cast<AttachableTables>(given);
    if (tables && tables->game_name() == game.name()) {
        if constexpr (std::is_same_v<G, VirtualGame>) return tables->virtual_tables();
        if (const auto own = std::dynamic_pointer_cast<ValueTablesOf<G>>(tables)) return own->tables();
    }
    throw nb::value_error("the tables are of another game");
}

}  // namespace proofbase
