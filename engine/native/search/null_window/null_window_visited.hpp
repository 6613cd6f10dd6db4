// The questions that the walks of one solution of null-window search have met (null_window_walk.hpp), with what they
// know of each claim. Several threads may share them: then they lie in parts, each with a mutex.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "search/null_window/null_window_question_index.hpp"

namespace proofbase {

/// What is known of a question that has been met.
struct MetQuestion {
    static constexpr std::uint32_t no_number = NullWindowQuestionIndex::none;
    static constexpr std::uint32_t no_rank = 0x7fffffff;

    std::uint32_t number = no_number;  ///< no_number: nobody has met it
    std::uint32_t rank = no_rank;      ///< no_rank: its claim is being made
    bool proved = false;

    bool found() const noexcept { return number != no_number; }
    bool finished() const noexcept { return rank != no_rank; }
};

template <class Identity>
class NullWindowVisited {
  public:
    NullWindowVisited(bool parallel, const std::atomic<bool>& cancelled)
        : parts_(parallel ? part_count : 1), cancelled_(cancelled) {
        if (parallel) {
            for (Part& part : parts_) part.index.limit_slots(most_slots_of_part);
        }
    }

    MetQuestion find(const Identity& identity, int bound) {
        Part& part = part_of(identity, bound);
        const auto lock = locked(part);
        return part.find(number_of_part(part), parts_.size(), identity, bound);
    }

    /// Meets a question, whose claim the caller makes if nobody has met it before: then the result is not found().
    /// Throws Cancelled.
    MetQuestion enter(const Identity& identity, int bound, bool proved, std::uint32_t& number) {
        Part& part = part_of(identity, bound);
        const auto lock = locked(part);
        const auto met = part.find(number_of_part(part), parts_.size(), identity, bound);
        if (met.found()) return met;
        const auto n = part.index.add(Visited{identity, bound, MetQuestion::no_rank, proved}, part.items, cancelled_);
        number = static_cast<std::uint32_t>(n * parts_.size() + number_of_part(part));
        return met;
    }

    std::uint32_t rank(std::uint32_t number) {
        Part& part = parts_[number % parts_.size()];
        const auto lock = locked(part);
        return part.items[number / parts_.size()].rank;
    }

    /// The claim of a question that the caller has entered is made.
    void finish(std::uint32_t number, std::uint32_t rank) {
        Part& part = parts_[number % parts_.size()];
        const auto lock = locked(part);
        part.items[number / parts_.size()].rank = rank & MetQuestion::no_rank;
    }

    /// Fetches what find() will read into the cache.
    void prefetch(const Identity& identity, int bound) const noexcept {
        if (parts_.size() == 1) parts_[0].index.prefetch(identity, bound, parts_[0].items);
    }

  private:
    static constexpr std::size_t part_count = 8;
    static constexpr std::uint64_t most_slots_of_part = (std::uint64_t{1} << 32) / part_count;

    struct Visited {
        Identity identity;
        std::int32_t bound;
        std::uint32_t rank : 31;
        std::uint32_t proved : 1;
    };
    struct Part {
        std::mutex mutex;
        NullWindowQuestionIndex index;
        std::vector<Visited> items;

        MetQuestion find(std::size_t part, std::size_t parts, const Identity& identity, int bound) const {
            const std::uint32_t n = index.find(identity, bound, items);
            if (n == NullWindowQuestionIndex::none) return {};
            return {static_cast<std::uint32_t>(n * parts + part), items[n].rank, items[n].proved != 0};
        }
    };

    Part& part_of(const Identity& identity, int bound) noexcept {
        return parts_[parts_.size() == 1 ? 0 : (hash_of_question(identity, bound) >> 48) % part_count];
    }
    std::size_t number_of_part(const Part& part) const noexcept {
        return static_cast<std::size_t>(&part - parts_.data());
    }
    std::unique_lock<std::mutex> locked(Part& part) const {
        return parts_.size() == 1 ? std::unique_lock<std::mutex>() : std::unique_lock(part.mutex);
    }

    std::vector<Part> parts_;
    const std::atomic<bool>& cancelled_;
};

}  // namespace proofbase
