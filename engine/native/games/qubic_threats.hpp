// The threats of qubic as operators (Allis 1994, 4.3.2): on a line with two stones of the attacker and two empty cubes
// a stone on one of them threatens to complete the line on the other.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "inline_list.hpp"

namespace proofbase {

/// The lines of the board, as sets of cubes with the bits of games/qubic.hpp.
namespace qubic_lines {

using Set = std::uint64_t;

struct Direction {
    int step;    ///< from a bit to the next on the line
    Set starts;  ///< the cubes at which its lines begin
};

constexpr Set bit(int cube) {
    return Set{1} << cube;
}

inline constexpr std::array<Direction, 13> directions = [] {
    std::array<Direction, 13> found{};
    std::size_t count = 0;
    for (int direction = 14; direction < 27; ++direction) {  // the others are these backwards
        const int step[3] = {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
        Set starts = 0;
        for (int cube = 0; cube < 64; ++cube) {
            const int place[3] = {cube % 4, cube / 4 % 4, cube / 16};
            bool begins = true;
            for (int a = 0; a < 3; ++a) begins = begins && (step[a] == 0 || place[a] == (step[a] > 0 ? 0 : 3));
            if (begins) starts |= bit(cube);
        }
        found[count++] = {step[0] + 4 * step[1] + 16 * step[2], starts};
    }
    return found;
}();

/// Bits at the starts of lines: the line has a stone of the set.
constexpr Set along(Set set, int step) {
    const Set pairs = set | (set >> step);
    return pairs | (pairs >> (2 * step));
}
constexpr Set cubes_of(Set lines, int step) {
    const Set pairs = lines | (lines << step);
    return pairs | (pairs << (2 * step));
}

inline constexpr std::array<InlineList<Set, 7>, 64> lines_through = [] {
    std::array<InlineList<Set, 7>, 64> found{};
    for (const auto [step, starts] : directions) {
        for (Set lines = starts; lines != 0; lines &= lines - 1) {
            const Set line = cubes_of(lines & -lines, step);
            for (Set cubes = line; cubes != 0; cubes &= cubes - 1) found[std::countr_zero(cubes)].push_back(line);
        }
    }
    return found;
}();

inline constexpr std::array<InlineList<std::uint8_t, 21>, 64> on_lines_with = [] {
    std::array<InlineList<std::uint8_t, 21>, 64> found{};
    for (int cube = 0; cube < 64; ++cube) {
        for (const Set line : lines_through[cube]) {
            for (Set others = line & ~bit(cube); others != 0; others &= others - 1) {
                found[cube].push_back(static_cast<std::uint8_t>(std::countr_zero(others)));
            }
        }
    }
    return found;
}();

}  // namespace qubic_lines

struct QubicThreats {
    using Set = qubic_lines::Set;
    using Move = std::uint8_t;

    struct Stones {
        Set attacker = 0;
        Set defender = 0;
        bool operator==(const Stones&) const = default;
    };
    struct Threat {
        Move move;
        Move reply;
    };
    using Threats = InlineList<Threat, 2 * 76>;

    struct Counters {
        int count;  ///< 0, 1 or 2 for more
        Move move;
    };

    static std::optional<Move> wins(const Stones& s) { return any(completing(s.attacker, s.defender)); }
    static bool wins_with(const Stones& s, Move m) {
        if (((s.attacker | s.defender) & qubic_lines::bit(m)) != 0) return false;
        for (const Set line : qubic_lines::lines_through[m]) {
            if (std::popcount(line & s.attacker) == 3) return true;
        }
        return false;
    }
    static std::optional<Move> wins_by(const Stones& s, Move m) {
        return any(completing_by(s.attacker, s.defender, m));
    }
    static Counters counters(const Stones& s) { return counted(completing(s.defender, s.attacker)); }
    static Counters counters_by(const Stones& s, Move r) { return counted(completing_by(s.defender, s.attacker, r)); }

    static void threats(const Stones& s, Threats& out) {
        out.clear();
        for (const auto [step, starts] : qubic_lines::directions) {
            const Set open = starts & ~qubic_lines::along(s.defender, step);
            for (Set lines = open & along_with(s.attacker, step).two; lines != 0; lines &= lines - 1) {
                add(qubic_lines::cubes_of(lines & -lines, step) & ~s.attacker, out);
            }
        }
    }

    static void threats_by(const Stones& s, Move m, Threats& out) {
        out.clear();
        for (const Set line : qubic_lines::lines_through[m]) {
            if ((line & s.defender) == 0 && std::popcount(line & s.attacker) == 2) add(line & ~s.attacker, out);
        }
    }

    static void threats_by_both(const Stones& s, Move m, Move n, Threats& out) {
        out.clear();
        const Set line = line_through_both(m, n);
        if ((line & s.defender) == 0 && std::popcount(line & s.attacker) == 2) add(line & ~s.attacker, out);
    }
    static std::optional<Move> wins_by_both(const Stones& s, Move m, Move n) {
        const Set line = line_through_both(m, n);
        if ((line & s.defender) != 0 || std::popcount(line & s.attacker) != 3) return std::nullopt;
        return first(line & ~s.attacker);
    }

    static void threats_at(const Stones& s, Move m, Threats& out) {
        out.clear();
        for (const Set line : qubic_lines::lines_through[m]) {
            if ((line & s.defender) != 0 || std::popcount(line & s.attacker) != 2) continue;
            out.push_back({m, first(line & ~s.attacker & ~qubic_lines::bit(m))});
        }
    }

    static Stones played(const Stones& s, const Threat& t) {
        return {s.attacker | qubic_lines::bit(t.move), s.defender | qubic_lines::bit(t.reply)};
    }
    static bool holds(const Stones& s, const Threat& t) {
        return (s.attacker & qubic_lines::bit(t.move)) != 0 && (s.defender & qubic_lines::bit(t.reply)) != 0;
    }
    static bool fits(const Stones& s, const Threat& t) {
        return ((s.attacker | s.defender) & (qubic_lines::bit(t.move) | qubic_lines::bit(t.reply))) == 0;
    }

    static const InlineList<std::uint8_t, 21>& partners(Move m) { return qubic_lines::on_lines_with[m]; }

    static bool disagree(const Stones& a, const Stones& b) {
        return ((a.attacker & b.defender) | (a.defender & b.attacker)) != 0;
    }
    static Stones united(const Stones& a, const Stones& b) {
        return {a.attacker | b.attacker, a.defender | b.defender};
    }

    static std::uint64_t hash(const Stones& s) {
        std::uint64_t h = s.attacker * 0x9e3779b97f4a7c15ULL ^ std::rotl(s.defender * 0xc2b2ae3d27d4eb4fULL, 31);
        h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ULL;
        return h ^ h >> 32;
    }

  private:
    static Move first(Set set) { return static_cast<Move>(std::countr_zero(set)); }

    /// Bits at the starts of lines: the line has exactly so many stones of the set.
    struct Counted {
        Set two;
        Set three;
    };
    static Counted along_with(Set set, int step) {
        const Set front = set ^ (set >> step);
        const Set pair = set & (set >> step);
        const Set odd = front ^ (front >> (2 * step));
        const Set two_or_three = (front & (front >> (2 * step))) | (pair ^ (pair >> (2 * step)));
        return {two_or_three & ~odd, two_or_three & odd};
    }

    /// Empty if there is none: two cubes lie on one line at most.
    static Set line_through_both(Move m, Move n) {
        for (const Set line : qubic_lines::lines_through[m]) {
            if ((line & qubic_lines::bit(n)) != 0) return line;
        }
        return 0;
    }

    static Set completing(Set own, Set other) {
        Set found = 0;
        for (const auto [step, starts] : qubic_lines::directions) {
            found |=
                qubic_lines::cubes_of(starts & ~qubic_lines::along(other, step) & along_with(own, step).three, step);
        }
        return found & ~own;
    }

    static Set completing_by(Set own, Set other, Move m) {
        Set found = 0;
        for (const Set line : qubic_lines::lines_through[m]) {
            if ((line & other) == 0 && std::popcount(line & own) == 3) found |= line & ~own;
        }
        return found;
    }

    static std::optional<Move> any(Set set) { return set != 0 ? std::optional(first(set)) : std::nullopt; }
    static Counters counted(Set set) { return {set == 0 ? 0 : (set & (set - 1)) == 0 ? 1 : 2, first(set)}; }

    /// Both threats of a line whose other two cubes are empty.
    static void add(Set empty, Threats& out) {
        const Move low = first(empty);
        const Move high = first(empty & (empty - 1));
        out.push_back({low, high});
        out.push_back({high, low});
    }
};

static_assert(ThreatSpace<QubicThreats>);

}  // namespace proofbase
