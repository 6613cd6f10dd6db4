// The requirements that games meet. One header for all of them: `Game` is what every search, table and check
// needs; each optional extra is asked for by exactly one consumer (named beside it). A game header ends with a
// static_assert of `Game` and of every extra that the game claims: a misspelt member is then an error there. The extras
// of games with tables are in table_concepts.hpp.
//
//   v(p) = max over moves m of reward(p, m) - v(play(p, m)),   v(p) = terminal(p) at the end of the game.
//
// Values, rewards and terminal values are small integers seen by the side to move (docs/fact-model.md).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace proofbase {

/// A list of moves that a game fills: `InlineList<Move, N>` where N bounds the number of legal moves, or a
/// `std::vector<Move>`.
template <class L, class M>
concept MoveList = std::default_initializable<L> && requires(L list, const L& filled, M move, std::size_t i) {
    list.clear();
    list.push_back(move);
    { filled.size() } -> std::convertible_to<std::size_t>;
    { filled[i] } -> std::convertible_to<M>;
};

/// A two-player perfect-information game with its parameters. Objects are immutable and shared between threads.
///
/// Types
///   Position  regular (copied freely); a state including the side to move.
///   Move      unsigned integer code, below 2^32. Codes are part of the stored format: they never change.
///   Moves     a MoveList of Move.
///   Key       regular and totally ordered; the exact canonical encoding of a position (never a hash).
///
/// Requirements
///   name()            canonical name with parameters, e.g. "connect-four:5x4".
///   rules_version()   grows when a change of the rules makes stored values wrong.
///   acyclic()         true if no line of play can reach a position twice.
///   highest_value()   V > 0 with |v(p)| <= V for every position.
///   initial()         the initial position.
///   terminal(p)       value at the end of the game for the side to move; nothing while the game goes on.
///   moves(p, out)     clears `out` and fills in the legal moves, at least one. Precondition: !terminal(p).
///   play(p, m)        the position after a legal move.
///   reward(p, m)      what the move adds at once to the mover's score (0 in win/draw/loss games).
///   side(p)           0 if the first player is to move, else 1.
///   key(p)            the smallest encoding under the game's symmetries.
///   position(k)       inverse of the encoding; nothing if `k` encodes no legal position. position(key(p)) is
///                     the canonical representative of p. Encodings of other orientations are accepted too.
///   key_size()        bytes of a written key (the same for all positions), 0 if keys vary in length.
template <class G>
concept Game = std::copyable<G> && std::regular<typename G::Position> && std::unsigned_integral<typename G::Move> &&
               std::regular<typename G::Key> && std::totally_ordered<typename G::Key> &&
               MoveList<typename G::Moves, typename G::Move> &&
               requires(const G& game, const typename G::Position& p, typename G::Move m, const typename G::Key& k,
                        typename G::Moves& out) {
                   { game.name() } -> std::convertible_to<std::string>;
                   { game.rules_version() } -> std::convertible_to<int>;
                   { game.acyclic() } -> std::convertible_to<bool>;
                   { game.highest_value() } -> std::convertible_to<int>;
                   { game.initial() } -> std::same_as<typename G::Position>;
                   { game.terminal(p) } -> std::same_as<std::optional<int>>;
                   game.moves(p, out);
                   { game.play(p, m) } -> std::same_as<typename G::Position>;
                   { game.reward(p, m) } -> std::convertible_to<int>;
                   { game.side(p) } -> std::convertible_to<int>;
                   { game.key(p) } -> std::same_as<typename G::Key>;
                   { game.position(k) } -> std::same_as<std::optional<typename G::Position>>;
                   { game.key_size() } -> std::convertible_to<std::size_t>;
               };

/// A family of games that is offered by name, for the bindings. All members are static.
///
/// Requirements
///   family              the name before the colon: lower-case ASCII letters, digits and '-'.
///   description         the rules in one sentence, with the form of the parameters if there are any.
///   examples            canonical names of some games of the family, at least one.
///   from_parameters(t)  the game of the parameters `t`, the text after the colon; `t` is empty for a name without a
///                       colon. Throws UnknownGame (errors.hpp) if `t` makes no game.
template <class G>
concept Described = Game<G> && requires(std::string_view parameters) {
    { G::family } -> std::convertible_to<std::string_view>;
    { G::description } -> std::convertible_to<std::string_view>;
    { *std::begin(G::examples) } -> std::convertible_to<std::string_view>;
    { *std::end(G::examples) } -> std::convertible_to<std::string_view>;
    { G::from_parameters(parameters) } -> std::same_as<G>;
};

/// Text forms, for the bindings. `parse` throws InvalidPosition, `parse_move` throws InvalidMove (errors.hpp);
/// `draw` is a board of several lines.
template <class G>
concept Notated =
    Game<G> && requires(const G& game, const typename G::Position& p, typename G::Move m, std::string_view text) {
        { game.parse(text) } -> std::same_as<typename G::Position>;
        { game.text(p) } -> std::convertible_to<std::string>;
        { game.draw(p) } -> std::convertible_to<std::string>;
        { game.parse_move(p, text) } -> std::same_as<typename G::Move>;
        { game.move_text(p, m) } -> std::convertible_to<std::string>;
    };

/// Lists of moves that are read quickly, for the bindings: `after_moves(t)` is the position after the moves of the text
/// `t` from the initial one. Nothing for texts that are no such list, and for those that it does not read; the bindings
/// then read them by parse() and parse_move(). No text that it reads is the text of a position.
template <class G>
concept MoveLists = Notated<G> && requires(const G& game, std::string_view text) {
    { game.after_moves(text) } -> std::same_as<std::optional<typename G::Position>>;
};

/// Games with symmetries, for the bindings: oriented_key(p) is the encoding of p in its own orientation; key(p) is the
/// smallest of the encodings of all its symmetric images. Games without symmetries have key(p) as their only encoding.
template <class G>
concept Symmetric = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.oriented_key(p) } -> std::same_as<typename G::Key>;
};

/// Games in which a position can recur, for the local check: what an endless line is worth to the side to move.
template <class G>
concept Cyclic = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.repetition(p) } -> std::convertible_to<int>;
};

/// Games with cycles that tell most positions apart more quickly than by their keys, for the paths of trees: positions
/// of one key have the same `signature(p)`, and few others have it.
template <class G>
concept HasSignatures = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.signature(p) } -> std::same_as<std::uint64_t>;
};

/// Games in which a position holds the rewards gained so far, for questions about the game as a whole. `score(p)` is
/// what the side to move is ahead; the result of the whole game is this plus the value.
template <class G>
concept Scored = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.score(p) } -> std::convertible_to<int>;
};

/// Games that may have rewards, for `within:N:GAME`: has_rewards() tells. Without this member every reward is 0.
template <class G>
concept Rewarding = Game<G> && requires(const G& game) { requires std::same_as<decltype(game.has_rewards()), bool>; };

/// Games whose positions have limits of their own, for the local check and for the searches whose claims it checks:
/// `limit(p)` is an l with |v(p)| <= l <= highest_value(), the same for all positions of a key. Bounds at the limits
/// are true without a claim.
template <class G>
concept Limited = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.limit(p) } -> std::convertible_to<int>;
};

/// The largest absolute value that a position can have by the rules.
template <Game G>
int value_limit(const G& game, const typename G::Position& p) {
    if constexpr (Limited<G>) {
        return game.limit(p);
    } else {
        return game.highest_value();
    }
}

/// Users' games: nobody has proven that they keep the requirements above. Graphs of searches watch them for positions
/// that come back although acyclic() denies it. What checks them is not compiled for other games.
///
/// Requirements. Both throw.
///   refuse_recurrence(line)   the last of these positions is the first one again.
///   refuse_key(k)             position(k) gives nothing, although a position has the key.
template <class G>
concept Unproven =
    Game<G> && requires(const G& game, const std::vector<typename G::Position>& line, const typename G::Key& k) {
        requires G::unproven;
        game.refuse_recurrence(line);
        game.refuse_key(k);
    };

/// The canonical representative of the positions with this key.
template <Game G>
typename G::Position position_of_key(const G& game, const typename G::Key& key) {
    std::optional<typename G::Position> position = game.position(key);
    if constexpr (Unproven<G>) {
        if (!position) game.refuse_key(key);
    }
    return *std::move(position);
}

/// Games that count legal moves more quickly than they list them, for the initialisation policy `mobility`:
/// `count_moves(p)` is the number of legal moves of any position, 0 exactly where the game is over.
template <class G>
concept CountsMoves = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.count_moves(p) } -> std::same_as<std::uint32_t>;
};

/// Games of that kind that describe several children of a position more quickly than one after the other, for df-pn:
/// `describe_children(p, moves, keys, counts)` writes, for each of these legal moves, the key of the position after it,
/// and how many legal moves that position has.
template <class G>
concept DescribesChildren =
    CountsMoves<G> && requires(const G& game, const typename G::Position& p, std::span<const typename G::Move> moves,
                               std::span<typename G::Key> keys,
                               std::span<std::uint32_t> counts) { game.describe_children(p, moves, keys, counts); };

/// A first estimate of the work that a question takes, seen by the side to move.
struct Estimate {
    std::uint32_t reach;   ///< effort to show that the side to move reaches the bound; 0: shown by looking ahead
    std::uint32_t refute;  ///< effort to show that the side to move does not reach it; 0: shown by looking ahead
    std::uint32_t plies;   ///< if one effort is 0: the depth of the look-ahead, at least 1; otherwise unused
};

/// Domain-specific initialisation, for the initialisation policy `effort` of proof-number search (Allis 1994,
/// 2.4 and 4.4). An effort of 0 says that a plain depth-first search by the rules, `plies` deep and of at most
/// 10,000 positions, settles the question; the solution then rests on that search (docs/fact-model.md, evidence).
/// Asked only for bounds above -value_limit() and up to value_limit(): other bounds need no search. With a member
/// `effort_is_optional`, which is true, the policy is not the default.
template <class G>
concept Effort = Game<G> && requires(const G& game, const typename G::Position& p, int bound) {
    { game.effort(p, bound) } -> std::same_as<Estimate>;
};

/// Whether a game has what the concepts CountsMoves, DescribesChildren and Effort ask for. Of a game behind virtual
/// functions (virtual_game/virtual_game.hpp) and of a user's game the type does not say: the game does.
template <Game G>
bool counts_moves(const G& game) noexcept {
    if constexpr (requires { game.counts_moves(); }) return game.counts_moves();
    return CountsMoves<G>;
}
template <Game G>
bool describes_children(const G& game) noexcept {
    if constexpr (requires { game.describes_children(); }) return game.describes_children();
    return DescribesChildren<G>;
}
template <Game G>
bool estimates_effort(const G& game) noexcept {
    if constexpr (requires { game.estimates_effort(); }) return game.estimates_effort();
    return Effort<G>;
}

/// Whether searches initialise by the game's effort where nothing else is asked for.
template <class G>
inline constexpr bool initialises_by_effort = Effort<G> && !requires { requires G::effort_is_optional; };

/// Games that estimate how far a win is, for the initialisation policy `plies`: `plies_to_win(p, mover)`, for positions
/// that are not terminal, is at least 1 and says roughly how much work it is for one side, the side to move if `mover`,
/// to win. Only comparisons count. A search proves what it says, so the estimate may be wrong.
template <class G>
concept EstimatesPlies = Game<G> && requires(const G& game, const typename G::Position& p, bool mover) {
    { game.plies_to_win(p, mover) } -> std::same_as<std::uint32_t>;
};

/// Games in which some moves cannot be taken back, such as captures, for the choice of `auto`: `region_size(p)` is at
/// least the number of positions that lines from p can reach without such a move.
template <class G>
concept Converting = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.region_size(p) } -> std::same_as<std::uint64_t>;
};

/// Limits of a value, both included.
struct ValueBounds {
    int lower;
    int upper;
};

/// Limits of a position's value that hold by a proof by hand, for the search `null-window`: `static_bounds(p)`, for
/// positions that are not terminal. The walk that takes out a solution chooses by them; no claim rests on them.
template <class G>
concept StaticBounds = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.static_bounds(p) } -> std::same_as<ValueBounds>;
};

constexpr std::size_t most_open_moves = 64;

/// What is known of the moves that a search need not try.
template <class Move>
struct SettledMoves {
    int best;   ///< the largest value that one of them has, or at most has; INT_MIN if there is none
    Move move;  ///< that move
};

/// The moves that a question leaves open, for the search `null-window`: `open_moves(p, bound, expect, add)`, for
/// positions that are not terminal. For the question "value(p) >= bound?" it calls `add(position, expected, move,
/// score, forced)` for each move that has to be tried, and tells what it knows of the others by proofs by hand. If the
/// `best` of those reaches the bound, it is a lower bound of the value of p, and the added moves do not count. If no
/// moves were added, it is an upper bound of the value of p. `position` is that after the move. The larger the score,
/// the earlier the search tries the move. At most `most_open_moves` are added. `forced`: the position after it is not
/// worth an entry of a table: one move at most will be open there, or it is an ending (SearchesEndings). Before it
/// examines the moves it calls `expect(position)` for those that may be added, forced ones where it likes, so that the
/// search can prepare them; `expected` is what that has returned, or a value-initialized one. The search believes all
/// this; no claim of its solution rests on it.
template <class G>
concept OpenMoves =
    Game<G> && requires(const G& game, const typename G::Position& p, int (*expect)(const typename G::Position&),
                        void (*add)(const typename G::Position&, int, typename G::Move, int, bool)) {
        { game.open_moves(p, 0, expect, add) } -> std::same_as<SettledMoves<typename G::Move>>;
    };

/// Games that search their own last moves, for the search `null-window`: no position of these is in its table then.
/// Positions after moves that open_moves() adds as forced are endings if `is_ending(p)`. `Endings(game)` is what one
/// thread searches with. Its `value(p, bound)`, for an ending that is not terminal, is a lower bound of the value of p
/// that reaches the bound, or an upper bound below it; `nodes()` counts all positions that it has visited, and
/// `bytes()` is the memory that it has. A value takes a few milliseconds, so that a search can be stopped. The
/// search believes all this; no claim of its solution rests on it.
template <class G>
concept SearchesEndings = OpenMoves<G> && std::constructible_from<typename G::Endings, const G&> &&
                          requires(const G& game, const typename G::Position& p, typename G::Endings& endings) {
                              { game.is_ending(p) } -> std::same_as<bool>;
                              { endings.value(p, 0) } -> std::same_as<int>;
                              { endings.nodes() } -> std::same_as<std::uint64_t>;
                              { endings.bytes() } -> std::same_as<std::uint64_t>;
                          };

/// What a search of records/evidence/small_search/small_search.hpp comes to.
struct ShortSearch {
    bool answer;
    std::uint32_t visits;   ///< of the position and of what is below it
    std::uint32_t deepest;  ///< plies down to the deepest of them
    bool met_horizon;       ///< one of those without plies left does not end the game
};

/// Games that tell what a small search visits and answers without making it, for taking out solutions, for positions
/// that are not terminal: `short_hold(p, upper, depth, most, to_limits)` of hold(p, upper, depth), and
/// `short_reach(p, lower, depth, most, to_limits)` of reach(p, lower, depth). Nothing where the game does not tell. Of
/// a search that takes more than `most` visits, only that is told. The checks of the solution make the search.
template <class G>
concept TellsShortSearches =
    Game<G> && requires(const G& game, const typename G::Position& p, std::int64_t bound, std::uint32_t plies) {
        { game.short_hold(p, bound, plies, plies, true) } -> std::same_as<std::optional<ShortSearch>>;
        { game.short_reach(p, bound, plies, plies, true) } -> std::same_as<std::optional<ShortSearch>>;
    };

/// How many moves of a position, in the order of moves(p), there are up to the first one that wins at once.
struct MovesToWin {
    std::uint32_t moves;  ///< that one included; all of them if none wins
    bool wins;            ///< whether one does
};

/// Games that are won by one's own move only, and that tell of such moves without trying all of them, for searches
/// within so many plies. A position of `wins_at_once(p)` is not terminal; `moves_to_win(p)` counts no moves where the
/// game is over. `few_men(p)`: whether a table may have the position.
template <class G>
concept TellsWinningMoves =
    DescribesChildren<G> && Effort<G> && requires(const G& game, const typename G::Position& p) {
        { game.wins_at_once(p) } -> std::same_as<bool>;
        { game.moves_to_win(p) } -> std::same_as<MovesToWin>;
        { game.few_men(p) } -> std::same_as<bool>;
        { game.representative(p) } -> std::same_as<typename G::Position>;
    };

/// Whether the plies left are part of a position, in a game inside that tells of winning moves.
template <Game G>
bool counts_plies_of_wins(const G& game) noexcept {
    if constexpr (requires { game.counts_plies_of_wins(); }) return game.counts_plies_of_wins();
    return false;
}

/// Threats as operators on sets of stones, for dependency-based search and forced sequences (Allis 1994, ch. 3
/// and 4.3). All members are static.
///
/// Types
///   Move      as the game's.
///   Stones    regular; the stones of the attacker and of the defender, without a side to move.
///   Threat    {Move move, reply}: after `move` the attacker can win at once, and `reply` alone prevents that.
///   Threats   a MoveList of Threat.
///
/// Requirements. A winning move is a move of the attacker that ends the game in his favour, a counter is a move of the
/// defender that ends the game in the defender's favour. "The stone of m" is the stone that the move m puts.
///   wins(s)               a winning move; nothing if there is none.
///   wins_with(s, m)       whether m can be played and is a winning move.
///   wins_by(s, m)         a winning move that needs the attacker's stone of the earlier move m; nothing without one.
///   counters(s)           {count, move}: how many counters there are (0, 1 or more), and one of them.
///   counters_by(s, r)     {count, move} of the counters that need the defender's stone of the earlier move r.
///   threats(s, out)       all threats.
///   threats_by(s, m, out) the threats that need the attacker's stone of the earlier move m.
///   threats_by_both(s, m, n, out), wins_by_both(s, m, n)    the threats, a winning move that need the attacker's
///                         stones of both earlier moves m and n.
///   threats_at(s, m, out) the threats whose first move is m.
///   play(s, t)            the stones after both moves of the threat t.
///   has_both(s, t)        whether both stones of the threat t are in s.
///   can_play(s, t)        whether both moves of the threat t are free in s.
///   partners(m)           a range of the moves whose stones can be needed together with that of m.
///   conflict(a, b)        whether one side in a has a stone where the other side has one in b.
///   unite(a, b)           the stones of a and of b.
///   hash(s)               64 well-mixed bits.
template <class S>
concept ThreatSpace =
    std::regular<typename S::Stones> && MoveList<typename S::Threats, typename S::Threat> &&
    requires(const typename S::Stones& s, typename S::Move m, const typename S::Threat& t, typename S::Threats& out) {
        { t.move } -> std::convertible_to<typename S::Move>;
        { t.reply } -> std::convertible_to<typename S::Move>;
        { S::wins(s) } -> std::same_as<std::optional<typename S::Move>>;
        { S::wins_with(s, m) } -> std::same_as<bool>;
        { S::wins_by(s, m) } -> std::same_as<std::optional<typename S::Move>>;
        { S::counters(s).count } -> std::convertible_to<int>;
        { S::counters_by(s, m).move } -> std::convertible_to<typename S::Move>;
        S::threats(s, out);
        S::threats_by(s, m, out);
        S::threats_at(s, m, out);
        S::threats_by_both(s, m, m, out);
        { S::wins_by_both(s, m, m) } -> std::same_as<std::optional<typename S::Move>>;
        { S::play(s, t) } -> std::same_as<typename S::Stones>;
        { S::has_both(s, t) } -> std::same_as<bool>;
        { S::can_play(s, t) } -> std::same_as<bool>;
        S::partners(m);
        { S::conflict(s, s) } -> std::same_as<bool>;
        { S::unite(s, s) } -> std::same_as<typename S::Stones>;
        { S::hash(s) } -> std::same_as<std::uint64_t>;
    };

/// Stands for what `visit_attack` of the concept below calls.
struct AttackVisitor {
    template <class Attack>
    bool operator()(const Attack& attack, const typename Attack::Stones& stones) const {
        return attack.wins(stones).empty();
    }
};

/// Games won by threats with several replies, for searches of threat trees (threats/trees/threes_search.hpp, ch. 5 of
/// Allis 1994 in threats/sequences/winning_sequences.hpp).
///
///   visit_attack(p, mover, visit)  what `visit(attack, stones)` returns, for classes such as gomoku::Attack. The
///                                  attacker is the side to move of `p`, or the other side if `mover` is false.
///   move_on(square)                the move on one of the squares that the attack numbers.
template <class G>
concept ThreatTreeGame = Game<G> && requires(const G& game, const typename G::Position& p, const AttackVisitor& visit) {
    { game.visit_attack(p, true, visit) } -> std::same_as<bool>;
    { game.move_on(0) } -> std::same_as<typename G::Move>;
};

/// Games that are won by threats with one reply each, for the initialisation policy `threats`. A win by threats has the
/// value highest_value().
///   mover_attacks(p)      the stones with the side to move as the attacker.
///   opponent_attacks(p)   the stones with the other side as the attacker, as if the side to move passed.
///   forced_reply_effort   the least disproof number of a position in which the side to move must answer a threat.
template <class G>
concept Threats =
    Game<G> && ThreatSpace<typename G::ThreatSpace> && requires(const G& game, const typename G::Position& p) {
        { game.mover_attacks(p) } -> std::same_as<typename G::ThreatSpace::Stones>;
        { game.opponent_attacks(p) } -> std::same_as<typename G::ThreatSpace::Stones>;
        { G::forced_reply_effort } -> std::convertible_to<std::uint32_t>;
    };

/// Whether a game has what the concept Threats asks for; of a game behind virtual functions the game says so.
template <Game G>
bool finds_threats(const G& game) noexcept {
    if constexpr (requires { game.finds_threats(); }) return game.finds_threats();
    return Threats<G>;
}

/// Games in which a side can be limited to moves that force, for the search `threats` (search/families/forcing.hpp):
/// `forcing(attacker)` is the game in which player 0 or 1 has some of his moves only, and has lost where he has none.
/// Positions, codes of moves and keys are the same.
template <class G>
concept HasForcingMoves = Game<G> && requires(const G& game) { game.forcing(0); };

/// Games whose wins by threats are checked by lines of squares, for the local check (docs/zones.md): a move puts a
/// stone on an empty square, the same move on the same square for both sides.
///
///   Lines             a std::variant of classes such as gomoku::WinningLines.
///   winning_lines()   the one for this game.
///   square_bits()     by move, the bit of its square in their sets.
///   stones<Set>(p)    the stones of the side to move and of the other side as such sets.
template <class G>
concept WinsByThreats = Game<G> && requires(const G& game, const typename G::Position& p) {
    typename G::Lines;
    { game.winning_lines() } -> std::same_as<typename G::Lines>;
    { game.square_bits() } -> std::same_as<std::span<const std::uint16_t>>;
};

/// Games that the search `threats` proves (search/threats/threat_search.hpp). Squares are numbered as in
/// ThreatTreeGame.
///
///   with_stones(own, other)              the position with the stones of the side to move and of the other side.
///   square_of_first_move()               the first move that the search tries on an empty board.
template <class G>
concept QuietThreatGame =
    ThreatTreeGame<G> && WinsByThreats<G> && requires(const G& game, const std::vector<int>& squares) {
        { game.with_stones(squares, squares) } -> std::same_as<typename G::Position>;
        { game.square_of_first_move() } -> std::same_as<int>;
    };

}  // namespace proofbase
