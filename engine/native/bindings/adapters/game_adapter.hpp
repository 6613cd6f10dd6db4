// A game behind the interface for Python.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/adapters/many_positions.hpp"
#include "bindings/adapters/open_moves.hpp"
#include "bindings/adapters/record_table_adapter.hpp"
#include "bindings/adapters/search_adapter.hpp"
#include "bindings/adapters/tables_adapter.hpp"
#include "bindings/adapters/winning_lines.hpp"
#include "bindings/adapters/winning_threats.hpp"
#include "bindings/adapters/within_tables.hpp"
#include "bindings/conversion/positions.hpp"
#include "bindings/interfaces/any_game.hpp"
#include "concepts.hpp"
#include "records/local_check.hpp"
#include "records/small_search.hpp"
#include "table_concepts.hpp"

namespace proofbase {

template <Notated G>
class GameAdapter final : public AnyGame {
  public:
    explicit GameAdapter(G game) : game_(std::move(game)) {}

    const G& game() const noexcept { return game_; }

    std::string name() const override { return game_.name(); }
    int rules_version() const override { return game_.rules_version(); }
    int highest_value() const override { return game_.highest_value(); }
    bool acyclic() const override { return game_.acyclic(); }
    std::size_t key_size() const override { return game_.key_size(); }

    nb::object initial() const override { return from_position(game_, game_.initial()); }
    std::optional<int> terminal(nb::handle position) const override { return game_.terminal(load(position)); }

    nb::list moves(nb::handle position) const override {
        nb::list out;
        const auto p = load(position);
        if (game_.terminal(p)) return out;
        typename G::Moves moves;
        game_.moves(p, moves);
        for (const auto move : moves) out.append(static_cast<std::uint32_t>(move));
        return out;
    }

    nb::object play(nb::handle position, std::int64_t move) const override {
        const auto p = load(position);
        return from_position(game_, game_.play(p, legal(p, move)));
    }

    int reward(nb::handle position, std::int64_t move) const override {
        const auto p = load(position);
        return game_.reward(p, legal(p, move));
    }

    std::optional<int> repetition(nb::handle position) const override {
        return repetition_value(game_, load(position));
    }
    int limit(nb::handle position) const override { return value_limit(game_, load(position)); }
    int score(nb::handle position) const override {
        if constexpr (Scored<G>) return game_.score(load(position));
        return 0;
    }
    int side(nb::handle position) const override { return game_.side(load(position)); }
    nb::bytes key(nb::handle position) const override { return to_bytes(game_, game_.key(load(position))); }

    nb::object position(nb::bytes bytes) const override {
        const auto key = to_key(game_, view(bytes));
        const auto position = game_.position(key);
        if (!position) throw InvalidKey(hex(view(bytes)) + " is no key of a legal position of " + game_.name());
        if (game_.key(*position) != key) {
            std::string canonical;
            write_key(game_.key(*position), game_.key_size(), canonical);
            throw InvalidKey(hex(view(bytes)) + " is not canonical: the key of this position is " + hex(canonical));
        }
        return from_position(game_, *position);
    }

    nb::object parse(std::string_view text) const override { return from_position(game_, game_.parse(text)); }
    std::string text(nb::handle position) const override { return game_.text(load(position)); }
    std::string draw(nb::handle position) const override { return game_.draw(load(position)); }

    std::int64_t parse_move(nb::handle position, std::string_view text) const override {
        return game_.parse_move(load(position), text);
    }

    std::string move_text(nb::handle position, std::int64_t move) const override {
        const auto p = load(position);
        return game_.move_text(p, legal(p, move));
    }

    std::optional<std::uint32_t> small_search_visits(nb::handle position, std::int64_t bound, std::uint32_t depth,
                                                     std::uint32_t nodes) const override {
        return holds_within(game_, load(position), bound, depth, nodes);
    }

    nb::tuple open_moves(nb::handle position, std::int64_t bound) const override {
        return proofbase::open_moves(game_, load(position), bound);
    }

    nb::tuple static_bounds(nb::handle position) const override {
        return proofbase::static_bounds(game_, load(position));
    }

    nb::tuple winning_lines(nb::handle positions, std::string_view finder, std::size_t most_nodes) const override {
        return proofbase::winning_lines(game_, positions, finder, most_nodes);
    }

    nb::tuple winning_threats(nb::handle positions, std::string_view finder, std::uint64_t most_nodes,
                              bool opponent) const override {
        return proofbase::winning_threats(game_, positions, finder, most_nodes, opponent);
    }

    std::shared_ptr<AnyRecordTable> new_table() const override {
        return std::make_shared<RecordTableAdapter<G>>(game_);
    }

    RecommendedAlgorithm choose_algorithm(bool nodes_used_up, bool memory_used_up) const override {
        if (memory_used_up) return algorithm_when_memory_is_full(game_);
        return nodes_used_up ? algorithm_after_first_nodes(game_) : automatic_algorithm(game_);
    }

    std::shared_ptr<AnyTables> open_tables(const std::string& directory, bool tolerant,
                                           std::shared_ptr<BlockCache> cache) const override {
        [[maybe_unused]] const Damage damage = tolerant ? Damage::leave_out : Damage::refuse;
        if constexpr (HasTables<G>) {
            return std::make_shared<TablesAdapter<G>>(game_, directory, damage, cache);
        } else if constexpr (std::is_same_v<G, Within>) {
            return std::make_shared<WithinTablesAdapter>(game_, directory, damage, cache);
        } else {
            throw NoTables(game_.name() + " has no tables");
        }
    }

    std::unique_ptr<AnyTableWork> new_table_work(const std::string& directory, std::uint32_t size, unsigned threads,
                                                 bool plies) const override {
        if constexpr (HasTables<G>) {
            return std::make_unique<TableWorkAdapter<G>>(game_, directory, size, threads, plies);
        } else {
            throw NoTables(game_.name() + " has no tables");
        }
    }

    std::unique_ptr<AnyGameSearch> new_search(nb::handle position, int at_least, std::string_view algorithm,
                                              std::shared_ptr<AnyRecordTable> known) const override {
        auto records = std::dynamic_pointer_cast<RecordTableAdapter<G>>(known);
        if (known && (!records || records->table().game().name() != game_.name())) {
            throw nb::value_error("the known records are of another game");
        }
        return std::make_unique<SearchAdapter<G>>(game_, load(position), at_least, algorithm, std::move(records));
    }

    nb::tuple solve_positions(nb::handle positions, nb::handle read, const PositionsRequest& request) const override {
        return solved_columns(game_, positions, read, request);
    }

    std::vector<AlgorithmChoices> algorithms() const override { return list_algorithms(features_of(game_)); }
    std::string full_algorithm_name(std::string_view name) const override { return find_algorithm(game_, name).text(); }

  private:
    typename G::Position load(nb::handle position) const { return to_position(game_, position); }

    typename G::Move legal(const typename G::Position& position, std::int64_t move) const {
        if (!game_.terminal(position)) {
            typename G::Moves moves;
            game_.moves(position, moves);
            for (const auto candidate : moves) {
                if (static_cast<std::int64_t>(candidate) == move) return candidate;
            }
        }
        throw InvalidMove("move " + std::to_string(move) + " is not legal in " + game_.text(position));
    }

    G game_;
};

}  // namespace proofbase
