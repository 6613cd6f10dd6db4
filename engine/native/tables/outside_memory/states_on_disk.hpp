// The states of the entries of a class while levels are found (levels_in_parts.hpp), in a file without a name. Each
// block of the file has a checksum in memory, which is compared whenever the block is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tables/files/checkpoint_file.hpp"
#include "tables/files/crc32.hpp"
#include "tables/outside_memory/scratch_file.hpp"
#include "tables/plan/plan.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// `State`: a number of some bytes.
template <class State>
class StatesOnDisk {
  public:
    static constexpr std::uint64_t block = states_of_a_block;

    /// All methods throw std::filesystem::filesystem_error. Threads may work on different blocks.
    StatesOnDisk(const std::filesystem::path& directory, std::uint64_t size)
        : size_(size), checksums_((size + block - 1) / block) {
        file_.open(directory);
    }

    std::uint64_t size() const noexcept { return size_; }

    /// Writes states, whole blocks from the entry `from` on.
    void write(std::uint64_t from, const State* states, std::uint64_t count) {
        for (std::uint64_t at = 0; at < count; at += block) {
            checksums_[(from + at) / block] = crc32(states + at, sizeof(State) * std::min(block, count - at));
        }
        file_.write(sizeof(State) * from, states, sizeof(State) * count);
    }

    /// Reads them.
    void read(std::uint64_t from, State* states, std::uint64_t count) const {
        bool whole = file_.read(sizeof(State) * from, states, sizeof(State) * count).empty();
        for (std::uint64_t at = 0; whole && at < count; at += block) {
            whole = checksums_[(from + at) / block] == crc32(states + at, sizeof(State) * std::min(block, count - at));
        }
        if (whole) return;
        throw std::filesystem::filesystem_error("damaged states of a class in", file_.directory(),
                                                std::make_error_code(std::errc::io_error));
    }

    /// Calls `visit(from, states, count)` for all states below `end`, in order. Throws TableWorkCancelled too.
    template <class Visit>
    void for_each(std::uint64_t end, const TableTask& task, Visit&& visit) const {
        std::vector<State> states(std::min(piece, size_));
        for (std::uint64_t from = 0; from < end; from += piece) {
            task.stop_if_cancelled();
            // A block is read as it was written, as a whole.
            const std::uint64_t count = std::min(piece, size_ - from);
            const std::uint64_t wanted = std::min(count, end - from);
            read(from, states.data(), std::min(count, (wanted + block - 1) / block * block));
            visit(from, states.data(), wanted);
        }
    }

    /// Puts the states below `end` into a checkpoint.
    void put(CheckpointWriter& writer, std::uint64_t end, const TableTask& task) const {
        for_each(end, task, [&](std::uint64_t, const State* states, std::uint64_t count) {
            writer.bytes(states, sizeof(State) * count);
        });
    }

    /// Takes them from there.
    void take(CheckpointReader& reader, std::uint64_t end) {
        std::vector<State> states(std::min(piece, size_));
        for (std::uint64_t from = 0; from < end && reader.whole(); from += piece) {
            const std::uint64_t count = std::min(piece, end - from);
            reader.bytes(states.data(), sizeof(State) * count);
            write(from, states.data(), count);
        }
    }

  private:
    static constexpr std::uint64_t piece = block * 128;

    std::uint64_t size_;
    ScratchFile file_;
    std::vector<std::uint32_t> checksums_;  // by block
};

extern template class StatesOnDisk<std::uint16_t>;
extern template class StatesOnDisk<std::uint32_t>;

/// Single states for one thread, the block of the last one being in memory.
template <class State>
class StateReader {
  public:
    explicit StateReader(const StatesOnDisk<State>& states) : states_(states), block_(states_of_a_block) {}

    State operator()(std::uint64_t i) {
        const std::uint64_t first = i - i % states_of_a_block;
        if (first != first_) {
            states_.read(first, block_.data(), std::min(states_of_a_block, states_.size() - first));
            first_ = first;
        }
        return block_[i - first];
    }

  private:
    const StatesOnDisk<State>& states_;
    std::vector<State> block_;
    std::uint64_t first_ = ~std::uint64_t{0};
};

}  // namespace proofbase
