// The requirements that games with tables meet (docs/tables.md), optional extras of concepts.hpp: for building, reading
// and verifying tables, and for what holds them beside records.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "concepts.hpp"

namespace proofbase {

/// The class of positions that are in no table.
inline constexpr std::uint32_t no_table_class = 0xffff;

/// Games with tables (docs/tables.md): positions belong to classes, and those of a class are numbered. Positions with
/// the same class and number have the same value. Endless play is worth 0.
///
/// Requirements
///   classes(size)     the classes that tables of that size consist of, in an order in which they can be built.
///   table_class(p)    the class of a position, a number below no_table_class, or that for positions in no table.
///   class_name(c)     a part of a file name: lower-case letters, digits, '-'.
///   class_size(c)     how many numbers it has.
///   class_needs(c)    the smaller classes that moves out of the class lead to.
///   table_rank(p)     the position's number, from 0 to class_size - 1. Precondition: p is in a table.
template <class G>
concept HasTables = Game<G> && requires(const G& game, const typename G::Position& p, std::uint32_t c) {
    { game.classes(0) } -> std::same_as<std::vector<std::uint32_t>>;
    { game.table_class(p) } -> std::convertible_to<std::uint32_t>;
    { game.class_name(c) } -> std::same_as<std::string>;
    { game.class_size(c) } -> std::same_as<std::uint64_t>;
    { game.class_needs(c) } -> std::same_as<std::vector<std::uint32_t>>;
    { game.table_rank(p) } -> std::same_as<std::uint64_t>;
};

template <class G>
concept HasPlacements = requires { typename G::Placement; };

/// The form of a position that the numbering of a game works on: `G::Placement`, or else its Position.
template <class G>
struct PlacementOf {
    using type = typename G::Position;
};
template <HasPlacements G>
struct PlacementOf<G> {
    using type = typename G::Placement;
};
template <class G>
using TablePlacement = typename PlacementOf<G>::type;

/// The placement with a number of a class.
template <class G>
TablePlacement<G> table_placement(const G& game, std::uint32_t c, std::uint64_t i) {
    if constexpr (HasPlacements<G>) {
        return game.table_placement(c, i);
    } else {
        return game.table_position(c, i);
    }
}

/// Games with tables of values: every number of a class is that of a position. The functions from table_next on work on
/// placements.
///
/// Requirements
///   Placement         optional: another form than Position, converted to it and from it by itself, one for each number
///                     of a class. table_class, table_rank and terminal take it too, table_placement(c, i) has it.
///   table_position(c, i)          a position with that number.
///   table_next(p)     makes p the position with the next number of its class. Not called for the last number.
///   for_each_successor(p, visit)  `visit(child, reward)` for every legal move, in the order of moves(p); nothing for a
///                     finished game. A move with a reward leaves the class, a move without stays in it or leaves it.
///   for_each_played(p, visit)     optional, for the verification: for_each_successor without scores, by the code
///                     of moves(), play() and reward(). Without this member the verification calls those three.
///   for_each_predecessor(p, visit)  `visit(parent)` once for every move without a reward from a position of the same
///                     class to p. Any position with the parent's number may stand for the parent.
template <class G>
concept Indexed =
    HasTables<G> &&
    requires(const G& game, const TablePlacement<G>& p, TablePlacement<G>& next, std::uint32_t c, std::uint64_t i,
             void (*child)(const TablePlacement<G>&, int), void (*parent)(const TablePlacement<G>&)) {
        { game.table_position(c, i) } -> std::same_as<typename G::Position>;
        game.table_next(next);
        game.for_each_successor(p, child);
        game.for_each_predecessor(p, parent);
    };

/// What the moves of a position come to that leave its class, or end the game (concept ClassMoves).
struct ClassExits {
    std::optional<int> finished;  ///< the value of a finished game
    unsigned inside = 0;          ///< moves that stay in the class, those to the same number counted once each
};

/// The moves of a class, by code that shares nothing with the game's moves() and play(), for the builder of tables of
/// plies. Objects are shared between threads.
///
/// Requirements
///   Placement               a position of the class in a form of its own, default-initializable.
///   men(i, out)       fills in the position with a number; false where no position has the number.
///   exits(men, leave) `leave(c, i)` for every move to another class, the number `i` of the position after it there.
///   for_each_predecessor(men, visit)  `visit(i)` for the number of every position of the class with a legal move to
///                     this one, once a move. May also visit numbers of no position.
template <class M>
concept ClassMoves =
    std::default_initializable<typename M::Placement> &&
    requires(const M& moves, std::uint64_t i, typename M::Placement& out, const typename M::Placement& men,
             void (*leave)(std::uint32_t, std::uint64_t), void (*visit)(std::uint64_t)) {
        { moves.men(i, out) } -> std::same_as<bool>;
        { moves.exits(men, leave) } -> std::same_as<ClassExits>;
        moves.for_each_predecessor(men, visit);
    };

/// Acyclic games without rewards whose tables have an entry for those positions only that can arise from the initial
/// one. `classes` does not depend on the size: all are built together, those with the last positions first.
///
/// Requirements
///   table_position(c, i)     the position with that number; nothing where there is none.
///   unreached_value()        what a table holds where it has no entry; higher than all values.
template <class G>
concept IndexedByReach = HasTables<G> && requires(const G& game, std::uint32_t c, std::uint64_t i) {
    { game.table_position(c, i) } -> std::same_as<std::optional<typename G::Position>>;
    { game.unreached_value() } -> std::same_as<int>;
};

/// Chess with a counter of plies, after whose last ply a game is a draw unless it ends in mate. Some moves, the resets,
/// put it back to 0; none of them can be taken back. Tables have an entry for all positions that differ by their
/// counter only (tables/files/resets_code.hpp).
///
/// Requirements
///   most_plies               of the counter.
///   counter(p)               0 after a reset.
///   table_position(c, i)     the position with that number and the counter 0; nothing where there is none.
///   class_moves(c)           the moves of a class, for the builder. Resets lead out of it, or to a higher stage of it:
///                            then `leave` gets the class itself. Only other moves have predecessors. Besides
///     stages()                 how many stages the class has.
///     stage(men)               that of a position, from 0.
template <class G>
concept IndexedByResets =
    HasTables<G> && requires(const G& game, const typename G::Position& p, std::uint32_t c, std::uint64_t i) {
        { G::most_plies } -> std::convertible_to<unsigned>;
        { game.counter(p) } -> std::convertible_to<unsigned>;
        { game.table_position(c, i) } -> std::same_as<std::optional<typename G::Position>>;
        { game.class_moves(c) } -> ClassMoves;
        { game.class_moves(c).stages() } -> std::same_as<unsigned>;
        { game.class_moves(c).stage({}) } -> std::same_as<unsigned>;
    };

/// Games of values -1, 0 and 1 without rewards whose tables hold the plies to the end of the game.
///
/// Requirements
///   end_value()              what a finished game is worth to its side to move where it is not drawn: -1 or 1.
///   table_position(c, i)     the position with that number; nothing where there is none.
///   class_moves(c)           the moves of a class, for the builder.
template <class G>
concept IndexedByPlies = HasTables<G> && requires(const G& game, std::uint32_t c, std::uint64_t i) {
    { game.end_value() } -> std::same_as<int>;
    { game.table_position(c, i) } -> std::same_as<std::optional<typename G::Position>>;
    { game.class_moves(c) } -> ClassMoves;
};

/// Games whose tables hold plies, and of which some classes have games of more than 252 plies.
///
/// Requirements
///   has_long_games(c)        whether the class has: an entry takes two bytes while it is built.
template <class G>
concept HasLongGames = IndexedByPlies<G> && requires(const G& game, std::uint32_t c) {
    { game.has_long_games(c) } -> std::same_as<bool>;
};

/// Games with tables of values -1, 0 and 1, without rewards, that may have tables of plies beside them: `end_value()`
/// as above.
template <class G>
concept IndexedWithPlies = Indexed<G> && requires(const G& game) {
    { game.end_value() } -> std::same_as<int>;
};

/// Games of which some tables hold plies.
template <class G>
concept HasPlies = IndexedByPlies<G> || IndexedWithPlies<G>;

/// Calls `work` with a number of the type that the entries of plies of a class have while it is built.
template <HasPlies G, class Work>
decltype(auto) with_entry_of_plies(const G& game, std::uint32_t c, Work&& work) {
    if constexpr (!IndexedByPlies<G>) {
        return work(std::uint16_t{});
    } else {
        if constexpr (HasLongGames<G>) {
            if (game.has_long_games(c)) return work(std::uint16_t{});
        }
        return work(std::uint8_t{});
    }
}

/// Games whose tables hold plies, to the end of the game or to a reset, and need no layers for their verification.
template <class G>
concept IndexedByDistance = IndexedByPlies<G> || IndexedByResets<G>;

/// The class for which the tables of a game are compiled: `G::TableGame`, a base class of several games that has all
/// that tables ask of them, or else the game's own.
template <class G>
struct TableGameOf {
    using type = G;
};
template <class G>
    requires requires { typename G::TableGame; }
struct TableGameOf<G> {
    using type = typename G::TableGame;
};
template <class G>
using TableGame = typename TableGameOf<G>::type;

}  // namespace proofbase
