#include "tables/outside_memory/states_on_disk.hpp"

namespace proofbase {

template class StatesOnDisk<std::uint16_t>;
template class StatesOnDisk<std::uint32_t>;

}  // namespace proofbase
