#include "records/claims/claim.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
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

Claim Claim::by_pairing(const Pairing& pairing) && {
    evidence = Evidence::pairing;
    payload = pairing_payload(pairing);
    return std::move(*this);
}

Claim Claim::by_evidence_of(const Claim& child) && {
    if (child.evidence == Evidence::pairing) return std::move(*this).by_pairing(child.pairing());
    return std::move(*this).by_search(child.nodes(), child.evidence == Evidence::search_to_limits);
}

std::string_view Claim::payload_of(Evidence expected) const {
    if (evidence != expected) throw std::logic_error("no such evidence: " + to_text(*this));
    std::size_t offset = 0;
    read_varint(payload, offset);  // its length
    return std::string_view(payload).substr(offset);
}

std::uint32_t Claim::nodes() const {
    if (!is_search(evidence)) throw std::logic_error("no small search: " + to_text(*this));
    std::size_t offset = 0;
    return read_varint(payload, offset);
}

Strategy Claim::strategy() const {
    return Strategy::read(payload_of(Evidence::strategy), side == Side::lower);
}

Pairing Claim::pairing() const {
    return read_pairing(payload_of(Evidence::pairing));
}

ThreatTrees Claim::threats() const {
    return ThreatTrees::read(payload_of(Evidence::threats), side == Side::lower);
}

std::vector<std::uint32_t> Claim::named() const {
    return evidence == Evidence::threats ? threats().named : strategy().named;
}

std::vector<std::vector<std::uint32_t>> Claim::lines() const {
    const std::string_view moves = payload_of(Evidence::line);
    std::size_t offset = 0;
    std::vector<std::vector<std::uint32_t>> lines;
    while (offset < moves.size()) {
        std::size_t left = side == Side::lower ? moves.size() : read_varint(moves, offset);
        auto& line = lines.emplace_back();
        for (; left > 0 && offset < moves.size(); --left) line.push_back(read_varint(moves, offset));
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
