#include "tables/listed/listed_game.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace proofbase {

void ListedClass::finish() {
    starts.push_back(moves.size());
    parent_starts.assign(starts.size() + 1, 0);  // by one place later until the predecessors are filled in
    for (const ListedMove& move : moves) {
        if (move.table_class == table_class) {
            ++parent_starts[static_cast<std::uint64_t>(move.number) + 2];
        } else if (move.table_class != no_table_class) {
            needs.push_back(move.table_class);
        }
    }
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    std::partial_sum(parent_starts.begin(), parent_starts.end(), parent_starts.begin());
    parents.resize(parent_starts.back());
    for (std::uint64_t i = 0; i + 1 < starts.size(); ++i) {
        for (std::uint64_t m = starts[i]; m < starts[i + 1]; ++m) {
            if (moves[m].table_class != table_class) continue;
            parents[parent_starts[static_cast<std::uint64_t>(moves[m].number) + 1]++] = i;
        }
    }
}

const ListedRules::Table& ListedRules::table(std::uint32_t table_class) const {
    const auto found = std::find_if(tables.begin(), tables.end(),
                                    [=](const Table& table) { return table.table_class == table_class; });
    if (found == tables.end()) throw std::invalid_argument("there is no table of class " + std::to_string(table_class));
    return *found;
}

}  // namespace proofbase
