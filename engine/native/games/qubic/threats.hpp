// The threats of qubic as operators (Allis 1994, 4.3.2): on a line with two stones of the attacker and two empty cubes,
// a stone on one of the empty cubes threatens to complete the line on the other.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "games/qubic/lines.hpp"
#include "inline_list.hpp"

namespace proofbase {

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
        int count;  ///< 0, 1, or 2 for two or more
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
            const Set open = starts & ~qubic_lines::lines_with(s.defender, step);
            for (Set lines = open & with_two(s.attacker, step); lines != 0; lines &= lines - 1) {
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

    static Stones play(const Stones& s, const Threat& t) {
        return {s.attacker | qubic_lines::bit(t.move), s.defender | qubic_lines::bit(t.reply)};
    }
    static bool has_both(const Stones& s, const Threat& t) {
        return (s.attacker & qubic_lines::bit(t.move)) != 0 && (s.defender & qubic_lines::bit(t.reply)) != 0;
    }
    static bool can_play(const Stones& s, const Threat& t) {
        return ((s.attacker | s.defender) & (qubic_lines::bit(t.move) | qubic_lines::bit(t.reply))) == 0;
    }

    static const InlineList<std::uint8_t, 21>& partners(Move m) { return qubic_lines::on_lines_with[m]; }

    static bool conflict(const Stones& a, const Stones& b) {
        return ((a.attacker & b.defender) | (a.defender & b.attacker)) != 0;
    }
    static Stones unite(const Stones& a, const Stones& b) { return {a.attacker | b.attacker, a.defender | b.defender}; }

    static std::uint64_t hash(const Stones& s) {
        std::uint64_t h = s.attacker * 0x9e3779b97f4a7c15ULL ^ std::rotl(s.defender * 0xc2b2ae3d27d4eb4fULL, 31);
        h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ULL;
        return h ^ h >> 32;
    }

  private:
    static Move first(Set set) { return static_cast<Move>(std::countr_zero(set)); }

    /// The lines of a direction with exactly two, exactly three stones of the set (bits at the starts of the lines).
    static Set with_two(Set set, int step) {
        const auto [odd, two_or_three] = qubic_lines::count(set, step);
        return two_or_three & ~odd;
    }
    static Set with_three(Set set, int step) {
        const auto [odd, two_or_three] = qubic_lines::count(set, step);
        return two_or_three & odd;
    }

    /// The line through two cubes, of which there is at most one; empty if there is none.
    static Set line_through_both(Move m, Move n) {
        for (const Set line : qubic_lines::lines_through[m]) {
            if ((line & qubic_lines::bit(n)) != 0) return line;
        }
        return 0;
    }

    /// The empty cubes that complete a line of `own`.
    static Set completing(Set own, Set other) {
        Set cubes = 0;
        for (const auto [step, starts] : qubic_lines::directions) {
            cubes |=
                qubic_lines::cubes_of(starts & ~qubic_lines::lines_with(other, step) & with_three(own, step), step);
        }
        return cubes & ~own;
    }

    /// The empty cubes that complete a line of `own` through the cube m.
    static Set completing_by(Set own, Set other, Move m) {
        Set cubes = 0;
        for (const Set line : qubic_lines::lines_through[m]) {
            if ((line & other) == 0 && std::popcount(line & own) == 3) cubes |= line & ~own;
        }
        return cubes;
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
