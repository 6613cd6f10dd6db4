// Who may use a record table now: any number of readers, or one writer.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace proofbase {

/// A shared mutex that does not starve writers: once a writer waits, no further reader gets in.
///
/// Readers that stay long (a search, a check) call `step_aside()` every few milliseconds at a place where they hold
/// no reference into the table. A thread that is in must not ask to get in again, and must not wait for Python's GIL
/// while another thread that holds the GIL waits here: release the GIL before locking.
/// Meets the standard's requirements of SharedMutex as far as std::unique_lock and std::shared_lock use them.
class AccessGate {
   public:
    void lock() {
        std::unique_lock guard(mutex_);
        waiting_.fetch_add(1, std::memory_order_relaxed);
        writers_turn_.wait(guard, [this] { return readers_ == 0 && !writing_; });
        waiting_.fetch_sub(1, std::memory_order_relaxed);
        writing_ = true;
    }

    void unlock() {
        const std::lock_guard guard(mutex_);
        writing_ = false;
        // Readers that came while this writer worked go before the next writer, or a queue of writers starves them.
        overtake_ = readers_waiting_;
        writers_turn_.notify_one();
        readers_turn_.notify_all();
    }

    void lock_shared() {
        std::unique_lock guard(mutex_);
        ++readers_waiting_;
        readers_turn_.wait(guard, [this] { return !writing_ && (waiting_ == 0 || overtake_ > 0); });
        --readers_waiting_;
        if (overtake_ > 0) --overtake_;
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
    std::mutex mutex_;
    std::condition_variable writers_turn_;
    std::condition_variable readers_turn_;
    std::atomic<int> waiting_ = 0;  // writers
    int readers_waiting_ = 0;
    int readers_ = 0;
    int overtake_ = 0;  // readers that may go in although a writer waits
    bool writing_ = false;
};

/// The gate of a game's record tables: the game's own type `Gate` if it has one.
template <class G>
struct GateType {
    using type = AccessGate;
};
template <class G>
    requires requires { typename G::Gate; }
struct GateType<G> {
    using type = typename G::Gate;
};
template <class G>
using GateOf = typename GateType<G>::type;

}  // namespace proofbase
