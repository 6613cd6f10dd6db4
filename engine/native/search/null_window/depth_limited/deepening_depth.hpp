// The depths of one iterated search after the other.
#pragma once

#include <algorithm>
#include <cstdint>

namespace proofbase {

/// 1, 2, 3, ... plies. Where lines go round in circles, deeper searches cost little more: then the depth grows quickly.
class DeepeningDepth {
  public:
    explicit DeepeningDepth(std::uint64_t nodes = 0) noexcept : nodes_at_start_(nodes) {}

    std::uint32_t plies() const noexcept { return plies_; }

    /// The search to this depth has ended, at so many nodes.
    void next(std::uint64_t nodes_at_end) noexcept {
        const std::uint64_t nodes = nodes_at_end - nodes_at_start_;
        if (4 * nodes <= 5 * nodes_before_) {
            step_ = std::min(2 * step_, plies_);
        } else if (nodes > 2 * nodes_before_) {
            step_ = std::max(step_ / 2, 1u);
        }
        nodes_before_ = nodes;
        nodes_at_start_ = nodes_at_end;
        plies_ = std::min(plies_ + step_, most_plies);
    }

  private:
    static constexpr std::uint32_t most_plies = 1u << 30;

    std::uint32_t plies_ = 1;
    std::uint32_t step_ = 1;
    std::uint64_t nodes_at_start_;
    std::uint64_t nodes_before_ = 0;  ///< of the last search
};

}  // namespace proofbase
