// A growing array for the nodes of graphs: plain memory (pages.hpp) that never runs constructors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "search/graph/pages.hpp"

namespace proofbase {

/// An append-only array of trivially copyable items, addressed by 32-bit numbers.
template <class T>
    requires std::is_trivially_copyable_v<T>
class Arena {
  public:
    Arena() = default;
    Arena(Arena&& other) noexcept = default;
    Arena& operator=(Arena&& other) noexcept {
        std::swap(pages_, other.pages_);
        std::swap(size_, other.size_);
        std::swap(largest_size_, other.largest_size_);
        return *this;
    }
    ~Arena() { pages_.leave(bytes()); }

    std::uint32_t size() const noexcept { return size_; }
    T& operator[](std::uint32_t i) noexcept { return items()[i]; }
    const T& operator[](std::uint32_t i) const noexcept { return items()[i]; }

    /// Bytes in use. Pages stay in use after clear(), so this is the largest size that the array ever had. Pages beyond
    /// it do not count: nothing has touched them, so the system has not provided them yet.
    std::uint64_t bytes() const noexcept { return std::uint64_t{std::max(size_, largest_size_)} * sizeof(T); }

    /// Empties the array. Items that are appended later hold the bytes that were there before.
    void clear() noexcept {
        largest_size_ = std::max(size_, largest_size_);
        size_ = 0;
    }

    /// Makes room, so that appending `count` items cannot fail. Throws std::bad_alloc.
    void reserve(std::uint32_t count) {
        const std::uint64_t needed = std::uint64_t{size_} + count;
        if (needed > max_items || needed * sizeof(T) > pages_.bytes()) throw std::bad_alloc();
    }

    /// Appends `count` items of zero bytes and returns the number of the first. Throws std::bad_alloc.
    std::uint32_t append(std::uint32_t count) {
        reserve(count);
        return std::exchange(size_, size_ + count);
    }

  private:
    T* items() const noexcept { return static_cast<T*>(pages_.data()); }

    static constexpr std::uint64_t max_items = 0xffffffff;

    Pages pages_{max_items * sizeof(T), std::size_t{64} << 20};
    std::uint32_t size_ = 0;
    std::uint32_t largest_size_ = 0;
};

}  // namespace proofbase
