// The rules of any native game behind virtual functions. The functions are those of the concept `Game` and of its
// extras (concepts.hpp). A position is memory of the caller that holds a position of the game's own type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "concepts.hpp"
#include "inline_list.hpp"
#include "records/evidence/pairing/line_board.hpp"
#include "records/evidence/strategy/strategy_check.hpp"
#include "records/evidence/strategy/strategy_finder.hpp"
#include "threats/sequences/threat_findings.hpp"
#include "virtual_game/key.hpp"

namespace proofbase {

class VirtualRules {
  public:
    /// Codes of moves are those of the game. The largest list is that of mens-morris.
    using Move = std::uint16_t;
    using Moves = InlineList<Move, 512>;

    /// What the game's own type has of the extras that searches choose by.
    struct Extras {
        bool rewards = false;             ///< false: the reward of every move is 0
        bool effort = false;              ///< Effort
        bool counts_moves = false;        ///< CountsMoves
        bool describes_children = false;  ///< DescribesChildren
        bool limits_fall = false;         ///< limits_fall (records/evidence/small_search/small_search.hpp)
        bool threats = false;             ///< Threats
        bool winning_moves = false;       ///< TellsWinningMoves
    };

    virtual ~VirtualRules() = default;

    virtual std::string name() const = 0;
    virtual int rules_version() const = 0;
    virtual bool acyclic() const = 0;
    virtual int highest_value() const = 0;
    virtual std::size_t key_size() const = 0;
    virtual Extras extras() const = 0;

    virtual bool equal(const void* a, const void* b) const = 0;
    virtual void initial(void* out) const = 0;
    virtual std::optional<int> terminal(const void* p) const = 0;
    virtual void moves(const void* p, Moves& out) const = 0;
    virtual void play(const void* p, Move move, void* out) const = 0;
    virtual int reward(const void* p, Move move) const = 0;
    virtual bool converts(const void* p, Move move) const = 0;  ///< is_conversion()
    virtual std::optional<int> repetition(const void* p) const = 0;
    virtual int limit(const void* p) const = 0;
    virtual int score(const void* p) const = 0;
    virtual int side(const void* p) const = 0;

    virtual void key(const void* p, VirtualKey& out) const = 0;
    virtual void oriented_key(const void* p, VirtualKey& out) const = 0;
    /// hash_key() of the game's own oriented key, by which random orders of moves are drawn.
    virtual std::uint64_t oriented_hash(const void* p) const = 0;
    /// The key of these bytes; nothing if their number is not key_size().
    virtual std::optional<VirtualKey> read_key(std::string_view bytes) const = 0;
    virtual bool position(const VirtualKey& key, void* out) const = 0;  ///< false: there is none
    virtual void representative(const void* p, void* out) const = 0;
    virtual std::uint64_t signature(const void* p) const = 0;

    virtual Estimate effort(const void* p, int bound) const = 0;
    virtual std::uint32_t count_moves(const void* p) const = 0;
    virtual void describe_children(const void* p, std::span<const Move> moves, std::span<VirtualKey> keys,
                                   std::span<std::uint32_t> counts) const = 0;
    /// What ThreatAnalysis tells of threats that win within `most_plies`, at least 1. For games that have `threats`.
    virtual void find_threats(const void* p, std::uint32_t most_plies, ThreatFindings<Move>& out) const = 0;

    /// The rules of `forcing(attacker)` (HasForcingMoves); null where the game has none.
    virtual std::shared_ptr<const VirtualRules> forcing(int attacker) const = 0;

    /// The check of strategies; null if the game is none on squares.
    virtual std::unique_ptr<AnyStrategyCheck> strategy_check() const = 0;
    /// The lines of the board; null if the game is none of lines.
    virtual std::unique_ptr<AnyLineBoard> line_board() const = 0;
    /// A search for strategies; null where there is none for the game.
    virtual std::unique_ptr<AnyStrategyFinder> strategy_finder() const = 0;

    virtual void parse(std::string_view text, void* out) const = 0;
    virtual bool after_moves(std::string_view text, void* out) const = 0;  ///< false: it is no such list
    virtual std::string text(const void* p) const = 0;
    virtual std::string draw(const void* p) const = 0;
    virtual Move parse_move(const void* p, std::string_view text) const = 0;
    virtual std::string move_text(const void* p, Move move) const = 0;

    /// Whether a position was set up with the colours exchanged (set_up.hpp); false in other games.
    virtual bool exchanged(const void* p) const = 0;
    virtual void exchange(void* p) const = 0;  ///< sets the mark; nothing in other games
};

using OpenRules = std::function<std::shared_ptr<const VirtualRules>(std::string_view parameters)>;

/// Makes the rules of a class of games known, while the module is loaded: a family may have several, as in the list of
/// games.
void add_rules(std::string_view family, OpenRules open);

/// The rules of a name such as `connect-four:5x4`. Throws UnknownGame.
std::shared_ptr<const VirtualRules> open_rules(std::string_view name);

}  // namespace proofbase
