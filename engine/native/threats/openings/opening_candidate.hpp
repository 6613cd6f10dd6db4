// A move of the attacker on a board with few stones, the replies to it, and what their proofs are expected to cost.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "threats/trees/proof_table.hpp"

namespace proofbase {

/// Efforts are numbers of positions that searches by threats look at. Prices are sums of proof numbers, which hardly
/// change with the effort where a proof is out of reach; so a reply grows dearer by a power of the effort besides.
class OpeningCandidate {
  public:
    static constexpr double never = std::numeric_limits<double>::infinity();

    struct Reply {
        int move;                  ///< of the defender, a bit
        std::uint64_t effort = 0;  ///< of the attempts so far
        double price = 0;
        bool proved = false;
    };

    /// `replies`: the most dangerous one first. `place`: of the move among the candidates, the best one 0.
    /// `likelihood`: how likely it is that the move wins, compared with the others.
    OpeningCandidate(int move, const std::vector<int>& replies, std::uint64_t first_effort, std::size_t place,
                     double likelihood)
        : move_(move), first_effort_(first_effort), likelihood_(likelihood) {
        for (const int reply : replies) replies_.push_back({reply});
        // A worse move has to wait until the better ones have become dearer.
        const auto worse = static_cast<double>(place < at_once ? 0 : place - at_once + 1);
        price_ = usual_price * static_cast<double>(std::min(most_dangerous, replies.size())) * (1 + worse / at_once);
    }

    int move() const noexcept { return move_; }
    bool begun() const noexcept { return begun_; }
    bool proved() const noexcept { return begun_ && proved_ == replies_.size(); }
    /// What the proof that the move wins is expected to cost from here, and to cost in vain; `never`: it fails with the
    /// present settings.
    double price() const noexcept { return price_ / likelihood_; }
    const std::vector<Reply>& replies() const noexcept { return replies_; }
    std::size_t proved_replies() const noexcept { return proved_; }

    /// A pass of the defender loses, or it cannot be shown that it does: then no reply can be answered.
    void begin(bool pass_loses) {
        begun_ = true;
        set_price(pass_loses);
    }

    /// The reply to be tried next: of the dangerous ones that with the least effort, then of the others.
    std::size_t next() const noexcept {
        const std::size_t dangerous = std::min(most_dangerous, replies_.size());
        const std::size_t first = least_effort(0, dangerous);
        return first < dangerous ? first : least_effort(dangerous, replies_.size());
    }

    std::uint64_t effort(std::size_t reply, int growth) const noexcept {
        const std::uint64_t spent = replies_[reply].effort;
        return spent == 0 ? first_effort_ : spent * static_cast<std::uint64_t>(growth);
    }

    /// The position after a reply is proved, without an attempt.
    void note_proved(std::size_t index) {
        proved_ += replies_[index].proved ? 0 : 1;
        replies_[index].proved = true;
        set_price(price_ != never);
    }

    /// What came of an attempt: the numbers of the position after the reply.
    void note(std::size_t index, std::uint64_t effort, const ProofNumbers& numbers) {
        Reply& reply = replies_[index];
        reply.effort += effort;
        reply.proved = numbers.proof == 0;
        proved_ += reply.proved ? 1 : 0;
        const double tenacity =
            std::pow(static_cast<double>(reply.effort) / static_cast<double>(first_effort_), growth_of_price);
        reply.price = reply.proved ? 0 : tenacity * std::min(numbers.proof, most_proof);
        set_price(numbers.disproof != 0);
    }

  private:
    static constexpr std::size_t most_dangerous = 40;
    static constexpr std::size_t at_once = 8;  ///< candidates that are tried before the price of any of them is known
    static constexpr double usual_price = 8;
    static constexpr double safer = 8;  ///< a reply that is not dangerous is so many times cheaper
    static constexpr double growth_of_price = 1.0 / 2;
    static constexpr std::uint32_t most_proof = 100;

    std::size_t least_effort(std::size_t begin, std::size_t end) const noexcept {
        std::size_t best = end;
        for (std::size_t i = begin; i < end; ++i) {
            if (!replies_[i].proved && (best == end || replies_[i].effort < replies_[best].effort)) best = i;
        }
        return best;
    }

    /// Replies that were not tried yet are expected to cost what the others did.
    void set_price(bool possible) {
        if (!possible || price_ == never) {
            price_ = never;
            return;
        }
        constexpr double smoothing = 4;
        double sum = 0;
        double tried = 0;
        for (const Reply& reply : replies_) {
            if (reply.effort == 0 && !reply.proved) continue;
            ++tried;
            sum += reply.price;
        }
        const double usual = (sum + smoothing * usual_price) / (tried + smoothing);
        price_ = sum;
        for (std::size_t i = 0; i < replies_.size(); ++i) {
            if (replies_[i].effort == 0 && !replies_[i].proved) price_ += i < most_dangerous ? usual : usual / safer;
        }
    }

    int move_;
    std::uint64_t first_effort_;
    double likelihood_;
    double price_ = 0;
    bool begun_ = false;
    std::size_t proved_ = 0;
    std::vector<Reply> replies_;
};

}  // namespace proofbase
