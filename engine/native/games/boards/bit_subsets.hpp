// Subsets of a set of bits, numbered by the bits of a smaller word: bit k stands for the k-th bit of the set. (Parallel
// extract and deposit, where the processor has them.)
#pragma once

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include <concepts>
#include <cstdint>

namespace proofbase {

template <class Set>
concept BitSet = std::same_as<Set, std::uint32_t> || std::same_as<Set, std::uint64_t>;

/// The bits of `from` at the places of `set`, moved together at the low end.
template <BitSet Set>
inline Set compress(Set from, Set set) noexcept {
#if defined(__BMI2__)
    if constexpr (sizeof(Set) == 4)
        return _pext_u32(from, set);
    else
        return _pext_u64(from, set);
#else
    Set out = 0;
    for (Set bit = 1; set != 0; set &= set - 1, bit <<= 1) {
        if ((from & set & (~set + 1)) != 0) out |= bit;
    }
    return out;
#endif
}

/// The inverse: the low bits of `from` at the places of `set`.
template <BitSet Set>
inline Set expand(Set from, Set set) noexcept {
#if defined(__BMI2__)
    if constexpr (sizeof(Set) == 4)
        return _pdep_u32(from, set);
    else
        return _pdep_u64(from, set);
#else
    Set out = 0;
    for (; set != 0; set &= set - 1, from >>= 1) {
        if ((from & 1) != 0) out |= set & (~set + 1);
    }
    return out;
#endif
}

}  // namespace proofbase
