// The record table of a native game behind virtual functions: what reads or writes records is compiled once for all
// games, and the keys in memory are those of the game's own type. Searches of that type use its record table itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "records/evidence/small_search/repeated_small_search.hpp"
#include "records/evidence/small_search/small_search.hpp"
#include "records/evidence/small_search/small_search_by_sets.hpp"
#include "records/evidence/threats/threat_check.hpp"
#include "records/fair_shared_mutex.hpp"
#include "records/known_records.hpp"
#include "records/record_table.hpp"
#include "records/value_tables.hpp"
#include "virtual_game/attachable_tables.hpp"
#include "virtual_game/rules_of.hpp"
#include "virtual_game/small_search_within_plies.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// A list of keys. The functions are those of KeyList.
class VirtualKeys {
  public:
    virtual ~VirtualKeys() = default;
    virtual std::size_t size() const noexcept = 0;
    virtual VirtualKey at(std::size_t i) const = 0;
    virtual void push_back(const VirtualKey& key) = 0;
    virtual bool sort(const std::atomic<bool>* stopped) = 0;
    virtual void sort_unique() = 0;
};

/// The same as a value.
class VirtualKeyList {
  public:
    explicit VirtualKeyList(std::unique_ptr<VirtualKeys> keys) : keys_(std::move(keys)) {}

    std::size_t size() const noexcept { return keys_->size(); }
    VirtualKey operator[](std::size_t i) const { return keys_->at(i); }
    void push_back(const VirtualKey& key) { keys_->push_back(key); }
    bool sort(const std::atomic<bool>* stopped = nullptr) { return keys_->sort(stopped); }
    void sort_unique() { keys_->sort_unique(); }

  private:
    std::unique_ptr<VirtualKeys> keys_;
};

/// A record table. The functions are those of RecordTable.
class VirtualRecords {
  public:
    using Keys = VirtualKeyList;

    explicit VirtualRecords(VirtualGame game) : game_(std::move(game)) {}
    virtual ~VirtualRecords() = default;

    const VirtualGame& game() const noexcept { return game_; }
    virtual std::unique_ptr<VirtualRecords> empty_table() const = 0;
    virtual FairSharedMutex& mutex() const noexcept = 0;
    virtual std::size_t size() const noexcept = 0;
    virtual std::size_t bytes() const noexcept = 0;
    virtual const ValueTables<VirtualGame>* tables() const noexcept = 0;
    /// False if the tables are of another game.
    virtual bool attach(const AttachableTables& tables) = 0;

    virtual std::uint64_t hash(const VirtualKey& key) const noexcept = 0;
    virtual void prefetch(std::uint64_t hash) const noexcept = 0;
    virtual void prefetch_contains(std::uint64_t hash) const noexcept = 0;
    virtual bool contains(const VirtualKey& key, std::uint64_t hash) const = 0;
    virtual Known known(const VirtualKey& key, std::uint64_t hash) const = 0;
    Known known(const VirtualKey& key) const { return known(key, hash(key)); }
    virtual std::optional<std::uint32_t> smallest_rank(const VirtualKey& key, std::uint64_t hash, Side side,
                                                       std::int32_t bound) const = 0;
    virtual void claims(const VirtualKey& key, std::uint64_t hash, Claims& out) const = 0;

    bool add(const VirtualKey& key, const Claim& claim) { return merge(key, hash(key), Claims{claim}); }
    virtual bool merge(const VirtualKey& key, std::uint64_t hash, const Claims& claims) = 0;
    virtual bool remove(const VirtualKey& key) = 0;

    virtual std::size_t slots() const noexcept = 0;
    virtual bool occupied(std::size_t slot) const noexcept = 0;
    virtual VirtualKey key_at(std::size_t slot) const = 0;
    virtual void claims_at(std::size_t slot, Claims& out) const = 0;
    virtual std::size_t slot_of(const VirtualKey& key, std::uint64_t hash) const = 0;

    virtual Keys empty_list() const = 0;
    virtual Keys keys() const = 0;

    /// Small searches by the game's own type, and such as remember parts of them (repeated_small_search.hpp); null
    /// where those of VirtualGame do.
    virtual std::unique_ptr<AnySmallSearch<VirtualGame::Position>> small_search() const = 0;
    virtual std::unique_ptr<AnySmallSearch<VirtualGame::Position>> repeated_small_search() const = 0;

    /// The check of trees of threats; null if the game has none.
    virtual std::unique_ptr<AnyThreatCheck<VirtualGame::Position>> threat_check(bool zones) const = 0;

  private:
    VirtualGame game_;
};

/// `Search`: SmallSearch<G>, SmallSearchBySets<G> or RepeatedSmallSearch<G>.
template <Game G, class Search>
class VirtualSmallSearch final : public AnySmallSearch<VirtualGame::Position> {
  public:
    explicit VirtualSmallSearch(const G& game) : game_(game), search_(game_) {}

    SmallSearchOutcome hold(const VirtualGame::Position& p, std::int64_t upper, std::uint32_t depth,
                            std::uint32_t limit, bool to_limits) override {
        return search_.hold(RulesOf<G>::own(p.memory()), upper, depth, limit, to_limits);
    }

  private:
    G game_;
    Search search_;
};

template <WinsByThreats G>
class VirtualThreatCheck final : public AnyThreatCheck<VirtualGame::Position> {
  public:
    VirtualThreatCheck(const G& game, bool zones) : check_(game, zones) {}

    std::optional<ThreatFault> fault(const VirtualGame::Position& p, const Claim& claim) override {
        return check_.fault(RulesOf<G>::own(p.memory()), claim);
    }

  private:
    ThreatCheck<G> check_;
};

/// The record table of the game's own type `G`, or of VirtualGame where the game has none of its own type.
template <Game G>
class VirtualRecordsOf final : public VirtualRecords {
    using OwnKey = typename G::Key;

    class KeysOf final : public VirtualKeys {
      public:
        KeysOf(KeyList<OwnKey> keys, std::size_t key_size) : keys_(std::move(keys)), key_size_(key_size) {}

        std::size_t size() const noexcept override { return keys_.size(); }
        VirtualKey at(std::size_t i) const override { return written(keys_[i], key_size_); }
        void push_back(const VirtualKey& key) override { keys_.push_back(own(key)); }
        bool sort(const std::atomic<bool>* stopped) override { return keys_.sort(stopped); }
        void sort_unique() override { keys_.sort_unique(); }

      private:
        KeyList<OwnKey> keys_;
        std::size_t key_size_;
    };

  public:
    VirtualRecordsOf(const VirtualGame& game, const G& own_game) : VirtualRecords(game), table_(own_game) {}

    RecordTable<G>& table() noexcept { return table_; }

    std::unique_ptr<VirtualRecords> empty_table() const override {
        return std::make_unique<VirtualRecordsOf>(game(), table_.game());
    }
    FairSharedMutex& mutex() const noexcept override { return table_.mutex(); }
    std::size_t size() const noexcept override { return table_.size(); }
    std::size_t bytes() const noexcept override { return table_.bytes(); }
    const ValueTables<VirtualGame>* tables() const noexcept override { return tables_.get(); }
    bool attach(const AttachableTables& given) override {
        if constexpr (std::is_same_v<G, VirtualGame>) {
            if (given.game_name() != game().name()) return false;
            tables_ = given.virtual_tables();
            table_.attach(tables_);
        } else {
            const auto* own_tables = dynamic_cast<const AttachableTablesOf<typename G::Position>*>(&given);
            if (own_tables == nullptr || given.game_name() != game().name()) return false;
            tables_ = given.virtual_tables();
            table_.attach(own_tables->tables());
        }
        return true;
    }

    std::uint64_t hash(const VirtualKey& key) const noexcept override { return table_.hash(own(key)); }
    void prefetch(std::uint64_t hash) const noexcept override { table_.prefetch(hash); }
    void prefetch_contains(std::uint64_t hash) const noexcept override { table_.prefetch_contains(hash); }
    bool contains(const VirtualKey& key, std::uint64_t hash) const override { return table_.contains(own(key), hash); }
    Known known(const VirtualKey& key, std::uint64_t hash) const override { return table_.known(own(key), hash); }
    std::optional<std::uint32_t> smallest_rank(const VirtualKey& key, std::uint64_t hash, Side side,
                                               std::int32_t bound) const override {
        return table_.smallest_rank(own(key), hash, side, bound);
    }
    void claims(const VirtualKey& key, std::uint64_t hash, Claims& out) const override {
        table_.claims(own(key), hash, out);
    }

    bool merge(const VirtualKey& key, std::uint64_t hash, const Claims& claims) override {
        return table_.merge(own(key), hash, claims);
    }
    bool remove(const VirtualKey& key) override { return table_.remove(own(key)); }

    std::size_t slots() const noexcept override { return table_.slots(); }
    bool occupied(std::size_t slot) const noexcept override { return table_.occupied(slot); }
    VirtualKey key_at(std::size_t slot) const override { return written(table_.key_at(slot), game().key_size()); }
    void claims_at(std::size_t slot, Claims& out) const override { table_.claims_at(slot, out); }
    std::size_t slot_of(const VirtualKey& key, std::uint64_t hash) const override {
        return table_.slot_of(own(key), hash);
    }

    Keys empty_list() const override { return list_of({}); }
    Keys keys() const override { return list_of(table_.keys()); }

    std::unique_ptr<AnySmallSearch<VirtualGame::Position>> small_search() const override {
        if constexpr (SetsOfSquares<G>) {
            return own_search<SmallSearchBySets<G>>();
        } else {
            return own_search<SmallSearch<G>>();
        }
    }
    std::unique_ptr<AnySmallSearch<VirtualGame::Position>> repeated_small_search() const override {
        return own_search<RepeatedSmallSearch<G>>();
    }
    std::unique_ptr<AnyThreatCheck<VirtualGame::Position>> threat_check([[maybe_unused]] bool zones) const override {
        if constexpr (WinsByThreats<G>) return std::make_unique<VirtualThreatCheck<G>>(table_.game(), zones);
        return nullptr;
    }

  private:
    template <class Search>
    std::unique_ptr<AnySmallSearch<VirtualGame::Position>> own_search() const {
        if constexpr (std::is_same_v<G, VirtualGame>) {
            return small_search_within_plies(game());
        } else {
            return std::make_unique<VirtualSmallSearch<G, Search>>(table_.game());
        }
    }

    Keys list_of(KeyList<OwnKey> keys) const {
        return Keys(std::make_unique<KeysOf>(std::move(keys), game().key_size()));
    }

    static decltype(auto) own(const VirtualKey& key) noexcept {
        if constexpr (std::is_same_v<OwnKey, VirtualKey>) {
            return (key);
        } else {
            OwnKey out{};
            from_virtual_key(key, out);
            return out;
        }
    }
    static VirtualKey written(const OwnKey& key, std::size_t size) noexcept {
        VirtualKey out;
        to_virtual_key(key, size, out);
        return out;
    }

    RecordTable<G> table_;
    std::shared_ptr<const ValueTables<VirtualGame>> tables_;
};

/// Records for searches that ask for every position.
template <class G>
std::unique_ptr<VirtualRecords> records_with_filter(const VirtualGame& game, const G& own_game) {
    auto records = std::make_unique<VirtualRecordsOf<G>>(game, own_game);
    records->table().filter();
    return records;
}

}  // namespace proofbase
