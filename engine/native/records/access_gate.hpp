// Who may use a record table now: any number of readers, or one writer.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace proofbase {

/// A shared mutex that starves nobody: once a writer waits, no further reader gets in before it, and readers that
/// came while it worked go before the next writer.
///
/// Readers that stay long (a search, a check) call `step_aside()` every few milliseconds, where they hold no reference
/// into the table. A thread that is in must not ask to get in again.
/// Meets the standard's requirements as far as std::unique_lock, std::scoped_lock and std::shared_lock use them.
class AccessGate {
  public:
    /// Called around every wait, in the waiting thread: the bindings let go of Python's lock there, so that no thread
    /// ever waits here while those inside wait for Python. Set once, before any table exists.
    struct WaitHook {
        void* (*before)();
        void (*after)(void*);
    };
    inline static WaitHook wait_hook{nullptr, nullptr};

    void lock() {
        {
            const std::lock_guard guard(mutex_);
            if (readers_ == 0 && !writing_ && waiting_ == 0 && overtaking_ == 0) {
                writing_ = true;
                return;
            }
        }
        const Waiting waiting;
        std::unique_lock guard(mutex_);
        waiting_.fetch_add(1, std::memory_order_relaxed);
        writers_turn_.wait(guard, [this] { return readers_ == 0 && !writing_ && overtaking_ == 0; });
        waiting_.fetch_sub(1, std::memory_order_relaxed);
        writing_ = true;
    }

    void unlock() {
        const std::lock_guard guard(mutex_);
        writing_ = false;
        overtaking_ = readers_waiting_;
        readers_turn_.notify_all();
        writers_turn_.notify_one();
    }

    void lock_shared() {
        if (try_lock_shared()) return;
        const Waiting waiting;
        std::unique_lock guard(mutex_);
        ++readers_waiting_;
        readers_turn_.wait(guard, [this] { return !writing_ && (waiting_ == 0 || overtaking_ > 0); });
        --readers_waiting_;
        if (overtaking_ > 0) --overtaking_;
        ++readers_;
    }

    bool try_lock_shared() {
        const std::lock_guard guard(mutex_);
        if (writing_ || waiting_ > 0) return false;
        ++readers_;
        return true;
    }

    void unlock_shared() {
        const std::lock_guard guard(mutex_);
        if (--readers_ == 0) writers_turn_.notify_one();
    }

    /// For a reader that is in: lets waiting writers through. Costs one relaxed load when there are none.
    void step_aside() {
        if (waiting_.load(std::memory_order_relaxed) == 0) return;
        unlock_shared();
        lock_shared();
    }

  private:
    /// Constructed before and destroyed after the gate's own mutex is held.
    struct Waiting {
        Waiting() : state(wait_hook.before ? wait_hook.before() : nullptr) {}
        ~Waiting() {
            if (wait_hook.after) wait_hook.after(state);
        }
        Waiting(const Waiting&) = delete;
        void* state;
    };

    std::mutex mutex_;
    std::condition_variable writers_turn_;
    std::condition_variable readers_turn_;
    std::atomic<int> waiting_ = 0;  // writers
    int readers_waiting_ = 0;
    int readers_ = 0;
    int overtaking_ = 0;  // readers that go in before the next writer
    bool writing_ = false;
};

}  // namespace proofbase
