// The largest and the smallest of what several threads find.
#pragma once

#include <atomic>

namespace proofbase {

/// Makes an atomic number this large at least. Orders nothing else among the threads.
template <class Atomic, class Number>
void raise_to(Atomic& largest, Number found) noexcept {
    auto known = largest.load(std::memory_order_relaxed);
    while (known < found && !largest.compare_exchange_weak(known, found, std::memory_order_relaxed)) {
    }
}

/// Makes an atomic number this small at least.
template <class Atomic, class Number>
void lower_to(Atomic& smallest, Number found) noexcept {
    auto known = smallest.load(std::memory_order_relaxed);
    while (found < known && !smallest.compare_exchange_weak(known, found, std::memory_order_relaxed)) {
    }
}

}  // namespace proofbase
