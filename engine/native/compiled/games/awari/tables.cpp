// Awari's tables.
#include "games/awari.hpp"

#include "bindings/adapters/tables_adapter.hpp"

namespace proofbase {

template std::shared_ptr<AnyTables> tables_of(const Awari&, const std::filesystem::path&, Damage,
                                              const std::shared_ptr<BlockCache>&);
template std::unique_ptr<AnyTableWork> table_work_of(const Awari&, const std::filesystem::path&, std::uint32_t,
                                                     unsigned, bool);

}  // namespace proofbase
