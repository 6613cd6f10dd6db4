// within:N:GAME, the game of another game's plies: who wins within N of them?
//
// Rules
//   1. A position is a position of the inner game with the number of plies that are left, at most N. Play begins in
//      the inner game's initial position with N plies left.
//   2. Moves, rewards and ends are those of the inner game. Each move takes one of the plies.
//   3. Without plies left the game is over, and worth 0: nobody has won in time.
//
// So there are no cycles, even where the inner game has some. "At least 1" is a win within the plies left, in games of
// win, draw and loss; "at most 0" says that there is none. Together they are distances (docs/fact-model.md).
//
// Encoding: the inner key, then the plies left in 2 bytes, big-endian.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/within/inner_game.hpp"

namespace proofbase {

class Within {
    static constexpr std::size_t plies_bytes = 2;

  public:
    static constexpr std::string_view family = "within";
    static constexpr std::string_view description =
        "another game that ends after N plies, worth 0 if nobody has won by then; within:N:GAME";
    static constexpr std::string_view examples[] = {"within:5:tic-tac-toe", "within:9:connect-four:5x4"};
    static constexpr int most_plies = 9999;

    struct Position {
        within::InnerPosition inner;
        const within::InnerGame* game = nullptr;
        int plies = 0;

        bool operator==(const Position& other) const {
            return game == other.game && plies == other.plies && (game == nullptr || game->equal(inner, other.inner));
        }
    };
    using Move = within::Move;
    using Moves = within::Moves;
    using Key = std::array<std::uint8_t, within::key_capacity + plies_bytes>;

    /// `N:GAME`. Throws UnknownGame.
    static Within from_parameters(std::string_view parameters) {
        const std::size_t colon = parameters.find(':');
        const std::string_view number = parameters.substr(0, colon);
        const std::optional<int> plies = read_plies(number, most_plies);
        if (!plies || *plies == 0 || colon == std::string_view::npos) {
            throw UnknownGame("within: " + quoted(parameters) + " is not N:GAME, with 1 to " +
                              std::to_string(most_plies) + " plies and a game, such as 5:tic-tac-toe");
        }
        std::shared_ptr<const within::InnerGame> inner = within::open_inner_game(parameters.substr(colon + 1));
        if (inner->key_size() > within::key_capacity) {
            throw UnknownGame("within: the keys of " + inner->name() + " are too long for the native rules");
        }
        return Within(*plies, std::move(inner));
    }

    std::string name() const { return std::string(family) + ":" + std::to_string(plies_) + ":" + inner_->name(); }
    std::string inner_name() const { return inner_->name(); }
    int rules_version() const { return inner_->rules_version(); }
    bool acyclic() const noexcept { return true; }
    /// The value differs from that of the inner game by at most that game's highest value; without rewards it is
    /// nearer to 0 (docs/fact-model.md).
    int highest_value() const { return (has_rewards_ ? 2 : 1) * inner_->highest_value(); }

    Position initial() const { return {inner_->initial(), inner_.get(), plies_}; }

    std::optional<int> terminal(const Position& p) const {
        const std::optional<int> value = inner_->terminal(p.inner);
        if (value) return value;
        return p.plies == 0 ? std::optional<int>(0) : std::nullopt;  // rule 3
    }

    void moves(const Position& p, Moves& out) const { inner_->moves(p.inner, out); }
    Position play(const Position& p, Move move) const {
        return {inner_->play(p.inner, move), inner_.get(), p.plies - 1};
    }
    int reward(const Position& p, Move move) const { return has_rewards_ ? inner_->reward(p.inner, move) : 0; }
    int side(const Position& p) const { return inner_->side(p.inner); }
    int score(const Position& p) const { return inner_->score(p.inner); }
    int limit(const Position& p) const { return inner_->limit(p.inner) + (has_rewards_ ? inner_->highest_value() : 0); }

    Key key(const Position& p) const {
        Key key{};
        inner_->write_key(p.inner, key.data());
        return with_plies(key, p.plies);
    }
    Key oriented_key(const Position& p) const {
        Key key{};
        inner_->write_oriented_key(p.inner, key.data());
        return with_plies(key, p.plies);
    }
    std::size_t key_size() const { return inner_key_size_ + plies_bytes; }

    std::optional<Position> position(const Key& key) const {
        const int plies = key[inner_key_size_] << 8 | key[inner_key_size_ + 1];
        if (plies > plies_) return std::nullopt;
        const auto inner = inner_->position(std::span<const std::uint8_t>(key.data(), inner_key_size_));
        if (!inner) return std::nullopt;
        return Position{*inner, inner_.get(), plies};
    }

    /// position(key(p)), without a key in between where the inner game can do so.
    Position representative(const Position& p) const {
        return {inner_->representative(p.inner), inner_.get(), p.plies};
    }

    Position parse(std::string_view text) const {
        constexpr std::string_view sign = "plies=";
        const std::size_t space = text.rfind(' ');
        const std::string_view last = space == std::string_view::npos ? text : text.substr(space + 1);
        if (!last.starts_with(sign)) return {inner_->parse(text), inner_.get(), plies_};
        const std::optional<int> plies = read_plies(last.substr(sign.size()), plies_);
        if (!plies) {
            throw InvalidPosition(quoted(last) + ": of " + name() + " 0 to " + std::to_string(plies_) +
                                  " plies can be left");
        }
        if (space == std::string_view::npos) return {inner_->initial(), inner_.get(), *plies};
        return {inner_->parse(text.substr(0, space)), inner_.get(), *plies};
    }
    std::string text(const Position& p) const { return inner_->text(p.inner) + " plies=" + std::to_string(p.plies); }
    std::string draw(const Position& p) const {
        return inner_->draw(p.inner) + "\nplies left: " + std::to_string(p.plies);
    }
    Move parse_move(const Position& p, std::string_view text) const {
        if (p.plies == 0) throw InvalidMove("no move " + quoted(text) + ": no plies are left in " + this->text(p));
        return inner_->parse_move(p.inner, text);
    }
    std::string move_text(const Position& p, Move move) const { return inner_->move_text(p.inner, move); }

  private:
    Within(int plies, std::shared_ptr<const within::InnerGame> inner)
        : plies_(plies),
          has_rewards_(inner->has_rewards()),
          inner_key_size_(inner->key_size()),
          inner_(std::move(inner)) {}

    /// A number from 0 to `most` without leading zeros.
    static std::optional<int> read_plies(std::string_view text, int most) {
        int number = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (error != std::errc{} || stop != end || std::to_string(number) != text || number < 0 || number > most) {
            return std::nullopt;
        }
        return number;
    }

    Key with_plies(Key key, int plies) const noexcept {
        key[inner_key_size_] = static_cast<std::uint8_t>(plies >> 8);
        key[inner_key_size_ + 1] = static_cast<std::uint8_t>(plies);
        return key;
    }

    int plies_;
    bool has_rewards_;
    std::size_t inner_key_size_;
    std::shared_ptr<const within::InnerGame> inner_;
};

static_assert(Game<Within> && Described<Within> && Notated<Within> && Symmetric<Within> && Scored<Within> &&
              Limited<Within>);

}  // namespace proofbase
