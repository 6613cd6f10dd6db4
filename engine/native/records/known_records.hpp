// The stored records that a search asks, or that a check reads: the record table of the game. Of a game behind virtual
// functions it is behind virtual functions as well, since its keys may be those of the game's own type.
#pragma once

#include "concepts.hpp"
#include "records/record_table.hpp"

namespace proofbase {

class VirtualGame;
class VirtualRecords;  // virtual_game/records.hpp

template <class G>
struct KnownRecordsOf {
    using type = RecordTable<G>;
};
template <>
struct KnownRecordsOf<VirtualGame> {
    using type = VirtualRecords;
};

template <Game G>
using KnownRecords = typename KnownRecordsOf<G>::type;

}  // namespace proofbase
