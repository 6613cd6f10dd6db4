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
#include <string>
#include <string_view>
#include <utility>

#include "concepts.hpp"
#include "errors.hpp"
#include "threats/sequences/threat_findings.hpp"
#include "virtual_game/rules.hpp"
#include "virtual_game/rules_of.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

class Within {
    static constexpr std::size_t plies_bytes = 2;
    /// The largest key of an inner game, in bytes: that of go-moku on 15 x 15. Larger boards are wrapped by the rules
    /// in Python (proofbase/engine/games.py).
    static constexpr std::size_t key_capacity = 46;

  public:
    static constexpr std::string_view family = "within";
    static constexpr std::string_view description =
        "another game that ends after N plies, worth 0 if nobody has won by then; within:N:GAME";
    static constexpr std::string_view examples[] = {"within:5:tic-tac-toe", "within:9:connect-four:5x4"};
    static constexpr int most_plies = 9999;

    /// Bytes of the largest position of an inner game.
    static constexpr std::size_t inner_capacity = 104;

    struct Position {
        alignas(16) std::array<std::byte, inner_capacity> inner{};
        const VirtualRules* game = nullptr;
        int plies = 0;

        bool operator==(const Position& other) const {
            return game == other.game && plies == other.plies &&
                   (game == nullptr || game->equal(inner.data(), other.inner.data()));
        }
    };
    using Move = VirtualRules::Move;
    using Moves = VirtualRules::Moves;
    using Key = std::array<std::uint8_t, key_capacity + plies_bytes>;

    /// `N:GAME`. Throws UnknownGame.
    static Within from_parameters(std::string_view parameters) {
        const std::size_t colon = parameters.find(':');
        const std::string_view number = parameters.substr(0, colon);
        const std::optional<int> plies = read_plies(number, most_plies);
        if (!plies || *plies == 0 || colon == std::string_view::npos) {
            throw UnknownGame("within: " + quoted(parameters) + " is not N:GAME, with 1 to " +
                              std::to_string(most_plies) + " plies and a game, such as 5:tic-tac-toe");
        }
        std::shared_ptr<const VirtualRules> inner = open_rules(parameters.substr(colon + 1));
        if (inner->key_size() > key_capacity) {
            throw UnknownGame("within: the keys of " + inner->name() + " are too long for the native rules");
        }
        return Within(*plies, std::move(inner));
    }

    std::string name() const { return std::string(family) + ":" + std::to_string(plies_) + ":" + inner_->name(); }
    std::string inner_name() const { return inner_->name(); }
    const VirtualRules& inner() const noexcept { return *inner_; }
    /// The search that counts them has a byte for the plies.
    bool counts_plies_of_wins() const noexcept { return plies_ <= 250 && inner_->extras().winning_moves; }
    int rules_version() const { return inner_->rules_version(); }
    bool acyclic() const noexcept { return true; }
    /// The value differs from that of the inner game by at most that game's highest value; without rewards it is
    /// nearer to 0 (docs/fact-model.md).
    int highest_value() const { return (has_rewards_ ? 2 : 1) * inner_->highest_value(); }

    Position initial() const {
        return made(plies_, [&](void* out) { inner_->initial(out); });
    }

    std::optional<int> terminal(const Position& p) const {
        const std::optional<int> value = inner_->terminal(p.inner.data());
        if (value) return value;
        return p.plies == 0 ? std::optional<int>(0) : std::nullopt;  // rule 3
    }

    void moves(const Position& p, Moves& out) const { inner_->moves(p.inner.data(), out); }
    Position play(const Position& p, Move move) const {
        return made(p.plies - 1, [&](void* out) { inner_->play(p.inner.data(), move, out); });
    }
    bool has_rewards() const noexcept { return has_rewards_; }
    int reward(const Position& p, Move move) const { return has_rewards_ ? inner_->reward(p.inner.data(), move) : 0; }
    int side(const Position& p) const { return inner_->side(p.inner.data()); }
    int score(const Position& p) const { return inner_->score(p.inner.data()); }
    int limit(const Position& p) const {
        return inner_->limit(p.inner.data()) + (has_rewards_ ? inner_->highest_value() : 0);
    }

    bool finds_threats() const noexcept { return finds_threats_; }
    /// Only threats that win within the plies left count.
    void find_threats(const Position& p, std::uint32_t most_plies, ThreatFindings<Move>& out) const {
        inner_->find_threats(p.inner.data(), std::min(most_plies, static_cast<std::uint32_t>(p.plies)), out);
    }

    Key key(const Position& p) const {
        VirtualKey inner;
        inner_->key(p.inner.data(), inner);
        return with_plies(inner, p.plies);
    }
    Key oriented_key(const Position& p) const {
        VirtualKey inner;
        inner_->oriented_key(p.inner.data(), inner);
        return with_plies(inner, p.plies);
    }
    std::size_t key_size() const { return inner_key_size_ + plies_bytes; }

    std::optional<Position> position(const Key& key) const {
        const int plies = key[inner_key_size_] << 8 | key[inner_key_size_ + 1];
        if (plies > plies_) return std::nullopt;
        const auto inner =
            inner_->read_key(std::string_view(reinterpret_cast<const char*>(key.data()), inner_key_size_));
        std::optional<Position> p(std::in_place);
        p->game = inner_.get();
        p->plies = plies;
        if (!inner || !inner_->position(*inner, p->inner.data())) return std::nullopt;
        return p;
    }

    /// position(key(p)), without a key in between where the inner game can do so.
    Position representative(const Position& p) const {
        return made(p.plies, [&](void* out) { inner_->representative(p.inner.data(), out); });
    }

    Position parse(std::string_view text) const {
        constexpr std::string_view sign = "plies=";
        const std::size_t space = text.rfind(' ');
        const std::string_view last = space == std::string_view::npos ? text : text.substr(space + 1);
        if (!last.starts_with(sign)) {
            return made(plies_, [&](void* out) { inner_->parse(text, out); });
        }
        const std::optional<int> plies = read_plies(last.substr(sign.size()), plies_);
        if (!plies) {
            throw InvalidPosition(quoted(last) + ": of " + name() + " 0 to " + std::to_string(plies_) +
                                  " plies can be left");
        }
        return made(*plies, [&](void* out) {
            if (space == std::string_view::npos) return inner_->initial(out);
            inner_->parse(text.substr(0, space), out);
        });
    }
    std::string text(const Position& p) const {
        return inner_->text(p.inner.data()) + " plies=" + std::to_string(p.plies);
    }
    std::string draw(const Position& p) const {
        return inner_->draw(p.inner.data()) + "\nplies left: " + std::to_string(p.plies);
    }
    Move parse_move(const Position& p, std::string_view text) const {
        if (p.plies == 0) throw InvalidMove("no move " + quoted(text) + ": no plies are left in " + this->text(p));
        return inner_->parse_move(p.inner.data(), text);
    }
    std::string move_text(const Position& p, Move move) const { return inner_->move_text(p.inner.data(), move); }

  private:
    Within(int plies, std::shared_ptr<const VirtualRules> inner)
        : plies_(plies),
          has_rewards_(inner->extras().rewards),
          finds_threats_(tells_threats(*inner)),
          inner_key_size_(inner->key_size()),
          inner_(std::move(inner)) {}

    /// Whether a game tells of threats, if only where plies are limited (go-moku): then moves are open at its
    /// beginning.
    static bool tells_threats(const VirtualRules& game) {
        if (game.extras().threats) return true;
        Position first;
        game.initial(first.inner.data());
        ThreatFindings<Move> found;
        game.find_threats(first.inner.data(), most_plies, found);
        return !found.open.empty();
    }

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

    template <class Make>
    Position made(int plies, Make&& make) const {
        Position p;
        p.game = inner_.get();
        p.plies = plies;
        make(p.inner.data());
        return p;
    }

    Key with_plies(const VirtualKey& inner, int plies) const noexcept {
        Key key{};
        std::copy_n(inner.bytes.data(), inner_key_size_, key.data());
        key[inner_key_size_] = static_cast<std::uint8_t>(plies >> 8);
        key[inner_key_size_ + 1] = static_cast<std::uint8_t>(plies);
        return key;
    }

    int plies_;
    bool has_rewards_;
    bool finds_threats_;
    std::size_t inner_key_size_;
    std::shared_ptr<const VirtualRules> inner_;
};

/// Native games that can be inside: their keys are checked when the game is opened.
template <class G>
concept FitsInsideWithin = VirtualizableGame<G> && sizeof(typename RulesOf<G>::Held) <= Within::inner_capacity;

/// What a game's file does while the module is loaded.
template <class G>
void offer_inside_within() {
    if constexpr (FitsInsideWithin<G>) {
        add_rules(G::family, [](std::string_view parameters) {
            return std::make_shared<const RulesOf<G>>(G::from_parameters(parameters));
        });
    }
}

static_assert(sizeof(Within::Position) <= VirtualGame::Position::capacity);
static_assert(Game<Within> && Described<Within> && Notated<Within> && Symmetric<Within> && Scored<Within> &&
              Limited<Within> && Rewarding<Within>);

}  // namespace proofbase
