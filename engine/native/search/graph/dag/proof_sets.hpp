// K-truncated node sets: the first K members of a set of leaves, in a fixed order, and a bound of the whole set's
// weight. Müller, Proof-set search, Technical Report TR 01-09, University of Alberta (2001), section 4, and 5.1 for
// weights.
//
// A member is a literal: a leaf together with the answer that it is to get, proved or disproved for its side to move.
// So proof sets and disproof sets are of the same kind. A leaf that is to be proved and the same leaf to be disproved
// are two different members.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "search/graph/arena.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// A literal and its weight. Members are ordered by weight, the lightest first, then by the numbers of the nodes, so
/// the oldest come first. If the newest are to come first, all 31 bits of the numbers are inverted (`newest_first`).
struct SetMember {
    static constexpr std::uint32_t newest_first = 0x7fffffff;  ///< exclusive or with it inverts a number

    std::uint64_t bits = 0;

    static SetMember of(std::uint32_t node, bool proved, std::uint32_t weight) noexcept {
        return {std::uint64_t{weight} << 32 | node << 1 | !proved};
    }
    std::uint32_t weight() const noexcept { return static_cast<std::uint32_t>(bits >> 32); }
    std::uint32_t literal() const noexcept { return static_cast<std::uint32_t>(bits); }
    auto operator<=>(const SetMember&) const = default;
};

// Lists take memory in sizes with three significant bits: rounding up loses less than a quarter.
namespace list_sizes {

constexpr std::uint32_t size_class(std::uint32_t units) noexcept {
    if (units <= 8) return units;
    const auto shift = static_cast<std::uint32_t>(std::bit_width(units - 1) - 3);
    return 4 * shift + ((units - 1) >> shift) + 1;
}
constexpr std::uint32_t units_of_class(std::uint32_t size) noexcept {
    if (size <= 8) return size;
    const std::uint32_t shift = (size - 5) / 4;
    return ((size - 5) % 4 + 5) << shift;
}

inline constexpr std::uint32_t limit = 0x7fffffff;

static_assert([] {
    for (std::uint32_t units = 1; units < 3000; ++units) {
        const std::uint32_t size = units_of_class(size_class(units));
        if (size < units || size * 4 > units * 5 + 3 || size_class(size) != size_class(units)) return false;
    }
    return units_of_class(size_class(limit)) >= limit;
}());

}  // namespace list_sizes

/// Lists of members. A list never changes, and nodes with the same list share it: each of them holds a reference, which
/// share() adds and release() gives back. A list is referred to by a number; 0 is the empty list.
class MemberLists {
  public:
    MemberLists() { units_.append(1); }

    std::span<const SetMember> operator[](std::uint32_t list) const noexcept {
        if (list == 0) return {};
        return {reinterpret_cast<const SetMember*>(&units_[list + 1]), header(list).count};
    }

    /// A new list with one reference. Throws std::bad_alloc.
    std::uint32_t make(std::span<const SetMember> members) {
        if (members.empty()) return 0;
        const auto count = static_cast<std::uint32_t>(members.size());
        const std::uint32_t size = list_sizes::size_class(units_for(count));
        std::uint32_t list = free_[size];
        if (list != 0) {
            free_[size] = header(list).next_free;
        } else {
            const std::uint32_t units = list_sizes::units_of_class(size);
            if (units_.size() + std::uint64_t{units} > limit) throw std::bad_alloc();
            list = units_.append(units);
        }
        header(list) = {{1}, count};
        std::copy(members.begin(), members.end(), reinterpret_cast<SetMember*>(&units_[list + 1]));
        return list;
    }

    std::uint32_t share(std::uint32_t list) noexcept {
        if (list != 0) ++header(list).references;
        return list;
    }

    void release(std::uint32_t list) noexcept {
        if (list == 0 || --header(list).references != 0) return;
        std::uint32_t& first = free_[list_sizes::size_class(units_for(header(list).count))];
        header(list).next_free = first;
        first = list;
    }

    std::uint64_t bytes() const noexcept { return units_.bytes(); }

    static constexpr std::uint32_t limit = list_sizes::limit;  ///< the numbers of lists are smaller

  private:
    /// The first unit of a list; the members follow.
    struct Header {
        union {
            std::uint32_t references;  ///< of a list in use
            std::uint32_t next_free;   ///< otherwise: the next unused list of the same size class, or 0
        };
        std::uint32_t count;
    };
    static_assert(sizeof(Header) == sizeof(std::uint64_t));

    Header& header(std::uint32_t list) noexcept { return *reinterpret_cast<Header*>(&units_[list]); }
    const Header& header(std::uint32_t list) const noexcept { return *reinterpret_cast<const Header*>(&units_[list]); }

    static constexpr std::uint32_t units_for(std::uint32_t count) noexcept { return 1 + count; }

    Arena<std::uint64_t> units_;
    std::array<std::uint32_t, 128> free_{};  ///< by size class: the first unused list
};

/// The truncated union of sets, two at a time from the left (Definition 2).
class TruncatedUnion {
  public:
    /// Begins anew with the empty set, for sets of at most `size` members.
    void clear(std::uint32_t size) noexcept {
        size_ = size;
        bound_ = 0;
        members_.clear();
    }

    /// Adds a set that lists these members; `bound` is the bound of its weight, which is finite. A member that both
    /// sets list counts once, even if truncation then removes it.
    void add(std::span<const SetMember> members, std::uint32_t bound) {
        bound_ += bound;
        merged_.clear();
        auto a = members_.begin();
        auto b = members.begin();
        while (a != members_.end() && b != members.end()) {
            if (*a == *b) {
                bound_ -= a->weight();
                ++b;
            }
            merged_.push_back(b == members.end() || *a <= *b ? *a++ : *b++);
        }
        merged_.insert(merged_.end(), a, members_.end());
        merged_.insert(merged_.end(), b, members.end());
        if (merged_.size() > size_) merged_.resize(size_);
        members_.swap(merged_);
    }

    std::span<const SetMember> members() const noexcept { return members_; }
    std::uint32_t bound() const noexcept {
        return bound_ < infinite ? static_cast<std::uint32_t>(bound_) : infinite - 1;
    }

  private:
    std::uint32_t size_ = 0;
    std::uint64_t bound_ = 0;
    std::vector<SetMember> members_;
    std::vector<SetMember> merged_;
};

}  // namespace proofbase
