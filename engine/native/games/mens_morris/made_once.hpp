// A value that several threads may ask for, and that the first of them makes.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace proofbase::mens_morris {

/// A value that is made when it is first asked for, by any thread.
template <class T>
class MadeOnce {
  public:
    template <class Make>
    const T& get(Make&& make) {
        const T* made = made_.load(std::memory_order_acquire);
        return made != nullptr ? *made : make_now(make);
    }

  private:
    template <class Make>
    [[gnu::noinline]] const T& make_now(Make&& make) {
        const std::lock_guard lock(making_);
        if (!value_) {
            value_ = std::make_unique<const T>(make());
            made_.store(value_.get(), std::memory_order_release);
        }
        return *value_;
    }

    std::atomic<const T*> made_{nullptr};
    std::mutex making_;
    std::unique_ptr<const T> value_;
};

}  // namespace proofbase::mens_morris
