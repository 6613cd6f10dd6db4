#include "games/chessboard/endgames/positions.hpp"

#include <bit>

#include "games/chessboard/fen.hpp"
#include "games/chessboard/rules.hpp"
#include "table_concepts.hpp"

namespace proofbase::chessboard {
namespace {

/// How many men of each kind a side has, two bits a kind. Precondition: three of a kind at most.
unsigned counts(const Board& b, Squares men) noexcept {
    const auto count = [men](Squares kind) { return static_cast<unsigned>(std::popcount(kind & men)); };
    const Squares queens = b.diagonal & b.straight;
    return count(b.pawns) | count(b.knights) << 2 | count(b.diagonal ^ queens) << 4 | count(b.straight ^ queens) << 6 |
           count(queens) << 8 | count(b.kings) << 10;
}

Squares men_of_kind(const Board& b, Kind kind) noexcept {
    switch (kind) {
        case pawn:
            return b.pawns;
        case knight:
            return b.knights;
        case bishop:
            return b.diagonal & ~b.straight;
        case rook:
            return b.straight & ~b.diagonal;
        case queen:
            return b.diagonal & b.straight;
        default:
            return b.kings;
    }
}

/// Where the men of a numbering stand.
MenSquares squares_of(const Numbering& numbering, const Board& b) noexcept {
    MenSquares at{};
    const Squares passed = b.en_passant != 0 ? square_set(b.en_passant - 8) : 0;
    Squares left = b.occupied();
    for (std::size_t man = 0; man < numbering.men(); ++man) {
        const Squares side = man < numbering.own_men() ? b.own : ~b.own;
        const int square = first_square(men_of_kind(b, numbering.kind(man)) & side & left);
        left &= ~square_set(square);
        at[man] = static_cast<std::uint8_t>((passed >> square & 1) != 0 ? square & 7 : square);
    }
    return at;
}

}  // namespace

std::uint32_t table_class(Rules rules, const Board& b) noexcept {
    const Squares own = b.own;
    const Squares other = b.other();
    const int most = most_table_men_of(rules);
    if (std::popcount(own | other) > most || std::popcount(own) >= most || std::popcount(other) >= most ||
        b.castling != 0) {
        return no_table_class;
    }
    const unsigned own_side = side_of_counts(counts(b, own));
    const unsigned other_side = side_of_counts(counts(b, other));
    if (own_side == side_numbers || other_side == side_numbers) return no_table_class;
    return numberings(rules).get(own_side, other_side) == nullptr ? no_table_class : class_of(own_side, other_side);
}

std::uint64_t table_rank(Rules rules, const Board& b) noexcept {
    const unsigned own = side_of_counts(counts(b, b.own));
    const unsigned other = side_of_counts(counts(b, b.other()));
    const Numbering& numbering = *numberings(rules).get(own, other);
    const std::uint64_t number = numbering.number(squares_of(numbering, b)).number;
    return own < other ? number + numberings(rules).get(other, own)->size() : number;
}

std::uint64_t class_size(Rules rules, std::uint32_t c) noexcept {
    const unsigned larger = larger_side(c);
    const unsigned smaller = smaller_side(c);
    const std::uint64_t size = numberings(rules).get(larger, smaller)->size();
    return larger == smaller ? size : size + numberings(rules).get(smaller, larger)->size();
}

std::optional<Board> table_position(Rules rules, std::uint32_t c, std::uint64_t number) noexcept {
    const Numbering* numbering = numberings(rules).get(larger_side(c), smaller_side(c));
    if (number >= numbering->size()) {
        number -= numbering->size();
        numbering = numberings(rules).get(smaller_side(c), larger_side(c));
    }
    MenSquares at{};
    const bool sure = numbering->squares(number, at);
    Board b;
    for (std::size_t man = 0; man < numbering->men(); ++man) {
        const bool own = man < numbering->own_men();
        int square = at[man];
        if (numbering->kind(man) == pawn && square < 8) {
            if (b.en_passant != 0) return std::nullopt;
            square += 32;
            b.en_passant = static_cast<std::uint8_t>(square + 8);
        }
        const Squares on = square_set(square);
        if ((b.occupied() & on) != 0) return std::nullopt;
        b.put(numbering->kind(man), on);
        if (own) b.own |= on;
    }
    if (b.en_passant != 0) {
        const Squares behind = square_set(b.en_passant) | square_set(b.en_passant + 8);
        if ((b.occupied() & behind) != 0 || !has_pass_capture(rules, b, b.en_passant)) return std::nullopt;
    }
    if (rules == Rules::chess && !defect(rules, b).empty()) return std::nullopt;
    if (!sure && numbering->number(at).number != number) return std::nullopt;
    return b;
}

}  // namespace proofbase::chessboard
