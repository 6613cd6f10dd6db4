// Time that has passed, and a guard against two threads in one search.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>

namespace proofbase {

class Stopwatch {
  public:
    using Time = std::chrono::steady_clock::time_point;

    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

    /// The time at which so many seconds will have passed since the start; at most a year.
    Time after(double seconds) const {
        constexpr double year = 365 * 86400.0;
        return start_ + std::chrono::duration_cast<Time::duration>(
                            std::chrono::duration<double>(std::clamp(seconds, 0.0, year)));
    }
    static constexpr Time never() noexcept { return Time::max(); }

  private:
    Time start_ = std::chrono::steady_clock::now();
};

/// Holds `flag` for its lifetime; throws std::logic_error if it is held already.
class Exclusive {
  public:
    explicit Exclusive(std::atomic<bool>& flag) : flag_(flag) {
        if (flag_.exchange(true)) throw std::logic_error("the search is running in another thread");
    }
    ~Exclusive() { flag_.store(false); }
    Exclusive(const Exclusive&) = delete;
    Exclusive& operator=(const Exclusive&) = delete;

  private:
    std::atomic<bool>& flag_;
};

}  // namespace proofbase
