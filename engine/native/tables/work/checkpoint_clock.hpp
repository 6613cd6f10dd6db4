// When a checkpoint is due: some time after the last one, and later where writing one takes long.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace proofbase {

class CheckpointClock {
  public:
    using Clock = std::chrono::steady_clock;

    /// `every`: checkpoints are due at most this often, and take an eighth of the time at most.
    explicit CheckpointClock(Clock::duration every) : every_(every), between_(every) {}

    bool is_due() const { return Clock::now() - last_ >= between_; }

    /// The same for a thread that asks after each batch of its work: it looks at the clock now and then.
    bool is_due(std::uint64_t batches) const { return batches % batches_between_looks == 0 && is_due(); }

    /// The work begins now.
    void start() {
        last_ = Clock::now();
        between_ = every_;
    }

    /// A checkpoint was written, or read, which took the time since `began`.
    void saved(Clock::time_point began) {
        last_ = Clock::now();
        between_ = std::max<Clock::duration>(every_, 7 * (last_ - began));
    }

  private:
    static constexpr std::uint64_t batches_between_looks = 32;

    Clock::duration every_;
    Clock::duration between_;
    Clock::time_point last_ = Clock::now();
};

}  // namespace proofbase
