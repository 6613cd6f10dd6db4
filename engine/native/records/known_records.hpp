// The stored records that a search asks: the record table of its game. A search of a game behind virtual functions asks
// behind virtual functions as well, since the records are those of the game's own type.
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
