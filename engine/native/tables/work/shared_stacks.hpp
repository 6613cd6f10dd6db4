// Work that creates more work, shared by threads: each thread has a stack of its own, and gives a part of it away when
// another thread has nothing to do.
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
    /// Each thread calls it before anything else. One that comes after the end does its own work.
    void join() {
        const std::scoped_lock lock(mutex_);
        ++threads_;
    }

    /// Gives away the older half of a thread's stack if another thread waits and the stack is large enough.
    void share(std::vector<Item>& own) {
        if (own.size() < 2 * smallest_part || waiting_.load(std::memory_order_relaxed) == 0) return;
        std::vector<Item> part(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2));
        own.erase(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2));
        const std::scoped_lock lock(mutex_);
        parts_.push_back(std::move(part));
        changed_.notify_one();
    }

    /// Waits for a part of another thread's stack. False when none will come: all threads wait, or `stop` was called.
    bool receive(std::vector<Item>& own) {
        std::unique_lock lock(mutex_);
        ++waiting_;
        if (waiting_ == threads_ && parts_.empty()) {
            ended_ = true;
            changed_.notify_all();
        }
        changed_.wait(lock, [&] { return ended_ || !parts_.empty(); });
        if (parts_.empty()) return false;
        --waiting_;
        own = std::move(parts_.back());
        parts_.pop_back();
        return true;
    }

    /// Ends the waiting of all threads. What was given away stays.
    void end() {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
        changed_.notify_all();
    }

    /// What was given away and taken by no thread. After the threads have ended.
    std::vector<std::vector<Item>> take() { return std::exchange(parts_, {}); }

    /// Ends the waiting of all threads, for a thread that fails.
    void stop() {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
        parts_.clear();
        changed_.notify_all();
    }

  private:
    static constexpr std::size_t smallest_part = 512;

    unsigned threads_ = 0;  ///< those that came: the system may give fewer than were asked for
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::vector<Item>> parts_;
    std::atomic<unsigned> waiting_{0};
    bool ended_ = false;
};

}  // namespace proofbase
