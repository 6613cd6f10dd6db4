#include "tables/retrograde/propagation.hpp"

#include <atomic>

#include "in_threads.hpp"
#include "tables/work/shared_stacks.hpp"

namespace proofbase {

bool propagate_in_threads(unsigned threads, const TableTask& task, FunctionRef<bool(PropagatingThread&, bool)> more,
                          FunctionRef<void(PropagatingThread&)> propagate,
                          FunctionRef<bool(const PropagatingThread&)> has_to_stop,
                          FunctionRef<void(const std::vector<FinalEntry>&)> set_pending) {
    SharedStacks<FinalEntry> stacks;
    std::atomic<bool> stopped{false};
    in_threads(threads, [&](unsigned) {
        PropagatingThread thread;
        stacks.join();
        try {
            while (true) {
                while (!thread.stack.empty() && !stopped.load(std::memory_order_relaxed)) {
                    propagate(thread);
                    stacks.share(thread.stack);
                    task.stop_if_cancelled();
                    ++thread.batches;
                    if (has_to_stop(thread)) {
                        stopped = true;
                        stacks.end();
                    }
                }
                task.stop_if_cancelled();
                set_pending(thread.stack);
                thread.stack.clear();
                const bool ending = stopped.load(std::memory_order_relaxed);
                if (more(thread, ending)) continue;
                if (ending || !stacks.receive(thread.stack)) return;
            }
        } catch (...) {
            stacks.stop();
            throw;
        }
    });
    for (const std::vector<FinalEntry>& part : stacks.take()) set_pending(part);
    return !stopped;
}

}  // namespace proofbase
