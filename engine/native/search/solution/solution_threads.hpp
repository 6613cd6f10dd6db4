// The threads that take one solution out together. Each of them walks below a question. One that has none left waits,
// until another one gives it a part of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

#include "function_ref.hpp"

namespace proofbase {

class SolutionThreads {
  public:
    explicit SolutionThreads(std::size_t count) : given_(count), walking_(count) {}

    bool parallel() const noexcept { return given_.size() > 1; }

    /// Calls `begin()` in this thread and then, in every thread, `go_on(thread)` whenever the thread is given
    /// something, until all of them wait. There are fewer threads where the system gives no more. Throws what one of
    /// them has thrown first.
    void run(FunctionRef<void()> begin, FunctionRef<void(std::size_t)> go_on);

    /// One of them has failed: the others have to return.
    bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

    // For threads that walk:

    bool somebody_waits() const noexcept { return waiting_count_.load(std::memory_order_relaxed) > 0; }
    /// A thread that waits: the caller has to give() it something. None if none waits any more.
    std::optional<std::size_t> take_waiting();
    /// What the caller has written for the thread is seen there.
    void give(std::size_t thread);

  private:
    bool wait(std::size_t thread);
    void fail(std::exception_ptr why);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::uint8_t> given_;  ///< by thread: whether it has something to go on with
    std::size_t walking_;              ///< threads
    std::vector<std::size_t> waiting_;
    std::atomic<std::size_t> waiting_count_ = 0;
    bool all_wait_ = false;
    std::atomic<bool> stopped_ = false;
    std::exception_ptr error_;
};

/// A claim whose rank is not known before those of claims that other threads make.
struct WaitingRank {
    std::uint32_t number;               ///< of its question
    std::vector<std::uint32_t> needed;  ///< numbers of the others, of which some may be waiting, too
};

/// The indices of the claims, each after those that it needs. Throws std::logic_error if claims need each other.
std::vector<std::size_t> in_order_of_need(const std::vector<WaitingRank>& claims);

}  // namespace proofbase
