// Checkers, also called English draughts.
//
// Rules (World Checkers Draughts Federation)
//   1. Black and White have 12 men each on the 32 dark squares of a board of 8x8, numbered row by row from 1 to 32.
//      Black's stand on 1 to 12 and move down, White's on 21 to 32 and move up. Black begins; they move in turn.
//   2. A man moves one step diagonally forward to a free square, a king in all four diagonal directions.
//   3. A man jumps forward, a king in any direction, over a neighbouring man of the other side to the free square
//      behind, and takes it. It goes on jumping as long as it can, over no man twice. Who can jump has to, by any way
//      that he likes.
//   4. A man that comes to the last row becomes a king, and its move ends there.
//   5. A side that is to move and cannot, because it has no men or because they are blocked, has lost.
//   6. Endless play is a draw.
//
// Encoding: the men of the side to move, those of the other side, and the kings, 32 bits each, as the side to move sees
// them. An encoding in its own orientation has all free squares among the kings where White is to move.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/checkers/board.hpp"
#include "games/checkers/class_moves.hpp"
#include "games/checkers/classes.hpp"
#include "games/checkers/effort.hpp"
#include "games/checkers/moves.hpp"
#include "games/checkers/numbering.hpp"
#include "games/checkers/text.hpp"
#include "inline_list.hpp"
#include "table_concepts.hpp"

namespace proofbase {

class Checkers {
  public:
    static constexpr std::string_view family = "checkers";
    static constexpr std::string_view description =
        "English draughts on 8x8: jumps are compulsory, who cannot move loses, endless play is a draw";
    static constexpr std::string_view examples[] = {"checkers"};

    using Position = checkers::Position;
    using Move = checkers::Move;
    using Moves = InlineList<Move, std::size_t{checkers::most_ways} * checkers::most_men>;
    using Key = unsigned __int128;

    static Checkers from_parameters(std::string_view parameters) {
        if (!parameters.empty()) throw UnknownGame("checkers takes no parameters, not " + quoted(parameters));
        return {};
    }

    std::string name() const { return std::string(family); }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return false; }
    int highest_value() const noexcept { return 1; }

    /// Rule 1.
    Position initial() const noexcept { return {0xfff, 0xfffU << 20, 0, 0}; }

    /// Rule 5.
    std::optional<int> terminal(const Position& p) const noexcept {
        if (checkers::can_step(p) || checkers::can_jump(p)) return std::nullopt;
        return -1;
    }

    /// Rule 6.
    int repetition(const Position&) const noexcept { return 0; }

    /// Rules 2 to 4, in ascending order of their codes.
    void moves(const Position& p, Moves& out) const noexcept {
        out.clear();
        const bool jump = checkers::can_jump(p);
        const checkers::Squares free = ~(p.own | p.other);
        for (checkers::Squares left = p.own; left != 0; left &= left - 1) {
            const auto from = static_cast<unsigned>(std::countr_zero(left));
            if (jump) {
                add_jumps(p, from, out);
                continue;
            }
            checkers::Squares to =
                checkers::stepped(checkers::square_set(from), 0) | checkers::stepped(checkers::square_set(from), 1);
            if ((p.kings >> from & 1) != 0) {
                to |=
                    checkers::stepped(checkers::square_set(from), 2) | checkers::stepped(checkers::square_set(from), 3);
            }
            for (to &= free; to != 0; to &= to - 1) {
                out.push_back(checkers::code(from, static_cast<unsigned>(std::countr_zero(to)), 0));
            }
        }
    }

    Position play(const Position& p, Move move) const noexcept { return checkers::played(p, move); }
    int reward(const Position&, Move) const noexcept { return 0; }
    int side(const Position& p) const noexcept { return static_cast<int>(p.side); }
    /// Jumps, and steps of men.
    bool converts(const Position& p, Move move) const noexcept {
        return checkers::is_jump(move) || (p.kings & checkers::square_set(checkers::from_of(move))) == 0;
    }

    /// By the material of both sides (games/checkers/effort.hpp).
    Estimate effort(const Position& p, int bound) const noexcept {
        Moves legal;
        moves(p, legal);
        return checkers::effort(p, bound, static_cast<std::uint32_t>(legal.size()), checkers::can_jump(p));
    }

    Key oriented_key(const Position& p) const noexcept {
        return key(p) | (p.side == 0 ? Key{0} : Key{~(p.own | p.other)});
    }
    Key key(const Position& p) const noexcept { return Key{p.own} << 64 | Key{p.other} << 32 | p.kings; }
    std::size_t key_size() const noexcept { return 12; }

    std::optional<Position> position(Key key) const noexcept {
        if (key >> 96 != 0) return std::nullopt;
        Position p{static_cast<checkers::Squares>(key >> 64), static_cast<checkers::Squares>(key >> 32),
                   static_cast<checkers::Squares>(key), 0};
        const checkers::Squares free = ~(p.own | p.other);
        if (free != 0 && (p.kings & free) == free) {
            p.kings &= ~free;
            p.side = 1;
        }
        if (checkers::defect(p.own, p.other, p.kings) != nullptr) return std::nullopt;
        return p;
    }

    Position parse(std::string_view text) const { return checkers::parse(text); }
    std::string text(const Position& p) const { return checkers::text(p); }
    std::string draw(const Position& p) const { return checkers::draw(p); }
    std::string move_text(const Position& p, Move move) const { return checkers::move_text(p, move); }
    Move parse_move(const Position& p, std::string_view text) const {
        Moves legal;
        moves(p, legal);
        return checkers::parse_move(p, legal, text);
    }

    // Tables of up to six men (docs/tables.md). What they are is in games/checkers/classes.hpp and numbering.hpp.

    /// Who cannot move loses.
    int end_value() const noexcept { return -1; }

    std::vector<std::uint32_t> classes(std::uint32_t men) const { return checkers::classes_of_men(men); }
    std::vector<std::uint32_t> class_needs(std::uint32_t c) const { return checkers::classes_needed(c); }
    std::string class_name(std::uint32_t c) const { return checkers::name_of_class(c); }
    std::uint64_t class_size(std::uint32_t c) const noexcept { return checkers::size_of_class(c); }
    std::uint32_t table_class(const Position& p) const noexcept {
        const checkers::Side own = checkers::side_of(p.own, p.kings);
        const checkers::Side other = checkers::side_of(p.other, p.kings);
        if (!checkers::has_table(own, other)) return no_table_class;
        return checkers::class_of(checkers::side_number(own), checkers::side_number(other));
    }
    std::uint64_t table_rank(const Position& p) const noexcept {
        return checkers::entry_of({p.own, p.other, p.kings}).number;
    }
    std::optional<Position> table_position(std::uint32_t c, std::uint64_t number) const noexcept {
        const checkers::Placed p = checkers::placed(c, number);
        return Position{p.own, p.other, p.kings, 0};
    }
    checkers::EndingMoves class_moves(std::uint32_t c) const { return checkers::EndingMoves(c); }

  private:
    static void add_jumps(const Position& p, unsigned from, Moves& out) noexcept {
        std::array<std::uint8_t, 32> ways{};  // so many by the square that they end on
        std::array<Move, checkers::most_ways> found;
        std::size_t count = 0;
        checkers::for_each_jump(p, from, [&](const checkers::Path& path) {
            const unsigned to = path.squares[path.length - 1];
            found[count++] = checkers::code(from, to, ways[to]++);
            return false;
        });
        std::sort(found.begin(), found.begin() + count);
        for (std::size_t i = 0; i < count; ++i) out.push_back(found[i]);
    }
};

static_assert(Game<Checkers> && Described<Checkers> && Notated<Checkers> && Symmetric<Checkers> && Cyclic<Checkers> &&
              IndexedByPlies<Checkers> && Effort<Checkers>);

}  // namespace proofbase
