// What the searches of threats ask of a game: five concepts, each asked for by the searches that it names. A game that
// has the classes can use these searches; gomoku::Attack and gomoku::LineThreats are examples. What is asked of
// the game itself is in concepts.hpp (ThreatTreeGame, QuietThreatGame). Threats with one reply each, as sets of stones,
// have a concept of their own there, ThreatSpace.
//
// A board is seen by one side, the attacker. "To win at once" is to complete a row; a four threatens to win at once, a
// three threatens to make a straight four (games/gomoku/threat_squares.hpp has the words).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace proofbase {

/// A set of squares. Squares are bits, from 0 to `capacity` - 1.
///
///   a | b, a & b, a - b   union, intersection, difference.
///   of(bit)               the set of one square.
///   first()               the smallest bit of a set that is not empty.
///   for_each(visit)       visit(bit), the smallest bit first.
template <class Set>
concept SquareSet = std::regular<Set> && requires(const Set& a, const Set& b, int bit) {
    { Set::capacity } -> std::convertible_to<int>;
    { a | b } -> std::same_as<Set>;
    { a & b } -> std::same_as<Set>;
    { a - b } -> std::same_as<Set>;
    { Set::of(bit) } -> std::same_as<Set>;
    { a.empty() } -> std::same_as<bool>;
    { a.has(bit) } -> std::same_as<bool>;
    { a.first() } -> std::convertible_to<int>;
    { a.count() } -> std::convertible_to<int>;
    { a.more_than_one() } -> std::same_as<bool>;
    a.for_each([](int) {});
};

/// A board on which the attacker makes threats to win at once: FoursSearch.
///
///   Stones                   the sets `attacker` and `defender`, and a `hash` that follows from them.
///   attacked(s, bit)         the stones after a move of the attacker; defended(s, bit): of the defender.
///   wins(s)                  the squares on which the attacker wins at once; defender_wins(s): the defender.
///   threats(s)               the squares on which a stone of the attacker makes a threat: `five` wins at once, `four`
///                            leaves one square that wins, `double_four` leaves two.
template <class Board>
concept FoursBoard =
    SquareSet<typename Board::Set> && requires(const Board& board, const typename Board::Stones& s, int bit) {
        { s.attacker } -> std::convertible_to<typename Board::Set>;
        { s.defender } -> std::convertible_to<typename Board::Set>;
        { s.hash } -> std::convertible_to<std::uint64_t>;
        { board.attacked(s, bit) } -> std::same_as<typename Board::Stones>;
        { board.defended(s, bit) } -> std::same_as<typename Board::Stones>;
        { board.wins(s) } -> std::same_as<typename Board::Set>;
        { board.defender_wins(s) } -> std::same_as<typename Board::Set>;
        { board.threats(s).five } -> std::convertible_to<typename Board::Set>;
        { board.threats(s).four } -> std::convertible_to<typename Board::Set>;
        { board.threats(s).double_four } -> std::convertible_to<typename Board::Set>;
    };

/// A board with threats that have several replies: ThreesSearch, WinningSequences, TreeRepair.
///
///   square(bit), bit(square) between the bits of the sets and the numbers of the squares in threat trees.
///   empty(s)                 the squares without a stone.
///   threats(s)               also has the squares of a `straight_four` and of a `three`.
///   defender_fours(s)        the squares on which the defender threatens to win at once;
///                            defender_straight_fours(s): those that leave him two squares that win.
///   meeting(s, double_fours) the squares on which a stone of the defender leaves none of them a double four.
template <class Board>
concept ThreatBoard = FoursBoard<Board> && requires(const Board& board, const typename Board::Stones& s,
                                                    const typename Board::Set& set, int bit) {
    { board.square(bit) } -> std::convertible_to<int>;
    { board.bit(bit) } -> std::convertible_to<int>;
    { board.empty(s) } -> std::same_as<typename Board::Set>;
    { board.threats(s).straight_four } -> std::convertible_to<typename Board::Set>;
    { board.threats(s).three } -> std::convertible_to<typename Board::Set>;
    { board.defender_fours(s) } -> std::same_as<typename Board::Set>;
    { board.defender_straight_fours(s) } -> std::same_as<typename Board::Set>;
    { board.meeting(s, set) } -> std::same_as<typename Board::Set>;
};

/// A board for searches over moves that make no threat: RelevanceZone, QuietSearch, OpeningSearch.
///
///   stones(attacker, defender)   the stones on these squares.
///   board()                  all squares.
///   playable(s)              the empty squares on which the rules of the game's opening allow to move.
///   length()                 squares of a row that wins.
///   defender_windows(s, n)   the empty squares of rows of this length that hold no stone of the attacker and at least
///                            n of the defender.
///   worth(s)                 the worth of each square for a stone of the `attacker` and of the `defender`, by bits.
///   symmetries()             the image of each bit under each symmetry of the board; the identity first.
///   spare_candidates()       the default of QuietSettings::spare_candidates.
template <class Board>
concept QuietThreatBoard = ThreatBoard<Board> && requires(const Board& board, const typename Board::Stones& s,
                                                          const typename Board::Set& set, int count) {
    { board.stones(set, set) } -> std::same_as<typename Board::Stones>;
    { board.board() } -> std::convertible_to<typename Board::Set>;
    { board.playable(s) } -> std::same_as<typename Board::Set>;
    { board.length() } -> std::convertible_to<int>;
    { board.defender_windows(s, count) } -> std::same_as<typename Board::Set>;
    { board.worth(s) } -> std::same_as<typename Board::Worth>;
    { board.worth(s).attacker[std::size_t{}] } -> std::convertible_to<int>;
    { board.worth(s).defender[std::size_t{}] } -> std::convertible_to<int>;
    { board.symmetries() } -> std::same_as<const std::vector<typename Board::Symmetry>&>;
    { board.spare_candidates() } -> std::convertible_to<int>;
};

/// The threats of one side as operators, each with all replies to it: DependencyLevels, WinningSequences.
///
///   Threat                   `move`, `replies`, `squares` (all that it needs), `category` (1: a four, 2: a three).
///   add_all(own, other, category, out)         adds the threats of these stones, up to this category.
///   add_with(own, other, m, category, out)     those that need the own stone m.
///   add_with_both(own, other, m, n, category, out)    those that need both stones.
///   on_a_line(m, n)          whether a threat can need both stones.
template <class Lines, class Set>
concept ThreatOperators =
    SquareSet<Set> && requires(const Lines& lines, const Set& stones, int bit, std::vector<typename Lines::Threat>& out,
                               const typename Lines::Threat& threat) {
        { threat.move } -> std::convertible_to<int>;
        { threat.category } -> std::convertible_to<int>;
        { threat.replies } -> std::convertible_to<Set>;
        { threat.squares } -> std::convertible_to<Set>;
        lines.add_all(stones, stones, bit, out);
        lines.add_with(stones, stones, bit, bit, out);
        lines.add_with_both(stones, stones, bit, bit, bit, out);
        { lines.on_a_line(bit, bit) } -> std::same_as<bool>;
    };

}  // namespace proofbase
