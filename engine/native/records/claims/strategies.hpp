// The payload of claims by a strategy (docs/record-encoding.md): of an upper claim the named replies; then the squares
// that the diagram marks, ascending, each as the squares that it leaves out before, times 6, plus the mark.
// docs/strategies.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proofbase {

/// What a diagram says of a square. A strategy plays on an open square with the smallest mark; on a `pair` only while
/// it is the only open square with this mark.
enum class Mark : std::uint8_t { urgent = 0, pair = 1, answer = 2, high = 3, middle = 4, low = 5 };
inline constexpr std::uint32_t marks_of_squares = 6;

/// Positions with the other side to move that a check of a strategy meets at most.
inline constexpr std::size_t most_strategy_positions = 10'000;

/// The diagram of a claim. Squares and moves are those of the canonical position.
struct Strategy {
    struct Marked {
        std::uint32_t square;
        Mark mark;
        bool operator==(const Marked&) const = default;
    };

    std::vector<std::uint32_t> named;  ///< ascending; their positions have records. Empty in a lower claim
    std::vector<Marked> marks;         ///< ascending; other squares have the game's usual marks

    /// The payload, its length included. `named` and the squares must ascend.
    std::string payload(bool lower) const;

    /// Reads what `payload` writes, without the length; `start` is where it begins in the record, for messages.
    /// Throws MalformedRecord.
    static Strategy read(std::string_view bytes, bool lower, std::size_t start = 0);
};

}  // namespace proofbase
