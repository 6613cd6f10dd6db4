// Many positions by null-window search: every thread takes the next position of the list, and all share one table.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/api/solve_positions.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/position_solver.hpp"

namespace proofbase {

/// One call of solve_positions(), of at least one position.
template <Game G>
class PositionsRun {
  public:
    using Positions = std::vector<typename G::Position>;

    PositionsRun(const G& game, const Algorithm& algorithm, const Positions& positions, const PositionsRequest& request,
                 const CheckInterrupt& check)
        : positions_(positions),
          request_(request),
          check_(check),
          reads_clock_(request.seconds || request.total_seconds),
          started_(Clock::now()),
          // The threads search different positions: marks on what another one searches would only cost time.
          shared_(SearchRequest<G>{game, positions.front(), 0, nullptr, algorithm, MoveOrder()}, 1, stopped_),
          solved_(positions.size()) {
        shared_.table = {request.table_bytes, game.key_size(), game.highest_value(), request.threads > 1};
    }

    std::vector<SolvedPosition> run() {
        const std::size_t threads = std::min<std::size_t>(request_.threads, positions_.size());
        if (threads == 1) {
            work([this] { check_if_due(); });
            return std::move(solved_);
        }
        {
            std::vector<std::jthread> workers;
            working_ = threads;
            for (std::size_t i = 0; i < threads; ++i) workers.emplace_back([this] { work_and_report(); });
            wait();
        }
        if (error_) std::rethrow_exception(error_);
        return std::move(solved_);
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds between_checks{50};

    /// Solves the next position until there is none left. `between()` is called between slices and positions.
    template <class Between>
    void work(Between&& between) {
        PositionSolver<G> solver(shared_);
        for (std::size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < positions_.size();) {
            const Clock::time_point started = reads_clock_ ? Clock::now() : started_;
            std::uint64_t counted = 0;  // of this position's nodes, in `nodes_`
            const auto count = [&](std::uint64_t nodes) {
                const std::uint64_t more = nodes - std::exchange(counted, nodes);
                return nodes_.fetch_add(more, std::memory_order_relaxed) + more;
            };
            solved_[i] = solver.solve(positions_[i], request_.at_least, [&](std::uint64_t nodes, std::uint64_t& most) {
                between();
                return limit_reached(nodes, count(nodes), started, most);
            });
            count(solved_[i].nodes);
            if (i % positions_between_checks == 0) between();
            if (stopped_.load(std::memory_order_relaxed)) return;
        }
    }

    static constexpr std::size_t positions_between_checks = 256;  // they may need no search

    /// Whether a limit is reached; `most` is lowered to what is left of the limits of nodes.
    StopReason limit_reached(std::uint64_t nodes, std::uint64_t total, Clock::time_point started,
                             std::uint64_t& most) const {
        if (stopped_.load(std::memory_order_relaxed)) return StopReason::cancelled;
        for (const auto& [spent, limit] : {std::pair(nodes, request_.nodes), std::pair(total, request_.total_nodes)}) {
            if (!limit) continue;
            if (spent >= *limit) return StopReason::nodes;
            most = std::min(most, *limit - spent);
        }
        if (!reads_clock_) return StopReason::none;
        const Clock::time_point now = Clock::now();
        const auto is_over = [now](Clock::time_point since, std::optional<double> seconds) {
            return seconds && std::chrono::duration<double>(now - since).count() >= *seconds;
        };
        const bool over = is_over(started, request_.seconds) || is_over(started_, request_.total_seconds);
        return over ? StopReason::seconds : StopReason::none;
    }

    void check_if_due() {
        const Clock::time_point now = Clock::now();
        if (now < next_check_) return;
        next_check_ = now + between_checks;
        check_();
    }

    /// In a thread of its own.
    void work_and_report() {
        std::exception_ptr error;
        try {
            work([] {});
        } catch (...) {
            error = std::current_exception();
        }
        const std::scoped_lock lock(mutex_);
        if (error && !error_) error_ = error;
        if (error) stopped_.store(true, std::memory_order_relaxed);
        --working_;
        ended_.notify_one();
    }

    /// In the calling thread.
    void wait() {
        try {
            std::unique_lock lock(mutex_);
            while (!ended_.wait_for(lock, between_checks, [this] { return working_ == 0; })) {
                lock.unlock();
                check_();
                lock.lock();
            }
        } catch (...) {
            stopped_.store(true, std::memory_order_relaxed);
            throw;  // the threads end before the exception leaves run()
        }
    }

    const Positions& positions_;
    const PositionsRequest& request_;
    const CheckInterrupt& check_;
    bool reads_clock_;
    Clock::time_point started_;
    Clock::time_point next_check_ = started_ + between_checks;
    std::atomic<bool> stopped_ = false;
    NullWindowShared<G> shared_;
    std::vector<SolvedPosition> solved_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::uint64_t> nodes_ = 0;
    std::mutex mutex_;  ///< of the fields below
    std::condition_variable ended_;
    std::size_t working_ = 0;
    std::exception_ptr error_;
};

template <Game G>
std::vector<SolvedPosition> solve_positions(const G& game, const Algorithm& algorithm,
                                            const std::vector<typename G::Position>& positions,
                                            const PositionsRequest& request, const CheckInterrupt& check) {
    if (positions.empty()) return {};
    return PositionsRun<G>(game, algorithm, positions, request, check).run();
}

}  // namespace proofbase
