#include "tables/files/block_cache.hpp"

#include <stdexcept>
#include <thread>

namespace proofbase {

BlockCache::BlockCache(std::size_t limit, std::size_t fewest) : limit_(limit) {
    if (limit < fewest) throw std::invalid_argument("blocks of tables need 4 MiB of memory at least");
}

BlockCache::~BlockCache() {
    for (const Place& place : places_) {
        if (place.block != nullptr) delete[] place.block->data_;
    }
}

std::size_t BlockCache::used() const {
    const std::lock_guard lock(lock_);
    return used_;
}

BlockCache::Data BlockCache::make_room(std::size_t size) {
    {
        std::unique_lock lock(lock_);
        // After two rounds every block that is left is held, or is being read from its file, in this very moment.
        for (std::size_t turns = 0; used_ + size > limit_; ++turns) {
            if (turns > 2 * places_.size()) {
                lock.unlock();
                std::this_thread::yield();
                lock.lock();
                turns = 0;
            }
            turn();
        }
        used_ += size;
    }
    try {
        return Data(new unsigned char[size]);
    } catch (...) {
        give_back(size);
        throw;
    }
}

void BlockCache::give_back(std::size_t size) noexcept {
    const std::lock_guard lock(lock_);
    used_ -= size;
}

void BlockCache::insert(CachedBlock& block, Data data, std::size_t size, const void* owner) {
    const std::lock_guard lock(lock_);
    std::size_t place = places_.size();
    if (free_.empty()) {
        places_.emplace_back();
        free_.reserve(places_.capacity());  // `remove` must not fail
    } else {
        place = free_.back();
        free_.pop_back();
    }
    places_[place] = {&block, size, owner};
    block.data_ = data.release();
    // Who sees the mark sees the data.
    block.state_.fetch_or(CachedBlock::present_mark | CachedBlock::read_mark, std::memory_order_release);
}

void BlockCache::forget(const void* owner) noexcept {
    const std::lock_guard lock(lock_);
    for (std::size_t place = 0; place < places_.size(); ++place) {
        if (places_[place].block == nullptr || places_[place].owner != owner) continue;
        places_[place].block->state_.store(0, std::memory_order_relaxed);
        remove(place);
    }
}

void BlockCache::turn() noexcept {
    if (places_.empty()) return;
    hand_ = hand_ + 1 < places_.size() ? hand_ + 1 : 0;
    if (places_[hand_].block == nullptr) return;
    std::atomic<std::uint32_t>& state = places_[hand_].block->state_;
    if ((state.fetch_and(~CachedBlock::read_mark, std::memory_order_relaxed) & CachedBlock::read_mark) != 0) return;
    std::uint32_t unread = CachedBlock::present_mark;  // and held by nobody
    if (state.compare_exchange_strong(unread, 0, std::memory_order_acquire, std::memory_order_relaxed)) remove(hand_);
}

void BlockCache::remove(std::size_t place) noexcept {
    Place& removed = places_[place];
    delete[] removed.block->data_;
    removed.block->data_ = nullptr;
    used_ -= removed.size;
    removed = {};
    free_.push_back(place);
}

}  // namespace proofbase
