#include "records/claim.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "errors.hpp"

namespace proofbase {

Claim Claim::by_threats(const ThreatTrees& trees) && {
    evidence = Evidence::threats;
    payload = trees.payload();
    return std::move(*this);
}

Claim Claim::by_strategy(const Strategy& strategy) && {
    evidence = Evidence::strategy;
    payload = strategy.payload(side == Side::lower);
    return std::move(*this);
}

Strategy Claim::strategy() const {
    std::size_t offset = 0;
    read_varint(payload, offset);  // its length
    return Strategy::read(std::string_view(payload).substr(offset), side == Side::lower);
}

Claim Claim::by_pairing(const Pairing& pairing) && {
    evidence = Evidence::pairing;
    payload = pairing_payload(pairing);
    return std::move(*this);
}

Pairing Claim::pairing() const {
    std::size_t offset = 0;
    read_varint(payload, offset);  // its length
    return read_pairing(std::string_view(payload).substr(offset));
}

ThreatTrees Claim::threats() const {
    std::size_t offset = 0;
    read_varint(payload, offset);  // its length
    return ThreatTrees::read(std::string_view(payload).substr(offset), side == Side::lower);
}

std::vector<std::uint32_t> Claim::named() const {
    return evidence == Evidence::threats ? threats().named : strategy().named;
}

std::vector<std::vector<std::uint32_t>> Claim::lines() const {
    std::size_t offset = 0;
    read_varint(payload, offset);  // its length
    std::vector<std::vector<std::uint32_t>> lines;
    while (offset < payload.size()) {
        std::size_t left = side == Side::lower ? payload.size() : read_varint(payload, offset);
        auto& line = lines.emplace_back();
        for (; left > 0 && offset < payload.size(); --left) line.push_back(read_varint(payload, offset));
    }
    return lines;
}

std::string to_text(const Claim& claim) {
    static constexpr const char* evidence[] = {"children",         "table",  "line", "search", "threats", "strategy",
                                               "search to limits", "pairing"};
    std::string text = claim.side == Side::lower ? "lower = " : "upper = ";
    text += std::to_string(claim.bound) + ", rank " + std::to_string(claim.rank);
    if (claim.side == Side::lower) text += ", witness " + std::to_string(claim.witness);
    text += std::string(", by ") + evidence[static_cast<int>(claim.evidence)];
    if (is_search(claim.evidence)) text += " of " + std::to_string(claim.nodes()) + " nodes";
    return text;
}

std::optional<std::pair<Claim, Claim>> contradiction(const Claims& claims) {
    if (claims.empty() || claims.front().side != Side::lower) return std::nullopt;
    const auto upper = std::find_if(claims.begin(), claims.end(), [](const Claim& c) { return c.side == Side::upper; });
    if (upper == claims.end() || claims.front().bound <= upper->bound) return std::nullopt;
    return std::pair(claims.front(), *upper);
}

bool merge_claims(Claims& claims, const Claims& others) {
    Claims united;
    united.reserve(claims.size() + others.size());
    std::merge(claims.begin(), claims.end(), others.begin(), others.end(), std::back_inserter(united));
    Claims kept;
    for (Claim& claim : united) {
        // Claims of a side come from the strongest bound to the weakest, so a claim is undominated only if its rank is
        // smaller than that of the claim before it.
        if (kept.empty() || kept.back().side != claim.side || claim.rank < kept.back().rank) {
            kept.push_back(std::move(claim));
        }
    }
    if (kept == claims) return false;
    if (const auto clash = contradiction(kept)) {
        throw Contradiction(to_text(clash->first) + " contradicts " + to_text(clash->second));
    }
    if (kept.size() > most_claims) {
        throw MalformedRecord(std::to_string(kept.size()) + " undominated claims: a record holds at most " +
                              std::to_string(most_claims));
    }
    claims = std::move(kept);
    return true;
}

}  // namespace proofbase
