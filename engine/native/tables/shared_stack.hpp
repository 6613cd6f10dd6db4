// Work that makes more work, shared by threads: each has a stack of its own and gives a part of it away when another
// one has nothing to do.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace proofbase {

template <class Item>
class SharedStacks {
  public:
    explicit SharedStacks(unsigned threads) : threads_(threads) {}

    /// Gives away the older half of a stack if somebody waits and it is worth it.
    void share(std::vector<Item>& own) {
        if (own.size() < 2 * smallest || waiting_.load(std::memory_order_relaxed) == 0) return;
        std::vector<Item> gift(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2));
        own.erase(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2));
        const std::scoped_lock held(lock_);
        gifts_.push_back(std::move(gift));
        news_.notify_one();
    }

    /// Waits for a gift. False when nobody will make any more: all threads wait, or `give_up` was called.
    bool receive(std::vector<Item>& own) {
        std::unique_lock held(lock_);
        ++waiting_;
        if (waiting_ == threads_ && gifts_.empty()) {
            over_ = true;
            news_.notify_all();
        }
        news_.wait(held, [&] { return over_ || !gifts_.empty(); });
        if (gifts_.empty()) return false;
        --waiting_;
        own = std::move(gifts_.back());
        gifts_.pop_back();
        return true;
    }

    /// Ends the waiting of the others when a thread fails.
    void give_up() {
        const std::scoped_lock held(lock_);
        over_ = true;
        gifts_.clear();
        news_.notify_all();
    }

  private:
    static constexpr std::size_t smallest = 512;

    unsigned threads_;
    std::mutex lock_;
    std::condition_variable news_;
    std::vector<std::vector<Item>> gifts_;
    std::atomic<unsigned> waiting_{0};
    bool over_ = false;
};

}  // namespace proofbase
