// The payload of claims by a strategy (docs/record-encoding.md): of an upper claim the named replies; then the squares
// that the diagram marks, ascending, each as the squares that it leaves out before, times 6, plus the mark.
// docs/strategies.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "records/varint.hpp"

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
    std::string payload(bool lower) const {
        std::string bytes;
        if (!lower) {
            write_varint(static_cast<std::uint32_t>(named.size()), bytes);
            for (std::size_t i = 0; i < named.size(); ++i) {
                write_varint(i == 0 ? named[0] : named[i] - named[i - 1], bytes);
            }
        }
        std::uint32_t next = 0;
        for (const Marked& marked : marks) {
            write_varint((marked.square - next) * marks_of_squares + static_cast<std::uint32_t>(marked.mark), bytes);
            next = marked.square + 1;
        }
        std::string out;
        write_varint(static_cast<std::uint32_t>(bytes.size()), out);
        return out += bytes;
    }

    /// Reads what `payload` writes, without the length; `start` is where it begins in the record, for messages.
    /// Throws MalformedRecord.
    static Strategy read(std::string_view bytes, bool lower, std::size_t start = 0) {
        Strategy out;
        std::size_t offset = 0;
        const auto fault = [&](std::size_t at, const char* rule) {
            return MalformedRecord(std::string(rule) + " at byte " + std::to_string(start + at));
        };
        if (!lower) {
            const std::uint32_t count = read_varint(bytes, offset);
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::size_t at = offset;
                if (at >= bytes.size()) throw fault(at, "named replies are cut off");
                std::uint64_t move = read_varint(bytes, offset);
                if (i > 0) {
                    if (move == 0) throw fault(at, "named replies do not ascend");
                    move += out.named.back();
                    if (move >> 31) throw fault(at, "a named reply is 2^31 or more");
                }
                out.named.push_back(static_cast<std::uint32_t>(move));
            }
        }
        std::uint64_t next = 0;
        while (offset < bytes.size()) {
            const std::size_t at = offset;
            const std::uint32_t number = read_varint(bytes, offset);
            next += number / marks_of_squares;
            if (next >> 31) throw fault(at, "a square is 2^31 or more");
            out.marks.push_back({static_cast<std::uint32_t>(next), static_cast<Mark>(number % marks_of_squares)});
            ++next;
        }
        return out;
    }
};

}  // namespace proofbase
