// Which nodes of the current path a result depends on, because it counts lines that come back to them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace proofbase {

/// The indices of the nodes on the path that a result depends on. Up to `max_listed` indices are listed. Beyond that
/// only the smallest one is kept, and the result may depend on any node of the path from there on.
class PathDependency {
  public:
    static constexpr std::uint32_t max_listed = 6;

    PathDependency() = default;
    static PathDependency on(std::uint32_t index) noexcept {
        PathDependency one;
        one.indices_[one.count_++] = index;
        return one;
    }

    /// Makes this the dependency of a result that holds on every path.
    void clear() noexcept {
        count_ = 0;
        truncated_ = false;
    }

    /// True for a result that holds on every path.
    bool none() const noexcept { return count_ == 0; }
    /// False if only the smallest index is known.
    bool complete() const noexcept { return !truncated_; }
    /// The indices in ascending order.
    const std::uint32_t* begin() const noexcept { return indices_.data(); }
    const std::uint32_t* end() const noexcept { return indices_.data() + count_; }

    /// Makes this the dependency of a result that needs both results.
    void add(const PathDependency& other) noexcept {
        if (truncated_ || other.truncated_) {
            if (other.none()) return;
            *this = from_index_on(none() ? other.indices_[0] : std::min(indices_[0], other.indices_[0]));
            return;
        }
        std::array<std::uint32_t, 2 * max_listed> both;
        const auto end = std::set_union(this->begin(), this->end(), other.begin(), other.end(), both.begin());
        const auto count = static_cast<std::uint32_t>(end - both.begin());
        if (count > max_listed) {
            *this = from_index_on(both[0]);
            return;
        }
        count_ = count;
        std::copy(both.begin(), end, indices_.begin());
    }

    /// Removes the last node of the path: the result is now that node's own, and a node does not depend on itself.
    void remove_last_node(std::uint32_t index) noexcept {
        if (count_ > 0 && indices_[count_ - 1] >= index) --count_;
        if (count_ == 0) truncated_ = false;
    }

    /// How many nodes the result depends on. Results that depend on fewer nodes are preferred.
    std::uint32_t size() const noexcept { return none() ? 0 : (truncated_ ? max_listed + 1 : count_); }

  private:
    static PathDependency from_index_on(std::uint32_t index) noexcept {
        PathDependency all = on(index);
        all.truncated_ = true;
        return all;
    }

    std::array<std::uint32_t, max_listed> indices_{};
    std::uint32_t count_ = 0;
    bool truncated_ = false;
};

}  // namespace proofbase
