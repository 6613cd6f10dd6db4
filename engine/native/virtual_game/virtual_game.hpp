// Any native game behind virtual functions. The build compiles every family of algorithms for this one class, and for a
// game's own class only the families that the game is often searched by (native/compiled/games/): a search makes the
// same nodes and claims either way, and is slower here (docs/algorithms.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "concepts.hpp"
#include "virtual_game/key.hpp"
#include "virtual_game/rules.hpp"

namespace proofbase {

class VirtualGame {
  public:
    /// Memory for a position of the game's own class.
    class Position {
      public:
        static constexpr std::size_t capacity = 128;

        bool operator==(const Position& other) const {
            return rules_ == other.rules_ && (rules_ == nullptr || rules_->equal(memory(), other.memory()));
        }
        const void* memory() const noexcept { return memory_.data(); }

      private:
        friend class VirtualGame;
        void* memory() noexcept { return memory_.data(); }

        alignas(16) std::array<std::byte, capacity> memory_{};
        const VirtualRules* rules_ = nullptr;
    };
    using Move = VirtualRules::Move;
    using Moves = VirtualRules::Moves;
    using Key = VirtualKey;

    explicit VirtualGame(std::shared_ptr<const VirtualRules> rules)
        : rules_(std::move(rules)),
          key_size_(rules_->key_size()),
          acyclic_(rules_->acyclic()),
          extras_(rules_->extras()) {}

    const VirtualRules& rules() const noexcept { return *rules_; }

    std::string name() const { return rules_->name(); }
    int rules_version() const { return rules_->rules_version(); }
    bool acyclic() const noexcept { return acyclic_; }
    int highest_value() const { return rules_->highest_value(); }
    std::size_t key_size() const noexcept { return key_size_; }

    std::unique_ptr<AnyStrategyCheck> strategy_check() const { return rules_->strategy_check(); }
    std::unique_ptr<AnyLineBoard> line_board() const { return rules_->line_board(); }
    std::unique_ptr<AnyStrategyFinder> strategy_finder() const { return rules_->strategy_finder(); }

    Position initial() const {
        return made([&](void* out) { rules_->initial(out); });
    }
    std::optional<int> terminal(const Position& p) const { return rules_->terminal(p.memory()); }
    void moves(const Position& p, Moves& out) const { rules_->moves(p.memory(), out); }
    Position play(const Position& p, Move move) const {
        return made([&](void* out) { rules_->play(p.memory(), move, out); });
    }
    int reward(const Position& p, Move move) const { return extras_.rewards ? rules_->reward(p.memory(), move) : 0; }
    bool converts(const Position& p, Move move) const { return rules_->converts(p.memory(), move); }
    std::optional<int> repetition(const Position& p) const {
        return acyclic_ ? std::nullopt : rules_->repetition(p.memory());
    }
    int limit(const Position& p) const { return rules_->limit(p.memory()); }
    int score(const Position& p) const { return rules_->score(p.memory()); }
    int side(const Position& p) const { return rules_->side(p.memory()); }

    Key key(const Position& p) const {
        Key key;
        rules_->key(p.memory(), key);
        return key;
    }
    Key oriented_key(const Position& p) const {
        Key key;
        rules_->oriented_key(p.memory(), key);
        return key;
    }
    std::uint64_t oriented_hash(const Position& p) const { return rules_->oriented_hash(p.memory()); }
    std::optional<Key> read_key(std::string_view bytes) const { return rules_->read_key(bytes); }
    std::optional<Position> position(const Key& key) const {
        std::optional<Position> p(std::in_place);
        p->rules_ = rules_.get();
        if (!rules_->position(key, p->memory())) return std::nullopt;
        return p;
    }
    Position representative(const Position& p) const {
        return made([&](void* out) { rules_->representative(p.memory(), out); });
    }
    std::uint64_t signature(const Position& p) const { return rules_->signature(p.memory()); }

    // What the game's own class need not have: the functions that follow tell.

    bool estimates_effort() const noexcept { return extras_.effort; }
    bool counts_moves() const noexcept { return extras_.counts_moves; }
    bool describes_children() const noexcept { return extras_.describes_children; }
    bool limits_fall() const noexcept { return extras_.limits_fall; }
    bool finds_threats() const noexcept { return extras_.threats; }

    static constexpr bool effort_is_optional = true;
    Estimate effort(const Position& p, int bound) const { return rules_->effort(p.memory(), bound); }
    std::uint32_t count_moves(const Position& p) const { return rules_->count_moves(p.memory()); }
    void describe_children(const Position& p, std::span<const Move> moves, std::span<Key> keys,
                           std::span<std::uint32_t> counts) const {
        rules_->describe_children(p.memory(), moves, keys, counts);
    }
    /// The threats that win, however many plies they take (threats/sequences/threat_analysis.hpp).
    void find_threats(const Position& p, ThreatFindings<Move>& out) const {
        rules_->find_threats(p.memory(), longest_threat_line + 1, out);
    }

    /// The game with moves of one side that force (HasForcingMoves); nothing where the game has none.
    std::optional<VirtualGame> forcing_moves_of(int attacker) const {
        auto rules = rules_->forcing(attacker);
        return rules == nullptr ? std::nullopt : std::optional(VirtualGame(std::move(rules)));
    }

    Position parse(std::string_view text) const {
        return made([&](void* out) { rules_->parse(text, out); });
    }
    std::optional<Position> after_moves(std::string_view text) const {
        std::optional<Position> p(std::in_place);
        p->rules_ = rules_.get();
        if (!rules_->after_moves(text, p->memory())) return std::nullopt;
        return p;
    }
    std::string text(const Position& p) const { return rules_->text(p.memory()); }
    std::string draw(const Position& p) const { return rules_->draw(p.memory()); }
    Move parse_move(const Position& p, std::string_view text) const { return rules_->parse_move(p.memory(), text); }
    std::string move_text(const Position& p, Move move) const { return rules_->move_text(p.memory(), move); }
    bool exchanged(const Position& p) const { return rules_->exchanged(p.memory()); }
    void exchange(Position& p) const { rules_->exchange(p.memory()); }

  private:
    template <class Make>
    Position made(Make&& make) const {
        Position p;
        p.rules_ = rules_.get();
        make(p.memory());
        return p;
    }

    std::shared_ptr<const VirtualRules> rules_;
    std::size_t key_size_;
    bool acyclic_;
    VirtualRules::Extras extras_;
};

static_assert(Game<VirtualGame> && Notated<VirtualGame> && Symmetric<VirtualGame> && Scored<VirtualGame> &&
              Limited<VirtualGame> && HasSignatures<VirtualGame> && Effort<VirtualGame> &&
              DescribesChildren<VirtualGame> && MoveLists<VirtualGame>);

}  // namespace proofbase
