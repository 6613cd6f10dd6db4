// How the walk that takes out a solution of null-window search finds a question that it has met: a position and a
// bound. The walk keeps what it knows of its questions in a vector; each item has an `identity` and a `bound`.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/api/search.hpp"
#include "search/graph/node_index.hpp"
#include "search/null_window/node_identity.hpp"

namespace proofbase {

class NullWindowQuestionIndex {
  public:
    static constexpr std::uint32_t none = NodeIndex::none;

    /// At most so many slots: for one of several indices. To be called before the first item is added.
    void limit_slots(std::uint64_t most) noexcept { slots_.limit_slots(most); }

    /// The number of the item with this question, or none. Where a cancel has broken an add() off, it finds none: then
    /// the next add() throws Cancelled as well.
    template <class Identity, class Item>
    std::uint32_t find(const Identity& identity, int bound, const std::vector<Item>& items) const {
        std::uint32_t found = none;
        if (items.empty() || slots_.full(items.size())) return found;
        slots_.for_each_candidate(hash_of_question(identity, bound), [&](std::uint32_t n) {
            if (items[n].identity == identity && items[n].bound == bound) found = n;
        });
        return found;
    }

    /// Appends an item whose question is new. Returns its number. Throws Cancelled; then nothing was added.
    template <class Item>
    std::uint32_t add(Item item, std::vector<Item>& items, const std::atomic<bool>& cancelled) {
        const auto n = static_cast<std::uint32_t>(items.size());
        const auto hash_of = [&](std::uint32_t m) { return hash_of_question(items[m].identity, items[m].bound); };
        if (slots_.full(n + 1) && !slots_.enlarge(n + 1, n, cancelled, hash_of)) throw Cancelled();
        items.push_back(std::move(item));
        slots_.insert(hash_of(n), n);
        return n;
    }

    /// Fetches what find() will read into the cache.
    template <class Identity, class Item>
    void prefetch(const Identity& identity, int bound, const std::vector<Item>& items) const noexcept {
        if (!items.empty()) slots_.prefetch(hash_of_question(identity, bound));
    }

  private:
    NodeIndex slots_;
};

}  // namespace proofbase
