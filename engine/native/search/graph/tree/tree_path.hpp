// The path of a search in a tree. A search that shortens its path and then comes down again mostly takes the steps that
// it has just left: they are kept behind the end of the path, so that their positions need not be made again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace proofbase {

/// The steps from the root to a node. `Step` has the number of its node as `node`.
template <class Step>
class TreePath {
  public:
    TreePath() = default;
    explicit TreePath(Step root) { push_back(std::move(root)); }

    std::size_t size() const noexcept { return size_; }
    const Step& operator[](std::size_t i) const noexcept { return steps_[i]; }
    const Step& back() const noexcept { return steps_[size_ - 1]; }
    const Step* begin() const noexcept { return steps_.data(); }
    const Step* end() const noexcept { return steps_.data() + size_; }

    /// Shortens the path.
    void resize(std::size_t size) noexcept { size_ = size; }

    void push_back(Step step) {
        next() = std::move(step);
        extend();
    }

    /// Room for a step behind the end, which extend() then adds. References to other steps are no longer valid.
    Step& next() {
        way_ = 0;
        steps_.resize(size_);
        return steps_.emplace_back();
    }
    void extend() noexcept { ++size_; }

    void assign(std::size_t, const Step& root) {
        size_ = 0;
        push_back(root);
    }

    /// Tells that the first `length` steps are still the way to a most-proving node. They stay known if the path is
    /// shortened now.
    void set_way(std::size_t length) noexcept { way_ = length; }

    /// Goes down again to where the way is known. False if the path is there already.
    bool follow_way() noexcept {
        const std::size_t way = std::exchange(way_, 0);
        if (size_ >= way) return false;
        size_ = way;
        return true;
    }

    /// Adds the step to a child, if that is the step which was taken from here before. `deletions` counts how often the
    /// tree has deleted nodes: then another node may have the number of an earlier one.
    bool step_again(std::uint32_t child, std::uint64_t deletions) noexcept {
        if (deletions != deletions_) {
            deletions_ = deletions;
            steps_.resize(size_);
        }
        if (size_ == steps_.size() || steps_[size_].node != child) return false;
        ++size_;
        return true;
    }

  private:
    std::vector<Step> steps_;
    std::size_t size_ = 0;
    std::size_t way_ = 0;
    std::uint64_t deletions_ = 0;
};

}  // namespace proofbase
