// The limits of one call of run(): what ends the call before the question is settled, and when a report is due.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "search/api/search.hpp"
#include "search/run/stopwatch.hpp"

namespace proofbase {

class RunLimits {
  public:
    /// `seconds_before` were spent in earlier calls. `cancelled` is the flag that cancel() sets.
    RunLimits(const Budget& budget, const std::atomic<bool>& cancelled, double seconds_before)
        : budget_(budget), cancelled_(cancelled), seconds_before_(seconds_before) {}

    /// The limit that is reached, of those that are cheap to check: cancel() and the number of nodes.
    StopReason reached(std::uint64_t nodes) const noexcept {
        if (cancelled_.load(std::memory_order_relaxed)) return StopReason::cancelled;
        if (budget_.nodes && nodes >= *budget_.nodes) return StopReason::nodes;
        return StopReason::none;
    }

    /// The limit that is reached, of the others: reads the clock for the seconds of this call; also checks the bytes.
    StopReason reached_by_clock(std::uint64_t memory) noexcept {
        elapsed_ = watch_.seconds();
        if (budget_.seconds && elapsed_ >= *budget_.seconds) return StopReason::seconds;
        if (budget_.memory && memory >= *budget_.memory) return StopReason::memory;
        return StopReason::none;
    }

    /// True about four times a second; uses the time when the clock was last read.
    bool report_is_due() noexcept {
        if (elapsed_ < next_report_) return false;
        next_report_ = elapsed_ + report_interval;
        return true;
    }

    std::uint64_t nodes_left(std::uint64_t nodes) const noexcept {
        if (!budget_.nodes) return std::numeric_limits<std::uint64_t>::max();
        return *budget_.nodes - std::min(*budget_.nodes, nodes);
    }

    /// The largest number of nodes that the budget allows.
    std::uint64_t max_nodes() const noexcept {
        return budget_.nodes.value_or(std::numeric_limits<std::uint64_t>::max());
    }
    std::optional<std::uint64_t> memory() const noexcept { return budget_.memory; }
    /// The time at which the seconds of this call are over.
    Stopwatch::Time deadline() const { return budget_.seconds ? watch_.after(*budget_.seconds) : Stopwatch::never(); }

    /// The seconds of all calls, when the clock was last read.
    double seconds() const noexcept { return seconds_before_ + elapsed_; }
    /// The seconds of all calls, now.
    double seconds_now() noexcept {
        elapsed_ = watch_.seconds();
        return seconds();
    }

  private:
    static constexpr double report_interval = 0.25;  // seconds

    const Budget& budget_;
    const std::atomic<bool>& cancelled_;
    double seconds_before_;
    Stopwatch watch_;
    double elapsed_ = 0;
    double next_report_ = report_interval;
};

}  // namespace proofbase
