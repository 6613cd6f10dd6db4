#include "tables/outside_memory/changed_states.hpp"

#include <cstring>
#include <system_error>

namespace proofbase {

EntryState& ChangedStates::state(std::uint32_t index) {
    const auto [found, added] = states_.try_emplace(index);
    if (added && !file_.read(std::size_t{2} * index, &found->second, sizeof(EntryState)).empty()) {
        throw std::filesystem::filesystem_error("cannot read", path_, std::make_error_code(std::errc::io_error));
    }
    return found->second;
}

std::optional<int> ChangedStates::highest_best() const {
    std::optional<int> highest;
    for (const auto& [index, state] : states_) {
        if (!is_final(state) && (!highest || best_of(state) > *highest)) highest = best_of(state);
    }
    return highest;
}

std::vector<char> ChangedStates::packed() const {
    std::vector<char> out;
    out.reserve(states_.size() * bytes_of_a_changed_state);
    for (const auto& [index, state] : states_) {
        char bytes[bytes_of_a_changed_state];
        std::memcpy(bytes, &index, 4);
        std::memcpy(bytes + 4, &state, 2);
        out.insert(out.end(), bytes, bytes + sizeof bytes);
    }
    return out;
}

}  // namespace proofbase
