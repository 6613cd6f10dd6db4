// Blocks of table files in memory, up to so many bytes: what is not asked for gives way to what is.
//
// Which block gives way is found by the clock algorithm (Corbató 1968): a hand goes round over all blocks, takes away
// the mark of each block that was read since it came by, and removes the first one without a mark. A reader holds the
// block while it reads an entry; a block that is held is not removed. So reading takes no lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace proofbase {

/// A block of a table, in memory or not.
class CachedBlock {
  public:
    /// Calls `read(data)` while nobody can remove the block. False if it is not in memory. Any thread may call it.
    template <class Read>
    bool read(Read&& read) noexcept {
        const std::uint32_t state = state_.fetch_add(1, std::memory_order_acquire);
        const bool present = (state & present_mark) != 0;
        if (present) {
            if ((state & read_mark) == 0) state_.fetch_or(read_mark, std::memory_order_relaxed);
            read(static_cast<const unsigned char*>(data_));
        }
        state_.fetch_sub(1, std::memory_order_release);
        return present;
    }

    bool present() const noexcept { return (state_.load(std::memory_order_relaxed) & present_mark) != 0; }

  private:
    friend class BlockCache;

    // The state: the readers at work, and two marks.
    static constexpr std::uint32_t present_mark = 1u << 31;
    static constexpr std::uint32_t read_mark = 1u << 30;  // since the hand of the clock came by

    std::atomic<std::uint32_t> state_{0};
    unsigned char* data_ = nullptr;
};

/// The blocks of all tables that were given this object. Safe for any number of threads.
class BlockCache {
  public:
    using Data = std::unique_ptr<unsigned char[]>;

    static constexpr std::size_t fewest_bytes = std::size_t{4} << 20;  ///< more than the largest block of any table

    /// `fewest`: more than the blocks that all threads read at the same time.
    /// Throws std::invalid_argument if the limit is below that.
    explicit BlockCache(std::size_t limit, std::size_t fewest = fewest_bytes);
    BlockCache(const BlockCache&) = delete;
    BlockCache& operator=(const BlockCache&) = delete;
    ~BlockCache();

    std::size_t limit() const noexcept { return limit_; }

    /// Bytes of the blocks that are in memory, or are being read.
    std::size_t used() const;

    /// Room for a block that is to be read: others give way. Then either `insert` or `give_back` has to follow. Throws
    /// std::bad_alloc.
    Data make_room(std::size_t size);

    /// Room that was not needed.
    void give_back(std::size_t size) noexcept;

    /// Puts a block that is not in memory there. One thread at a time does that for a block.
    ///
    /// Args:
    ///     owner: names the blocks for `forget`.
    void insert(CachedBlock& block, Data data, std::size_t size, const void* owner);

    /// Removes all blocks of an owner. Nobody may be reading them.
    void forget(const void* owner) noexcept;

  private:
    struct Place {
        CachedBlock* block = nullptr;  // null for a place that is free
        std::size_t size = 0;
        const void* owner = nullptr;
    };

    /// Moves the hand on by one place, and removes the block there if it was not read since the last time.
    void turn() noexcept;
    void remove(std::size_t place) noexcept;

    std::size_t limit_;
    mutable std::mutex lock_;
    std::size_t used_ = 0;
    std::vector<Place> places_;
    std::vector<std::size_t> free_;  // places without a block
    std::size_t hand_ = 0;
};

}  // namespace proofbase
