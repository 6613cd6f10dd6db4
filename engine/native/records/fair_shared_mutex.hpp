// The mutex of a record table: any number of readers, or one writer.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace proofbase {

/// A shared mutex that starves nobody: while a writer waits no further reader gets the mutex, and readers that came
/// while a writer held it get it before the next writer.
///
/// Readers that stay long (a search, a check) call `yield_to_writers()` every few milliseconds, where they hold no
/// reference into what the mutex guards. A thread that holds the mutex must not lock it again.
/// Meets the standard's requirements as far as std::unique_lock, std::scoped_lock and std::shared_lock use them.
class FairSharedMutex {
  public:
    /// Called around every wait, in the waiting thread. The bindings release Python's global lock there: otherwise a
    /// thread could wait for the mutex while the threads that hold it wait for Python. Set once, before any table
    /// exists.
    struct WaitHook {
        void* (*before)();
        void (*after)(void*);
    };
    inline static WaitHook wait_hook{nullptr, nullptr};

    void lock();

    void unlock() {
        const std::lock_guard guard(mutex_);
        writing_ = false;
        readers_before_writer_ = waiting_readers_;
        readers_turn_.notify_all();
        writers_turn_.notify_one();
    }

    void lock_shared() {
        if (!try_lock_shared()) wait_and_lock_shared();
    }

    bool try_lock_shared() {
        const std::lock_guard guard(mutex_);
        if (writing_ || waiting_writers_ > 0) return false;
        ++readers_;
        return true;
    }

    void unlock_shared() {
        const std::lock_guard guard(mutex_);
        if (--readers_ == 0) writers_turn_.notify_one();
    }

    /// For a thread that holds the mutex as a reader: lets waiting writers have it first. One relaxed load when no
    /// writer waits.
    void yield_to_writers() {
        if (waiting_writers_.load(std::memory_order_relaxed) == 0) return;
        unlock_shared();
        lock_shared();
    }

  private:
    void wait_and_lock_shared();

    std::mutex mutex_;
    std::condition_variable writers_turn_;
    std::condition_variable readers_turn_;
    std::atomic<int> waiting_writers_ = 0;
    int waiting_readers_ = 0;
    int readers_ = 0;                // that hold the mutex
    int readers_before_writer_ = 0;  // waiting readers that go before the next writer
    bool writing_ = false;
};

}  // namespace proofbase
