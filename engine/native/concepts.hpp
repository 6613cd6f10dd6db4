// The requirements that games meet. One header for all of them: `Game` is what every search, table and check
// needs; each optional extra is asked for by exactly one consumer (named beside it).
//
//   v(p) = max over moves m of reward(p, m) - v(play(p, m)),   v(p) = terminal(p) at the end of the game.
//
// Values, rewards and terminal values are small integers seen by the side to move (docs/fact-model.md).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
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
///   key_size()        bytes of a written key (same for all positions), 0 if keys vary in length.
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

/// Games with symmetries, for the bindings: the encoding of a position as it stands, of which `key` is the
/// smallest over all symmetries. Games without symmetries have key(p) as their only encoding.
template <class G>
concept Symmetric = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.oriented_key(p) } -> std::same_as<typename G::Key>;
};

/// Games in which a position can recur, for the local check: what an endless line is worth to the side to move.
template <class G>
concept Cyclic = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.repetition(p) } -> std::convertible_to<int>;
};

/// Games in which a position carries what was gained so far, for questions about the game as a whole: what the side to
/// move is ahead. The result of the whole game is this plus the value.
template <class G>
concept Scored = Game<G> && requires(const G& game, const typename G::Position& p) {
    { game.score(p) } -> std::convertible_to<int>;
};

/// Games whose positions have limits of their own, for the local check and for whoever makes what it checks: l with
/// |v(p)| <= l <= highest_value(), the same for all positions of a key. Bounds at the limits are true without a claim.
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

/// A first estimate of the work that a question takes, seen by the side to move.
struct Estimate {
    std::uint32_t reach;   ///< effort to show that the side to move reaches the bound; 0: shown by looking ahead
    std::uint32_t refute;  ///< effort to show that it does not; 0: shown by looking ahead
    std::uint32_t plies;   ///< where one of them is 0: the depth of the look-ahead, at least 1; otherwise unused
};

/// Domain-specific initialisation, for the initialisation policy `effort` of proof-number search (Allis 1994,
/// 2.4 and 4.4). An effort of 0 says that a plain depth-first search by the rules, `plies` deep and of at most
/// 10,000 positions, settles the question; the solution then rests on that search (docs/fact-model.md, evidence).
/// Asked for bounds above -value_limit() and up to value_limit() only: others need no search.
template <class G>
concept Effort = Game<G> && requires(const G& game, const typename G::Position& p, int bound) {
    { game.effort(p, bound) } -> std::same_as<Estimate>;
};

/// Games with tables of values (docs/tables.md): every position belongs to a class, and the positions of a class are
/// numbered without gaps. Positions with the same class and number have the same value. Endless play is worth 0.
///
/// Requirements
///   classes(size)     the classes that tables of that size consist of, in an order in which they can be built.
///   table_class(p)    the class of a position, a number below 2^16.
///   class_name(c)     a part of a file name: lower-case letters, digits, '-'.
///   class_size(c)     how many positions it has.
///   class_needs(c)    the smaller classes that moves out of the class lead to.
///   table_rank(p)     the position's number, from 0 to class_size - 1.
///   table_position(c, i)          a position with that number.
///   table_next(p)     makes p the position with the next number of its class. Not asked of the last one.
///   for_each_successor(p, visit)  `visit(child, reward)` for every legal move, in the order of moves(p); nothing for a
///                     finished game. A move with a reward leaves the class, a move without stays in it or leaves it.
///   for_each_played(p, visit)     optional, for the verification: the same, without scores, by the code of moves(),
///                     play() and reward() and not by that of for_each_successor. Otherwise it calls these.
///   for_each_predecessor(p, visit)  `visit(parent)` once for every move that leads from a position of the same class
///                     to this one without a reward, up to the numbering.
template <class G>
concept Indexed = Game<G> && requires(const G& game, const typename G::Position& p, typename G::Position& next,
                                      std::uint32_t c, std::uint64_t i, void (*child)(const typename G::Position&, int),
                                      void (*parent)(const typename G::Position&)) {
    { game.classes(0) } -> std::same_as<std::vector<std::uint32_t>>;
    { game.table_class(p) } -> std::convertible_to<std::uint32_t>;
    { game.class_name(c) } -> std::same_as<std::string>;
    { game.class_size(c) } -> std::same_as<std::uint64_t>;
    { game.class_needs(c) } -> std::same_as<std::vector<std::uint32_t>>;
    { game.table_rank(p) } -> std::same_as<std::uint64_t>;
    { game.table_position(c, i) } -> std::same_as<typename G::Position>;
    game.table_next(next);
    game.for_each_successor(p, child);
    game.for_each_predecessor(p, parent);
};

/// Threats as operators on sets of stones, for dependency-based search and forced sequences (Allis 1994, ch. 3
/// and 4.3). All members are static.
///
/// Types
///   Move      as the game's.
///   Stones    regular; what lies on the board, told as attacker and defender, without a side to move.
///   Threat    {Move move, reply}: after `move` the attacker can win at once, and `reply` alone prevents that.
///   Threats   a MoveList of Threat.
///
/// Requirements. "Wins at once" is a move of the attacker that ends the game, "counter" one of the defender.
///   wins(s)               a move that wins at once; nothing if there is none.
///   wins_with(s, m)       whether the move m can be played and wins at once.
///   wins_by(s, m)         as wins(s), of those for which the attacker's stone by m is needed.
///   counters(s)           how many moves of the defender end the game in his favour: 0, 1 or more, and one of them.
///   counters_by(s, r)     likewise, of those for which the defender's stone by r is needed.
///   threats(s, out)       all threats.
///   threats_by(s, m, out) those for which the attacker's stone by m is needed.
///   threats_by_both(s, m, n, out), wins_by_both(s, m, n)    those for which the stones by m and n are both needed.
///   threats_at(s, m, out) those that are made by the move m.
///   played(s, t)          both stones of a threat are put.
///   holds(s, t)           both lie there already.      fits(s, t)   neither cube is taken.
///   partners(m)           a range of the moves whose stones can work together with that by m.
///   disagree(a, b)        stones of one side in a lie where stones of the other lie in b.
///   united(a, b)          the stones of both.
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
        { S::played(s, t) } -> std::same_as<typename S::Stones>;
        { S::holds(s, t) } -> std::same_as<bool>;
        { S::fits(s, t) } -> std::same_as<bool>;
        S::partners(m);
        { S::disagree(s, s) } -> std::same_as<bool>;
        { S::united(s, s) } -> std::same_as<typename S::Stones>;
        { S::hash(s) } -> std::same_as<std::uint64_t>;
    };

/// Games that are won by threats with one reply each, for the initialisation policy `threats`. A win by threats has the
/// value highest_value().
///   attack(p)     the stones with the side to move as the attacker.
///   pressure(p)   the stones with the other side as the attacker, as though the side to move passed.
///   forced_reply_effort   the least disproof number of a position in which the side to move must answer a threat.
template <class G>
concept Threats =
    Game<G> && ThreatSpace<typename G::ThreatSpace> && requires(const G& game, const typename G::Position& p) {
        { game.attack(p) } -> std::same_as<typename G::ThreatSpace::Stones>;
        { game.pressure(p) } -> std::same_as<typename G::ThreatSpace::Stones>;
        { G::forced_reply_effort } -> std::convertible_to<std::uint32_t>;
    };

}  // namespace proofbase
