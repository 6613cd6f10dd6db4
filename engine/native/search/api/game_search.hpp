// A search of one game. It gives the claims of its solution to a sink, which may be the record table, a certificate, a
// statistic or a test.
#pragma once

#include <cstdint>
#include <functional>
#include <shared_mutex>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/known_records.hpp"
#include "search/api/search.hpp"

namespace proofbase {

template <Game G>
class GameSearch : public Search {
  public:
    using Sink = std::function<void(const typename G::Key&, const Claim&)>;

    /// Emits the claims that settle the question, each once. Together with the stored records they are closed below the
    /// root. Emits nothing while the question is open. Not to be called while run() is under way. The sink must not
    /// write to the stored records.
    ///
    /// A claim that a small search of at most `small_search_nodes` positions settles rests on that search, and the
    /// claims below it are not emitted (small_search_claims.hpp). 0: no claim does but those that the game's look-ahead
    /// has settled.
    virtual void solution(const Sink& sink, std::uint32_t small_search_nodes) = 0;
};

/// Locks the stored records for reading, if there are any.
template <class Records>
std::shared_lock<FairSharedMutex> reading(const Records* records) {
    return records == nullptr ? std::shared_lock<FairSharedMutex>()
                              : std::shared_lock<FairSharedMutex>(records->mutex());
}

}  // namespace proofbase
