// Tables of plies as tables of `within:N:GAME`. They are exact there, too: a game that the table says to end in more
// plies than are left is worth 0.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/adapters/inner_tables.hpp"
#include "bindings/conversion/positions.hpp"
#include "bindings/interfaces/any_tables.hpp"
#include "games/within.hpp"
#include "virtual_game/attachable_tables.hpp"

namespace proofbase {

class WithinTables final : public ValueTables<Within> {
  public:
    explicit WithinTables(std::shared_ptr<const InnerTables> inner) : inner_(std::move(inner)) {}

    std::optional<TableValue> entry(const Within::Position& p) const override {
        const std::optional<TableValue> found = inner_->entry(p.inner.data());
        if (found && found->plies > static_cast<std::uint32_t>(p.plies)) return TableValue{0, 0};
        return found;
    }
    bool knows_plies() const noexcept override { return true; }
    std::uint32_t plies_to_end(const Within::Position& p) const override {
        const std::optional<TableValue> found = entry(p);
        return found ? found->plies : 0;
    }
    std::string name(const Within::Position& p) const override { return inner_->name(p.inner.data()); }
    std::string damage(const Within::Position& p) const override { return inner_->damage(p.inner.data()); }

  private:
    std::shared_ptr<const InnerTables> inner_;
};

/// These tables have no files of their own: what asks about files is asked of the inner game.
class WithinTablesAdapter final : public AnyTables, public AttachableTablesOf<Within::Position> {
  public:
    WithinTablesAdapter(const Within& game, const std::string& directory, Damage damage,
                        const std::shared_ptr<BlockCache>& cache)
        : game_(game),
          directory_(directory),
          inner_(open_inner_tables(game.inner_name(), directory, damage, cache)),
          tables_(std::make_shared<WithinTables>(inner_)) {}

    std::string game_name() const override { return game_.name(); }
    std::shared_ptr<const ValueTables<Within>> tables() const override { return tables_; }
    std::string directory() const override { return directory_; }
    std::vector<TableEntry> entries() const override { return {}; }

    std::optional<std::string> name(nb::handle position) const override {
        std::string found = tables_->name(load(position));
        return found.empty() ? std::nullopt : std::optional(std::move(found));
    }
    std::optional<int> value(nb::handle position) const override { return tables_->value(load(position)); }
    std::optional<int> plies(nb::handle position) const override {
        const std::optional<TableValue> found = tables_->entry(load(position));
        return found ? std::optional(static_cast<int>(found->plies)) : std::nullopt;
    }
    std::optional<int> own_plies(nb::handle position) const override { return plies(position); }
    bool hold_values_alone() const override { return false; }

    nb::tuple values(nb::bytes given) const override {
        const std::string_view bytes = view(given);
        const std::size_t size = game_.key_size();
        if (bytes.size() % size != 0) {
            throw InvalidKey(std::to_string(bytes.size()) + " bytes are not a whole number of keys of " +
                             std::to_string(size) + " bytes");
        }
        const std::size_t count = bytes.size() / size;
        std::string known(count, '\0');
        std::string values(4 * count, '\0');
        {
            const nb::gil_scoped_release without_gil;
            for (std::size_t i = 0; i < count; ++i) {
                const auto key = read_key(bytes.substr(i * size, size), size, std::type_identity<Within::Key>{});
                const auto p = key ? game_.position(*key) : std::nullopt;
                const std::optional<TableValue> found = p ? tables_->entry(*p) : std::nullopt;
                if (!found) continue;
                const std::int32_t value = found->value;
                known[i] = 1;
                std::memcpy(&values[4 * i], &value, 4);
            }
        }
        return nb::make_tuple(nb::bytes(known.data(), known.size()), nb::bytes(values.data(), values.size()));
    }

    std::map<int, std::uint64_t> histogram(std::uint32_t c) const override { refuse(c); }
    std::vector<PliesCount> plies_histogram(std::uint32_t c) const override { refuse(c); }
    std::vector<std::uint64_t> won_in(std::uint32_t c, std::uint32_t, bool, bool, std::uint64_t,
                                      std::uint64_t) const override {
        refuse(c);
    }
    nb::object position(std::uint32_t c, std::uint64_t) const override { refuse(c); }
    std::vector<std::uint64_t> predecessors(std::uint32_t c, std::uint64_t) const override { refuse(c); }

    std::vector<std::pair<std::string, std::string>> damaged() const override {
        std::vector<std::pair<std::string, std::string>> out;
        for (auto& report : inner_->damaged()) out.emplace_back(std::move(report.table), std::move(report.message));
        return out;
    }
    bool changed() const override { return inner_->changed(); }

  private:
    Within::Position load(nb::handle position) const { return to_position(game_, position); }

    [[noreturn]] static void refuse(std::uint32_t c) {
        throw std::invalid_argument("there is no table of class " + std::to_string(c));
    }

    Within game_;
    std::string directory_;
    std::shared_ptr<const InnerTables> inner_;
    std::shared_ptr<const WithinTables> tables_;
};

}  // namespace proofbase
