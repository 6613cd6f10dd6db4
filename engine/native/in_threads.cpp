#include "in_threads.hpp"

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace proofbase {

void in_threads(unsigned threads, FunctionRef<void(unsigned)> work) {
    std::exception_ptr failure;
    std::mutex lock;
    const auto guarded = [&](unsigned number) {
        try {
            work(number);
        } catch (...) {
            const std::scoped_lock held(lock);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (unsigned number = 1; number < threads; ++number) others.emplace_back(guarded, number);
        } catch (const std::system_error&) {  // no more threads
        }
        guarded(0);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace proofbase
