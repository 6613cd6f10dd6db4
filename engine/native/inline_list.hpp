// A list of at most N trivially copyable items without heap memory: the move list of the native games.
#pragma once

#include <array>
#include <cstddef>

namespace proofbase {

template <class T, std::size_t N>
class InlineList {
  public:
    constexpr void clear() noexcept { size_ = 0; }
    constexpr void push_back(T item) noexcept { items_[size_++] = item; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    const T& operator[](std::size_t i) const noexcept { return items_[i]; }
    constexpr const T* begin() const noexcept { return items_.data(); }
    constexpr const T* end() const noexcept { return items_.data() + size_; }

  private:
    std::size_t size_ = 0;
    std::array<T, N> items_;
};

}  // namespace proofbase
