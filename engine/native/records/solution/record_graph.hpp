// The records of a table as a graph, in which a record points to the records that its claims rest on: missing children,
// everything below a root, and what fails once some records are removed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "records/check/local_check.hpp"
#include "records/known_records.hpp"

namespace proofbase {

/// The keys of children that the claims of `keys` refer to and that have no record in the table, ascending.
/// (A claim may pass without some of them: where the range of values alone supports a bound.)
template <Game G>
typename KnownRecords<G>::Keys missing_children(const KnownRecords<G>& table,
                                                const typename KnownRecords<G>::Keys& keys) {
    LocalCheck<G> check(table);
    auto missing = table.empty_list();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        check.for_each_child(keys[i], [&](const typename G::Key& child, std::uint64_t hash) {
            if (!table.contains(child, hash)) missing.push_back(child);
        });
    }
    missing.sort_unique();
    return missing;
}

/// The keys of the records that the record of `root` rests on directly or indirectly, its own included, ascending.
template <Game G>
typename KnownRecords<G>::Keys records_below(const KnownRecords<G>& table, const typename G::Key& root) {
    LocalCheck<G> check(table);
    std::vector<bool> seen(table.slots());
    auto found = table.empty_list();
    const auto visit = [&](const typename G::Key& key, std::uint64_t hash) {
        const std::size_t slot = table.slot_of(key, hash);
        if (!table.occupied(slot) || seen[slot]) return;
        seen[slot] = true;
        found.push_back(key);
    };
    visit(root, table.hash(root));
    for (std::size_t next = 0; next < found.size(); ++next) check.for_each_child(typename G::Key(found[next]), visit);
    found.sort();
    return found;
}

/// The keys of the records that fail the local check once the records of `removed` are gone, then once the failing
/// records are gone too, and so on; ascending, without `removed` itself. A record fails as a whole when one of its
/// claims fails. A record that would fail in any case is reported only if it rests on a removed or failing record.
///
/// One pass over the table lists which record rests on which (16 bytes for every such pair); after that, only records
/// that may fail are checked.
template <Game G>
typename KnownRecords<G>::Keys dependents(const KnownRecords<G>& table, const typename KnownRecords<G>::Keys& removed) {
    LocalCheck<G> check(table);
    std::vector<std::pair<std::size_t, std::size_t>> supports;  // slot of a child, slot of a record that rests on it
    for (std::size_t slot = 0; slot < table.slots(); ++slot) {
        if (!table.occupied(slot)) continue;
        check.for_each_child(table.key_at(slot), [&](const typename G::Key& child, std::uint64_t hash) {
            const std::size_t child_slot = table.slot_of(child, hash);
            if (table.occupied(child_slot)) supports.emplace_back(child_slot, slot);
        });
    }
    std::sort(supports.begin(), supports.end());

    std::vector<bool> absent(table.slots());
    std::vector<std::size_t> pending;  // absent slots whose dependents have not been checked yet
    for (std::size_t i = 0; i < removed.size(); ++i) {
        const typename G::Key& key = removed[i];
        const std::size_t slot = table.slot_of(key, table.hash(key));
        if (!table.occupied(slot) || absent[slot]) continue;
        absent[slot] = true;
        pending.push_back(slot);
    }
    check.set_absent(&absent);
    auto failing = table.empty_list();
    std::vector<Finding> findings;
    while (!pending.empty()) {
        const std::size_t child_slot = pending.back();
        pending.pop_back();
        auto pair = std::lower_bound(supports.begin(), supports.end(), std::pair(child_slot, std::size_t{0}));
        for (; pair != supports.end() && pair->first == child_slot; ++pair) {
            const std::size_t slot = pair->second;
            if (absent[slot]) continue;
            findings.clear();
            const typename G::Key& key = table.key_at(slot);
            check.check(std::span(&key, 1), findings);
            if (findings.empty()) continue;
            absent[slot] = true;
            failing.push_back(key);
            pending.push_back(slot);
        }
    }
    failing.sort();
    return failing;
}

}  // namespace proofbase
