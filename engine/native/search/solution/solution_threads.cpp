#include "search/solution/solution_threads.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace proofbase {

void SolutionThreads::run(FunctionRef<void()> begin, FunctionRef<void(std::size_t)> go_on) {
    const auto work = [&](std::size_t thread) {
        try {
            if (thread == 0) begin();
            while (wait(thread)) go_on(thread);
        } catch (...) {
            fail(std::current_exception());
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (std::size_t thread = 1; thread < given_.size(); ++thread) {
                others.emplace_back([&work, thread] { work(thread); });
            }
        } catch (const std::system_error&) {  // the system gives no more threads
            const std::scoped_lock lock(mutex_);
            walking_ = others.size() + 1;
        }
        work(0);
    }
    if (error_) std::rethrow_exception(error_);
}

std::optional<std::size_t> SolutionThreads::take_waiting() {
    const std::scoped_lock lock(mutex_);
    if (waiting_.empty()) return std::nullopt;
    const std::size_t thread = waiting_.back();
    waiting_.pop_back();
    waiting_count_.store(waiting_.size(), std::memory_order_relaxed);
    return thread;
}

void SolutionThreads::give(std::size_t thread) {
    const std::scoped_lock lock(mutex_);
    given_[thread] = 1;
    changed_.notify_all();
}

/// False if all of them wait, or one has failed.
bool SolutionThreads::wait(std::size_t thread) {
    std::unique_lock lock(mutex_);
    waiting_.push_back(thread);
    waiting_count_.store(waiting_.size(), std::memory_order_relaxed);
    if (waiting_.size() == walking_) {
        all_wait_ = true;
        changed_.notify_all();
    }
    changed_.wait(lock, [&] { return all_wait_ || stopped() || given_[thread] != 0; });
    return !all_wait_ && !stopped() && std::exchange(given_[thread], std::uint8_t{0}) != 0;
}

void SolutionThreads::fail(std::exception_ptr why) {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::move(why);
    stopped_.store(true, std::memory_order_relaxed);
    changed_.notify_all();
}

std::vector<std::size_t> in_order_of_need(const std::vector<WaitingRank>& claims) {
    std::vector<std::pair<std::uint32_t, std::size_t>> by_number;
    by_number.reserve(claims.size());
    for (std::size_t i = 0; i < claims.size(); ++i) by_number.emplace_back(claims[i].number, i);
    std::ranges::sort(by_number);
    enum class State : std::uint8_t { untouched, open, done };
    std::vector<State> states(claims.size(), State::untouched);
    std::vector<std::size_t> order;
    order.reserve(claims.size());
    struct Step {
        std::size_t claim;
        std::size_t next_needed;
    };
    std::vector<Step> path;
    const auto open = [&](std::size_t claim) {
        if (states[claim] == State::open) {
            throw std::logic_error("a claim rests on itself, in question " + std::to_string(claims[claim].number));
        }
        if (states[claim] == State::done) return;
        states[claim] = State::open;
        path.push_back({claim, 0});
    };
    for (std::size_t first = 0; first < claims.size(); ++first) {
        open(first);
        while (!path.empty()) {
            Step& step = path.back();
            if (step.next_needed == claims[step.claim].needed.size()) {
                states[step.claim] = State::done;
                order.push_back(step.claim);
                path.pop_back();
                continue;
            }
            const std::uint32_t needed = claims[step.claim].needed[step.next_needed++];
            const auto found = std::ranges::lower_bound(by_number, std::pair<std::uint32_t, std::size_t>{needed, 0});
            if (found != by_number.end() && found->first == needed) open(found->second);
        }
    }
    return order;
}

}  // namespace proofbase
