#include "records/check/check_threads.hpp"

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace proofbase {

void run_in_threads(std::size_t threads, FunctionRef<void()> work) {
    std::mutex mutex;
    std::exception_ptr failure;
    const auto run = [&] {
        try {
            work();
        } catch (...) {
            const std::lock_guard guard(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            while (others.size() + 1 < threads) others.emplace_back(run);
        } catch (const std::system_error&) {  // no more threads
        }
        run();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace proofbase
