// A computation that can be left at any point of its course and taken up there again: it has a thread of its own, which
// waits meanwhile. So it takes the same course however often it is left.
#pragma once

#include <exception>
#include <functional>
#include <semaphore>
#include <thread>
#include <utility>

namespace proofbase {

/// Only one of the two sides runs at a time: the caller of `resume()`, or the work.
class ResumableThread {
  public:
    ResumableThread() = default;
    ResumableThread(const ResumableThread&) = delete;

    /// Ends work that is not done: its `pause()` throws.
    ~ResumableThread() {
        if (!thread_.joinable()) return;
        abandoned_ = true;
        go_on_.release();
        thread_.join();
    }

    /// Begins `work`, or goes on with work that has paused. Returns when it pauses or ends; throws what it has thrown.
    void resume(std::function<void()> work) {
        if (!thread_.joinable()) {
            thread_ = std::thread([this, work = std::move(work)] { run(work); });
        } else {
            go_on_.release();
        }
        paused_.acquire();
        if (!ended_) return;
        thread_.join();
        ended_ = false;
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }

    /// Called by the work: returns at the next `resume()`. Throws where the work is given up, then and ever after.
    void pause() {
        if (abandoned_) throw Abandoned();
        paused_.release();
        go_on_.acquire();
        if (abandoned_) throw Abandoned();
    }

  private:
    struct Abandoned {};

    void run(const std::function<void()>& work) noexcept {
        try {
            work();
        } catch (const Abandoned&) {
            return;
        } catch (...) {
            error_ = std::current_exception();
        }
        ended_ = true;
        paused_.release();
    }

    std::binary_semaphore go_on_{0};
    std::binary_semaphore paused_{0};
    bool abandoned_ = false;
    bool ended_ = false;
    std::exception_ptr error_;
    std::thread thread_;
};

}  // namespace proofbase
