// Claims: bounds of a position's value with rank and evidence (docs/fact-model.md), and the lattice that the sets of
// undominated claims form.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "records/claims/pairings.hpp"
#include "records/claims/strategies.hpp"
#include "records/claims/threat_trees.hpp"
#include "records/claims/varint.hpp"

namespace proofbase {

/// Which limit of the value a claim is.
enum class Side : std::uint8_t { lower = 0, upper = 1 };

/// What a claim rests on: the records of the children, an entry of a table, a forcing line, a small search, trees of
/// threats, a strategy, a small search that ends at the limits of values, a pairing.
enum class Evidence : std::uint8_t {
    children = 0,
    table = 1,
    line = 2,
    search = 3,
    threats = 4,
    strategy = 5,
    search_to_limits = 6,
    pairing = 7
};

/// Whether a claim with this evidence rests on a small search, of either kind.
constexpr bool is_search(Evidence evidence) noexcept {
    return evidence == Evidence::search || evidence == Evidence::search_to_limits;
}

inline constexpr std::int32_t lowest_bound = -(1 << 30);
inline constexpr std::int32_t largest_bound = (1 << 30) - 1;
inline constexpr std::uint32_t largest_number = 0x7fffffff;  // of ranks, witnesses and lengths
inline constexpr std::uint32_t most_search_nodes = 10'000;
inline constexpr std::size_t most_claims = 15;
inline constexpr std::size_t most_record_bytes = std::size_t{1} << 16;

/// One bound of a position's value, seen by its side to move.
struct Claim {
    Side side = Side::lower;
    Evidence evidence = Evidence::children;
    std::int32_t bound = 0;     ///< lowest_bound .. largest_bound
    std::uint32_t rank = 0;     ///< plies within which the bound is realised at the latest
    std::uint32_t witness = 0;  ///< lower: the move of the canonical position that guarantees it; upper: 0
    std::string payload;        ///< the bytes of the record encoding, length included; empty for `children`

    static Claim lower(std::int32_t bound, std::uint32_t rank, std::uint32_t witness) {
        return {Side::lower, Evidence::children, bound, rank, witness, {}};
    }

    static Claim upper(std::int32_t bound, std::uint32_t rank) {
        return {Side::upper, Evidence::children, bound, rank, 0, {}};
    }

    /// The same claim, resting on a small search of at most `nodes` positions, which ends at the limits of values if
    /// `to_limits` (records/evidence/small_search/small_search.hpp).
    Claim by_search(std::uint32_t nodes, bool to_limits) && {
        evidence = to_limits ? Evidence::search_to_limits : Evidence::search;
        payload.clear();
        write_varint(nodes, payload);
        return std::move(*this);
    }

    /// The same lower claim, resting on the line (its first move is the witness; records/evidence/line/line_check.hpp).
    template <class Line>
    Claim by_line(const Line& line) && {
        return std::move(*this).by_moves([&](std::string& moves) {
            for (const auto move : line) write_varint(move, moves);
        });
    }

    /// The same upper claim, where one of the lines answers each move that no child's claim answers.
    template <class Lines>
    Claim by_lines(const Lines& lines) && {
        return std::move(*this).by_moves([&](std::string& moves) {
            for (const auto& line : lines) {
                write_varint(static_cast<std::uint32_t>(line.size()), moves);
                for (const auto move : line) write_varint(move, moves);
            }
        });
    }

    /// The same claim, resting on trees of threats, and if it is an upper claim on the records of the named replies
    /// (records/evidence/threats/threat_check.hpp).
    Claim by_threats(const ThreatTrees& trees) &&;

    /// The same claim, resting on a diagram, and if it is an upper claim on the records of the named replies
    /// (records/evidence/strategy/strategy_check.hpp).
    Claim by_strategy(const Strategy& strategy) &&;

    /// The same claim, resting on the small search or on the pairing of a claim of the position after the witness.
    Claim by_evidence_of(const Claim& child) &&;

    // What a claim rests on. Each of these functions throws std::logic_error for a claim with other evidence.

    /// The diagram of a `strategy` claim.
    Strategy strategy() const;

    /// The same claim that the other side does not win, resting on a pairing
    /// (records/evidence/pairing/pairing_check.hpp).
    Claim by_pairing(const Pairing& pairing) &&;

    /// The pairs of a `pairing` claim.
    Pairing pairing() const;

    /// Whether the claim rests on the records of the replies that it names, and on no others.
    bool names_replies() const noexcept { return evidence == Evidence::threats || evidence == Evidence::strategy; }

    /// The named replies of such a claim, ascending.
    std::vector<std::uint32_t> named() const;

    /// The trees of a `threats` claim.
    ThreatTrees threats() const;

    /// The lines of a `line` claim: a lower claim has one, an upper claim any number.
    std::vector<std::vector<std::uint32_t>> lines() const;

    /// The number of nodes within which a claim by a small search is settled.
    std::uint32_t nodes() const;

    /// Smaller is stronger: the order of the claims of a side.
    std::int32_t strength() const noexcept { return side == Side::lower ? -bound : bound; }

    bool operator==(const Claim&) const = default;

    /// The order of the record encoding. Of several claims with equal side, bound and rank the smallest is kept.
    friend std::strong_ordering operator<=>(const Claim& a, const Claim& b) noexcept {
        if (const auto order = a.side <=> b.side; order != 0) return order;
        if (const auto order = a.strength() <=> b.strength(); order != 0) return order;
        if (const auto order = a.rank <=> b.rank; order != 0) return order;
        if (const auto order = a.evidence <=> b.evidence; order != 0) return order;
        if (const auto order = a.witness <=> b.witness; order != 0) return order;
        return a.payload.compare(b.payload) <=> 0;  // char_traits<char> compares as unsigned bytes
    }

  private:
    /// The payload behind its length. Throws std::logic_error unless the claim has this evidence.
    std::string_view payload_of(Evidence expected) const;

    template <class Write>
    Claim by_moves(Write&& write) && {
        evidence = Evidence::line;
        std::string moves;
        write(moves);
        payload.clear();
        write_varint(static_cast<std::uint32_t>(moves.size()), payload);
        payload += moves;
        return std::move(*this);
    }
};

/// The claims of one record, in the order of the encoding.
using Claims = std::vector<Claim>;

/// For messages: "lower = 1, rank 7, witness 3, by children".
std::string to_text(const Claim& claim);

/// The strongest lower and upper claim when they exclude each other. `claims` is in order.
std::optional<std::pair<Claim, Claim>> contradiction(const Claims& claims);

/// The lattice join: unites two sets of undominated claims and drops what is dominated.
///
/// Returns true if `claims` changed. Commutative, associative and idempotent.
/// Throws Contradiction (both claims in the message), or MalformedRecord if more than `most_claims` would be left;
/// `claims` is then as it was.
bool merge_claims(Claims& claims, const Claims& others);

/// The strongest bound of each side that a record holds, with its rank: what searches ask for.
struct Known {
    bool lower = false;
    bool upper = false;
    std::int32_t lower_bound = 0;
    std::int32_t upper_bound = 0;
    std::uint32_t lower_rank = 0;
    std::uint32_t upper_rank = 0;
    std::uint32_t witness = 0;  ///< of the lower claim: a move of the canonical position
};

}  // namespace proofbase
