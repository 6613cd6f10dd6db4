#include "games/chessboard/endgames/numbering.hpp"

#include <map>
#include <mutex>
#include <tuple>

namespace proofbase::chessboard {
namespace {

constexpr unsigned all_maps = 8;
constexpr unsigned maps_with_pawns = 2;

using Place = std::array<std::uint8_t, 2>;

Place image(const SquareMap& map, const Place& place, LeadingPlaces::Men men) {
    Place out{map[place[0]], men == LeadingPlaces::Men::single ? std::uint8_t{0} : map[place[1]]};
    if (men == LeadingPlaces::Men::pair && out[0] > out[1]) std::swap(out[0], out[1]);
    return out;
}

bool apart(const Place& place) {
    const int files = place[0] % 8 - place[1] % 8;
    const int ranks = place[0] / 8 - place[1] / 8;
    return files * files > 1 || ranks * ranks > 1;
}

/// One object for each kind of leading places, made once.
const LeadingPlaces& leading_places(LeadingPlaces::Men men, unsigned maps, unsigned first, unsigned end) {
    static std::mutex lock;
    static std::map<std::tuple<LeadingPlaces::Men, unsigned, unsigned, unsigned>, LeadingPlaces> made;
    const std::scoped_lock held(lock);
    return made.try_emplace({men, maps, first, end}, men, maps, first, end).first->second;
}

std::uint32_t places(std::uint32_t squares, unsigned men) {
    if (men == 1) return squares;
    return men == 2 ? squares * (squares - 1) / 2 : squares * (squares - 1) * (squares - 2) / 6;
}

/// The squares of equal men by their place: that of squares a < b < c is C(a, 1) + C(b, 2) + C(c, 3).
struct SquareSets {
    std::vector<std::array<std::uint8_t, 2>> pairs;
    std::vector<std::array<std::uint8_t, 3>> triples;

    SquareSets() {
        for (std::uint8_t c = 0; c < 64; ++c) {
            for (std::uint8_t b = 0; b < c; ++b) {
                pairs.push_back({b, c});
                for (std::uint8_t a = 0; a < b; ++a) triples.push_back({a, b, c});
            }
        }
    }
};
const SquareSets square_sets;

}  // namespace

const std::array<SquareMap, 8> square_maps = [] {
    std::array<SquareMap, 8> maps{};
    for (unsigned m = 0; m < 8; ++m) {
        for (unsigned square = 0; square < 64; ++square) {
            unsigned to = square ^ ((m & 1) != 0 ? 7u : 0u) ^ ((m & 2) != 0 ? 56u : 0u);
            if ((m & 4) != 0) to = to / 8 + to % 8 * 8;
            maps[m][square] = static_cast<std::uint8_t>(to);
        }
    }
    return maps;
}();

LeadingPlaces::LeadingPlaces(Men men, unsigned maps, unsigned first, unsigned end)
    : places_(4096, Place{no_orbit, 0, 0}) {
    for (unsigned a = first; a < end; ++a) {
        for (unsigned b = men == Men::single ? 0 : first; b < (men == Men::single ? 1 : end); ++b) {
            const proofbase::chessboard::Place place{static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
            if (men == Men::kings && !apart(place)) continue;
            if (men == Men::pair && a == b) continue;
            auto smallest = image(square_maps[0], place, men);
            for (unsigned m = 1; m < maps; ++m) smallest = std::min(smallest, image(square_maps[m], place, men));
            Place& found = places_[a | b << 6];
            for (unsigned m = maps; m-- > 0;) {
                if (image(square_maps[m], place, men) != smallest) continue;
                found.maps = static_cast<std::uint8_t>(found.maps | 1u << m);
                found.map = static_cast<std::uint8_t>(m);
            }
            // The first place of an orbit comes before its others.
            if (smallest == place) {
                found.orbit = static_cast<std::uint16_t>(first_places_.size());
                first_places_.push_back(place);
            } else {
                found.orbit = places_[smallest[0] | unsigned{smallest[1]} << 6].orbit;
            }
        }
    }
}

Numbering::Numbering(Rules rules, const SideMen& own, const SideMen& other)
    : own_men_(own.count), men_(std::size_t{own.count} + other.count) {
    for (std::size_t i = 0; i < men_; ++i) kinds_[i] = i < own_men_ ? own.kinds[i] : other.kinds[i - own_men_];
    pawns_ = own.has(pawn) || other.has(pawn);
    passed_pawns_ = rules != Rules::giveaway && own.has(pawn) && other.has(pawn);
    std::vector<Group> all;
    for (std::size_t i = 0; i < men_; ++i) {
        if (i > 0 && i != own_men_ && kinds_[i] == kinds_[i - 1]) {
            ++all.back().count;
            continue;
        }
        const bool passed = passed_pawns_ && i >= own_men_;
        all.push_back(
            {0, static_cast<std::uint8_t>(i), 1, static_cast<std::uint8_t>(kinds_[i] != pawn || passed ? 0 : 8)});
    }
    const auto end = [&](const Group& group) { return kinds_[group.first] == pawn ? 56u : 64u; };
    const unsigned maps = pawns_ ? maps_with_pawns : all_maps;
    if (rules == Rules::chess) {
        lead_b_ = own_men_;
        lead_pair_ = true;
        leading_ = &leading_places(LeadingPlaces::Men::kings, maps, 0, 64);
        std::erase_if(all, [&](const Group& group) { return kinds_[group.first] == king; });
    } else {
        auto lead = std::ranges::find(all, 1, &Group::count);
        if (lead == all.end()) lead = all.begin();
        lead_a_ = lead->first;
        lead_b_ = lead->first + 1u;
        lead_pair_ = lead->count == 2;
        const auto men = lead_pair_ ? LeadingPlaces::Men::pair : LeadingPlaces::Men::single;
        leading_ = &leading_places(men, maps, lead->base, end(*lead));
        all.erase(lead);
    }
    for (Group& group : all) {
        group.size = places(end(group) - group.base, group.count);
        rest_size_ *= group.size;
        groups_[groups_count_++] = group;
    }
}

void Numbering::put(const Group& group, std::uint32_t place, MenSquares& at) noexcept {
    for (std::size_t i = 0; i < group.count; ++i) {
        const std::size_t square = group.count == 1   ? place
                                   : group.count == 2 ? square_sets.pairs[place][i]
                                                      : square_sets.triples[place][i];
        at[group.first + i] = static_cast<std::uint8_t>(square + group.base);
    }
}

Numberings::Numberings(Rules rules) : all_(std::size_t{side_numbers} * side_numbers) {
    for (unsigned own = 0; own < side_numbers; ++own) {
        for (unsigned other = 0; other < side_numbers; ++other) {
            const SideMen a = side_of_number(own);
            const SideMen b = side_of_number(other);
            if (is_table_class(rules, a, b)) {
                all_[side_numbers * own + other] = std::make_unique<const Numbering>(rules, a, b);
            }
        }
    }
}

const Numberings& numberings(Rules rules) {
    static const Numberings chess(Rules::chess);
    static const Numberings giveaway(Rules::giveaway);
    static const Numberings antichess(Rules::antichess);
    return rules == Rules::chess ? chess : rules == Rules::giveaway ? giveaway : antichess;
}

}  // namespace proofbase::chessboard
