// What a build of a class is given, and what it takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace proofbase {

/// How a class is built.
struct BuildOptions {
    unsigned threads = 1;
    std::chrono::milliseconds checkpoint_every{60'000};  ///< at most this often, and for an eighth of the time at most
};

/// What a build is given.
struct BuildLimits {
    std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();  ///< bytes
    /// Positions: no part is longer, and each class is built in parts. Without a value that depends on the memory.
    std::optional<std::uint64_t> longest_part = std::nullopt;
};

/// What building a class takes, at most; for a class that is built as a whole the lists of a thread, some megabytes,
/// come on top.
struct BuildNeeds {
    std::uint64_t memory = 0;        ///< bytes: its states, and the tables that it reads
    std::uint64_t least_memory = 0;  ///< bytes with which it can be built; in parts if that is less than all it needs
    std::uint64_t parts = 0;         ///< it is built in so many parts; 0: as a whole
    std::uint64_t file = 0;          ///< bytes of its table, in the plain form
    std::uint64_t checkpoint = 0;    ///< bytes of its checkpoint, on the disk while it is built
};

}  // namespace proofbase
