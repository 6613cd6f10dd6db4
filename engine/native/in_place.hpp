// Makes values where they belong. A processor waits long where it copies, in wide steps, what it has just written in
// narrow ones; positions and keys are written like that in the innermost loops of searches.
#pragma once

#include <new>
#include <type_traits>

namespace proofbase {

/// place = make(), without a copy where the type allows it.
template <class T, class Make>
[[gnu::always_inline]] inline void make_in_place(T& place, Make&& make) {
    if constexpr (std::is_trivially_copyable_v<T>) {
        ::new (static_cast<void*>(&place)) T(make());
    } else {
        place = make();
    }
}

}  // namespace proofbase
