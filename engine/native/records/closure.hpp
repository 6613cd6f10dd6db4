// How records hang together: what claims rest on and is not there, what a root rests on, what rests on bad records.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "records/local_check.hpp"
#include "records/record_table.hpp"

namespace proofbase {

/// The keys of children that the claims of `keys` refer to and that have no record in the table, ascending.
/// (A claim may pass without some of them: where the range of values alone carries a bound.)
template <Game G>
std::vector<typename G::Key> missing_children(const RecordTable<G>& table, std::span<const typename G::Key> keys) {
    LocalCheck<G> check(table);
    std::vector<typename G::Key> missing;
    for (const auto& key : keys) {
        check.children(key, [&](const typename G::Key& child, std::uint64_t hash) {
            if (!table.contains(child, hash)) missing.push_back(child);
        });
    }
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    return missing;
}

/// The keys of the records that the record of `root` rests on directly or indirectly, its own included, ascending.
template <Game G>
std::vector<typename G::Key> records_below(const RecordTable<G>& table, const typename G::Key& root) {
    LocalCheck<G> check(table);
    std::vector<bool> seen(table.slots());
    std::vector<typename G::Key> found;
    const auto visit = [&](const typename G::Key& key, std::uint64_t hash) {
        const std::size_t slot = table.slot_of(key, hash);
        if (!table.occupied(slot) || seen[slot]) return;
        seen[slot] = true;
        found.push_back(key);
    };
    visit(root, table.hash(root));
    for (std::size_t next = 0; next < found.size(); ++next) check.children(typename G::Key(found[next]), visit);
    std::sort(found.begin(), found.end());
    return found;
}

/// The keys of the records that fail the local check once those of `removed` are gone, and once those are gone in
/// turn, and so on; ascending, without `removed` itself. A record fails as a whole when one of its claims fails.
/// Records that fail anyway are not looked at unless they rest on something removed.
///
/// One pass over the table finds who rests on whom (16 bytes for every such pair); then only what may fail is checked.
template <Game G>
std::vector<typename G::Key> dependents(const RecordTable<G>& table, std::span<const typename G::Key> removed) {
    LocalCheck<G> check(table);
    std::vector<std::pair<std::size_t, std::size_t>> rests;  // slot of a child, slot of what rests on it
    for (std::size_t slot = 0; slot < table.slots(); ++slot) {
        if (!table.occupied(slot)) continue;
        check.children(table.key_at(slot), [&](const typename G::Key& child, std::uint64_t hash) {
            const std::size_t below = table.slot_of(child, hash);
            if (table.occupied(below)) rests.emplace_back(below, slot);
        });
    }
    std::sort(rests.begin(), rests.end());

    std::vector<bool> absent(table.slots());
    std::vector<std::size_t> open;
    for (const auto& key : removed) {
        const std::size_t slot = table.slot_of(key, table.hash(key));
        if (!table.occupied(slot) || absent[slot]) continue;
        absent[slot] = true;
        open.push_back(slot);
    }
    check.set_absent(&absent);
    std::vector<typename G::Key> found;
    std::vector<Finding> findings;
    while (!open.empty()) {
        const std::size_t below = open.back();
        open.pop_back();
        auto pair = std::lower_bound(rests.begin(), rests.end(), std::pair(below, std::size_t{0}));
        for (; pair != rests.end() && pair->first == below; ++pair) {
            const std::size_t slot = pair->second;
            if (absent[slot]) continue;
            findings.clear();
            check.check(std::span(&table.key_at(slot), 1), findings);
            if (findings.empty()) continue;
            absent[slot] = true;
            found.push_back(table.key_at(slot));
            open.push_back(slot);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace proofbase
