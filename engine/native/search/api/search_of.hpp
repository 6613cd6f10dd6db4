// A search of one game, with its sink: what it proved goes out as claims by key, and listeners (the record table,
// a certificate, a statistic, a test) do with them what they like.
#pragma once

#include <functional>
#include <mutex>
#include <shared_mutex>

#include "concepts.hpp"
#include "records/claim.hpp"
#include "records/record_table.hpp"
#include "search/api/any_search.hpp"

namespace proofbase {

template <Game G>
class SearchOf : public AnySearch {
  public:
    using Sink = std::function<void(const typename G::Key&, const Claim&)>;

    /// Emits the claims that settle the question, each once, closed below the root except for what the known records
    /// already hold; nothing while the question is open. Not while run() is under way. The sink must not write to the
    /// known records.
    virtual void solution(const Sink& sink) = 0;
};

/// Holds the mutex of the known records, where there are any, for reading.
template <Game G>
std::shared_lock<FairSharedMutex> reading(const RecordTable<G>* known) {
    return known == nullptr ? std::shared_lock<FairSharedMutex>() : std::shared_lock<FairSharedMutex>(known->mutex());
}

}  // namespace proofbase
