#include "games/chessboard/endgames/classes.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace proofbase::chessboard {
namespace {

constexpr std::string_view letters = "pnbrqk";

struct Sides {
    std::array<SideMen, side_numbers> of;
    std::array<std::uint8_t, 4096> by_counts;

    constexpr Sides() : of{}, by_counts{} {
        by_counts.fill(side_numbers);
        std::size_t next = 0;
        for (int count = 1; count <= 3; ++count) {
            for (int a = pawn; a <= king; ++a) {
                for (int b = pawn; b <= (count > 1 ? a : pawn); ++b) {
                    for (int c = pawn; c <= (count > 2 ? b : pawn); ++c) add({a, b, c}, count, next++);
                }
            }
        }
        for (int b = pawn; b <= queen; ++b) {
            for (int c = pawn; c <= b; ++c) {
                for (int d = pawn; d <= c; ++d) add({king, b, c, d}, 4, next++);
            }
        }
    }

    constexpr void add(const std::array<int, most_side_men>& kinds, int count, std::size_t number) {
        SideMen& men = of[number];
        men.count = static_cast<std::uint8_t>(count);
        unsigned counts = 0;
        for (std::size_t i = 0; i < men.count; ++i) {
            men.kinds[i] = static_cast<Kind>(kinds[i]);
            counts += 1u << (2 * kinds[i]);
        }
        by_counts[counts] = static_cast<std::uint8_t>(number);
    }
};
constexpr Sides sides;

unsigned pawns(std::uint32_t c) {
    unsigned found = 0;
    for (const SideMen& men : {side_of_number(larger_side(c)), side_of_number(smaller_side(c))}) {
        for (std::size_t i = 0; i < men.count; ++i) found += men.kinds[i] == pawn;
    }
    return found;
}

unsigned men_of(std::uint32_t c) {
    return side_of_number(larger_side(c)).count + 0u + side_of_number(smaller_side(c)).count;
}

}  // namespace

SideMen SideMen::without(std::size_t man) const noexcept {
    SideMen out;
    for (std::size_t i = 0; i < count; ++i) {
        if (i != man) out.kinds[out.count++] = kinds[i];
    }
    return out;
}

SideMen SideMen::with(Kind kind) const noexcept {
    SideMen out = *this;
    std::size_t place = out.count++;
    for (; place > 0 && out.kinds[place - 1] < kind; --place) out.kinds[place] = out.kinds[place - 1];
    out.kinds[place] = kind;
    return out;
}

unsigned side_number(const SideMen& men) noexcept {
    unsigned counts = 0;
    for (std::size_t i = 0; i < men.count; ++i) counts += 1u << (2 * men.kinds[i]);
    return side_of_counts(counts);
}

SideMen side_of_number(unsigned number) noexcept {
    return sides.of[number];
}

unsigned side_of_counts(unsigned counts) noexcept {
    return sides.by_counts[counts];
}

bool is_table_class(Rules rules, const SideMen& side, const SideMen& other) noexcept {
    if (side.count == 0 || other.count == 0 || side.count + other.count > most_table_men_of(rules)) return false;
    if (rules != Rules::chess) return true;
    const auto one_king = [](const SideMen& men) { return men.kinds[0] == king && men.kinds[1] != king; };
    return one_king(side) && one_king(other);
}

std::vector<std::uint32_t> classes_of_men(Rules rules, std::uint32_t men) {
    std::vector<std::uint32_t> out;
    for (unsigned a = 0; a < side_numbers; ++a) {
        for (unsigned b = 0; b <= a; ++b) {
            const std::uint32_t c = class_of(a, b);
            if (is_table_class(rules, side_of_number(a), side_of_number(b)) && men_of(c) <= men) out.push_back(c);
        }
    }
    std::sort(out.begin(), out.end(), [](std::uint32_t a, std::uint32_t b) {
        return std::tuple(men_of(a), pawns(a), a) < std::tuple(men_of(b), pawns(b), b);
    });
    return out;
}

std::vector<std::uint32_t> classes_needed(Rules rules, std::uint32_t c) {
    std::set<std::uint32_t> needs;
    const auto add = [&](const SideMen& side, const SideMen& other) {
        if (is_table_class(rules, side, other)) needs.insert(class_of(side_number(side), side_number(other)));
    };
    const SideMen larger = side_of_number(larger_side(c));
    const SideMen smaller = side_of_number(smaller_side(c));
    for (const auto& [side, other] : {std::pair(larger, smaller), std::pair(smaller, larger)}) {
        for (std::size_t taken = 0; taken < other.count; ++taken) add(side, other.without(taken));
        if (!side.has(pawn)) continue;
        for (int kind = knight; kind <= (rules == Rules::chess ? queen : king); ++kind) {
            const SideMen after = side.without(side.count - 1u).with(static_cast<Kind>(kind));
            add(after, other);
            for (std::size_t taken = 0; taken < other.count; ++taken) add(after, other.without(taken));
        }
    }
    return {needs.begin(), needs.end()};
}

bool has_long_mates(Rules rules, std::uint32_t c) noexcept {
    constexpr unsigned king_and_pawn = 1u << 2 * king | 1u << 2 * pawn;
    return rules == Rules::chess &&
           c == class_of(side_of_counts(king_and_pawn + (1u << 2 * pawn)), side_of_counts(king_and_pawn));
}

std::string name_of_class(std::uint32_t c) {
    std::string out;
    for (const unsigned side : {larger_side(c), smaller_side(c)}) {
        const SideMen men = side_of_number(side);
        if (!out.empty()) out += '-';
        for (std::size_t i = 0; i < men.count; ++i) out += letters[men.kinds[i]];
    }
    return out;
}

}  // namespace proofbase::chessboard
