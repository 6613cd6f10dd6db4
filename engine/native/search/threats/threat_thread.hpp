// A thread of the search by threats, which waits while a limit is reached.
#pragma once

#include <exception>
#include <memory>

#include "search/run/resumable_thread.hpp"
#include "threats/quiet/quiet_search.hpp"

namespace proofbase {

template <class Attack>
struct ThreatThread {
    /// Of a thread that helps; null: the thread that the others help.
    std::unique_ptr<QuietSearch<Attack>> search;
    std::exception_ptr error;  ///< what has ended the thread
    ResumableThread thread;    ///< the last member: it ends before what it uses
};

}  // namespace proofbase
