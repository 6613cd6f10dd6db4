#include "records/fair_shared_mutex.hpp"

namespace proofbase {

namespace {

/// Calls the wait hook; its lifetime encloses that of the lock on the inner mutex.
struct HookedWait {
    HookedWait() : state(FairSharedMutex::wait_hook.before ? FairSharedMutex::wait_hook.before() : nullptr) {}
    ~HookedWait() {
        if (FairSharedMutex::wait_hook.after) FairSharedMutex::wait_hook.after(state);
    }
    HookedWait(const HookedWait&) = delete;
    void* state;
};

}  // namespace

void FairSharedMutex::lock() {
    {
        const std::lock_guard guard(mutex_);
        if (readers_ == 0 && !writing_ && waiting_writers_ == 0 && readers_before_writer_ == 0) {
            writing_ = true;
            return;
        }
    }
    const HookedWait wait;
    std::unique_lock guard(mutex_);
    waiting_writers_.fetch_add(1, std::memory_order_relaxed);
    writers_turn_.wait(guard, [this] { return readers_ == 0 && !writing_ && readers_before_writer_ == 0; });
    waiting_writers_.fetch_sub(1, std::memory_order_relaxed);
    writing_ = true;
}

void FairSharedMutex::wait_and_lock_shared() {
    const HookedWait wait;
    std::unique_lock guard(mutex_);
    ++waiting_readers_;
    readers_turn_.wait(guard, [this] { return !writing_ && (waiting_writers_ == 0 || readers_before_writer_ > 0); });
    --waiting_readers_;
    if (readers_before_writer_ > 0) --readers_before_writer_;
    ++readers_;
}

}  // namespace proofbase
