// Tables of values of a game in the two forms that can be attached to its records: for positions of the game's own
// type, and for those of the game behind virtual functions.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "records/value_tables.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// The tables of the game's own type of positions, behind virtual functions.
template <class OwnPosition>
class VirtualTablesOf final : public ValueTables<VirtualGame> {
    using Position = VirtualGame::Position;

  public:
    explicit VirtualTablesOf(std::shared_ptr<const PositionTables<OwnPosition>> tables) : tables_(std::move(tables)) {}

    std::optional<TableValue> entry(const Position& p) const override { return tables_->entry(own(p)); }
    bool knows_plies() const noexcept override { return tables_->knows_plies(); }
    std::uint32_t plies_to_end(const Position& p) const override { return tables_->plies_to_end(own(p)); }
    std::string name(const Position& p) const override { return tables_->name(own(p)); }
    std::string damage(const Position& p) const override { return tables_->damage(own(p)); }

  private:
    static const OwnPosition& own(const Position& p) noexcept {
        return *std::launder(static_cast<const OwnPosition*>(p.memory()));
    }

    std::shared_ptr<const PositionTables<OwnPosition>> tables_;
};

/// Tables whose game is known by name only.
class AttachableTables {
  public:
    virtual ~AttachableTables() = default;
    virtual std::string game_name() const = 0;
    virtual std::shared_ptr<const ValueTables<VirtualGame>> virtual_tables() const = 0;
};

/// Tables of a game with positions of that type.
template <class OwnPosition>
class AttachableTablesOf : public AttachableTables {
  public:
    virtual std::shared_ptr<const PositionTables<OwnPosition>> tables() const = 0;

    std::shared_ptr<const ValueTables<VirtualGame>> virtual_tables() const override {
        return std::make_shared<const VirtualTablesOf<OwnPosition>>(tables());
    }
};

}  // namespace proofbase
