// A set of numbers of a class, sorted: two bytes each, and eight for 2^16 numbers of the class.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "tables/files/checkpoint_file.hpp"

namespace proofbase {

class ReachedNumbers {
  public:
    static constexpr std::uint64_t group = std::uint64_t{1} << 16;

    /// Adds a number above all others.
    void add(std::uint64_t number) {
        while (starts_.size() <= number / group) starts_.push_back(low_.size());
        low_.push_back(static_cast<std::uint16_t>(number % group));
    }

    std::uint64_t size() const noexcept { return low_.size(); }

    /// How many groups of numbers there are, the last of them with numbers.
    std::uint64_t groups() const noexcept { return starts_.size(); }
    /// Where a group begins in the order of all numbers; its end for the next group.
    std::uint64_t start(std::uint64_t index) const noexcept {
        return index < starts_.size() ? starts_[index] : low_.size();
    }
    std::uint64_t number(std::uint64_t group_index, std::uint64_t place) const noexcept {
        return group_index * group + low_[place];
    }

    /// Calls visit(number) for each of them, in their order.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::uint64_t index = 0; index < groups(); ++index) {
            for (std::uint64_t k = start(index); k < start(index + 1); ++k) visit(number(index, k));
        }
    }

    /// The place of a number in the order of all; nothing if it is not in the set.
    std::optional<std::uint64_t> find(std::uint64_t number) const noexcept {
        const std::uint64_t index = number / group;
        const auto from = low_.begin() + static_cast<std::ptrdiff_t>(start(index));
        const auto to = low_.begin() + static_cast<std::ptrdiff_t>(start(index + 1));
        const auto low = static_cast<std::uint16_t>(number % group);
        const auto found = std::lower_bound(from, to, low);
        if (found == to || *found != low) return std::nullopt;
        return static_cast<std::uint64_t>(found - low_.begin());
    }

    /// Puts the set into a checkpoint.
    void put(CheckpointWriter& writer) const {
        writer.vector(starts_);
        writer.vector(low_);
    }
    /// Takes it from there.
    void take(CheckpointReader& reader) {
        reader.vector(starts_);
        reader.vector(low_);
    }

  private:
    std::vector<std::uint64_t> starts_;  // by group
    std::vector<std::uint16_t> low_;
};

}  // namespace proofbase
