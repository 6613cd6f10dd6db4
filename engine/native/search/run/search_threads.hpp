// The threads of one run of a search that share its table: they search slices until the question is settled, a limit is
// reached or one of them fails. The first thread is the one that called run(); it reads the clock.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "search/api/search.hpp"
#include "search/run/run_limits.hpp"

namespace proofbase {

class SearchThreads {
  public:
    explicit SearchThreads(RunLimits& limits) noexcept : limits_(limits) {}

    /// Returns when all threads have ended. `settled()`, `nodes()` and `slice(thread, max_nodes, reads_clock)` are
    /// called in all threads, `memory()` and `at_clock()` in the first. `slice_nodes` is the length of a slice.
    template <class Settled, class Nodes, class Memory, class AtClock, class Slice>
    void run(std::size_t count, std::uint64_t slice_nodes, Settled&& settled, Nodes&& nodes, Memory&& memory,
             AtClock&& at_clock, Slice&& slice) {
        const auto work = [&](std::size_t thread) {
            try {
                for (std::uint32_t number = 0; !stop_.load(std::memory_order_relaxed); ++number) {
                    if (settled()) break;
                    const std::uint64_t so_far = nodes();
                    if (const StopReason reason = limits_.reached(so_far); reason != StopReason::none)
                        return end(reason);
                    const bool reads_clock = number % slices_per_clock_check == 0;
                    if (thread == 0 && reads_clock) {
                        const StopReason reason = limits_.reached_by_clock(memory());
                        at_clock();
                        if (reason != StopReason::none) return end(reason);
                    }
                    slice(thread, std::min(slice_nodes, limits_.nodes_left(so_far)), reads_clock);
                }
            } catch (const std::bad_alloc&) {
                end(StopReason::memory);
            } catch (...) {
                fail(std::current_exception());
            }
        };
        std::vector<std::jthread> others;
        try {
            for (std::size_t thread = 1; thread < count; ++thread) {
                others.emplace_back([&work, thread] { work(thread); });
            }
        } catch (const std::system_error&) {  // the system gives no more threads: these search
        }
        work(0);
    }

    /// Why the threads have ended, if the question is not settled. Throws what one of them has thrown.
    StopReason reason() const {
        if (error_) std::rethrow_exception(error_);
        return reason_;
    }

  private:
    static constexpr std::uint32_t slices_per_clock_check = 4;  // and per look at what other threads have solved

    void end(StopReason why) {
        const std::scoped_lock lock(mutex_);
        if (reason_ == StopReason::none) reason_ = why;
        stop_.store(true, std::memory_order_relaxed);
    }

    void fail(std::exception_ptr why) {
        const std::scoped_lock lock(mutex_);
        if (!error_) error_ = std::move(why);
        stop_.store(true, std::memory_order_relaxed);
    }

    RunLimits& limits_;
    StopReason reason_ = StopReason::none;
    std::exception_ptr error_;
    std::atomic<bool> stop_ = false;
    std::mutex mutex_;
};

}  // namespace proofbase
