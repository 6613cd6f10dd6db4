// What the threads of one null-window search share: the game, the stored records, the table.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "records/known_records.hpp"
#include "search/api/search_request.hpp"
#include "search/null_window/node_identity.hpp"
#include "search/null_window/null_window_table.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/move_order.hpp"
#include "search/run/thread_marks.hpp"

namespace proofbase {

template <Game G>
struct NullWindowShared {
    using Key = typename G::Key;
    using Identity = typename NodeIdentities<Key>::Identity;

    /// `cancelled` is the flag that cancel() sets.
    NullWindowShared(const SearchRequest<G>& request, std::uint32_t threads, const std::atomic<bool>& cancelled)
        : game(request.game),
          records(request.records),
          move_order(request.order),
          identities(game.key_size()),
          marks(threads),
          cancelled(cancelled) {}

    Identity identity(const typename G::Position& position) { return identities(game.key(position)); }

    /// The same of a position of which the table will be asked soon, and the stored records too if `asks_records`.
    [[gnu::always_inline]] Identity expect(const typename G::Position& position, bool asks_records) {
        const Key key = game.key(position);
        const Identity identity = identities(key);
        table.prefetch(identity);
        if (asks_records) records->prefetch_contains(records->hash(key));
        return identity;
    }

    /// The answer to "value(position) >= bound?" that a table of values or a stored record gives. Null `records` give
    /// none. The rules are not asked: what they settle is no node (null_window_moves.hpp).
    std::optional<Leaf> leaf_by_store(const typename G::Position& position, int bound) const {
        if (records == nullptr) return std::nullopt;
        if (records->tables() != nullptr) {
            if (const auto leaf = leaf_by_table(*records, position, bound)) return leaf;
        }
        if (records->size() == 0) return std::nullopt;
        return leaf_by_record(*records, game.key(position), bound);
    }

    G game;
    const KnownRecords<G>* records;  ///< may be null
    MoveOrder move_order;
    NodeIdentities<Key> identities;
    NullWindowTable<Key> table;
    ThreadMarks marks;
    const std::atomic<bool>& cancelled;
    std::atomic<bool> root_solved = false;
};

}  // namespace proofbase
