// The rules of a native game's own type behind virtual functions.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "concepts.hpp"
#include "conversions.hpp"
#include "keys.hpp"
#include "records/evidence/strategy/strategy_check_by_sets.hpp"
#include "set_up.hpp"
#include "threats/sequences/threat_analysis.hpp"
#include "virtual_game/rules.hpp"

namespace proofbase {

/// Native games with keys of one size.
template <class G>
concept VirtualizableGame = Described<G> && Notated<G> && std::is_trivially_copyable_v<typename G::Position> &&
                            std::is_standard_layout_v<typename G::Position> && alignof(typename G::Position) <= 16 &&
                            sizeof(typename G::Move) <= 2 && !std::same_as<typename G::Key, std::string>;

/// Positions may be set up with any stones, and be shown with the colours exchanged (set_up.hpp).
template <class G>
concept TakesAnyStones = requires(const G& game, const typename G::Position& p) {
    { game.text(p, true) } -> std::same_as<std::string>;
    { game.draw(p, true) } -> std::same_as<std::string>;
};

template <VirtualizableGame G>
class RulesOf final : public VirtualRules {
    using Position = typename G::Position;
    using OwnMove = typename G::Move;
    struct Marked {
        Position position;
        bool exchanged;
    };

  public:
    /// What the memory of a position holds.
    using Held = std::conditional_t<TakesAnyStones<G>, Marked, Position>;

    explicit RulesOf(G game) : game_(std::move(game)) {}

    const G& game() const noexcept { return game_; }

    std::string name() const override { return game_.name(); }
    int rules_version() const override { return game_.rules_version(); }
    bool acyclic() const override { return game_.acyclic(); }
    int highest_value() const override { return game_.highest_value(); }
    std::size_t key_size() const override { return game_.key_size(); }
    Extras extras() const override {
        Extras extras;
        extras.effort = Effort<G>;
        extras.counts_moves = CountsMoves<G>;
        extras.describes_children = DescribesChildren<G>;
        extras.winning_moves = TellsWinningMoves<G>;
        extras.threats = finds_threats(game_);
        if constexpr (requires { game_.limits_fall(); }) extras.limits_fall = game_.limits_fall();
        if constexpr (Rewarding<G>) extras.rewards = game_.has_rewards();
        return extras;
    }

    bool equal(const void* a, const void* b) const override { return own(a) == own(b) && exchanged(a) == exchanged(b); }
    void initial(void* out) const override { put(game_.initial(), out); }
    std::optional<int> terminal(const void* p) const override { return game_.terminal(own(p)); }
    void moves(const void* p, Moves& out) const override {
        typename G::Moves legal;
        game_.moves(own(p), legal);
        out.clear();
        for (std::size_t i = 0; i < legal.size(); ++i) out.push_back(static_cast<Move>(legal[i]));
    }
    void play(const void* p, Move move, void* out) const override {
        put(game_.play(own(p), static_cast<OwnMove>(move)), out, exchanged(p));
    }
    int reward(const void* p, Move move) const override { return game_.reward(own(p), static_cast<OwnMove>(move)); }
    bool converts(const void* p, Move move) const override {
        return is_conversion(game_, own(p), static_cast<OwnMove>(move));
    }
    std::optional<int> repetition(const void* p) const override {
        if constexpr (Cyclic<G>) {
            if (!game_.acyclic()) return game_.repetition(own(p));
        }
        return std::nullopt;
    }
    int limit(const void* p) const override { return value_limit(game_, own(p)); }
    int score(const void* p) const override {
        if constexpr (Scored<G>) return game_.score(own(p));
        return 0;
    }
    int side(const void* p) const override { return game_.side(own(p)) ^ static_cast<int>(exchanged(p)); }

    void key(const void* p, VirtualKey& out) const override { put_key(game_.key(own(p)), out); }
    void oriented_key(const void* p, VirtualKey& out) const override { put_key(own_oriented_key(own(p)), out); }
    std::uint64_t oriented_hash(const void* p) const override { return hash_key(own_oriented_key(own(p))); }
    std::optional<VirtualKey> read_key(std::string_view bytes) const override {
        const auto key = proofbase::read_key(bytes, game_.key_size(), std::type_identity<typename G::Key>{});
        if (!key) return std::nullopt;
        std::optional<VirtualKey> out(std::in_place);
        put_key(*key, *out);
        return out;
    }
    bool position(const VirtualKey& key, void* out) const override {
        typename G::Key own_key{};
        from_virtual_key(key, own_key);
        const std::optional<Position> p = game_.position(own_key);
        if (p) put(*p, out);
        return p.has_value();
    }
    void representative(const void* p, void* out) const override {
        if constexpr (requires(const Position& q) { game_.representative(q); }) {
            put(game_.representative(own(p)), out);
        } else if constexpr (Symmetric<G>) {
            put(*game_.position(game_.key(own(p))), out);
        } else {
            put(own(p), out);
        }
    }
    std::uint64_t signature(const void* p) const override {
        if constexpr (HasSignatures<G>) {
            return game_.signature(own(p));
        } else {
            return hash_key(game_.key(own(p)));
        }
    }

    std::unique_ptr<AnyStrategyCheck> strategy_check() const override {
        if constexpr (SetsOfSquares<G>)
            return std::make_unique<StrategyCheckBySets<G>>(game_);
        else if constexpr (SquareGame<G>)
            return std::make_unique<StrategyCheck<G>>(game_);
        else
            return nullptr;
    }

    std::unique_ptr<AnyLineBoard> line_board() const override { return line_board_of(game_); }

    std::unique_ptr<AnyStrategyFinder> strategy_finder() const override {
        if constexpr (requires { make_strategy_finder(game_); }) return make_strategy_finder(game_);
        return nullptr;
    }

    Estimate effort(const void* p, int bound) const override {
        if constexpr (Effort<G>) return game_.effort(own(p), bound);
        return {1, 1, 0};
    }
    std::uint32_t count_moves(const void* p) const override {
        if constexpr (CountsMoves<G>) {
            return game_.count_moves(own(p));
        } else {
            if (game_.terminal(own(p))) return 0;
            typename G::Moves legal;
            game_.moves(own(p), legal);
            return static_cast<std::uint32_t>(legal.size());
        }
    }
    void describe_children(const void* p, std::span<const Move> moves, std::span<VirtualKey> keys,
                           std::span<std::uint32_t> counts) const override {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Position child = game_.play(own(p), static_cast<OwnMove>(moves[i]));
            put_key(game_.key(child), keys[i]);
            counts[i] = count_moves(&child);
        }
    }
    void find_threats([[maybe_unused]] const void* p, [[maybe_unused]] std::uint32_t most_plies,
                      ThreatFindings<Move>& out) const override {
        if constexpr (Threats<G>) {
            thread_local ThreatAnalysis<G> analysis;
            analysis.analyse(game_, own(p), most_plies).write_to(out);
        } else if constexpr (requires { game_.find_threats(own(p), most_plies, out); }) {
            game_.find_threats(own(p), most_plies, out);
        } else {
            out.clear();
        }
    }

    std::shared_ptr<const VirtualRules> forcing([[maybe_unused]] int attacker) const override {
        if constexpr (HasForcingMoves<G>) {
            auto limited = game_.forcing(attacker);
            return std::make_shared<const RulesOf<decltype(limited)>>(std::move(limited));
        }
        return nullptr;
    }

    void parse(std::string_view text, void* out) const override {
        const Position p = game_.parse(text);
        bool exchanged = false;
        if constexpr (TakesAnyStones<G>) exchanged = set_up::split(text).side.value_or(game_.side(p)) != game_.side(p);
        put(p, out, exchanged);
    }
    bool after_moves(std::string_view text, void* out) const override {
        if constexpr (MoveLists<G>) {
            const std::optional<Position> p = game_.after_moves(text);
            if (p) put(*p, out);
            return p.has_value();
        }
        return false;
    }
    std::string text(const void* p) const override {
        if constexpr (TakesAnyStones<G>) {
            return game_.text(own(p), exchanged(p));
        } else {
            return game_.text(own(p));
        }
    }
    std::string draw(const void* p) const override {
        if constexpr (TakesAnyStones<G>) {
            return game_.draw(own(p), exchanged(p));
        } else {
            return game_.draw(own(p));
        }
    }
    Move parse_move(const void* p, std::string_view text) const override {
        return static_cast<Move>(game_.parse_move(own(p), text));
    }
    std::string move_text(const void* p, Move move) const override {
        return game_.move_text(own(p), static_cast<OwnMove>(move));
    }

    bool exchanged([[maybe_unused]] const void* p) const override {
        if constexpr (TakesAnyStones<G>) return std::launder(static_cast<const Held*>(p))->exchanged;
        return false;
    }
    void exchange([[maybe_unused]] void* p) const override {
        if constexpr (TakesAnyStones<G>) put(Position(own(p)), p, true);
    }

    /// A position of the game's own type from the memory that holds it.
    static const Position& own(const void* p) noexcept { return *std::launder(static_cast<const Position*>(p)); }

  private:
    static void put(const Position& p, void* out, [[maybe_unused]] bool exchanged = false) noexcept {
        if constexpr (TakesAnyStones<G>) {
            ::new (out) Held{p, exchanged};
        } else {
            ::new (out) Held(p);
        }
    }

    typename G::Key own_oriented_key(const Position& p) const {
        if constexpr (Symmetric<G>) {
            return game_.oriented_key(p);
        } else {
            return game_.key(p);
        }
    }
    void put_key(const typename G::Key& key, VirtualKey& out) const { to_virtual_key(key, game_.key_size(), out); }

    G game_;
};

}  // namespace proofbase
