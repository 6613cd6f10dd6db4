// Single states of a part that is not in memory, for the few updates that wait for it at the end of a threshold: they
// are read one by one from the file of the part, and those that change are kept beside it (part_files.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tables/build/entry_state.hpp"
#include "tables/files/table_file.hpp"

namespace proofbase {

inline constexpr std::uint64_t most_changed_states = 1 << 14;  ///< of a part, about
inline constexpr std::uint64_t bytes_of_a_changed_state = 6;

class ChangedStates {
  public:
    /// `states`: the file of the part. Throws std::filesystem::filesystem_error.
    explicit ChangedStates(const std::filesystem::path& states) : path_(states), file_(states) {}

    /// The state of the position with this number in the part, which may be changed. Throws
    /// std::filesystem::filesystem_error.
    EntryState& state(std::uint32_t index);

    std::size_t size() const noexcept { return states_.size(); }

    /// The highest `best` of those that are not final; nothing if there are none.
    std::optional<int> highest_best() const;

    /// As they are kept in a file: 4 bytes for the number, 2 for the state.
    std::vector<char> packed() const;

    /// Calls `visit(index, state)` for each of a file.
    template <class Visit>
    static void for_each(const std::vector<char>& packed, Visit&& visit) {
        for (std::size_t at = 0; at + bytes_of_a_changed_state <= packed.size(); at += bytes_of_a_changed_state) {
            std::uint32_t index;
            EntryState state;
            std::memcpy(&index, packed.data() + at, 4);
            std::memcpy(&state, packed.data() + at + 4, 2);
            visit(index, state);
        }
    }

  private:
    std::filesystem::path path_;
    OpenFile file_;
    std::unordered_map<std::uint32_t, EntryState> states_;
};

}  // namespace proofbase
