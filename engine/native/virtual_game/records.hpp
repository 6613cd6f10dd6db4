// Stored records and tables of values of a game, for searches that know the game behind virtual functions only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "records/fair_shared_mutex.hpp"
#include "records/known_records.hpp"
#include "records/record_table.hpp"
#include "records/value_tables.hpp"
#include "virtual_game/rules_of.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// What searches ask of a record table. The functions are those of RecordTable.
class VirtualRecords {
  public:
    virtual ~VirtualRecords() = default;

    virtual FairSharedMutex& mutex() const noexcept = 0;
    virtual std::size_t size() const noexcept = 0;
    virtual const ValueTables<VirtualGame>* tables() const noexcept = 0;
    virtual std::uint64_t hash(const VirtualKey& key) const noexcept = 0;
    virtual void prefetch(std::uint64_t hash) const noexcept = 0;
    virtual Known known(const VirtualKey& key, std::uint64_t hash) const = 0;
    Known known(const VirtualKey& key) const { return known(key, hash(key)); }
    virtual std::optional<std::uint32_t> smallest_rank(const VirtualKey& key, std::uint64_t hash, Side side,
                                                       std::int32_t bound) const = 0;
};

/// The tables of the game's own type `G`: those that `source()` gives, which is called where they are asked.
template <Game G, class Source>
class VirtualTablesOf final : public ValueTables<VirtualGame> {
    using Position = VirtualGame::Position;

  public:
    explicit VirtualTablesOf(Source source) : source_(std::move(source)) {}

    std::optional<TableValue> entry(const Position& p) const override { return source_()->entry(own(p)); }
    bool knows_plies() const noexcept override { return source_()->knows_plies(); }
    std::uint32_t plies_to_end(const Position& p) const override { return source_()->plies_to_end(own(p)); }
    std::string name(const Position& p) const override { return source_()->name(own(p)); }
    std::string damage(const Position& p) const override { return source_()->damage(own(p)); }

  private:
    static const typename G::Position& own(const Position& p) noexcept {
        if constexpr (std::is_same_v<G, VirtualGame>) {
            return p;
        } else {
            return RulesOf<G>::own(p.memory());
        }
    }

    Source source_;
};

/// The record table of the game's own type `G`, or of VirtualGame where the game has none of its own type.
template <Game G>
class VirtualRecordsOf final : public VirtualRecords {
  public:
    explicit VirtualRecordsOf(const RecordTable<G>& table) : table_(table), tables_(TablesOf{&table}) {}

    FairSharedMutex& mutex() const noexcept override { return table_.mutex(); }
    std::size_t size() const noexcept override { return table_.size(); }
    const ValueTables<VirtualGame>* tables() const noexcept override {
        if constexpr (std::is_same_v<G, VirtualGame>) {
            return table_.tables();
        } else {
            return table_.tables() == nullptr ? nullptr : &tables_;
        }
    }
    std::uint64_t hash(const VirtualKey& key) const noexcept override { return table_.hash(own(key)); }
    void prefetch(std::uint64_t hash) const noexcept override { table_.prefetch(hash); }
    Known known(const VirtualKey& key, std::uint64_t hash) const override { return table_.known(own(key), hash); }
    std::optional<std::uint32_t> smallest_rank(const VirtualKey& key, std::uint64_t hash, Side side,
                                               std::int32_t bound) const override {
        return table_.smallest_rank(own(key), hash, side, bound);
    }

  private:
    struct TablesOf {
        const RecordTable<G>* table;
        const ValueTables<G>* operator()() const noexcept { return table->tables(); }
    };

    static typename G::Key own(const VirtualKey& key) noexcept {
        typename G::Key out{};
        from_virtual_key(key, out);
        return out;
    }

    const RecordTable<G>& table_;
    VirtualTablesOf<G, TablesOf> tables_;
};

}  // namespace proofbase
