// The rules of a game behind the interface for Python: of any native game (native_game.hpp), and of a user's game.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/conversion/positions.hpp"
#include "bindings/interfaces/any_game.hpp"
#include "concepts.hpp"
#include "records/check/local_check.hpp"
#include "records/evidence/line/line_check.hpp"
#include "records/evidence/small_search/small_search.hpp"

namespace proofbase {

template <Notated G>
class GameAdapter : public AnyGame {
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
    bool line_reaches(nb::handle position, std::int64_t lower, const std::vector<std::uint32_t>& line) const override {
        const auto p = load(position);
        return !game_.terminal(p) && LineCheck<G>(game_).reaches(p, lower, line);
    }

  protected:
    typename G::Position load(nb::handle position) const { return to_position(game_, position); }

  private:
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
