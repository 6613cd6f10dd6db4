// Answers for batches of positions: what rules, records and tables say of each, without claims and evidence.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/known_records.hpp"
#include "records/value_tables.hpp"

namespace proofbase {

/// One position's answer. The bits of `state` are part of the protocol (protos/proofbase/v1/solutions.proto).
struct Answer {
    enum State : std::uint8_t {
        lower_known = 1,  ///< the lower bound says more than the limits of the value, or the value is known
        upper_known = 2,  ///< the same of the upper bound
        invalid = 4,      ///< no (canonical) key of a legal position
        stored = 8,       ///< there is a record
        finished = 16,    ///< the game is over: the value follows from the rules
        tabled = 32,      ///< the value is an entry of a table
        damaged = 64,     ///< the record has a bound that the position's value cannot have
    };
    std::uint8_t state = 0;
    std::int32_t lower = 0;  ///< seen by the side to move; the limit of the value where nothing is known
    std::int32_t upper = 0;
    std::uint32_t lower_rank = 0;  ///< 0 where the bound is not known, or nothing is known of the plies
    std::uint32_t upper_rank = 0;
};

/// Takes the value, and the ranks, from the table of a position where the record does not know the value, or not in how
/// few plies. True if it is from there.
template <Game G>
bool answer_by_table(const ValueTables<G>& tables, const typename G::Position& p, Answer& answer) {
    const bool exact = answer.lower == answer.upper;
    const std::uint32_t rank = std::max(answer.lower_rank, answer.upper_rank);
    std::uint32_t plies = 0;
    if (exact) {
        if (answer.lower == 0 || rank == 1 || !tables.knows_plies()) return false;
        plies = tables.plies_to_end(p);
        if (plies == 0 || (rank != 0 && rank <= plies)) return false;
    }
    const std::optional<int> value = tables.value(p);
    if (!value || (exact && *value != answer.lower)) return false;
    if (!exact) plies = tables.knows_plies() ? tables.plies_to_end(p) : 0;
    answer.lower = answer.upper = *value;
    answer.lower_rank = *value > 0 ? plies : 0;
    answer.upper_rank = *value < 0 ? plies : 0;
    return true;
}

/// Answers for as many positions as `answers` has room for. `key_of(i)` gives the key of position i, or an empty
/// optional for bytes that are no key at all. The cache misses of the lookups of a batch overlap.
///
/// The first of these that knows the exact value gives it: the rules (the game is over), the record, the table; and a
/// table that says fewer plies comes before the record. If none does, the answer is what the record says, and the range
/// of the game's values where it says nothing. This order is that of `probe_position` in service/positions/probe.py,
/// and docs/service.md states it.
///
/// `any_orientation`: whether encodings that are not canonical are answered as well, or are invalid.
/// The caller holds the table's mutex.
template <Game G, class KeyOf>
void answer(const KnownRecords<G>& table, const KeyOf& key_of, bool any_orientation, std::span<Answer> answers) {
    constexpr std::size_t batch = 32;
    // Built in its place: games behind virtual functions have keys of 80 bytes and positions of 144.
    struct Lookup {
        Lookup(const G& game, const KeyOf& key_of, std::size_t i)
            : given(key_of(i)),
              position(given ? game.position(*given) : std::nullopt),
              key(position ? game.key(*position) : typename G::Key{}) {}

        std::optional<typename G::Key> given;
        std::optional<typename G::Position> position;
        typename G::Key key;
        std::uint64_t hash = 0;
    };
    const G& game = table.game();
    const ValueTables<G>* tables = table.tables();
    const int highest = game.highest_value();
    std::vector<Lookup> lookups;
    lookups.reserve(batch);
    for (std::size_t start = 0; start < answers.size(); start += batch) {
        const std::size_t count = std::min(batch, answers.size() - start);
        lookups.clear();
        for (std::size_t i = 0; i < count; ++i) {
            Lookup& lookup = lookups.emplace_back(game, key_of, start + i);
            if (!lookup.position) continue;
            if (!any_orientation && lookup.key != *lookup.given) {
                lookup.position.reset();
                continue;
            }
            lookup.hash = table.hash(lookup.key);
            table.prefetch(lookup.hash);
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Lookup& lookup = lookups[i];
            Answer& answer = answers[start + i] = Answer{Answer::invalid, -highest, highest, 0, 0};
            if (!lookup.position) continue;
            int state = 0;
            bool lower_known = false;
            bool upper_known = false;
            if (const std::optional<int> value = game.terminal(*lookup.position)) {
                answer.lower = answer.upper = *value;
                state = Answer::finished;
            } else {
                const int limit = value_limit(game, *lookup.position);
                answer.lower = -limit;
                answer.upper = limit;
                const Known known = table.known(lookup.key, lookup.hash);
                if ((known.lower && known.lower_bound > limit) || (known.upper && known.upper_bound < -limit)) {
                    answer = Answer{Answer::damaged, -highest, highest, 0, 0};
                    continue;
                }
                if (known.lower || known.upper) state = Answer::stored;
                lower_known = known.lower && known.lower_bound > -limit;
                upper_known = known.upper && known.upper_bound < limit;
                if (lower_known) {
                    answer.lower = known.lower_bound;
                    answer.lower_rank = known.lower_rank;
                }
                if (upper_known) {
                    answer.upper = known.upper_bound;
                    answer.upper_rank = known.upper_rank;
                }
                if (tables && answer_by_table<G>(*tables, *lookup.position, answer)) state |= Answer::tabled;
            }
            const bool exact = answer.lower == answer.upper;
            if (exact || lower_known) state |= Answer::lower_known;
            if (exact || upper_known) state |= Answer::upper_known;
            answer.state = static_cast<std::uint8_t>(state);
        }
    }
}

}  // namespace proofbase
